"""A guard hook whose failure is thrown away.

`|| true` and `; exit 0` turn every answer by exit code into an allow.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.hooks import guarding

CODE = "H602"
NAME = "never-blocks"
SEVERITY = "error"
BAD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"./check.sh || true", "timeout": 10, "onFailure": "block"}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)

ENDS = ("|| true", "|| :", "||true", "|| exit 0", "; true", "; exit 0", "&")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for hook in guarding(file.policy):
        text = hook.command.rstrip(" ;")
        tail = next((end for end in ENDS if text.endswith(end)), None)
        if tail:
            yield Finding(
                hook.command_node.start,
                hook.command_node.end,
                f"`{tail}` throws the answer away: this hook can never block",
            )
