"""`devkit-guard status`: what is enforced here and now, and why."""

from __future__ import annotations

import json
import os

from guard import stops
from guard.cli.init import root
from guard.cli.terminal import show
from guard.model.call import ToolCall
from guard.model.errors import GuardError
from guard.settings import STRICTEST, Settings, repository_file, settings, user_file
from guard.setup import files
from guard.setup.jsonc import TextError
from guard.setup.runtimes import RUNTIMES
from guard.store.decisions import log_path

MEANING = {
    "step": "calls are held to the open step of a workflow; while nothing is open, nothing is vetoed",
    "always": "every shell call must only read, and calls are held to the open step of a workflow",
    "observe": "nothing is vetoed; what would have been is in the log",
}


def run(*, as_json: bool) -> int:
    """Prints it; 1 if the configuration or the state cannot be read."""
    here, problems = os.getcwd(), []
    variable = os.environ.get("DEVKIT_GUARD_MODE")
    given = Settings()
    try:
        given = settings(os.environ, here)
    except GuardError as error:
        given = STRICTEST  # as the hook takes it
        problems.append(str(error))
    mode, why = given.mode, _source(here)
    if variable in MEANING:
        mode, why = str(variable), "DEVKIT_GUARD_MODE"
    try:
        steps = stops.open_here(ToolCall("", "", {}, here))
    except GuardError as error:
        steps = None
        problems.append(str(error))
    places = [{"agent": name, "file": path, "command": command} for name, path, command in _registered()]
    if as_json:
        found = {"mode": mode, "because": why, "settings": given._asdict(), "open": steps, "registered": places}
        print(json.dumps({**found, "log": log_path(os.environ) if given.log else None, "problems": problems}, indent=2))
        return 1 if problems else 0
    show([("reason", f"mode {mode} (from {why}; a hook's own --mode goes before): {MEANING[mode]}")], plain=False)
    show([("note", f"on_veto {given.on_veto}, on_allow {given.on_allow}, plan mode {given.plan}")], plain=False)
    show([("reason", f"open here: {steps or 'nothing'}")], plain=False)
    for place in places:
        show(
            [("reason", f"{place['agent']:<12} {place['command']}"), ("note", f"{'':<12} {place['file']}")], plain=False
        )
    if not places:
        show([("hint", "the hook is registered nowhere: devkit-guard init")], plain=False)
    show([("note", f"log: {log_path(os.environ) if given.log else 'switched off'}")], plain=False)
    show([("veto", problem) for problem in problems], plain=False)
    return 1 if problems else 0


def _source(here: str) -> str:
    found = [path for path in (user_file(os.environ), repository_file(here)) if path and os.path.exists(path)]
    return " and ".join(found) or "the default"


def _registered() -> list[tuple[str, str, str]]:
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
    return [(name, path, command) for (path, command), name in found.items()]
