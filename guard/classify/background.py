"""Jobs in the background: whether a `wait` behind them is sure to run."""

from __future__ import annotations

from guard.classify.state import State
from guard.model.syntax import Command, Literal, Parameter, Pipeline, Simple, Word

INSTEAD = "the command without &, or with a plain `wait` behind it"
_LEAVE = frozenset(
    {".", "break", "builtin", "command", "continue", "eval", "exec", "exit", "return", "set", "source", "trap"}
)
"""Commands after which a `wait` further on may never be reached."""


def is_waited_for(later: tuple[Command, ...], state: State) -> bool:
    """Whether a plain `wait` follows, with nothing before it that could end the shell or its list."""
    for command in later[:1] if state.strict else later:
        if isinstance(command, Pipeline) and len(command.commands) > 1:
            continue  # each part is a shell of its own
        if not isinstance(command, Simple) or not all(map(_is_plain, _words(command))):
            return False
        name = _literal(command.words[0]) if command.words else None
        if name is None or name in _LEAVE or name in state.functions:
            return False
        if name == "wait" and len(command.words) == 1 and not command.redirects:
            return True
    return False


def _words(command: Simple) -> list[Word]:
    """All that is expanded before the command runs."""
    values = [assignment.value for assignment in command.assignments if assignment.value is not None]
    arrays = [word for assignment in command.assignments for word in assignment.array or ()]
    return [*command.words, *values, *arrays, *(redirect.target for redirect in command.redirects)]


def _is_plain(word: Word) -> bool:
    """Whether its expansion cannot fail, as that of `${x:?}` and `$((1/0))` can: a failure ends the shell."""
    return all(isinstance(part, Literal) or (isinstance(part, Parameter) and not part.operator) for part in word.parts)


def _literal(word: Word) -> str | None:
    texts = [part.text if isinstance(part, Literal) else None for part in word.parts]
    return None if None in texts else "".join(str(text) for text in texts)
