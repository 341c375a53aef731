"""The finding for a deny or ask rule that does not hold."""

from __future__ import annotations

from guard.lint.check import File, Finding
from guard.lint.evasions import Evasion
from guard.lint.policy import decision

THEN = {"allow": "it runs unasked", "ask": "it is only asked about", "deny": "it is denied by another rule"}


def missed(file: File, one: Evasion, why: str, advice: str) -> Finding:
    """Says what the tool then does with the command that the rule misses; an error where it runs."""
    tool = one.rule.tool if file.policy.format == "vscode" or "." in one.rule.tool else ""
    then, decider = decision(file.policy, one.command, tool)
    by = f" by `{decider.text}`" if decider is not None and then == "allow" else ""
    version = f" (in {one.version})" if one.version else ""
    message = f"`{one.rule.text}` misses `{one.command}`{version}: {why}"
    sandboxed = file.policy.sandboxed and decider is None
    if not one.version:
        message += "; it may run unasked in the sandbox" if sandboxed else f"; {THEN[then]}{by}"
    severity = "error" if (then == "allow" or sandboxed) and not one.version else ""
    return Finding(one.rule.start, one.rule.end, message, one.command, help=advice, severity=severity)
