"""A hook timeout that is wrong by its unit or size.

Seconds in one tool, milliseconds in the next. A hook that is cut off lets the call run.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.hooks import MILLISECONDS, TIMEOUTS

CODE = "H605"
NAME = "timeout"
SEVERITY = "warning"
BAD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10000, "onFailure": "block"}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for hook in file.policy.hooks:
        node = next((found for key in TIMEOUTS if (found := hook.node.get(key)) is not None), None)
        if node is None or isinstance(node.data, bool) or not isinstance(node.data, (int, float)):
            continue
        unit, least, most = (
            ("milliseconds", 1000, 600_000) if file.policy.format in MILLISECONDS else ("seconds", 1, 600)
        )
        if not least <= node.data <= most:
            yield Finding(
                node.start,
                node.end,
                f"the timeout is in {unit}: {node.data} is not what was meant",
                help=f"expected {least} to {most}",
            )
