"""The command line of a registered hook: which program it starts, whether that can be started, in which mode."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Mapping
from typing import NamedTuple

MODES = ("step", "always", "observe")


class Fault(NamedTuple):
    """Why a command cannot be started; `code` is stable, `cure` what to do."""

    code: str
    what: str
    cure: str


def mode_of(command: str) -> str | None:
    """The mode that a registration sets by its `--mode`, the last one counting, whether it is one or not; None where it
    leaves it open."""
    words = command.replace("--mode=", "--mode ").split()
    found = [after for word, after in itertools.pairwise(words) if word == "--mode"]
    return found[-1] if found else None


def cannot_start(agent: str, command: str, environ: Mapping[str, str]) -> Fault | None:
    """Why the program of a hook would not start from this environment; None where it would."""
    program = program_of(command)
    place = shutil.which(program, path=environ.get("PATH"))
    again = f"`devkit-guard init --agent {agent}` writes a command that works"
    if place is None:
        if os.sep in program and os.path.exists(program):
            return Fault("not-executable", f"`{program}` may not be executed", f"`chmod +x {program}`")
        return Fault("not-found", f"`{program}` is not found from here", again)
    interpreter = _interpreter(place)
    if interpreter is not None and shutil.which(interpreter, path=environ.get("PATH")) is None:
        return Fault("no-python", f"`{place}` needs `{interpreter}`, which is gone", "install devkit-guard again")
    return None


def program_of(command: str) -> str:
    """The word that names the program, before its arguments and after assignments."""
    rest = command.strip()
    while rest:
        if rest[0] in "'\"":
            word, _, rest = rest[1:].partition(rest[0])
        else:
            word, _, rest = rest.partition(" ")
        if "=" not in word.partition("/")[0]:
            return word
        rest = rest.lstrip()
    return command


def _interpreter(path: str) -> str | None:
    """The interpreter of a script's first line."""
    try:
        with open(path, "rb") as file:
            line = file.readline(300).decode("utf-8", "replace")
    except OSError:
        return None
    if not line.startswith("#!"):
        return None
    words = line[2:].split()
    return words[1] if len(words) > 1 and words[0].endswith("/env") else words[0] if words else None
