"""The one use case: read → classify → grant → decide. The file to read first."""

from __future__ import annotations

import os

from guard import policy
from guard.classify import Place, classify, doubts
from guard.model.call import ToolCall
from guard.model.effect import opaque
from guard.model.errors import GuardError
from guard.model.grant import Grant
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook

SHELL_TOOLS = {"Bash": "command"}
"""Tools that hand a field to bash."""
OTHER_SHELLS = frozenset({"PowerShell"})
"""Tools that hand text to a shell that the guard does not read."""


def judge(text: str, place: Place, grant: Grant, book: Rulebook) -> Verdict:
    """The verdict on a command line under a grant. Never raises for what the text says; a fault inside is a veto."""
    try:
        found = classify(text, place, book)
        verdict = policy.decide(found.effects, grant)
        if verdict.decision is Decision.ALLOW:
            verdict = policy.decide((*found.effects, *doubts(found)), grant)
    except RecursionError:
        verdict = _fault("bounds", "nested too deeply to be judged", text)
    except GuardError as error:
        verdict = _fault("data", str(error), text)
    except Exception as error:
        verdict = _fault("internal", f"the classifier failed ({type(error).__name__}: {error}): please report it", text)
    return verdict


def _fault(code: str, message: str, text: str) -> Verdict:
    return policy.decide((opaque(code, message, Span(0, len(text))),), Grant())


def objection(call: ToolCall) -> str | None:
    """Why a call may not run in mode `always`: shell calls must only read, other tools are not judged. None: it may."""
    if call.tool in OTHER_SHELLS:
        return f"{call.tool} is a shell that this guard does not read. Use Bash with a command that only reads."
    field = SHELL_TOOLS.get(call.tool)
    if field is None:
        return None
    command = call.input.get(field)
    if not isinstance(command, str):
        return f"the call of {call.tool} has no text in '{field}'"
    verdict = judge(command, place(call.cwd), Grant(), Rulebook())
    if verdict.decision is Decision.ALLOW:
        return None
    from guard.report.verdicts import sentence

    shown = [sentence(reason, command) for reason in verdict.reasons[:3]]
    return "this command does more than read, or could. " + " ".join(shown)


def place(cwd: str | None) -> Place:
    """Where a call runs, by what the runtime says: a directory that is not there, or not absolute, is not believed."""
    home = os.environ.get("HOME", "")
    known = cwd is not None and os.path.isabs(cwd) and os.path.isdir(cwd)
    return Place(os.path.normpath(cwd) if known and cwd else None, home if os.path.isabs(home) else None)
