"""Programs whose short options take their argument from the next word only: the letters behind are further options.

`tree -Io PATTERN FILE` has -I take PATTERN and -o take FILE (https://man7.org/linux/man-pages/man1/tree.1.html).
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Given, Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for a short option with something other than a number attached to it."""
    message = "the letters behind this option are options too, and take the next words: put a blank before its argument"
    return [
        opaque("attached-argument", message, option.span, rule=call.rule)
        for option in call.options
        if _attached(option)
    ]


def _attached(option: Given) -> bool:
    value = option.value
    if value is None or option.name.startswith("--") or value.span.start > option.span.start:
        return False
    text = value.text
    return text is None or not (text.isascii() and text.isdigit())
