"""The edits that take one entry out of a file and leave everything else, comments too, as it was."""

from __future__ import annotations

from guard.lint.tree import Node
from guard.model.diagnostic import Edit


def item(text: str, nodes: list[Node], index: int, comments: tuple[str, ...] = ("//",)) -> tuple[Edit, ...]:
    """Takes `nodes[index]` and one comma out of an array."""
    start, end = nodes[index].start, nodes[index].end
    return _with_comma(text, start, end, nodes[index - 1].end if index else -1, comments)


def entry(text: str, start: int, end: int, previous_end: int) -> tuple[Edit, ...]:
    """Takes `key: value` (from `start` to `end`) out of an object; `previous_end` is -1 for the first."""
    return _with_comma(text, start, end, previous_end, ("//",))


def lines(text: str, start: int, end: int) -> tuple[Edit, ...]:
    """Takes out the whole lines that a range touches, and one blank line behind them."""
    start = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    if text[stop : stop + 1] == "\n" and (start == 0 or text[max(0, start - 2) : start] == "\n\n"):
        stop += 1
    return (Edit(start, stop, ""),)


def _with_comma(text: str, start: int, end: int, previous_end: int, comments: tuple[str, ...]) -> tuple[Edit, ...]:
    after = _comma(text, end, comments)
    if after >= 0:
        stop = after + 1
        line = text.rfind("\n", 0, start) + 1
        rest = text.find("\n", stop)
        if text[line:start].strip() == "" and rest >= 0 and text[stop:rest].strip() == "" and after == end:
            return (Edit(line, rest + 1, ""),)
        if after == end:
            while text[stop : stop + 1] in (" ", "\t"):
                stop += 1
            return (Edit(start, stop, ""),)
        return (Edit(start, end, ""), Edit(after, after + 1, ""))
    before = _comma(text, previous_end, comments) if previous_end >= 0 else -1
    line = text.rfind("\n", 0, start)
    first = line if line > before and text[line:start].strip() == "" else start
    if before >= 0:
        if text[before + 1 : first].strip() == "":
            return (Edit(before, end, ""),)
        return (Edit(before, before + 1, ""), Edit(first, end, ""))
    return (Edit(first, end, ""),)


def _comma(text: str, at: int, comments: tuple[str, ...]) -> int:
    """The place of the comma that follows `at` behind blanks and comments, -1 where something else follows."""
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
        elif text.startswith("/*", at) and "//" in comments:
            at = text.find("*/", at) + 2
            if at < 2:
                return -1
        elif text.startswith(comments, at):
            at = text.find("\n", at)
            if at < 0:
                return -1
        else:
            return at if text[at] == "," else -1
    return -1
