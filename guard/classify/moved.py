"""Where variables of the environment, and installing it, have put what decides whether the guard runs."""

from __future__ import annotations

import os
import sys
from functools import lru_cache

from guard.classify.gitconfig import is_below
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PROGRAMS = ("devkit-guard", "devkit-engine")


def places(variables: Iterable[str]) -> tuple[str, ...]:
    """Files and folders that the variables name, one or several each, links followed; and those of the guard itself."""
    named = [part for name in variables for part in os.environ.get(name, "").split(os.pathsep)]
    found = [os.path.realpath(part) for part in named if os.path.isabs(part)]
    return (*found, *_installed(os.environ.get("PATH", ""), _here()))


def usual(path: str) -> str | None:
    """The usual name of a path below the user's folder of configuration, None where that is in its usual place."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        return None
    for folder in (os.path.normpath(base), os.path.realpath(base)):
        if is_below(path, folder):
            return "~/.config" + path[len(folder) :]
    return None


@lru_cache(maxsize=8)
def _installed(search: str, here: str) -> tuple[str, ...]:
    """The guard's package, its virtual environment and its programs on the search path: not the source, or the
    environment, in the folder that somebody works on (`here`)."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    source, prefix = os.path.dirname(package), os.path.realpath(sys.prefix)
    found = []
    if not os.path.isfile(os.path.join(source, "pyproject.toml")):
        found.append(package)
    elif not (is_below(here, source) or is_below(source, here)):
        found.append(source)
    if sys.prefix != sys.base_prefix and not is_below(prefix, here):
        found.append(prefix)
    for program in (os.path.join(folder, name) for folder in search.split(os.pathsep) for name in PROGRAMS):
        if os.path.isabs(program) and os.path.lexists(program):
            found += [program, os.path.realpath(program)]
    return tuple(dict.fromkeys(found))


def _here() -> str:
    try:
        return os.path.realpath(os.getcwd())
    except OSError:  # it is gone
        return os.sep
