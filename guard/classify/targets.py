"""Paths that a command reads or writes: credential stores, the null device, everything else."""

from __future__ import annotations

import os
from collections.abc import Iterator

from guard.classify import moved
from guard.classify.gitconfig import is_below
from guard.classify.globs import Globs, fits
from guard.classify.state import State, names, pattern
from guard.model.argument import Argument, Text, WritesPath
from guard.model.effect import Effect, Kind, Reason
from guard.model.syntax import Span
from guard.rulebook import Rulebook
from guard.store import location

SUBSTITUTED = "/dev/fd/63"
"""What a process substitution becomes."""
_INSTEAD = "`ls -la PATH` shows only that it is there"
OWN_FILES = "own-files"
"""Code of what is done to the guard's own files, which no grant reaches."""
_ABOVE_HOMES = frozenset({("",), ("root",), ("home",), ("users",)})
Kept = tuple[tuple[str, str], ...]
"""Folders in which all is the guard's own, without letter case, each with what it is: by the environment."""
_NULL = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})


def read(book: Rulebook, path: Argument, state: State) -> Effect:
    """The effect of reading a path: `read`, or `read_secret` if it may be a credential store."""
    globbed = all(isinstance(piece, Text) or piece.domain == "component" for piece in path.pieces)
    for text in [*(path.alternatives() or [pattern(path)]), *names(path)]:
        below = [folder for folder in state.directories if folder is not None and not text.startswith(("/", "~"))]
        for whole in [text, *(os.path.join(folder, text) for folder in below)]:
            opening = _opening(book).find(whole, state.home) if "/" in whole else None
            if opening is not None:
                return Effect(Kind.SYSTEM, Reason("opening", opening.why, path.span, "rules/secrets.yaml"), text)
            why = secret(book, whole, state.home)
            if why is None and ("*" not in whole or (globbed and whole == text)) and holds_home(whole, state.home):
                why = "all that is below the home directory, its credentials too"
            if why is not None:
                return Effect(
                    Kind.READ_SECRET, Reason("secret", f"reads {why}", path.span, "rules/secrets.yaml", _INSTEAD), text
                )
    return Effect(Kind.READ, Reason("read", "reads this file", path.span), path.text)


def holds_home(path: str, home: str | None) -> bool:
    """Whether a path is the home directory (of anybody) or a folder above it: who reads that, searches it."""
    parts = tuple(os.path.normpath(path.casefold()).strip("/").split("/"))
    if path.startswith("~"):
        return len(parts) == 1
    above = tuple((home or "").casefold().strip("/").split("/"))[: len(parts)]
    return path.startswith("/") and (parts in _ABOVE_HOMES or fits(above, parts))


def secret(book: Rulebook, path: str, home: str | None) -> str | None:
    """What is secret about a path (it may hold `*` for unknown characters), or None."""
    return listed(book, "secrets", path, home)


def listed(book: Rulebook, table: str, path: str, home: str | None) -> str | None:
    """What a table of paths (`secrets`, `protected`) says of a path, or None."""
    if path.startswith("~/") and home is None:
        home = "~"
    wanted, excepted = _tables(book, table)
    found = wanted.find(path, home)
    return None if found is None or excepted.covers(path, home) else found.why


def own(book: Rulebook, path: str, home: str | None, kept: Kept | None = None) -> str | None:
    """What makes a path the guard's own (state, configuration, what registers it), or None. Links are not followed.

    It may hold `*` for unknown characters. `kept` are `kept_folders`, for whoever asks about several paths.
    """
    usual = moved.usual(path)
    why = listed(book, "protected", path, home) or (usual and listed(book, "protected", usual, home))
    if why is None:
        folded = path.casefold()
        folders = kept_folders(book) if kept is None else kept
        why = next((what for folder, what in folders if is_below(folded, folder)), None)
    return why


def kept_folders(book: Rulebook) -> Kept:
    """Where the environment has put the guard's state, the hosts' settings, and the guard."""
    settings = moved.places(book.data("protected")["variables"])
    return (
        *((place.casefold(), "the state of workflows and boards") for place in state_folders()),
        *((place.casefold(), "the host's settings, or the guard itself") for place in settings),
    )


def state_folders() -> tuple[str, ...]:
    """Where this user's workflows and boards are on record, links followed, for these variables of the environment."""
    return tuple(os.path.realpath(folder) for folder in location.folders(os.environ))


