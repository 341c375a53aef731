"""A guard hook that lets the call run when it fails.

A crash, a missing program or a timeout lets the call through unless the fail-closed switch is set.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.hooks import SWITCHES, guarding
from guard.model.diagnostic import Edit, Fix

CODE = "H606"
NAME = "fails-open"
SEVERITY = "warning"
BAD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    switch = SWITCHES.get(file.policy.format)
    for hook in guarding(file.policy):
        if switch and (node := hook.node.get(switch[0])) is not None and node.data == switch[1]:
            continue
        if switch:
            value = json.dumps(switch[1])
            toml = file.policy.source.path.endswith(".toml")
            added = f"\n{switch[0]} = {value}" if toml else f', "{switch[0]}": {value}'
            edit = Edit(hook.command_node.end, hook.command_node.end, added)
            fix = Fix("set the switch", (edit,), False)
            message = f"if this guard fails, the call runs: set {switch[0]} to {value}"
            yield Finding(hook.command_node.start, hook.command_node.end, message, fix=fix)
