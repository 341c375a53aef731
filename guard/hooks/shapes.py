"""Forms of an answer that several runtimes share. Each module of a runtime says which of them is its own."""

from __future__ import annotations

import json

from guard.hooks.base import PERMISSION, SILENCE, START, STOP, SUBAGENT_STOP, TOOL, Adapter, Answer, Fields, event
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

NAMES = {
    TOOL: "PreToolUse",
    PERMISSION: "PermissionRequest",
    STOP: "Stop",
    SUBAGENT_STOP: "SubagentStop",
    START: "SessionStart",
}
"""Claude Code's names of events, which most runtimes have taken over."""
EVENTS = {name: kind for kind, name in NAMES.items()}
MAX_REASON = 9_000
"""Claude Code cuts strings at 10,000 characters; no runtime needs more."""


def short(reason: str) -> str:
    """A reason of a length that every runtime takes."""
    return reason if len(reason) <= MAX_REASON else reason[:MAX_REASON] + "..."


def answer(content: dict[str, Any], code: int = 0, reason: str | None = None) -> Answer:
    """JSON on standard output; `reason` also goes to standard error."""
    stdout = json.dumps(content).encode("ascii")
    return Answer(stdout, b"" if reason is None else line(reason), code)


def line(reason: str) -> bytes:
    """A reason as it stands on standard error."""
    return reason.encode("utf-8", "backslashreplace") + b"\n"


def exit_2(_: str, reason: str) -> Answer:
    """Runtimes that read no JSON: the reason on standard error and exit code 2."""
    return Answer(b"", line(short(reason)), 2)


def claude(kind: str, reason: str) -> dict[str, Any]:
    """Claude Code's JSON of a veto; `hookEventName` is required, without it the decision is ignored."""
    reason = short(reason)
    if kind in (STOP, SUBAGENT_STOP):
        return {"decision": "block", "reason": reason}
    if kind == PERMISSION:
        verdict = {"behavior": "deny", "message": reason}
        return {"hookSpecificOutput": {"hookEventName": NAMES[kind], "decision": verdict}}
    return {"hookSpecificOutput": claude_decision("deny", reason)}


def claude_decision(decision: str, reason: str) -> dict[str, str]:
    """The inside of Claude Code's answer to a call."""
    return {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": short(reason),
    }


def claude_ask(reason: str) -> Answer:
    """Hands the decision to the user."""
    return answer({"hookSpecificOutput": claude_decision("ask", reason)})


CLAUDE_APPROVE = answer({"hookSpecificOutput": claude_decision("allow", "devkit-guard: it only reads")})


def claude_remind(kind: str, text: str) -> Answer:
    """Context for the model, no decision. Nothing where the event takes none."""
    if kind not in (TOOL, START):
        return Answer(b"", b"", 0)
    return answer({"hookSpecificOutput": {"hookEventName": NAMES[kind], "additionalContext": short(text)}})


def claude_veto(kind: str, reason: str) -> Answer:
    """JSON that says no, and exit code 2 with the reason for versions that ignore it. A stop is only JSON."""
    if kind in (STOP, SUBAGENT_STOP):
        return answer(claude(kind, reason))
    return answer(claude(kind, reason), 2, short(reason))


def claude_json_only(kind: str, reason: str) -> Answer:
    """The same JSON with exit code 0, for runtimes that take any other code for a broken hook."""
    return answer(claude(kind, reason))


def decision(word: str, key: str = "reason") -> Any:
    """A veto as `{"decision": word, "reason": …}` with exit code 0."""
    return lambda _, reason: answer({"decision": word, key: short(reason)})


def on_stderr(_: str, text: str) -> Answer:
    """A reminder where the runtime takes no context from a hook: people can see it in the hook's output."""
    return Answer(b"", line(short(text)), 0)


def like_claude(name: str) -> Adapter:
    """A runtime with Claude Code's events, payload and answers."""
    return Adapter(
        name=name,
        events=EVENTS,
        decode=lambda payload: event(payload, name, EVENTS, Fields()),
        allow=SILENCE,
        veto=claude_veto,
        remind=claude_remind,
        ask=claude_ask,
        approve=CLAUDE_APPROVE,
        failure=1,
    )
