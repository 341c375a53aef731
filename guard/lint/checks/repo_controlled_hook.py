"""A hook in a file of the repository that also grants commands.

Whoever can change the repository chooses the program that runs on every call.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "H601"
NAME = "repo-controlled-hook"
SEVERITY = "warning"
BAD = Example(
    "claude",
    '{"permissions": {"allow": ["Bash(ls:*)"]}, "hooks": {"PreToolUse": [{"matcher": "Bash", '
    '"hooks": [{"type": "command", "command": "./check.sh", "timeout": 10, "onFailure": "block"}]}]}}',
)
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    allows = [rule for rule in file.policy.rules if rule.decision == "allow"]
    if file.policy.in_project and allows:
        for hook in file.policy.hooks:
            start, end = hook.command_node.start, hook.command_node.end
            yield Finding(
                start,
                end,
                "a file in the repository both grants commands and starts a program",
                "(hook command runs)",
                help="keep hooks in your own settings",
            )
