"""What `prove` found, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from guard.prove.examples import Example, rule_of
from guard.prove.proof import OUTCOMES, Run, counts

CAVEAT = "This refutes and never proves: it saw these commands with these files, programs, options and users only."


def as_dict(
    examples: Sequence[Example], runs: Sequence[Run], blind: list[tuple[str, str]], seconds: float
) -> dict[str, Any]:
    """The whole result with plain values."""
    return {
        "examples": len(examples),
        "runs": len(runs),
        "seconds": round(seconds, 1),
        "seconds_per_run": round(sum(run.result.seconds for run in runs) / len(runs), 3) if runs else 0.0,
        "outcomes": counts(runs),
        "rules": _by_rule(examples, runs),
        "states": dict(sorted(Counter(run.state.name for run in runs).items())),
        "refuted": [
            {
                "where": run.example.where,
                "command": run.example.command,
                "state": run.state.name,
                "claimed": sorted(kind.value for kind in run.example.claimed),
                "seen": [{"kind": kind, "what": what} for kind, what in run.against],
            }
            for run in runs
            if run.outcome == "refuted"
        ],
        "not_installed": sorted({name for run in runs for name in run.result.missing}),
        "errors": _grouped(runs, "ended with an error", lambda run: run.result.said.strip()[-120:]),
        "not_finished": _grouped(runs, "not finished", lambda run: ""),
        "could_not_be_run": _grouped(runs, "could not be run", lambda run: run.result.fault),
        "cache": len({run.example for run in runs if any(kind == "cache" for kind, _ in run.result.seen)}),
        "notes": dict(Counter(note for run in runs for note in set(run.notes)).most_common()),
        "blind": [{"kind": kind, "command": command} for kind, command in blind],
        "caveat": CAVEAT,
    }


def _by_rule(examples: Sequence[Example], runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """By rule file (`sed`, `git/log`) how many examples it has, and how many of their runs had which outcome."""
    shown = Counter(rule_of(one) for one in examples)
    ended: dict[str, list[Run]] = {}
    for run in runs:
        ended.setdefault(rule_of(run.example), []).append(run)
    return {
        name: {
            "examples": count,
            "runs": {key: number for key, number in counts(ended.get(name, ())).items() if number},
        }
        for name, count in sorted(shown.items())
    }


def _grouped(runs: Sequence[Run], outcome: str, why: Callable[[Run], str]) -> list[dict[str, str]]:
    """The examples that had this outcome and were never run to their end, each once."""
    found: dict[str, dict[str, str]] = {}
    ended = {run.example for run in runs if run.outcome in ("not refuted", "refuted")}
    for run in runs:
        if run.outcome == outcome and run.example not in ended:
            row = {"where": run.example.where, "command": run.example.command, "why": why(run)}
            found.setdefault(f"{run.example.where} {run.example.command}", row)
    return list(found.values())


def as_text(found: dict[str, Any], *, verbose: bool) -> str:
    """For a person: what was refuted, then the counts."""
    lines = []
    for one in found["blind"]:
        lines.append(f"BLIND: the witness did not see that `{one['command']}` is {one['kind']}")
    for one in found["refuted"]:
        claim = ", ".join(one["claimed"])
        lines.append(f"REFUTED {one['where']}: `{one['command']}` [{one['state']}], said to be {claim}:")
        lines += [f"    {seen['kind']}: {seen['what']}" for seen in one["seen"]]
    for title in ("errors", "not_finished", "could_not_be_run") if verbose else ("could_not_be_run",):
        for one in found[title]:
            lines.append(f"{title.replace('_', ' ')} {one['where']}: `{one['command']}` {one['why']}".rstrip())
    if found["not_installed"]:
        names = ", ".join(found["not_installed"])
        lines.append(f"not installed ({len(found['not_installed'])}): {names}")
    if verbose:
        lines += [f"note ({count}): {note}" for note, count in found["notes"].items()]
    outcomes = ", ".join(f"{found['outcomes'][name]} {name}" for name in OUTCOMES)
    lines.append(
        f"{found['examples']} examples, {found['runs']} runs in {len(found['states'])} states, {found['seconds']} s "
        f"({found['seconds_per_run']} s each): {outcomes}; {found['cache']} examples left a benign cache"
    )
    lines.append(CAVEAT)
    return "\n".join(lines) + "\n"


def as_json(found: dict[str, Any]) -> str:
    """For programs."""
    return json.dumps(found, indent=2) + "\n"
