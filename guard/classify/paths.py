"""Paths that a grant reaches: links followed, by the step's globs or anywhere, never the guard's own files."""

from __future__ import annotations

import os
import stat

from guard.classify import globs as matching
from guard.classify import targets
from guard.classify.state import Place
from guard.rulebook import Rulebook


def resolved(path: str, cwd: str | None) -> str | None:
    """The absolute path behind symbolic links, of the deepest folder that exists; None where that cannot be known.

    `~`, `$` and URLs are expanded by some tools and taken literally by others, so they are not known.
    """
    if not path or path[0] == "~" or "$" in path or "%" in path or "://" in path or "\0" in path:
        return None
    if not os.path.isabs(path):
        if cwd is None or not os.path.isabs(cwd):
            return None
        path = os.path.join(cwd, path)
    return os.path.realpath(path)


def may_write(
    book: Rulebook, path: str, place: Place, root: str | None, globs: tuple[str, ...], *, delete: bool = False
) -> str | None:
    """Why a path may not be written (or, with `delete`, removed) under these globs, or None if it may."""
    real = resolved(path, place.cwd)
    why = _out_of_reach(book, path, real, place)
    if real is None or why is not None:
        return why
    if root is None:
        return "there is no repository whose paths could be granted"
    base = os.path.realpath(root)
    if os.path.commonpath([base, real]) != base or real == base:
        return f"`{path}` is outside of the repository"
    relative = tuple(os.path.relpath(real, base).split(os.sep))
    if not any(matching.fits(tuple(glob.strip("/").split("/")), relative) for glob in globs):
        return f"`{path}` is not among the paths of this step" + (f" ({', '.join(globs)})" if globs else "")
    return _unlike_a_file(path, real, delete)


def may_change(book: Rulebook, path: str, place: Place, *, delete: bool) -> str | None:
    """Why a path may not be written (or removed) where the effect is granted for all paths, or None if it may.

    That a folder which is removed may hold files of the guard's own is found out in `own`.
    """
    real = resolved(path, place.cwd)
    why = _out_of_reach(book, path, real, place)
    if real is None or why is not None:
        return why
    return None if delete and os.path.isdir(real) else _unlike_a_file(path, real, delete)


def _out_of_reach(book: Rulebook, path: str, real: str | None, place: Place) -> str | None:
    """Why no grant reaches a path (`real`: links followed), or None."""
    if real is None:
        return f"`{path}` is not a path that can be judged"
    why = targets.own(book, real, place.home)
    return None if why is None else f"`{path}` is {why}"


def _unlike_a_file(path: str, real: str, delete: bool) -> str | None:
    try:
        mode = os.stat(real).st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return f"`{path}` is a folder: what would change in it cannot be said" + ("" if delete else "; name the file")
    return f"`{path}` is not a regular file"
