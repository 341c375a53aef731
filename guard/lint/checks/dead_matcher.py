"""A hook matcher that matches no tool.

Names are compared exactly, case too; `mcp__server` alone matches nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.claude import TOOLS
from guard.lint.hooks import plain

CODE = "H607"
NAME = "dead-matcher"
SEVERITY = "error"
BAD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "onFailure": "block"}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format != "claude":
        return
    for hook in file.policy.hooks:
        for name in hook.matcher.split("|") if plain(hook.matcher) else ():
            tool = name.strip()
            near = next((known for known in TOOLS if known.lower() == tool.lower()), None)
            if tool.startswith("mcp__") and tool.count("__") == 1:
                yield Finding(
                    hook.command_node.start,
                    hook.command_node.end,
                    f"matcher '{tool}' matches no tool: write '{tool}__.*'",
                )
            elif hook.event in ("PreToolUse", "PostToolUse") and near is not None and near != tool:
                yield Finding(
                    hook.command_node.start,
                    hook.command_node.end,
                    f"matcher '{tool}' matches no tool: did you mean '{near}'?",
                )
