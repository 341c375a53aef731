"""`devkit-guard status`: what is enforced here and now, and why, and the way out of it."""

from __future__ import annotations

import json
import os
from typing import Any

from guard import board, workflow
from guard.cli.init import root
from guard.cli.terminal import show
from guard.model.call import ToolCall
from guard.model.errors import GuardError
from guard.model.grant import Step
from guard.report import visible
from guard.report.grants import grant_text
from guard.settings import STRICTEST, Settings, repository_file, settings, user_file
from guard.setup import files
from guard.setup.command import cannot_start, mode_of
from guard.setup.jsonc import TextError
from guard.setup.runtimes import BY_NAME, RUNTIMES
from guard.store.decisions import log_path
from guard.workflow.grants import abort_command

MEANING = {
    "step": "calls are held to the open step of a workflow; while nothing is open, nothing is vetoed",
    "always": "every shell call must only read, and calls are held to the open step of a workflow",
    "observe": "nothing is vetoed; what would have been is in the log",
}
Found = dict[str, Any]


def run(*, as_json: bool) -> int:
    """Prints it; 1 if the configuration or the state cannot be read, or a registered hook would not start."""
    here, problems = os.getcwd(), []
    given = Settings()
    try:
        given = settings(os.environ, here)
    except GuardError as error:
        given = STRICTEST  # as the hook takes it
        problems.append(str(error))
    mode, why = given.mode, _source(here)
    variable = os.environ.get("DEVKIT_GUARD_MODE")
    if variable:
        mode, why = variable, "DEVKIT_GUARD_MODE"
    if mode not in MEANING:
        problems.append(f"{why}: '{mode}' is no mode ({', '.join(MEANING)}): hooks take it for always")
        mode = "always"
    opened, unread = _open(ToolCall("", "", {}, here))
    places = _registered(mode, why)
    problems += unread
    problems += [f"{place['agent']}: {place['problem']} ({place['file']})" for place in places if place["problem"]]
    found: Found = {"mode": mode, "because": why, "settings": given._asdict(), "open": opened, "registered": places}
    found |= {"log": log_path(os.environ) if given.log else None, "problems": problems}
    if as_json:
        print(json.dumps(found, indent=2))
    else:
        _print(found, here)
    return 1 if problems else 0


def _print(found: Found, here: str) -> None:
    given = found["settings"]
    show([("reason", f"mode {found['mode']} (from {found['because']}): {MEANING[found['mode']]}")], plain=False)
    show(
        [("note", f"on_veto {given['on_veto']}, on_allow {given['on_allow']}, plan mode {given['plan']}")], plain=False
    )
    for key, path in (("you", user_file(os.environ)), ("this repository", repository_file(here))):
        change = 'change it with `mode = "step"`, "always" or "observe" in'
        if path is not None:
            show([("note", f"for {key}: {change if key == 'you' else 'made stricter by'} {path}")], plain=False)
    show([("reason", "open here:" if found["open"] else "open here: nothing")], plain=False)
    for step in found["open"]:
        show([("veto" if step["enforced"] else "reason", f"  {visible(step['what'])}")], plain=False)
        show([("source", f"    allows    {visible(step['allows'])}")], plain=False)
        show([("hint", f"    way out   {visible(way)}") for way in step["way_out"]], plain=False)
        show([("note", f"    note      {visible(step['note'])}")] if step["note"] else [], plain=False)
    for place in found["registered"]:
        line = f"{place['agent']:<12} mode {place['mode']} (from {place['because']})"
        show([("reason", line), ("note", f"{'':<12} {visible(place['command'])}")], plain=False)
        show([("note", f"{'':<12} {visible(place['file'])}")], plain=False)
    if not found["registered"]:
        show([("hint", "the hook is registered nowhere, so nothing is guarded: devkit-guard init")], plain=False)
    show([("note", f"log: {found['log'] or 'switched off'}")], plain=False)
    show([("veto", visible(problem)) for problem in found["problems"]], plain=False)


def _source(here: str) -> str:
    found = [path for path in (user_file(os.environ), repository_file(here)) if path and os.path.exists(path)]
    return " and ".join(found) or "the default"


def _open(anyone: ToolCall) -> tuple[list[Found], list[str]]:
    """Every open step of a workflow and held card that binds callers here, and what could not be read."""
    found, problems = [], []
    for steps_for, described in ((workflow.grants_for, _step), (board.steps_for, _card)):
        try:
            found += [described(step) for step in steps_for(anyone)]
        except GuardError as error:
            problems.append(str(error))
    return found, problems


def _step(step: Step) -> Found:
    allows = "only the devkit tools: the engine runs its command" if step.engine_runs else grant_text(step.grant)
    what = f"workflow {step.workflow}, step {step.number}/{step.total} `{step.step}`, session {step.session}"
    ways = ["the agent: devkit_advance when it is done, devkit_abort to end the session"]
    ways += [f'you: devkit-engine advance --session {step.session} --output "…"', f"you: {abort_command(step.session)}"]
    return _described(step, "workflow", what, allows, ways)


def _card(step: Step) -> Found:
    what = f"card {step.session}, held at stage {step.step} ({step.number}/{step.total})"
    ways = ["the agent: devflow_transition to the next stage, devflow_release to give the card back"]
    ways += [f"you: devkit-engine board show {step.session}, then board release or board takeover {step.session}"]
    return _described(step, "card", what, grant_text(step.grant), ways)


def _described(step: Step, kind: str, what: str, allows: str, ways: list[str]) -> Found:
    beyond = "anything else is vetoed" if step.hard else "anything else leads to a reminder"
    named = {"kind": kind, "session": step.session, "step": step.step, "number": step.number, "total": step.total}
    return {
        **named,
        "what": what,
        "enforced": step.hard,
        "allows": f"{allows}; {beyond}",
        "way_out": ways,
        "repository": step.repository,
        "note": step.note,
    }


def _registered(mode: str, why: str) -> list[Found]:
    """Every registration, with the mode that it answers in: its own `--mode` goes before everything else."""
    found: dict[tuple[str, str], str] = {}
    for project in (False, True):
        for runtime in RUNTIMES:
            for path in files.paths(runtime, root(project), project=project):
                try:
                    hooks = files.commands_in(runtime, path)
                except TextError:
                    continue
                for _, _, command in hooks:
                    found.setdefault((path, command), runtime.name)
    return [_place(name, path, command, mode, why) for (path, command), name in found.items()]


def _place(agent: str, path: str, command: str, mode: str, why: str) -> Found:
    own = mode_of(command)
    fault = cannot_start(BY_NAME[agent].name, command, os.environ)
    problem = fault.what if fault else ""
    if own and own not in MEANING:
        problem = problem or f"`--mode {own}` is no mode ({', '.join(MEANING)}): it is taken for always"
        own = "always"
    return {
        "agent": agent,
        "file": path,
        "command": command,
        "mode": own or mode,
        "because": "its own --mode" if own else why,
        "problem": problem,
    }
