"""`[[ … ]]`: its numeric tests evaluate their operands as expressions, `-v` and `-R` a subscript."""

from __future__ import annotations

from guard.classify.expand import Expander
from guard.classify.state import State, digits
from guard.model.argument import Argument
from guard.model.effect import Effect, opaque
from guard.model.syntax import Conditional, Word

_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


def judge(node: Conditional, state: State, expander: Expander, effects: list[Effect]) -> None:
    """Adds the effects of expanding and evaluating its words."""
    values = [expander.value(word, state) for word in node.words]
    for index, value in enumerate(values):
        if value.text in _ARITHMETIC_TESTS and not _is_quoted(node.words[index]):
            for side in (index - 1, index + 1):
                if 0 <= side < len(values):
                    _numeric(node.words[side], values[side], state, expander, effects)
        if value.text in ("-v", "-R") and index + 1 < len(values):
            name = values[index + 1].text
            if name is None or not name.isidentifier():
                message = "`-v` evaluates a subscript, and the name is not a plain one"
                effects.append(opaque("arithmetic", message, node.words[index + 1].span))


def _numeric(word: Word, value: Argument, state: State, expander: Expander, effects: list[Effect]) -> None:
    if digits(value) or (value.text or "").lstrip("+-").isdecimal():
        return
    part = word.parts[0] if len(word.parts) == 1 else None
    name = getattr(part, "name", None)
    if name is not None and not getattr(part, "operator", "") and state.value(name) is None:
        return
    if value.text is not None and value.text.isidentifier():
        expander.operand(value.text, state, word.span)
        return
    message = "bash evaluates this operand as an expression, and it is not known to be a number"
    effects.append(opaque("arithmetic", message, word.span))


def _is_quoted(word: Word) -> bool:
    return any(getattr(part, "quoted", False) for part in word.parts)