def holds_own(book: Rulebook, folder: str, least: int = 0) -> str | None:
    """What of the guard's own is in a folder (absolute, links followed), or None.

    Looks for the globs' names at the folder and where it is itself the beginning of one, not all the way down. `least`:
    how many parts of the name the folder has to be itself.
    """
    return next((why for why, rest in _beginnings(book, folder, least) if _exists(folder, rest)), None)


def _begun(book: Rulebook, path: str) -> str | None:
    """What of the guard's own could be in a folder of this name, or None."""
    return next((why for why, _ in _beginnings(book, os.path.normpath(path), 1)), None)


def _beginnings(book: Rulebook, folder: str, least: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The protected globs that a folder may be the beginning of, by at least so many of its last parts: what they are,
    and the parts that are left."""
    protected, _ = _tables(book, "protected")
    here = tuple(folder.casefold().split("/"))
    for glob in protected.all[2]:
        parts = tuple(part for part in glob.parts if part != "**")
        for size in range(least, len(parts)):
            if here[len(here) - size :] == parts[:size]:
                yield glob.why, parts[size:]


def _is_moved(path: str, state: State) -> bool:
    """Whether a part of the path may be something else by the time it is used than it is now."""
    if not state.moved:
        return False
    plain = os.path.normpath(path)
    return ".." in path.split("/") or any(is_below(plain, moved) for moved in state.moved)


def _exists(folder: str, names: tuple[str, ...]) -> bool:
    if not names:
        return os.path.lexists(folder)
    found = [names[0]]
    if "*" in names[0]:
        try:
            found = [name for name in os.listdir(folder) if fits(names[:1], (name.casefold(),))]
        except OSError:
            return False
    return any(_exists(os.path.join(folder, name), names[1:]) for name in found)


def _opening(book: Rulebook) -> Globs:
    found: Globs | None = book.memo.get("opening globs")
    if found is None:
        found = book.memo["opening globs"] = Globs(book.data("secrets").get("opening", {}))
    return found


def _tables(book: Rulebook, table: str) -> tuple[Globs, Globs]:
    found: tuple[Globs, Globs] | None = book.memo.get(f"{table} globs")
    if found is None:
        data = book.data(table)
        found = (Globs(data["paths"]), Globs(data["except"]))
        book.memo[f"{table} globs"] = found
    return found


def write(book: Rulebook, outcome: WritesPath, state: State, span: Span | None = None) -> Effect | None:
    """The effect of writing a path, None for the null device and the standard streams."""
    texts = outcome.path.alternatives()
    if (
        texts is not None
        and not (outcome.delete or outcome.anew)
        and all(text in _NULL or _is_descriptor(text) for text in texts)
    ):
        return None
    kind = Kind.DELETE if outcome.delete else Kind.WRITE
    reason = Reason(kind.value, outcome.reason_message, span or outcome.path.span, outcome.rule, outcome.instead)
    target = _absolute(outcome.path.text, state)
    if target is None:
        partly = str(_absolute(pattern(outcome.path), state))
        why = own(book, partly, state.home)
        if why is not None:
            message = f"may write `{partly}`, {why}"
            return Effect(Kind.OPAQUE, reason._replace(code=OWN_FILES, message=message), partly)
    begun = _begun(book, target) if outcome.anew and target is not None else None
    if begun is not None:
        message = f"makes `{os.path.basename(os.path.normpath(str(target)))}`, which could then hold {begun}"
        return Effect(Kind.OPAQUE, reason._replace(code=OWN_FILES, message=message), target)
    if target is not None and _is_moved(target, state):
        target = None
    if outcome.anew == "any" and target is not None:
        state.moved |= {os.path.normpath(target)}
    return Effect(kind, reason, target)


def _is_descriptor(text: str) -> bool:
    """Whether it is the pipe of a process substitution, or one of the streams: any other number may be a file, which
    the kernel opens anew, truncated (`: < f > /dev/fd/0`)."""
    return text in (SUBSTITUTED, "/dev/fd/1", "/dev/fd/2")


def _absolute(text: str | None, state: State) -> str | None:
    """A path with its working directory, so that it stays relative where that is not known or `~user` may be a home.

    `..` stays in it: behind a link it is not the folder that the link stands in.
    """
    if text is None or text.startswith(("/", "~")) or len(state.directories) != 1 or state.directories[0] is None:
        return text
    return os.path.join(state.directories[0], text)
