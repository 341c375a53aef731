"""A decision as a record of the log."""

from __future__ import annotations

import json

from guard.hooks.base import REFUSALS, Outcome
from guard.model.record import TYPE_CHECKING
from guard.store import decisions
from guard.store.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guard.gate import Opinion
    from guard.hooks.base import Event
    from guard.hooks.reply import Reply

MAX_TEXT = 1_500
"""Longest command or reason that is kept."""


def record(reply: Reply, seconds: float) -> None:
    """Appends the decision of `reply`. Raises OSError where the log cannot be written."""
    found: dict[str, Any] = {}
    event, outcome = reply.event, reply.outcome
    if event is not None:
        found.update(_called(event))
    if outcome is not None:
        found.update(_decided(outcome, reply.opinion, reply.settings.mode))
    decisions.append(reply.environ, {"agent": reply.adapter.name, **found, "ms": round(seconds * 1000, 1)})


def digest(arguments: Mapping[str, Any]) -> str:
    """SHA-256 of the input as canonical JSON: sorted keys, no blanks, whole numbers in full, UTF-8."""
    try:
        from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found,no-redef,unused-ignore]
        except ImportError:
            from hashlib import sha256
    text = json.dumps(arguments, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return str(sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def _called(event: Event) -> dict[str, Any]:
    call = event.call
    found = {"event": event.kind, "session": call.session, "caller": call.agent, "cwd": call.cwd, "call": call.call_id}
    if call.tool:
        found |= {"tool": call.tool, "input": digest(call.input)}
    return found


def _decided(outcome: Outcome, opinion: Opinion | None, mode: str) -> dict[str, Any]:
    """The answer, and what it rests on. In mode observe the verdict is what it would have been: it is not enforced."""
    found: dict[str, Any] = {"mode": mode, "verdict": outcome.decision}
    if outcome.decision in REFUSALS:
        found["enforced"] = mode != "observe"
    if outcome.reason:
        found["reason"] = redacted(outcome.reason[:MAX_TEXT])
    if opinion is None:
        return found
    if opinion.steps:
        found["steps"] = [
            f"{step.session} {step.workflow} {step.number}/{step.total} {step.step}" for step in opinion.steps
        ]
    if opinion.case is None:
        return {**found, "verdict": "pass"} if outcome.decision == "allow" and not opinion.steps else found
    if opinion.case.use.command:
        found["command"] = redacted(opinion.case.use.command[:MAX_TEXT])
    if opinion.case.use.paths:
        found["paths"] = [path[:300] for path in opinion.case.use.paths[:20]]
    verdict = opinion.case.verdict
    if verdict is not None:
        found["effects"] = sorted({effect.kind.value for effect in verdict.effects})
        found["rules"] = list(
            dict.fromkeys(_rule(effect.reason.code, effect.reason.rule) for effect in verdict.effects)
        )[:20]
    return found


def _rule(code: str, rule: str | None) -> str:
    return code if rule is None else f"{code} {rule}"
