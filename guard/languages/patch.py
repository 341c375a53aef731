"""The `apply_patch` format of Codex: every path that a patch names. https://github.com/openai/codex

Several programs apply it. They break lines at `\\n`, some also where Unicode does; some take blanks off the ends of a
line, some ask for no blank behind a mark's colon, some end a path at its next colon. A patch that they would not all
read as naming the same paths is refused.
"""

from __future__ import annotations

_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_REST = ("*** Begin Patch", "*** End Patch", "*** End of File")


def paths(text: str) -> list[str] | None:
    """Paths of all files that the patch adds, updates, deletes or moves to; None if it is no patch, names none, or one
    that cannot be said.

    Lines of file content start with `+`, `-`, a blank or `@@`.
    """
    found = []
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if any(_marked(piece) for piece in line.splitlines()[1:]):
            return None
        marked = _marked(line)
        mark = next((mark for mark in _MARKS if marked.startswith(mark)), None)
        if mark is not None:
            path = marked[len(mark) :]
            if not path or path != path.strip() or ":" in path or not path.isprintable():
                return None
            found.append(path)
        elif line.startswith("***") and line.strip() not in _REST:
            return None
    return found or None


def _marked(line: str) -> str:
    """The line from its mark on, empty where it has none. What no one sees does not count before it."""
    before, mark, rest = line.partition("***")
    return "" if any(char.isprintable() and not char.isspace() for char in before) else mark + rest
