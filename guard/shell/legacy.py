"""Where shells before bash 4 see the end of `$(…)`.

They count parentheses and skip quotes without knowing about comments, `case` or here-documents (bash 3.2 is still the
bash of macOS). Our reader refuses a substitution whose end they would see elsewhere.
"""

from __future__ import annotations


def closing_parenthesis(text: str, start: int) -> int:
    """The place of the parenthesis that closes the one before `start`, or -1."""
    level = 1
    i = start
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
        elif c == "'":
            i = text.find("'", i + 1)
        elif c in '"`':
            i = _closing_quote(text, i)
        elif c == "(":
            level += 1
        elif c == ")":
            level -= 1
            if not level:
                return i
        if i < 0:
            return -1
        i += 1
    return -1


def _closing_quote(text: str, start: int) -> int:
    """The end of the double quotes or backquotes at `start`, or -1; `$(…)` in double quotes nests."""
    quote = text[start]
    i = start + 1
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
        elif c == quote:
            return i
        elif quote == '"' and c == "`":
            i = _closing_quote(text, i)
        elif quote == '"' and c == "$" and text.startswith("(", i + 1):
            i = closing_parenthesis(text, i + 2)
        if i < 0:
            return -1
        i += 1
    return -1
