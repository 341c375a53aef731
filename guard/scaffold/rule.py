"""The text of a rule file to be judged: every option vetoed, every judgement still to be made marked with TODO."""

from __future__ import annotations

import json
from collections.abc import Sequence

from guard.scaffold.options import Option

_LONGEST = 90
_TAKES = {"required": ", takes: text", "optional": ', takes: "text?"', "": ""}


def rule(program: str, found: Sequence[Option], summary: str, source: str, schema: str) -> str:
    """The YAML of a rule. `summary` is the program's own, `source` says what it was made from, `schema` where it is.

    The call itself is vetoed too: a program that writes without any option is not known to be one that reads.
    """
    lines = [
        f"# yaml-language-server: $schema={schema}",
        f"# Made from {source}. By the manual, judge what stands behind each TODO and say it in words of",
        "# your own; `devkit-guard lint` refuses the file until none is left. The form: docs/rules-format.md.",
        f"summary: {_todo(summary or 'what the program does, in one sentence')}",
        f"source: {_todo('the address of the manual')}",
        "effect: opaque",
        f"message: {_todo('what a call does beyond reading; remove effect and message if it is nothing')}",
    ]
    if _single(found):
        lines.append("syntax: single")
    if found:
        lines.append("options:")
    for option in found:
        says = _todo(option.says or "what it does")
        lines.append(
            f"  {_quoted(', '.join(option.spellings))}: {{effect: opaque{_TAKES[option.argument]}, message: {says}}}"
        )
    lines.append(f"examples: {{allow: [], veto: [{_quoted(program)}]}}")
    return "\n".join(lines) + "\n"


def _todo(text: str) -> str:
    shown = "".join(char if char.isprintable() else " " for char in text)
    cut = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + "…"
    return _quoted(f"TODO: {cut}")


def _quoted(text: str) -> str:
    """A text in double quotes, which JSON and YAML write alike."""
    return json.dumps(text, ensure_ascii=False)


def _single(found: Sequence[Option]) -> bool:
    """Whether the program has long options with one dash and none with two."""
    spellings = [name for option in found for name in option.spellings]
    words = [name for name in spellings if name.startswith("-") and not name.startswith("--") and len(name) > 3]
    return bool(words) and not any(name.startswith("--") for name in spellings if name not in ("--help", "--version"))
