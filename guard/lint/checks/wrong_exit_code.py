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


CODES = dict.fromkeys(("codex-hooks", "codex-config"), ("exit 1", "exit 2", "exit 3", "exit 255"))
"""Exit codes that do not block, where they differ: Codex wants its JSON and 0, the call may run after a 2."""
USUAL = ("exit 1", "exit 3", "exit 255", "return 1")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    help_ = (
        "print the runtime's deny JSON and exit 0" if file.policy.format in CODES else "exit 2, or print the deny JSON"
    )
    for hook in guarding(file.policy):
        command = f" {hook.command} ".replace(";", " ; ").replace("'", " ").replace("}", " } ")
        word = next((one for one in CODES.get(file.policy.format, USUAL) if f" {one} " in command), None)
        if word is not None:
            message = f"`{word}` is an error, not a block: the call runs"
            yield Finding(hook.command_node.start, hook.command_node.end, message, help=help_)
