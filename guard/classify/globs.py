"""Tables of paths by globs (`rules/secrets.yaml`, `rules/protected.yaml`), asked for every path of every command.

`~/…` is below a home directory, whosever it is, `/…` below the root, any other glob matches the last components of a
path; `*` does not cross slashes, `**` does. Letter case does not count, since it does not on some file systems. A path
may hold `*` for characters that are not known.
"""

from __future__ import annotations

import os

from guard.model.record import NamedTuple

Parts = tuple[str, ...]

_HOMES = {"root": 1, "home": 2, "users": 2}
"""First part of a path → how many of its parts are the home directory of somebody else."""


class Glob(NamedTuple):
    """One glob without its `~` or leading slash, split at slashes; `head` and `tail` are the ends of its last part.

    `names` are the parts without `*`: a known path that lacks one of them does not match.
    """

    parts: Parts
    why: str
    head: str
    tail: str
    names: frozenset[str]


class Globs:
    """One table. Globs are kept by what they can be found by, since nearly all paths match none."""

    def __init__(self, table: dict[str, str]) -> None:
        self.home: dict[str, list[Glob]] = {}
        self.root: dict[str, list[Glob]] = {}
        self.named: dict[str, list[Glob]] = {}
        self.loose: list[Glob] = []
        self.all: tuple[list[Glob], list[Glob], list[Glob]] = ([], [], [])
        for text, why in table.items():
            glob = _glob(text, str(why))
            if text.startswith("~/"):
                self.home.setdefault(_key(glob.parts[0]), []).append(glob)
                self.all[0].append(glob)
            elif text.startswith("/"):
                self.root.setdefault(_key(glob.parts[0]), []).append(glob)
                self.all[1].append(glob)
            else:
                self.all[2].append(glob)
                if "*" in glob.parts[-1]:
                    self.loose.append(glob)
                else:
                    self.named.setdefault(glob.parts[-1], []).append(glob)

    def find(self, path: str, home: str | None, *, above: bool = True) -> Glob | None:
        """The first glob that some value of the path matches.

        `above`: below the home directory a folder above a match counts too, since `grep -r` reads all that is in there.
        """
        clean, parts, below = _split(path, home)
        for glob in self.near(self.home, below, 0) if below else ():
            if fits(glob.parts, below or ()) or (above and _is_above(glob, below or ())):
                return glob
        for glob in self.near(self.root, parts, 1) if clean.startswith("/") and parts else ():
            if fits(glob.parts, parts):
                return glob
        return self.relative(parts)

    def near(self, kept: dict[str, list[Glob]], parts: Parts, kind: int) -> list[Glob]:
        """Globs whose first part may be the path's."""
        return self.all[kind] if "*" in parts[0] else [*kept.get(parts[0], ()), *kept.get("", ())]

    def relative(self, parts: Parts) -> Glob | None:
        last = parts[-1] if parts else ""
        if "*" not in last:
            for glob in self.named.get(last, ()):
                if _ends_with(glob.parts, parts):
                    return glob
            known = None if any("*" in part for part in parts) else frozenset(parts)
            for glob in self.loose:
                if known is not None and not glob.names <= known:
                    continue
                if last.startswith(glob.head) and last.endswith(glob.tail) and _ends_with(glob.parts, parts):
                    return glob
            return None
        for glob in self.all[2]:
            # `src/*` and `a*` could match by their ending, `*y` by its beginning, as every unknown path could.
            ending = glob.parts[-1].startswith("*") and last.endswith("*")
            beginning = glob.parts[-1].endswith("*") and last.startswith("*")
            if not ending and not beginning and _ends_with(glob.parts, parts):
                return glob
        return None

    def covers(self, path: str, home: str | None) -> bool:
        """Whether one glob matches all that the path can be: its unknown characters are matched by `*` alone."""
        return self.find(path.replace("*", "\0"), home, above=False) is not None


def _glob(text: str, why: str) -> Glob:
    parts = tuple(part for part in text.casefold().removeprefix("~").split("/") if part)
    names = frozenset(part for part in parts if "*" not in part)
    return Glob(parts, why, parts[-1].split("*", 1)[0], parts[-1].rsplit("*", 1)[-1], names)


def _key(part: str) -> str:
    return "" if "*" in part else part


def _split(path: str, home: str | None) -> tuple[str, Parts, Parts | None]:
    """The path without `.` and `..`, its parts, and the parts below a home directory if it is in one."""
    clean = os.path.normpath(path.casefold()) if path else ""
    parts = tuple(part for part in clean.split("/") if part)
    if parts and parts[0].startswith("~"):
        return clean, parts, parts[1:]
    root = tuple(part for part in (home or "").casefold().split("/") if part)
    if home is not None and parts[: len(root)] == root:
        return clean, parts, parts[len(root) :]
    if clean.startswith("/") and parts and parts[0] in _HOMES:
        return clean, parts, parts[_HOMES[parts[0]] :]
    return clean, parts, None


def _is_above(glob: Glob, below: Parts) -> bool:
    above = glob.parts[: len(below)]
    return "*" not in "".join(above) and fits(above, below)


def _ends_with(pattern: Parts, parts: Parts) -> bool:
    if "*" in parts[-len(pattern) :]:
        return False
    if "**" not in pattern:
        return len(parts) >= len(pattern) and fits(pattern, parts[-len(pattern) :])
    return any(fits(pattern, parts[start:]) for start in range(len(parts)))


def fits(pattern: Parts, parts: Parts) -> bool:
    """Whether some value of the parts matches the whole pattern."""
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
