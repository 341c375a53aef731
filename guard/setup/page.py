"""docs/runtimes.md, made from the table of runtimes and from the adapters: `python -m guard.setup.page`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from guard.hooks.base import TOOL
from guard.hooks.runtimes import adapter
from guard.setup.runtimes import RUNTIMES, Runtime
from guard.setup.tried import TRIED

HEAD = """# Runtimes

Made by `python -m guard.setup.page` from `guard/setup/runtimes.py` and the adapters in `guard/hooks`; a test holds it
to them. `devkit-guard init` writes the registrations, `devkit-guard doctor` proves that a veto comes back.

Certainty: `live`: the vendor's program was run without a network, against a model on the same machine that asks for one
shell command; it ran the command without the hook, and refused it with the hook that `init` wrote. `loader`: its own
code loaded what `init` wrote, ran the hook and obeyed. `source`: read in its code, or held against the schema that it
publishes. `manual`: its documentation. `report`: somebody else's account.

## What a call is answered with

`WHY` stands for the reason. Nothing is written for an event that is not answered, and the exit code is 0 then.
"""
FAILS = """
## What happens when the hook breaks

A broken hook is one that is gone, is killed, or runs out of time. Malformed input, a fault inside of the guard, a
signal or its own limit of eight seconds do not break it: they end in a deliberate veto while a step is open or the mode
is `always`, and in silence otherwise. docs/hook-faults.md has what was tried.
"""
SEEN = """
## What was tried

All in December 2026. `DEVKIT_GUARD_RUNTIMES=FOLDER pytest tests/runtimes` does it again with the programs in a folder.
"""
REGISTERED = """
## What `init` writes

The command is the program's whole path in your own files, and `devkit-guard` in a project's.
"""


def page() -> str:
    """The page's text."""
    return "\n".join(
        [
            HEAD,
            *_table(("runtime", "`--agent`", "events", "allow", "veto, stdout", "veto, stderr", "exit"), _answer),
            FAILS,
            *_table(("runtime", "broken hook", "switch that `init` sets", "needs first"), _failure),
            SEEN,
            *_table(("runtime", "certainty", "version and what was seen"), _tried),
            REGISTERED,
            *_table(("runtime", "your file", "a project's file"), _files),
            "",
            *(line for runtime in RUNTIMES for line in _sample(runtime)),
        ]
    )


def main() -> None:
    """Writes the page to standard output."""
    sys.stdout.write(page())


def _answer(runtime: Runtime) -> tuple[str, ...]:
    speaking = adapter(runtime.name)
    veto = speaking.veto(TOOL, "WHY")
    events = ", ".join(f"`{name}`" for name in speaking.events)
    shown = [_code(speaking.allow.stdout), _code(veto.stdout), _code(veto.stderr), str(veto.code)]
    return (runtime.title, f"`{runtime.name}`", events, *shown)


def _failure(runtime: Runtime) -> tuple[str, ...]:
    return (runtime.title, f"the call {_is(runtime.crash)}", runtime.closed, runtime.trust)


def _tried(runtime: Runtime) -> tuple[str, ...]:
    return (runtime.title, f"`{runtime.certainty}`", TRIED[runtime.name])


def _is(crash: str) -> str:
    return crash if crash.startswith("runs") else f"is {crash}"


def _files(runtime: Runtime) -> tuple[str, ...]:
    return (runtime.title, _path("~/", runtime.user), _path("", runtime.project))


def _path(root: str, path: str) -> str:
    return f"`{root}{path}`" if path else "none"


def _sample(runtime: Runtime) -> list[str]:
    """What is written, as the runtime will read it; the plugin of OpenCode is not repeated here."""
    from guard.setup import jsonc, toml

    made = runtime.build(f"devkit-guard hook --agent {'copilot' if runtime.name == 'vscode' else runtime.name}")
    if runtime.name == "opencode":
        return []
    text, kind = "", runtime.form
    if runtime.form == "file":
        text, kind = made, "sh"
    elif runtime.form == "yaml":
        text = "\n".join(("hooks:", *made)) + "\n"
    else:
        for entry in made:
            if runtime.form == "toml":
                block = toml.put("", entry.path, entry.value)
                text += "\n".join(line for line in block.splitlines() if line not in (toml.BEGIN, toml.END)) + "\n"
            else:
                text = jsonc.put(text, entry.path, entry.value, append=entry.append)
    return [f"### {runtime.title}", "", f"```{kind}", *text.splitlines(), "```", ""]


def _table(heads: tuple[str, ...], row: Callable[[Runtime], tuple[str, ...]]) -> list[str]:
    rows = [" | ".join(row(runtime)) for runtime in RUNTIMES]
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *(f"| {line} |" for line in rows)]


def _code(content: bytes) -> str:
    return f"`{content.decode().strip()}`" if content else "none"


if __name__ == "__main__":
    main()
