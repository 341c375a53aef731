"""`devkit-guard init` and `uninit`: the hook in the files of the runtimes, and out of them."""

from __future__ import annotations

import difflib
import os
import shutil
import sys

from guard.cli.terminal import show
from guard.model.errors import GuardError, UsageError
from guard.setup import files
from guard.setup.command import MODES, mode_of
from guard.setup.doctor import speaker
from guard.setup.runtimes import BY_NAME, RUNTIMES, Runtime


def init(agents: list[str], *, project: bool, dry_run: bool, mode: str | None, command: str | None) -> int:
    """Registers the hook; 1 if a file could not be changed. Without names: with every runtime that is installed."""
    if mode not in (None, *MODES):
        raise UsageError(f"--mode: expected {', '.join(MODES)} (got '{mode}')")
    chosen = selected(agents) if agents else found_installed()
    if not chosen:
        raise UsageError("no agent runtime was found on this machine: name one with --agent")
    program = command or ("devkit-guard" if project else own_program())
    changes = []
    for runtime in chosen:
        call = f"{program} hook --agent {speaker(runtime)}"
        places = files.paths(runtime, root(project), project=project)
        if not places:
            show([("note", f"{runtime.title}: {_nowhere(runtime, project)}")], plain=False)
        for path in places:
            chosen_mode = mode or _mode_in(runtime, path)
            line = f"{call} --mode {chosen_mode}" if chosen_mode else call
            changes.append(files.registered(runtime, path, line, project=project))
    code = _applied(changes, dry_run=dry_run, undo=False)
    if not dry_run:
        trust = [("note", f"{runtime.title}: {runtime.trust}") for runtime in chosen if runtime.trust != "none"]
        show([*trust, ("reason", "Prove it: devkit-guard doctor")], plain=False)
    return code


def _mode_in(runtime: Runtime, path: str) -> str | None:
    """The mode that a registration in the file has already: registering again must not weaken it."""
    try:
        commands = [command for _, _, command in files.commands_in(runtime, path)]
    except (GuardError, ValueError, OSError):
        return None  # what is wrong with the file is said where it is changed
    return next((mode for mode in map(mode_of, commands) if mode is not None), None)


def uninit(agents: list[str], *, project: bool, dry_run: bool) -> int:
    """Takes the hook out again; 1 if a file could not be changed."""
    changes = [
        files.unregistered(runtime, path, os.environ)
        for runtime in (selected(agents) if agents else RUNTIMES)
        for path in files.paths(runtime, root(project), project=project)
    ]
    return _applied(changes, dry_run=dry_run, undo=True)


def selected(agents: list[str]) -> list[Runtime]:
    """The runtimes with these names. Raises UsageError."""
    for name in agents:
        if name not in BY_NAME:
            raise UsageError(f"--agent: expected one of {', '.join(BY_NAME)} (got '{name}')")
    return [BY_NAME[name] for name in dict.fromkeys(agents)]


def found_installed() -> list[Runtime]:
    """Runtimes whose program or whose folder of settings is there."""
    home = root(project=False)
    return [
        runtime
        for runtime in RUNTIMES
        if any(map(shutil.which, runtime.programs))
        or any(os.path.isdir(os.path.join(home, folder)) for folder in runtime.folders)
    ]


def root(project: bool) -> str:
    """The folder below which the files are: the repository, or the home folder. Raises UsageError."""
    if project:
        from guard.workflow.repository import home_of

        return home_of(os.getcwd())
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        raise UsageError("HOME is not set: use --project, or set it")
    return home


def own_program() -> str:
    """This program by its whole path, as runtimes may have another PATH; by name where it has no path."""
    beside = os.path.join(os.path.dirname(sys.executable), "devkit-guard")
    for place in (os.path.abspath(sys.argv[0]), beside, shutil.which("devkit-guard")):
        if place and os.path.basename(place) == "devkit-guard" and os.access(place, os.X_OK):
            plain = all(char.isalnum() or char in "/._-+@" for char in place)
            return place if plain else "'" + place.replace("'", "'\\''") + "'"
    return "devkit-guard"


def _nowhere(runtime: Runtime, project: bool) -> str:
    if runtime.name == "kiro":
        return "there is no agent's file: make one with `kiro-cli agent create`, then run this again"
    return "it has no file for " + ("one project: leave out --project" if project else "a user: use --project")


def _applied(changes: list[files.Change], *, dry_run: bool, undo: bool) -> int:
    once = list({change.path: change for change in reversed(changes)}.values())[::-1]
    needed = [change for change in once if change.needed]
    problems = [change for change in once if change.problem]
    if dry_run:
        for change in needed:
            show([("source", line) for line in _diff(change)], plain=False)
    else:
        backups = files.apply(needed, os.environ, undo=undo) if needed else []
        for change, backup in zip(needed, backups, strict=True):
            verb = "removed" if change.after is None else "made" if change.before is None else "changed"
            show([("reason", f"{verb} {change.path}" + (f" (before: {backup})" if backup else ""))], plain=False)
    for change in once:
        if not change.needed and not change.problem and change.before is not None and not undo:
            show([("note", f"{change.path} has the hook already")], plain=False)
    for change in problems:
        show([("veto", change.problem)], plain=False)
    if not needed and not problems and undo:
        show([("note", "the hook is registered nowhere here")], plain=False)
    return 1 if problems else 0


def _diff(change: files.Change) -> list[str]:
    before = (change.before or b"").decode("utf-8", "replace").splitlines()
    after = (change.after or b"").decode("utf-8", "replace").splitlines()
    return list(difflib.unified_diff(before, after, change.path, change.path, lineterm=""))
