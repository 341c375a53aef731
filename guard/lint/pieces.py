"""A command line as the tools take it apart before they match: into its simple commands, or not at all."""

from __future__ import annotations

from functools import lru_cache

from guard import shell
from guard.model.record import NamedTuple
from guard.model.syntax import CommandSubstitution, Literal, ProcessSubstitution, Redirect, Script, Simple, Word

ASSIGNMENTS = frozenset(
    {"LANG", "LC_ALL", "NO_COLOR", "TZ", "TERM", "NODE_ENV", "GOOS", "GOARCH", "RUST_LOG", "FORCE_COLOR"}
)
"""Variables that tools drop from the front of a command before they match."""


class Asks(NamedTuple):
    """Of a program (`git diff`: and a subcommand) the long options, or whole words, and letters of short options."""

    program: str
    words: tuple[str, ...]
    letters: str = ""


class Matching(NamedTuple):
    """How a tool holds a command line against a rule.

    `parts`: each simple command is matched alone. `redirects` to files are `kept` in the text, `dropped` from it, or
    `refused` (the tool asks whatever the rules say); so are command `substitutions` (`parts`: the command inside must
    pass too). `wrappers` are taken off the front. `assignments`: harmless variables are taken off too. `asks` are
    options that the tool itself asks about. `name` tells versions of one tool apart.
    """

    parts: bool
    redirects: str = "kept"
    substitutions: str = "kept"
    wrappers: frozenset[str] = frozenset()
    assignments: bool = False
    name: str = ""
    asks: tuple[Asks, ...] = ()


class Piece(NamedTuple):
    """One command as it is matched: its text, and its words where it could be read (a word that is not literal is a
    NUL). `bare` is the same without the wrappers in front that the tool takes off, else None.
    """

    text: str
    words: tuple[str, ...] | None
    bare: Piece | None = None


def pieces(command: str, matching: Matching) -> tuple[Piece, ...] | None:
    """What is matched; None where the tool asks before any rule is looked at."""
    found = _read(command)
    if found is None:
        return (Piece(command.strip(), None),)
    simples, substitutes = found
    writes = any(_writes(redirect) for simple in simples for redirect in simple.redirects)
    if (substitutes and matching.substitutions == "refused") or (writes and matching.redirects == "refused"):
        return None
    if matching.asks and any(_asked(_words(simple) or (), one) for simple in simples for one in matching.asks):
        return None
    if not matching.parts:
        words = _words(simples[0]) if len(simples) == 1 else None
        return (Piece(command.strip(), words),)
    return tuple(_piece(simple, command, matching) for simple in simples)


def _piece(simple: Simple, command: str, matching: Matching) -> Piece:
    start = simple.span.start
    rest = list(simple.words)
    if matching.assignments and all(a.name in ASSIGNMENTS for a in simple.assignments) and rest:
        start = rest[0].span.start
    whole = Piece(_text(simple, command, matching, start), _words(simple))
    while rest and _literal(rest[0]) in matching.wrappers:
        rest, start = _unwrapped(rest)
    if not rest or len(rest) == len(simple.words):
        return whole
    words = tuple(_literal(word) or "\0" for word in rest)
    return whole._replace(bare=Piece(_text(simple, command, matching, start), words))


def _asked(words: tuple[str, ...], asks: Asks) -> bool:
    """Whether the command has one of the options, abbreviated or in a cluster too."""
    size = asks.program.count(" ") + 1
    if " ".join((words[0].rpartition("/")[2], *words[1:size]) if words else ()) != asks.program:
        return False
    for word in words[size:]:
        name = word.partition("=")[0]
        if name in asks.words or (
            len(name) > 2 and name[:2] == "--" and any(one.startswith(name) for one in asks.words)
        ):
            return True
        if word[:1] == "-" and word[1:2] != "-" and any(letter in word for letter in asks.letters):
            return True
    return False


def _text(simple: Simple, command: str, matching: Matching, start: int) -> str:
    text = command[start : simple.span.end]
    if matching.redirects == "dropped":
        for redirect in sorted(simple.redirects, key=lambda one: -one.span.start):
            if redirect.span.start >= start:
                target = max(redirect.span.end, redirect.target.span.end if redirect.operator[:2] != "<<" else 0)
                text = text[: redirect.span.start - start] + text[target - start :]
    return text.strip()


def _unwrapped(words: list[Word]) -> tuple[list[Word], int]:
    """The words behind a wrapper such as `timeout 5`, and where they start."""
    rest = words[1:]
    while rest and ((_literal(rest[0]) or "").startswith("-") or (_literal(rest[0]) or "x")[0].isdigit()):
        rest = rest[1:]
    return rest, rest[0].span.start if rest else words[0].span.end


def _literal(word: Word) -> str | None:
    parts = [part.text if isinstance(part, Literal) else None for part in word.parts]
    return None if None in parts else "".join(part or "" for part in parts)


def _words(simple: Simple) -> tuple[str, ...] | None:
    found = [assignment.name + "=" for assignment in simple.assignments]
    for word in simple.words:
        text = _literal(word)
        found.append("\0" if text is None else text)
    return tuple(found)


def _writes(redirect: Redirect) -> bool:
    if redirect.operator not in (">", ">>", ">|", "<>", "&>", "&>>", ">&"):
        return False
    target = _literal(redirect.target)
    return target is None or not (target.isdigit() or target in ("-", "/dev/null", "/dev/stdout", "/dev/stderr"))


class Shape(NamedTuple):
    """How many simple commands a line has, and whether a redirect of it writes a file."""

    commands: int
    writes: bool


def shape_of(command: str) -> Shape:
    """The shape of a command line; one that cannot be read counts as one command."""
    found = _read(command)
    if found is None:
        return Shape(1, False)
    return Shape(len(found[0]), any(_writes(redirect) for simple in found[0] for redirect in simple.redirects))


@lru_cache(maxsize=20_000)
def _read(command: str) -> tuple[tuple[Simple, ...], bool] | None:
    """All simple commands of the text, those inside substitutions too, and whether there are any of these."""
    script = shell.parse(command)
    if not isinstance(script, Script) or script.body is None:
        return None
    simples: list[Simple] = []
    substitutes = False
    pending: list[object] = [script.body]
    while pending:
        node = pending.pop()
        if isinstance(node, Simple):
            simples.append(node)
        if isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            substitutes = True
        if isinstance(node, tuple):
            pending += reversed([part for part in node if isinstance(part, tuple)])
    simples.sort(key=lambda simple: simple.span.start)
    return tuple(simples), substitutes
