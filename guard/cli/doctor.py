"""`devkit-guard doctor`: for every runtime, is the hook there, would it start, and does a veto come back?"""

from __future__ import annotations

import json
import os

from guard.cli.init import found_installed, root, selected
from guard.cli.terminal import show
from guard.setup import files
from guard.setup.doctor import Finding, examine
from guard.setup.runtimes import RUNTIMES, Runtime

NOBODY = Finding(
    "machine",
    "",
    "no-runtime",
    "no agent runtime was found on this machine, so nothing is guarded",
    "install one; if it is there, name it: `devkit-guard init --agent NAME`, then `devkit-guard doctor --agent NAME`",
)


def run(agents: list[str], *, as_json: bool) -> int:
    """Prints what was found; 1 if anything is wrong."""
    chosen = _chosen(agents)
    found = [finding for runtime in chosen for finding in _examined(runtime)] if chosen else [NOBODY]
    found += _environment(os.environ)
    if as_json:
        print(json.dumps({"findings": [finding._asdict() for finding in found]}, indent=2))
    else:
        for finding in found:
            style = "veto" if finding.code else "allow"
            show([(style, f"{finding.agent:<12} {finding.code or 'works'}: {finding.what}")], plain=False)
            if finding.path:
                show([("note", f"{'':<12} {finding.path}")], plain=False)
            if finding.cure:
                show([("hint", f"{'':<12} cure: {finding.cure}")], plain=False)
    return 1 if any(finding.code for finding in found) else 0


def _chosen(agents: list[str]) -> list[Runtime]:
    if agents:
        return selected(agents)
    home = root(project=False)
    there = found_installed()
    return [
        runtime
        for runtime in RUNTIMES
        if runtime in there or any(os.path.exists(path) for path in files.paths(runtime, home, project=False))
    ]


def _examined(runtime: Runtime) -> list[Finding]:
    """The user's file, and the project's where it has a hook or the user's has none."""
    home = root(project=False)
    found: list[Finding] = []
    for path in files.paths(runtime, root(project=True), project=True):
        if os.path.exists(path) and os.path.realpath(root(project=True)) != os.path.realpath(home):
            found += [
                entry for entry in examine(runtime, path, home, os.environ) if entry.code not in ("not-registered",)
            ]
    own = [
        entry
        for path in files.paths(runtime, home, project=False)
        for entry in examine(runtime, path, home, os.environ)
    ]
    if found:
        own = [entry for entry in own if entry.code != "not-registered"]
    return [*own, *found]


def _environment(environ: os._Environ[str]) -> list[Finding]:
    """What the user's own environment has that changes what commands do."""
    found = []
    risky = (
        "BASH_ENV",
        "ENV",
        "LD_PRELOAD",
        "GIT_EXTERNAL_DIFF",
        "RIPGREP_CONFIG_PATH",
        "PROMPT_COMMAND",
        "PYTHONPATH",
    )
    for name in risky:
        if environ.get(name):
            what = f"{name} is set: programs that only read may run what it names"
            found.append(Finding("environment", "", "risky-variable", what, f"start agents without {name}"))
    for folder in environ.get("PATH", "").split(os.pathsep):
        if not folder or not os.path.isabs(folder):
            what = f"PATH has the relative folder '{folder or '.'}': programs of a repository stand in for real ones"
            found.append(Finding("environment", "", "relative-path", what, "take it out of PATH"))
    return found
