"""Command language of jq: a program that starts with `import`, `include` or `module` reads files that its text names.

`import "config" as $d {search: "/root/.docker"};` reads that file; modules stand before everything else
(https://jqlang.org/manual/#modules).
"""

from __future__ import annotations

from guard.languages.texts import samples
from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, opaque
from guard.model.invocation import Invocation

_INSTEAD = "`jq --slurpfile NAME FILE . FILE`"
_MODULES = ("import", "include", "module")


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for a program that names modules."""
    if not call.operands or call.given("-f"):
        return []
    program = call.operands[0]
    if not any(_is_word(_head(text), word) for text in _texts(program) for word in _MODULES):
        return []
    message = "the program reads modules or data from files that it names"
    return [opaque("jq-module", message, program.span, rule=call.rule, instead=_INSTEAD)]


def _texts(program: Argument) -> list[str]:
    """What the program can be, as far as it says whether modules stand first.

    A text that is decided at run time as a whole names nothing here. Before known text it may be a line end behind a
    comment, nothing, or the beginning of the word.
    """
    found = samples(program)
    if not isinstance(found, Effect):
        return [sample.text for sample in found]
    if len(program.pieces) == 1:
        return []
    head = _head(program.start)
    return [word if word.startswith(head) else head for word in _MODULES]


def _is_word(text: str, word: str) -> bool:
    after = text[len(word) : len(word) + 1]
    return text.startswith(word) and not (after.isalnum() or after == "_")


def _head(text: str) -> str:
    """The program without blanks and comments at its start."""
    text = text.lstrip()
    while text.startswith("#"):
        text = text.partition("\n")[2].lstrip()
    return text
