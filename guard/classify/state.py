"""What the shell knows while a script runs: variables, functions, possible working directories."""

from __future__ import annotations

from collections.abc import Sequence

from guard.model.argument import Argument, Hole, Text
from guard.model.record import NamedTuple
from guard.model.syntax import Command, Span

_NOWHERE = Span(0, 0)
UNKNOWN = Argument((Hole("any", _NOWHERE),), _NOWHERE)
"""The value of a variable that the text sets to something it does not show."""


_SPECIAL = frozenset(
    {"_", "PWD", "OLDPWD", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "GROUPS", "DIRSTACK"}
    | {"FUNCNAME", "PIPESTATUS", "OPTARG", "OPTIND", "EPOCHSECONDS", "EPOCHREALTIME", "HISTCMD", "COMP_WORDBREAKS"}
    | {"SHELLOPTS", "MAPFILE", "REPLY", "HOSTTYPE", "OSTYPE", "MACHTYPE", "SHLVL", "IFS", "HOME"}
)
"""Variables that bash itself sets, or whose value changes what other words mean."""


_SET_BY_SHELL = (
    *("_", "COPROC", "DIRSTACK", "FUNCNAME", "MAPFILE", "OPTARG", "READLINE_LINE", "REPLY"),
    *("BASH_ALIASES", "BASH_ARGV", "BASH_ARGV0", "BASH_CMDS", "BASH_COMMAND", "BASH_EXECUTION_STRING"),
    *("BASH_REMATCH", "BASH_SOURCE", "COMP_LINE", "COMP_WORDS", "COMPREPLY"),
    # zsh
    *("MATCH", "ZSH_ARGZERO", "ZSH_EXECUTION_STRING", "ZSH_SCRIPT", "aliases", "argv", "dirstack", "funcstack"),
    *("funcfiletrace", "funcsourcetrace", "functions", "functrace", "galiases", "history", "historywords"),
    *("jobdirs", "jobtexts", "match", "nameddirs", "reply", "saliases"),
)
"""Variables that hold words of the text although nothing in it assigns them (`: x; echo $_`)."""
PARAMETERS = ("0", "@", "*", *"123456789")
_TIED_GROUPS = (
    *(("0", "BASH_ARGV0"), ("MANPATH", "manpath"), ("FIGNORE", "fignore"), ("MAILPATH", "mailpath")),
    *(("PS1", "PROMPT", "prompt"), ("PS2", "PROMPT2"), ("PS3", "PROMPT3"), ("PS4", "PROMPT4"), ("PSVAR", "psvar")),
    *(("RPS1", "RPROMPT"), ("RPS2", "RPROMPT2"), ("WATCH", "watch"), ("HISTCHARS", "histchars")),
)
_TIED = {name: group for group in _TIED_GROUPS for name in group}
"""Names of which a shell keeps one value, most of them zsh: who sets one has set the others."""


MOST_NAMES = 64
"""Most names that are kept of a value or an output."""
MOST_DIRECTORIES = 32
"""Most working directories that are told apart."""


class Place(NamedTuple):
    """Where a command will run: absolute working directory and home, None where they are not known."""

    cwd: str | None
    home: str | None


class History:
    """All that ever was in the states of one classification: what an action that runs at any time (trap) may meet."""

    __slots__ = ("directories", "functions", "names")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.functions: dict[str, list[Command | None]] = {}
        self.directories: list[str | None] = []


