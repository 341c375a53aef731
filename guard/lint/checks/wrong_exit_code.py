"""A guard hook that blocks with an exit code that does not.

Only 2 blocks; 1 and others are errors, after which the call runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.hooks import guarding

CODE = "H603"
NAME = "wrong-exit-code"
SEVERITY = "error"
BAD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "grep -q '
    'rm && exit 1", "timeout": 10, "onFailure": "block"}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for hook in guarding(file.policy):
        for word in ("exit 1", "exit 3", "exit 255", "return 1"):
            at = f"{hook.command} ".find(f"{word} ")
            if at >= 0 or hook.command.endswith(word):
                yield Finding(
                    hook.command_node.start,
                    hook.command_node.end,
                    f"`{word}` is an error, not a block: the call runs",
                    help="exit 2, or print the runtime's deny JSON",
                )
                break
