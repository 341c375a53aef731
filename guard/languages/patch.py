"""The `apply_patch` format of Codex: every path that a patch names. https://github.com/openai/codex"""

from __future__ import annotations

_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def paths(text: str) -> list[str] | None:
    """Paths of all files that the patch adds, updates, deletes or moves to; None if it is no patch or names none.

    Lines end at line feeds alone, as for the program that applies the patch: what other readers take for the end of a
    line would be a part of the path, so a path with a control or separator character is not read. Lines of file content
    start with `+`, `-`, a blank or `@@`, so that a mark inside of them is never at the start.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    marked = [line.strip(" \t") for line in lines if line.lstrip().startswith("***")]
    found = [line[len(mark) :].strip() for line in marked for mark in _MARKS if line.startswith(mark)]
    unknown = [line for line in lines if line.startswith("*** ") and not line.startswith((*_MARKS, *_REST))]
    odd = any(not char.isprintable() for path in found for char in path)
    return None if unknown or not found or "" in found or odd else found


_REST = ("*** Begin Patch", "*** End Patch", "*** End of File", "*** Environment ID:")
