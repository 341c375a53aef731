"""Whether the independent readers see the same commands in a text as our own.

bashlex must see the same tokens in every complete command, and tree-sitter-bash in the whole text. A construct that one
of them cannot read (`_NOT_BASHLEX`, `_NOT_TREE_SITTER`: closed lists, each with what it gets wrong) excuses that one,
never both. Equal tokens (which words, assignments, numbers, operators and reserved words, and where) mean equal
commands, because the grammar over them is the same everywhere.
"""

from __future__ import annotations

from time import thread_time

from guard.model.syntax import Span, Unreadable
from guard.shell import bashlex_reader, treesitter_reader
from guard.shell.lexer import (
    ASSIGNMENT,
    KIND,
    NAME,
    NEWLINE,
    OPERATOR,
    SUBSTITUTION,
    WORD,
    Data,
    Region,
    Token,
    TracedScript,
    Unit,
)

_NOT_BASHLEX = frozenset(
    [
        "arithmetic-command",  # reads nested subshells, and `<<` in it as a here-document
        "arithmetic-for",  # not implemented
        "array",  # not implemented
        "case",  # not implemented
        "conditional",  # not implemented
        "nested-here-document",  # reads the body one line late inside compound commands
        "quoted-here-document",  # does not remove the quotes of the delimiter
        "time",  # not implemented
    ]
)
_NOT_TREE_SITTER = frozenset(
    [
        "quoted-here-document",  # takes a delimiter with a blank behind it for the end, and misreads `E'O'F`
    ]
)


def disagreement(script: TracedScript, deadline: float) -> Unreadable | None:
    """None, or where a witness that should be able to read the text sees something else."""
    trace = script.trace
    text = _without_joins(script.text, trace.joins)
    tree_sitter = _tree_sitter_objection(text, trace.tokens, trace.features)
    excused = tree_sitter is not None and bool(trace.features & _NOT_TREE_SITTER)
    tokens = trace.tokens
    if excused and all(_is_name(data.delimiter) for data in trace.data):
        # Then bashlex has to see where the bodies end, with the quotes taken from the delimiters, which it cannot do.
        tokens = _unquoted(trace.tokens, trace.data)
        text = _with_plain_delimiters(text, trace.data)
        tree_sitter = _tree_sitter_objection(_without_bodies(text, trace.data), tokens, trace.features)
    if tree_sitter is not None:
        return tree_sitter
    taken = bytearray(len(trace.tokens))
    for region in trace.regions:
        source = text[region.start : region.end] + "\n"
        for number, unit in enumerate(region.units):
            if thread_time() > deadline:
                return Unreadable("bounds", "reading took too long", Span(unit.start, unit.end))
            own = _own_tokens(tokens, unit, taken)
            following = region.units[number + 1].start if number + 1 < len(region.units) else region.end
            if _bashlex_agrees(source, region, unit, own, following, deadline):
                continue
            if excused or not unit.features & _NOT_BASHLEX:
                return Unreadable("disagreement", "bashlex reads something else", Span(unit.start, unit.end))
        for i in range(region.first, region.last):
            taken[i] = 1
    return None


def _without_joins(text: str, joins: list[int]) -> str:
    """Backslash-newline between words as two blanks, which the witnesses read as what it is."""
    pieces = []
    last = 0
    for i in sorted(set(joins)):
        pieces.append(text[last:i])
        last = i + 2
    return "  ".join([*pieces, text[last:]])


def _is_name(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def _unquoted(tokens: list[Token], heredocs: list[Data]) -> list[Token]:
    """The tokens with delimiters as long as they are without their quotes."""
    ends = {data.span: data.span[0] + len(data.delimiter) for data in heredocs}
    return [(kind, start, ends.get((start, end), end)) for kind, start, end in tokens]


def _with_plain_delimiters(text: str, heredocs: list[Data]) -> str:
    """The text with the quotes of delimiters taken away, and blanks behind them in their place."""
    for data in heredocs:
        start, end = data.span
        text = text[:start] + data.delimiter.ljust(end - start) + text[end:]
    return text


def _without_bodies(text: str, heredocs: list[Data]) -> str:
    """The text with every character of these bodies as one that means nothing, save for the newlines."""
    for data in heredocs:
        start, end = data.body
        filler = "y" if set(data.delimiter) == {"x"} else "x"
        text = text[:start] + "".join("\n" if char == "\n" else filler for char in text[start:end]) + text[end:]
    return text


def _own_tokens(tokens: list[Token], unit: Unit, taken: bytearray) -> list[Token]:
    """The tokens of a complete command without those of its substitutions, as bashlex would number them."""
    found = [
        (kind & (KIND | NEWLINE), start, end)
        for number, (kind, start, end) in enumerate(tokens[unit.first : unit.last], unit.first)
        if not taken[number] and kind & KIND != SUBSTITUTION
    ]
    if found:
        kind, start, end = found[0]
        found[0] = (kind & KIND, start, end)
    return found


def _bashlex_agrees(source: str, region: Region, unit: Unit, own: list[Token], following: int, deadline: float) -> bool:
    offset = region.start
    try:
        found, end = bashlex_reader.complete_command(source, unit.start - offset, deadline)
    except bashlex_reader.Refused:
        return False
    if offset:
        found = [(kind, start + offset, stop + offset) for kind, start, stop in found]
    end = min(end + offset, region.end)
    return found == own and end == unit.end and _only_blank(source, end - offset, following - offset)


def _only_blank(text: str, start: int, end: int) -> bool:
    """Whether there are only blanks and comment lines."""
    return all(not line or line[0] == "#" for line in (part.strip(" \t") for part in text[start:end].split("\n")))


def _tree_sitter_objection(text: str, tokens: list[Token], features: frozenset[str]) -> Unreadable | None:
    expected = [(kind & (KIND | NAME), start, end) for kind, start, end in tokens]
    if "time" in features:
        expected = _time_as_command(text, expected)
    if "here-document" in features:
        expected = _without_lost_dash(text, expected)
    try:
        found = treesitter_reader.tokens(text)
    except treesitter_reader.Refused:
        return Unreadable("disagreement", "tree-sitter finds an error", Span(0, len(text)))
    if found == expected:
        return None
    for ours, theirs in zip(expected, found, strict=False):
        if ours != theirs:
            return Unreadable("disagreement", "tree-sitter reads something else", Span(ours[1], ours[2]))
    return Unreadable("disagreement", "tree-sitter reads something else", Span(0, len(text)))


def _time_as_command(text: str, tokens: list[Token]) -> list[Token]:
    """tree-sitter takes `time` for the command and the command for an argument; known, and looked through."""
    found: list[Token] = []
    after_time = False
    for kind, start, end in tokens:
        if kind == OPERATOR and text[start:end] == "time":
            found.append((WORD | NAME, start, end))
            after_time = True
            continue
        if after_time and kind in (WORD | NAME, ASSIGNMENT):
            after_time = kind == ASSIGNMENT
            kind = WORD
        found.append((kind, start, end))
    return found


def _without_lost_dash(text: str, tokens: list[Token]) -> list[Token]:
    """tree-sitter loses a lone `-` right before `<<`; nothing else can stand in that place."""
    return [
        (kind, start, end)
        for number, (kind, start, end) in enumerate(tokens)
        if not (
            text[start:end] == "-" and text.startswith("<<", tokens[number + 1][1] if number + 1 < len(tokens) else 0)
        )
    ]
