"""Words → arguments: what bash's expansions make of them, as far as the text shows.

Substitutions are run (classified) through the callback `run`, which returns what their output is bound to.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from guard.classify.state import MOST_NAMES, UNKNOWN, State, digits, names, names_of, pattern, some_of
from guard.classify.targets import SUBSTITUTED
from guard.model.argument import Argument, Hole, Printed, Text
from guard.model.effect import Effect, opaque
from guard.model.record import assert_never
from guard.model.syntax import (
    Arithmetic,
    CommandSubstitution,
    Glob,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Script,
    Span,
    Tilde,
    Word,
)

_NUMBERS = frozenset({"?", "#", "$", "LINENO", "SECONDS", "RANDOM", "SRANDOM", "EPOCHSECONDS", "UID", "EUID", "PPID"})
_MAY_BE_EMPTY = frozenset({"!", "BASHPID"})
_GLOB = frozenset("*?[")
_CUTS = _GLOB | frozenset(" \t\n")

Run = Callable[[Script, State], Printed]
Assigned = Callable[[str, Argument | None, Span], None]


class Expander:
    """Expands the words of one script. `text` is the source, for what the syntax keeps only as a span.

    `assigned` judges the variables that expansions set: `${PATH:=x}`, `$((PATH=1))`.
    """

    def __init__(self, text: str, run: Run, assigned: Assigned, effects: list[Effect]) -> None:
        self.text = text
        self.run = run
        self.assigned = assigned
        self.effects = effects
        self.may_stop: Callable[[State], None] = lambda _: None
        """Told of every expansion that may fail: bash then leaves out the rest of the line."""

    def words(self, words: tuple[Word, ...], state: State) -> tuple[Argument, ...]:
        """The arguments that several words become."""
        return tuple(argument for word in words for argument in self.split(word, state))

    def value(self, word: Word, state: State) -> Argument:
        """The one argument that a word becomes where bash neither splits nor globs (assignments, redirects, `case`)."""
        pieces: list[Text | Hole] = []
        differs = self.differs(word)
        for part in word.parts:
            if isinstance(part, Glob):
                self.may_stop(state)
                pieces.append(Text(part.text, range(part.span.start, part.span.start + len(part.text))))
            else:
                pieces += self.part(part, state).pieces
        return Argument((Hole("any", word.span),) if differs else _merged(pieces), word.span)

    def differs(self, word: Word) -> bool:
        """Whether zsh takes what follows a variable for a modifier (`$x:t`) or subscript (`$x[1]`) of it."""
        for part, after in pairwise(word.parts):
            if isinstance(part, Parameter) and not part.operator and isinstance(after, (Literal, Glob)):
                modifier = after.text[:1] == ":" and _is_modifier(after.text[1:])
                braced = self.text.startswith("${", part.span.start)
                if not braced and (modifier or after.text[:1] == "["):
                    return True
        return False

    def split(self, word: Word, state: State) -> list[Argument]:
        """The arguments that a word becomes, with word splitting and globs."""
        pieces: list[Text | Hole] = []
        many = loose = False
        for part in word.parts:
            found = self.part(part, state)
            if not _splits(part):
                pieces += found.pieces
                many = many or found.many or isinstance(part, Glob)
            elif len(word.parts) == 1 and found.text is not None:
                return _fields(found)
            else:
                found = found._replace(pieces=tuple(map(_one_of, found.pieces)))
                safe = [_stays_one(piece) for piece in found.pieces]
                loose = loose or not all(safe) or found.many
                many = many or not (found.pieces and _always_there(part, found.pieces))
                pieces += found.pieces
        if loose or self.differs(word):  # the word may be cut anywhere: `src/$x` may become `src/a` and `-b`
            whole = Argument(_merged(pieces), word.span)
            found_names = tuple(name for name in (pattern(whole), *names(whole)) if name.strip("*"))
            return [Argument((Hole("any", word.span, (), found_names[:MOST_NAMES]),), word.span, True)]
        return [Argument(_merged(pieces), word.span, many)]

    def part(self, part: Part, state: State) -> Argument:
        """The pieces that one part contributes; `many` only for `"$@"`."""
        span = _span(part)
        if isinstance(part, Literal):
            return Argument((Text(part.text, part.at),) if part.text else (), span)
        if isinstance(part, Tilde):
            return self.tilde(part, state)
        if isinstance(part, Parameter):
            return self.parameter(part, state)
        if isinstance(part, CommandSubstitution):
            printed = self.run(part.script, state.copy())
            return Argument((Hole(printed.domain or "any", span, printed.values, printed.names),), span)
        if isinstance(part, ProcessSubstitution):
            self.run(part.script, state.copy())
            return Argument((Text(SUBSTITUTED, [span.start] * len(SUBSTITUTED)),), span)
        if isinstance(part, Arithmetic):
            return self.arithmetic(part, state)
        if isinstance(part, Glob):
            self.may_stop(state)
            return Argument((Hole("component" if _is_in_component(part.text) else "any", span),), span)
        return assert_never(part)

    def tilde(self, part: Tilde, state: State) -> Argument:
        known = not part.user and state.home is not None and "HOME" not in state.variables
        text = str(state.home) if known else "~" + part.user
        return Argument((Text(text, [part.span.start] * len(text)),), part.span)

    def parameter(self, part: Parameter, state: State) -> Argument:
        span = part.span
        if part.operator:
            self.may_stop(state)
        values = [self.value(word, state) for word in part.words]
        if part.operator == "#length":
            return Argument((Hole("number", span),), span)
        if part.operator in (":=", "="):
            state.assign(part.name, some_of(values))
            self.assigned(part.name, values[0] if len(values) == 1 else UNKNOWN, span)
            return Argument((Hole("any", span),), span)
        known = state.value(part.name)
        instead = values if part.operator.endswith(("-", "+")) else []
        names = names_of([*([known] if known else []), *instead])
        if part.name in ("@", "*"):
            return Argument((Hole("any", span, (), names),), span, part.name == "@" or not part.quoted)
        if part.operator:
            return Argument((Hole("any", span, (), names),), span)
        return _at(self.variable(part.name, state), span)

    def variable(self, name: str, state: State) -> Argument:
        """The value of a variable; a Hole where it comes from outside of the text."""
        value = state.value(name)
        if value is not None:
            return value
        if name in _NUMBERS or name in _MAY_BE_EMPTY:
            return Argument((Hole("number", Span(0, 0)),), Span(0, 0))
        if name == "PWD" and len(state.directories) == 1 and state.directories[0]:
            return _known(state.directories[0])
        if name == "HOME" and state.home:
            return _known(state.home)
        return UNKNOWN

    def arithmetic(self, part: Arithmetic, state: State) -> Argument:
        self.may_stop(state)
        for inner in part.inner:
            value = self.part(inner, state)
            trusted = isinstance(inner, Parameter) and not inner.operator and state.value(inner.name) is None
            if not trusted and not digits(value):
                self.effects.append(opaque("arithmetic", "bash evaluates this value as an expression", _span(inner)))
        for name in part.names:
            self.operand(name, state, part.span)
        for name in part.assigns:
            state.assign(name, Argument((Hole("integer", part.span),), part.span))
            self.assigned(name, Argument((Hole("number", part.span),), part.span), part.span)
        text = self.text[part.span.start : part.span.end]
        domain = "integer" if set(text) & set("-~") else "number"
        return Argument((Hole(domain, part.span),), part.span)

    def operand(self, name: str, state: State, span: Span) -> None:
        """A variable whose value bash evaluates as an expression: harmless if it is a number or the environment's."""
        value = state.value(name)
        if value is None or digits(value) or (len(value.pieces) == 1 and _is_integer(value.pieces[0])):
            return
        message = f"bash evaluates the value of `{name}` as an expression, and it is not known to be a number"
        self.effects.append(opaque("arithmetic", message, span))


