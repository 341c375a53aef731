"""Finds the options in a help text or a rendered manual page.

Both are lists: a line that starts with an option, and what it does behind it or below it, further in. A sentence that
was wrapped before an option looks alike; it has a line of the same indentation above it. What is found too much or
missed costs work, no safety: the options of a scaffold are vetoed, and so are those that a rule does not list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.@#?%:!")
_SEPARATORS = frozenset({",", "|", "or", "/"})
_WITHOUT_OPTIONS = ("EXAMPLE", "SEE ALSO", "ENVIRONMENT", "FILES", "HISTORY", "BUGS")
"""Sections of a manual page whose lines are no lists of options."""
_MOST_WORDS = 2
_QUOTES = frozenset("'\"`$\u2018\u201c")
_BULLETS = frozenset({"\u2022", "\u25cb", "\u25e6", "\u00b7", "*", "o"})


class Option(NamedTuple):
    """`spellings` as they are written, `argument` is empty, `required` or `optional`; `says` is what the text says."""

    spellings: tuple[str, ...]
    argument: str
    says: str


class _Line(NamedTuple):
    indent: int
    text: str


def options(text: str) -> tuple[Option, ...]:
    """The options of a text, each spelling once, in the order in which they stand."""
    lines = [_line(line) for line in plain(text).expandtabs().splitlines()]
    found: list[Option] = []
    known: set[str] = set()
    for spellings, says in _entries(lines):
        for argument in ("required", "optional", ""):
            new = tuple(name for name, kind in spellings if kind == argument and name not in known)
            if new:
                found.append(Option(new, argument, says))
                known.update(new)
    return tuple(found)


def _line(text: str) -> _Line:
    """A line and how far in it starts; the bullet of a list is no text."""
    bare = text.lstrip()
    return _Line(len(text) - len(bare), bare[1:].strip() if bare[:1] in _BULLETS and bare[1:2] == " " else bare.strip())


def plain(text: str) -> str:
    """The text without what terminals make bold, underlined or coloured."""
    found: list[str] = []
    rest = iter(text)
    for char in rest:
        if char == "\b":
            found[-1:] = []
        elif char == "\x1b":
            next(rest, "")
            for inner in rest:
                if inner.isalpha():
                    break
        else:
            found.append(char)
    return "".join(found)


Spellings = list[tuple[str, str]]
"""Spellings with the kind of argument that each takes."""


def _entries(lines: list[_Line]) -> Iterator[tuple[Spellings, str]]:
    """The lines that start an entry of a list, with what is said of each."""
    above: _Line | None = None
    said_from = 0  # how far in the line above says something of the entry that it starts; 0: it starts none
    skipping = False
    for at, line in enumerate(lines):
        if line.text and line.indent == 0:
            skipping = line.text.startswith(_WITHOUT_OPTIONS)
        wrapped = above is not None and not said_from and above.indent == line.indent
        described = 0 < said_from <= line.indent
        above, said_from = (line, 0) if line.text else (None, 0)
        if line.text.startswith(("-", "+")) and not (skipping or wrapped or described):
            head, says = _split(line.text)
            spellings = _head(head.removesuffix(":"))
            if spellings:
                said_from = line.indent + (len(line.text) - len(says) if says else 1)
                yield spellings, _sentence(says or _below(lines, at))


def _split(text: str) -> tuple[str, str]:
    """The head of an entry and what is said behind two blanks; `-h  --help  prints help` has two spellings first."""
    head, _, rest = text.partition("  ")
    says = rest.lstrip()
    more, gap, further = says.partition("  ")
    if gap and says.startswith("-") and _head(more):
        return f"{head}, {more}", further.lstrip()
    return head, says


def _below(lines: list[_Line], at: int) -> str:
    """The paragraph below an entry that is further in than it; an empty line may stand before it."""
    found: list[str] = []
    for line in lines[at + 1 :]:
        if line.text and line.indent > lines[at].indent:
            found.append(line.text)
        elif line.text or found:
            break
    return " ".join(found).replace("\u2010 ", "")  # a word that was divided


def _sentence(text: str) -> str:
    """The first sentence, blanks made one, without its full stop."""
    return " ".join(text.split()).partition(". ")[0].removesuffix(".").strip()


def _head(text: str) -> Spellings | None:
    """The spellings of an entry's head: `-n, --lines=NUM`, `-D debugopts`, `--[no-]color`; None for a sentence.

    An argument that must be there is that of all spellings; one that may be there only of those that show it.
    """
    found: Spellings = []
    words = 0
    for word in text.replace(",", " , ").split():
        if word in _SEPARATORS:
            continue
        if word[0] in "-+" and len(word) > 1:
            one = _spelling(word)
            if one is None:
                return None
            found += one
            continue
        words += 1
        if not found or words > _MOST_WORDS or word[0] in _QUOTES:
            return None
        found[-1] = (found[-1][0], "optional" if word.startswith("[") else "required")
    if any(argument == "required" for _, argument in found):
        return [(name, argument or "required") for name, argument in found]
    return found or None


def _spelling(word: str) -> Spellings | None:
    """One word of a head; `--[no-]x` is two spellings."""
    if word.startswith("--[no-]"):
        rest = _spelling("--" + word.removeprefix("--[no-]"))
        return None if rest is None else [*rest, *((f"--no-{name[2:]}", "") for name, _ in rest)]
    size = next((index for index, char in enumerate(word) if char not in _NAME), len(word))
    name, rest_of_word = word[:size], word[size:]
    if not name.strip("-+") or (name[-1] in ".:!?-" and len(name) > 2) or name.startswith("---"):
        return None
    if not rest_of_word:
        return [(name, "")]
    if rest_of_word[0] == "[" and rest_of_word[-1] == "]":
        return [(name, "optional")]
    return [(name, "required")] if rest_of_word[0] in "=<" else None
