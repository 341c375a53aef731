"""Paths that a command reads or writes: credential stores, the null device, everything else.

`rules/secrets.yaml` has the globs: `~/…` is below the home directory, `/…` below the root, any other matches the last
components of a path; `*` does not cross slashes, `**` does. Letter case does not count, since it does not on some file
systems.
"""

from __future__ import annotations

import os

from guard.classify.state import State
from guard.model.argument import Argument, Hole, WritesPath
from guard.model.effect import Effect, Kind, Reason
from guard.model.record import NamedTuple
from guard.model.syntax import Span
from guard.rulebook import Rulebook

_NULL = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})


class Entry(NamedTuple):
    """One glob, split at its slashes; `home`: below the home directory."""

    parts: tuple[str, ...]
    home: bool
    why: str


def read(book: Rulebook, path: Argument, state: State) -> Effect:
    """The effect of reading a path: `read`, or `read_secret` if it may be a credential store."""
    for text in path.alternatives() or [_pattern(path)]:
        below = [folder for folder in state.directories if folder is not None and not text.startswith(("/", "~"))]
        for whole in [text, *(os.path.join(folder, text) for folder in below)]:
            why = secret(book, whole, state.home)
            if why is not None:
                hint = "list names only: `ls -l`"
                return Effect(
                    Kind.READ_SECRET, Reason("secret", f"reads {why}", path.span, "rules/secrets.yaml", hint), text
                )
    return Effect(Kind.READ, Reason("read", "reads this file", path.span), path.text)


def _pattern(path: Argument) -> str:
    """A partly known path as a pattern, `*` for each hole."""
    return "".join("*" if isinstance(piece, Hole) else piece.text for piece in path.pieces)


def secret(book: Rulebook, path: str, home: str | None) -> str | None:
    """What is secret about a path (it may hold `*` for unknown characters), or None."""
    return listed(book, "secrets", path, home)


def listed(book: Rulebook, table: str, path: str, home: str | None) -> str | None:
    """What a table of paths (`secrets`, `protected`) says of a path, or None."""
    if path.startswith("~/") and home is None:
        home = "~"
    clean = os.path.normpath(path.casefold()) if path else ""
    parts = tuple(part for part in clean.split("/") if part)
    below = _below(parts, home)
    wanted, excepted = _lists(book, table)
    for entry in wanted:
        if _matches(entry, parts, below, clean.startswith("/")):
            return None if _all_excepted(excepted, clean, parts, home) else entry.why
    return None


def _all_excepted(excepted: list[Entry], clean: str, parts: tuple[str, ...], home: str | None) -> bool:
    """Whether an exception covers all that the path can be: its unknown characters are matched by `*` alone."""
    exact = tuple(part.replace("*", "\0") for part in parts)
    return any(_matches(other, exact, _below(exact, home), clean.startswith("/")) for other in excepted)


def _below(parts: tuple[str, ...], home: str | None) -> tuple[str, ...] | None:
    if parts and parts[0].startswith("~"):
        return parts[1:]
    if home is None:
        return None
    root = tuple(part for part in home.casefold().split("/") if part)
    return parts[len(root) :] if parts[: len(root)] == root else None


def _lists(book: Rulebook, table: str) -> tuple[list[Entry], list[Entry]]:
    found: tuple[list[Entry], list[Entry]] | None = book.memo.get(f"{table} globs")
    if found is None:
        data = book.data(table)
        found = ([_entry(*pair) for pair in data["paths"].items()], [_entry(*pair) for pair in data["except"].items()])
        book.memo[f"{table} globs"] = found
    return found


def _entry(glob: str, why: str) -> Entry:
    parts = tuple(part for part in glob.casefold().split("/") if part)
    if glob.startswith("~/"):
        return Entry(parts[1:], True, str(why))
    return Entry(parts if not glob.startswith("/") else ("/", *parts), False, str(why))


def _matches(entry: Entry, parts: tuple[str, ...], below: tuple[str, ...] | None, absolute: bool) -> bool:
    if entry.home:
        if not below:
            return False
        # A folder above it counts too, since `grep -r` reads all that is in there.
        above = entry.parts[: len(below)]
        return fits(entry.parts, below) or ("*" not in "".join(above) and fits(above, below))
    if entry.parts[0] == "/":
        return absolute and fits(entry.parts[1:], parts)
    # `src/*` and `a*` could be a secret by their ending, as every unknown path could.
    if "*" in parts[-len(entry.parts) :] or (entry.parts[-1].startswith("*") and "".join(parts[-1:]).endswith("*")):
        return False
    return any(fits(entry.parts, parts[start:]) for start in range(len(parts)))


def fits(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(fits(pattern[1:], parts[start:]) for start in range(len(parts) + 1))
    return bool(parts) and _overlap(pattern[0], parts[0]) and fits(pattern[1:], parts[1:])


def _overlap(left: str, right: str) -> bool:
    """Whether some text fits both patterns, in which only `*` is special.

    One at the start of `right` does not stand for a dot, as in file name patterns.
    """
    if right.startswith("*") and left.startswith("."):
        return False
    if "*" not in right:
        if "*" not in left:
            return left == right
        head, tail = left.split("*", 1)[0], left.rsplit("*", 1)[1]
        if not right.startswith(head) or not right.endswith(tail):
            return False
    reachable = {0}
    for char in left:
        following: set[int] = set()
        for position in reachable:
            following |= _steps(char, right, position)
        reachable = following
    return any(set(right[position:]) <= {"*"} for position in reachable)


def _steps(char: str, right: str, position: int) -> set[int]:
    """Where one character of the left pattern leads in the right one."""
    if char == "*":
        return set(range(position, len(right) + 1))
    found: set[int] = set()
    while position < len(right) and right[position] == "*":
        found.add(position)
        position += 1
    if position < len(right) and right[position] == char:
        found.add(position + 1)
    return found


def write(outcome: WritesPath, state: State, span: Span | None = None) -> Effect | None:
    """The effect of writing a path, None for the null device and the standard streams."""
    texts = outcome.path.alternatives()
    if texts is not None and not outcome.delete and all(text in _NULL or _is_descriptor(text) for text in texts):
        return None
    kind = Kind.DELETE if outcome.delete else Kind.WRITE
    reason = Reason(kind.value, outcome.reason_message, span or outcome.path.span, outcome.rule, outcome.instead)
    return Effect(kind, reason, _absolute(outcome.path.text, state))


def _is_descriptor(text: str) -> bool:
    return text.startswith("/dev/fd/") and text[8:].isascii() and text[8:].isdigit()


def _absolute(text: str | None, state: State) -> str | None:
    if text is None or text.startswith("/") or len(state.directories) != 1 or state.directories[0] is None:
        return text
    return os.path.normpath(os.path.join(state.directories[0], text))