def _is_in_component(glob: str) -> bool:
    """Whether a pattern character or bracket stands for no slash, and for itself where nothing matches."""
    return glob in ("*", "?") or (glob.startswith("[") and "/" not in glob)


_MODIFIERS = frozenset("acehlpqrstuxAPQW&")


def _is_modifier(text: str) -> bool:
    """Whether zsh takes the beginning of what follows `$name:` for a modifier, which changes the value."""
    name = text.lstrip("fgwF")
    return text[:1] in _MODIFIERS if name == text else not name[:1].isalpha() or name[0] in _MODIFIERS


def _is_integer(piece: Text | Hole) -> bool:
    return isinstance(piece, Hole) and piece.domain == "integer"


def _span(part: Part) -> Span:
    if not isinstance(part, Literal):
        return part.span
    return Span(part.at[0], part.at[-1] + 1) if part.text else Span(0, 0)


def _splits(part: Part) -> bool:
    return isinstance(part, (Parameter, CommandSubstitution, Arithmetic)) and not part.quoted


def _one_of(piece: Text | Hole) -> Text | Hole:
    """A part of it that word splitting leaves: one of several numbers is a number."""
    return piece._replace(domain="number") if isinstance(piece, Hole) and piece.domain == "numbers" else piece


def _stays_one(piece: Text | Hole) -> bool:
    """Whether splitting cannot cut this piece into words that start anyhow: `plain` lines never start with a dash."""
    if isinstance(piece, Text):
        return not set(piece.text) & _CUTS
    if piece.values:
        return not any(set(value) & _CUTS for value in piece.values)
    return piece.domain in ("number", "numbers", "integer", "hex", "plain")


def _always_there(part: Part, pieces: tuple[Text | Hole, ...]) -> bool:
    """Whether the expansion gives exactly one word, never none."""
    if isinstance(part, Arithmetic) or (isinstance(part, Parameter) and part.name in _NUMBERS and not part.operator):
        return True
    return any(piece.text if isinstance(piece, Text) else piece.values and all(piece.values) for piece in pieces)


def _known(text: str) -> Argument:
    return Argument((Text(text, [0] * len(text)),), Span(0, 0))


def _at(value: Argument, span: Span) -> Argument:
    """A variable's value where it is used: its characters point at the use."""
    pieces: list[Text | Hole] = []
    for piece in value.pieces:
        if isinstance(piece, Text):
            pieces.append(Text(piece.text, [span.start] * len(piece.text)))
        else:
            pieces.append(piece._replace(span=span))
    return Argument(tuple(pieces), span, value.many)


def _fields(value: Argument) -> list[Argument]:
    """Word splitting of a known value (IFS cannot be changed in a readable script without a veto)."""
    text = value.text or ""
    found = []
    for field in text.split():
        if set(field) & _GLOB:
            found.append(Argument((Hole("any", value.span),), value.span, True))
        else:
            found.append(Argument((Text(field, [value.span.start] * len(field)),), value.span))
    return found


def _merged(pieces: list[Text | Hole]) -> tuple[Text | Hole, ...]:
    """Adjacent known characters as one piece, empty ones dropped."""
    found: list[Text | Hole] = []
    for piece in pieces:
        if isinstance(piece, Text):
            if not piece.text:
                continue
            if found and isinstance(found[-1], Text):
                before = found[-1]
                found[-1] = Text(before.text + piece.text, [*before.at, *piece.at])
                continue
        found.append(piece)
    return tuple(found)