class State:
    """Mutable on purpose: it follows the script. `copy` before every branch, `join` after it.

    `variables` holds those that the text sets; all others come from the environment, which is trusted but not known.
    `odd` are variables whose assigned value is not the value they have (readonly, integer, special ones).
    `arrays` are variables that may be arrays: `declare` expands a value for them that starts with `(`.
    `functions` has every body that a name may have; None among them: it may also be the program of that name.
    `directories` are the possible working directories (None: an unknown one). `arrived` are those of them that a
    command joined by `&&` to the `cd` just before runs in.
    `moved` are paths whose place a command has given to something else: what is below them is not known any more.
    `strict`: the shell may end at any failure, or in an action that it keeps (`set -e`, `trap … ERR`).
    `redirected`: the shell's own standard input may have been replaced (`exec < file`).
    `files` are the descriptors that may be open on a file: opening /dev/stdout for writing reopens what is behind it.
    """

    __slots__ = (
        *(
            "arrays",
            "arrived",
            "depth",
            "directories",
            "files",
            "functions",
            "history",
            "home",
            "moved",
            "odd",
            "redirected",
            "strict",
            "variables",
        ),
    )

    def __init__(self, place: Place) -> None:
        self.variables: dict[str, Argument] = dict.fromkeys(_SET_BY_SHELL, UNKNOWN)
        self.functions: dict[str, tuple[Command | None, ...]] = {}
        self.odd: frozenset[str] = _SPECIAL
        self.arrays: frozenset[str] = frozenset()
        self.depth = 0
        self.directories: tuple[str | None, ...] = (place.cwd,)
        self.arrived: tuple[str | None, ...] | None = None
        self.files: frozenset[int] = frozenset({0})
        self.moved: frozenset[str] = frozenset()
        self.history = History()
        self.home = place.home
        self.redirected = False
        self.strict = False

    def copy(self) -> State:
        other = State(Place(None, self.home))
        other.variables = dict(self.variables)
        other.functions = dict(self.functions)
        other.odd = self.odd
        other.arrays = self.arrays
        other.depth = self.depth
        other.directories = self.directories
        other.arrived = self.arrived
        other.files = self.files
        other.moved = self.moved
        other.history = self.history
        other.redirected = self.redirected
        other.strict = self.strict
        return other

    def at_any_time(self) -> State:
        """A state that covers every one that this classification has seen."""
        other = self.copy()
        for name in self.history.names:
            other.variables[name] = UNKNOWN
        for name, bodies in self.history.functions.items():
            other.functions[name] = (None, *bodies)
        other.odd |= self.history.names
        other.arrays = frozenset(self.history.names)
        other.files |= frozenset(range(3, 64))
        other.directories = tuple(dict.fromkeys((*self.directories, *self.history.directories)))
        return other

    def value(self, name: str) -> Argument | None:
        """The value that the text gave a variable or parameter, None where it is the environment's."""
        found = self.variables.get(name)
        return self.variables.get("@") if found is None and name.isdigit() else found

    def assign(self, name: str, value: Argument | None) -> None:
        tied = PARAMETERS if name == "argv" or name.isdigit() else _TIED.get(name, ())
        self.history.names.update(tied)
        self.variables.update(dict.fromkeys(tied, UNKNOWN))
        self.history.names.add(name)
        odd = value is None or name in self.odd or name.startswith("BASH")
        self.variables[name] = value if value is not None and not odd else some_of([value] if value else [])

    def define(self, name: str, body: Command | None) -> None:
        """Adds a body that `name` may have from now on; earlier ones stay (the function could be readonly)."""
        self.history.functions.setdefault(name, []).append(body)
        before = self.functions.get(name, ())
        if body not in before:
            self.functions[name] = (*before, body)

    def join(self, other: State) -> None:
        """Makes this state cover both: what is known stays only where both agree or a wider value covers them."""
        for name in {*self.variables, *other.variables}:
            self.variables[name] = _wider(self.variables.get(name), other.variables.get(name))
        for name in {*self.functions, *other.functions}:
            if name not in self.functions:
                self.define(name, None)
            for body in other.functions.get(name, (None,)):
                self.define(name, body)
        self.odd |= other.odd
        self.arrays |= other.arrays
        self.files |= other.files
        self.redirected |= other.redirected
        self.strict |= other.strict
        self.moved |= other.moved
        self.directories = _merged(self.directories, other.directories)
        self.arrived = None

    def join_stopped(self, other: State) -> None:
        """Makes this state cover one that the text had before as well; what it had not set by then stays as it is."""
        before = other.copy()
        for name, value in self.variables.items():
            before.variables.setdefault(name, value)
        self.join(before)

    def covers(self, other: State) -> bool:
        """Whether joining `other` would change nothing."""
        joined = self.copy()
        joined.join(other)
        return (
            joined.variables == self.variables
            and joined.functions == self.functions
            and joined.arrays == self.arrays
            and joined.odd == self.odd
            and joined.files == self.files
            and joined.redirected == self.redirected
            and joined.strict == self.strict
            and joined.moved == self.moved
            and set(joined.directories) == set(self.directories)
        )


