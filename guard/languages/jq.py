"""Command language of jq: a program that starts with `import`, `include` or `module` reads files that its text names.

`import "config" as $d {search: "/root/.docker"};` reads that file; modules stand before everything else
(https://jqlang.org/manual/#modules).
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_INSTEAD = "`jq --slurpfile NAME FILE . FILE`"
_MODULES = ("import", "include", "module")


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for a program that names modules."""
    if not call.operands or call.given("-f"):
        return []
    program = call.operands[0]
    texts = program.alternatives() or [program.start]
    if not any(_is_word(_head(text), word) for text in texts for word in _MODULES):
        return []
    message = "the program reads modules or data from files that it names"
    return [opaque("jq-module", message, program.span, rule=call.rule, instead=_INSTEAD)]


def _is_word(text: str, word: str) -> bool:
    after = text[len(word) : len(word) + 1]
    return text.startswith(word) and not (after.isalnum() or after == "_")


def _head(text: str) -> str:
    """The program without blanks and comments at its start."""
    text = text.lstrip()
    while text.startswith("#"):
        text = text.partition("\n")[2].lstrip()
    return text
