"""GraphQL documents: are all operations queries? Lexical grammar of the GraphQL specification, section 2.

Only the level outside of braces and parentheses is looked at: a definition starts with `{`, `query` or `fragment`, or
the document is not certain to read.
"""

from __future__ import annotations

_OPEN, _CLOSE = "{([", "})]"


def only_queries(text: str) -> bool:
    r"""Whether every definition of the document is a query or a fragment. `\0` stands for letters decided elsewhere."""
    outer = _outer_tokens(text)
    if outer is None or "\0" in "".join(outer):
        return False
    expected = True
    found = False
    for token in outer:
        if token == "{}":
            found = found or expected
            expected = True
        elif expected:
            if token not in ("query", "fragment"):
                return False
            expected = False
            found = True
        elif token in ("mutation", "subscription"):
            return False
    return found and expected


def _outer_tokens(text: str) -> list[str] | None:
    """Names and `{}` (a whole block) outside of all brackets; None where the text is not well formed."""
    tokens: list[str] = []
    stack: list[str] = []
    position = 0
    while position < len(text):
        char = text[position]
        if char == "#":
            end = min((at for at in (text.find("\n", position), text.find("\r", position)) if at != -1), default=-1)
            if end == -1:
                break
            position = end
        elif char == '"':
            after = _string_end(text, position)
            if after == -1:
                return None
            position = after
        elif char in _OPEN:
            stack.append(_CLOSE[_OPEN.index(char)])
            position += 1
        elif char in _CLOSE:
            if not stack or stack.pop() != char:
                return None
            if not stack and char == "}":
                tokens.append("{}")
            position += 1
        elif char.isalnum() or char in "_\0":
            start = position
            while position < len(text) and (text[position].isalnum() or text[position] in "_\0"):
                position += 1
            if not stack:
                tokens.append(text[start:position])
        else:
            position += 1
    return None if stack else tokens


def _string_end(text: str, start: int) -> int:
    """The position after the string that starts at `start`, or -1."""
    if text.startswith('"""', start):
        position = start + 3
        while True:
            end = text.find('"""', position)
            if end == -1:
                return -1
            if text[end - 1] != "\\":
                return end + 3
            position = end + 3
    position = start + 1
    while position < len(text) and text[position] not in "\r\n":
        if text[position] == "\\":
            position += 1
        elif text[position] == '"':
            return position + 1
        position += 1
    return -1
