"""A path of one person's home in a shared file.

For everybody else the rule matches nothing, and it shows a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import inner_span

CODE = "J505"
NAME = "user-path"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Read(//home/someone/notes/**)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Read(~/notes/**)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if not file.policy.in_project or file.policy.source.path.endswith(".local.json"):
        return
    texts = [(rule.text, rule.start, rule.end) for rule in file.policy.rules]
    listed = file.policy.tree.get("permissions", "additionalDirectories") if file.policy.tree else None
    texts += [(text, *inner_span(file.policy.source, node)) for text, node in (listed.strings() if listed else [])]
    for text, start, end in texts:
        if file.policy.format != "list" and any(_names_home(text, root) for root in ("/home/", "/Users/")):
            yield Finding(start, end, f"`{text}` names one person's home", help="use ~ or a path in the repository")


def _names_home(text: str, root: str) -> bool:
    _, found, rest = text.partition(root)
    return bool(found) and rest.split("/")[0] not in ("", "*", "**")