def _merged(left: tuple[str | None, ...], right: tuple[str | None, ...]) -> tuple[str | None, ...]:
    merged = left + tuple(place for place in right if place not in left)
    return merged if len(merged) <= MOST_DIRECTORIES else (None,)


def _wider(left: Argument | None, right: Argument | None) -> Argument:
    """A value that covers both; one of them may be the environment's (None)."""
    if left is None or right is None:
        return some_of([word for word in (left, right) if word is not None])
    if left == right:
        return left
    return hole_over([left, right], left.span)


def hole_over(words: list[Argument], span: Span) -> Argument:
    """One word that stands for any of `words`."""
    values: list[str] = []
    for word in words:
        values += word.alternatives() or [] if not word.many else []
    known = all(not word.many and word.alternatives() is not None for word in words)
    if known and len(set(values)) <= 64:
        return Argument((Hole(_domain(words), span, tuple(dict.fromkeys(values))),), span)
    if all(word.pieces == words[0].pieces for word in words[1:]) and words:
        return Argument(words[0].pieces, span)
    return Argument((Hole(_domain(words), span, (), names_of(words)),), span)


def some_of(words: Sequence[Argument]) -> Argument:
    """A value that is not known, but for the paths that it may be if it is one of the words."""
    names = names_of(words)
    return Argument((Hole("any", _NOWHERE, (), names),), _NOWHERE) if names else UNKNOWN


def names_of(words: Sequence[Argument]) -> tuple[str, ...]:
    """The paths that a value may be that is one of the words, `*` for what is not known of them."""
    found: list[str] = []
    for word in words:
        found += [*(word.alternatives() or [pattern(word)]), *known_names(word.pieces)]
    return tuple(dict.fromkeys(name for name in found if name.strip("*")))[:MOST_NAMES]


def pattern(path: Argument) -> str:
    """A partly known path as a pattern, `*` for each run of holes."""
    pattern = ""
    for piece in path.pieces:
        if not isinstance(piece, Hole):
            pattern += piece.text
        elif not pattern.endswith("*"):
            pattern += "*"
    return pattern


def names(path: Argument) -> list[str]:
    """The paths that a path with holes may be by the names that are known of these."""
    found = []
    for index, piece in enumerate(path.pieces):
        for name in piece.names if isinstance(piece, Hole) else ():
            named = Text(name, [path.span.start] * len(name))
            found.append(pattern(path._replace(pieces=(*path.pieces[:index], named, *path.pieces[index + 1 :]))))
    return found


def known_names(pieces: Sequence[Text | Hole]) -> tuple[str, ...]:
    """All names of the holes among the pieces."""
    return tuple(dict.fromkeys(name for piece in pieces if isinstance(piece, Hole) for name in piece.names))


def _domain(words: list[Argument]) -> str:
    if all(digits(word) for word in words):
        several = any(getattr(piece, "domain", "") == "numbers" for word in words for piece in word.pieces)
        return "numbers" if several else "number"
    return "any" if any(word.may_start_with("-") for word in words) else "undashed"


def digits(word: Argument) -> bool:
    """Whether the word is known to be nothing but ASCII digits (or empty)."""
    return all(
        _all_digits(piece.text)
        if isinstance(piece, Text)
        else piece.domain in ("number", "numbers") or (bool(piece.values) and all(map(_all_digits, piece.values)))
        for piece in word.pieces
    )


def _all_digits(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit())
