"""The `apply_patch` format of Codex: every path that a patch names. https://github.com/openai/codex"""

from __future__ import annotations

_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def paths(text: str) -> list[str] | None:
    """Paths of all files that the patch adds, updates, deletes or moves to; None if it is no patch or names none.

    Lines of file content start with `+`, `-`, a blank or `@@`, so that a mark inside of them is never at the start.
    """
    found = [
        line[len(mark) :].strip()
        for line in text.splitlines()
        for mark in _MARKS
        if line.lstrip().startswith("***") and line.strip().startswith(mark)
    ]
    unknown = [line for line in text.splitlines() if line.startswith("*** ") and not line.startswith((*_MARKS, *_REST))]
    return None if unknown or not found or "" in found else found


_REST = ("*** Begin Patch", "*** End Patch", "*** End of File", "*** Environment ID:")
