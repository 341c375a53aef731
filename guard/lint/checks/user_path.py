"""A path of one person's home in a shared file.

For everybody else the rule matches nothing, and it shows a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "J505"
NAME = "user-path"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Read(//home/someone/notes/**)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Read(~/notes/**)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if not file.policy.in_project or "local" in file.policy.source.path:
        return
    for rule in file.policy.rules:
        for root in ("/home/", "/Users/"):
            at = rule.text.find(root)
            if (
                at >= 0
                and rule.text[at + len(root) :].split("/")[0] not in ("", "*", "**")
                and file.policy.format != "list"
            ):
                yield Finding(
                    rule.start,
                    rule.end,
                    f"`{rule.text}` names one person's home",
                    help="use ~ or a path in the repository",
                )
