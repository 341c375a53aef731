"""Finds out whether a registered hook works: what its file and its command say, and what a real process answers."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from guard import shell
from guard.hooks.base import TOOL
from guard.hooks.runtimes import adapter
from guard.model.syntax import Script, Simple
from guard.setup import files, jsonc
from guard.setup.command import cannot_start, mode_of
from guard.setup.probes import probe
from guard.setup.reading import REFUSED, effect
from guard.setup.runtimes import Runtime
from guard.setup.switches import switches

SECONDS = 20
EXPRESSIONS = frozenset({"goose", "crush", "antigravity"})
"""Runtimes that know no `*` as a matcher: each is a regular expression, and an invalid one takes its hook with it."""


class Finding(NamedTuple):
    """`code` is stable; `cure` is what to do. Without a code all is well and `what` says so."""

    agent: str
    path: str
    code: str
    what: str
    cure: str = ""


def examine(runtime: Runtime, path: str, home: str, environ: Mapping[str, str]) -> list[Finding]:
    """Everything that is wrong with the hook in one file; one finding without a code where it works."""

    def finding(code: str, what: str, cure: str = "") -> Finding:
        return Finding(runtime.name, path, code, what, cure)

    try:
        hooks = files.commands_in(runtime, path)
    except jsonc.TextError as error:
        return [finding("unreadable", f"{runtime.title} cannot read this file: {error}", "mend the file")]
    found = list(switches(runtime, path, home, finding))
    if not hooks:
        where = f"devkit-guard init --agent {runtime.name}"
        return [*found, finding("not-registered", "the hook is not registered here", f"`{where}`")]
    events = adapter(speaker(runtime)).events
    found += _misspelt(runtime, events, hooks, finding)
    asked = [entry for entry in hooks if events.get(entry[0]) == TOOL or not entry[0]]
    if not asked:
        cure = f"`devkit-guard uninit --agent {runtime.name}`, then `devkit-guard init --agent {runtime.name}`"
        found.append(finding("no-call-event", "no event before a call has the hook, so nothing is vetoed", cure))
    for event, group, command in asked:
        found += _narrow(runtime, event, group, finding)
        found += _command(runtime, command, environ, finding)
    once = list(dict.fromkeys(found))
    return once or [finding("", "a veto comes back from a real process, in this runtime's form")]


Make = Callable[..., Finding]


def speaker(runtime: Runtime) -> str:
    """The adapter that its file names: VS Code reads the file of Copilot CLI, whose adapter knows both."""
    return "copilot" if runtime.name == "vscode" else runtime.name


def _misspelt(
    runtime: Runtime, known: Mapping[str, str], hooks: list[tuple[str, dict[str, Any], str]], make: Make
) -> Iterator[Finding]:
    for event, _, _ in hooks:
        if event and event not in known and event.lower() not in ("stop", "sessionstart", "subagentstop"):
            close = next((name for name in known if name.lower() == event.lower()), next(iter(known)))
            yield make("event", f"{runtime.title} has no event '{event}', so this hook never runs", f"write `{close}`")


def _narrow(runtime: Runtime, event: str, group: Mapping[str, Any], make: Make) -> Iterator[Finding]:
    """Whether the matcher leaves out the tool that the probe calls."""
    pattern = group.get("matcher", group.get("match"))
    if not isinstance(pattern, str) or pattern in ("", ".*"):
        return
    if pattern == "*":
        if runtime.name in EXPRESSIONS:
            what = f"the matcher '*' of {event} is no regular expression, so {runtime.title} leaves the hook out"
            yield make("matcher", what, "take the matcher out")
        return
    tool = _shell_tool(runtime)
    if not _matches(pattern, tool):
        yield make("matcher", f"the matcher '{pattern}' of {event} leaves out {tool}, the shell", 'write `"*"`')


def _shell_tool(runtime: Runtime) -> str:
    import json

    from guard.hooks.base import Event

    found = adapter(runtime.name).decode(json.loads(probe(runtime.name, "/")))
    return found.call.tool if isinstance(found, Event) else ""


def _matches(pattern: str, tool: str) -> bool:
    if all(char.isalnum() or char in "_- ,|" for char in pattern):
        return tool in [name.strip() for name in re.split("[,|]", pattern)]
    try:
        return re.search(pattern, tool) is not None
    except re.error:
        return False


def _command(runtime: Runtime, command: str, environ: Mapping[str, str], make: Make) -> Iterator[Finding]:
    """What the command line of the hook is, and what it does with a call that must be vetoed."""
    script = shell.parse(command)
    if not (isinstance(script, Script) and isinstance(script.body, Simple) and not script.body.redirects):
        yield make(
            "wrapped",
            f"the command `{command}` does more than run the hook: the rest can replace its exit code or its output",
            "register the bare command",
        )
    fault = cannot_start(runtime.name, command, environ)
    if fault is not None:
        yield make(*fault)
        return
    named = command.partition("--agent")[2].lstrip(" =").split(" ")[0]
    if named not in ("auto", speaker(runtime)):
        yield make("other-agent", f"it answers in the form of '{named}', not of {runtime.title}", _init(runtime))
        return
    modes = ("step", "always", "observe")
    for source, mode in (("--mode", mode_of(command)), ("DEVKIT_GUARD_MODE", environ.get("DEVKIT_GUARD_MODE"))):
        if mode and mode not in modes:
            what = f"{source} says '{mode}', which is no mode ({', '.join(modes)}): it is taken for always"
            yield make(
                "wrong-mode", what, f"`devkit-guard init --agent {runtime.name} --mode step`, or unset the variable"
            )
            return
    if mode_of(command) == "observe":
        cure = f"`devkit-guard init --agent {runtime.name} --mode step`"
        yield make("observes", "it is registered with `--mode observe`: nothing is ever vetoed", cure)
        return
    yield from _probed(runtime, command, environ, make)


def _probed(runtime: Runtime, command: str, environ: Mapping[str, str], make: Make) -> Iterator[Finding]:
    strict = command.replace("--mode step", "--mode always").replace("--mode=step", "--mode=always")
    with tempfile.TemporaryDirectory() as folder:
        given = {**environ, "DEVKIT_GUARD_MODE": "always", "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        given.pop("CLAUDE_PLUGIN_DATA", None)
        try:
            done = subprocess.run(
                ["sh", "-c", strict],
                input=probe(runtime.name, folder),
                capture_output=True,
                env=given,
                cwd=folder,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            yield make("slow", f"no answer within {SECONDS} seconds", "run the command by hand and see where it waits")
            return
    if effect(runtime.name, done.stdout, done.stderr, done.returncode) != REFUSED:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[:200]
        what = f"a call that must be vetoed would have run (exit code {done.returncode}{': ' + said if said else ''})"
        yield make("no-veto", what, _init(runtime))


def _init(runtime: Runtime) -> str:
    return f"`devkit-guard init --agent {runtime.name}` writes a command that works"
