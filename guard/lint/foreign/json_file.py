"""What the readers of JSON files share: the tree, its faults as marks, and rules from lists."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable

from guard.lint import cuts, json_text
from guard.lint.policy import Mark
from guard.lint.source import Source
from guard.lint.tree import Entry, Node
from guard.model.diagnostic import Edit


def load(source: Source, trailing_commas: bool) -> tuple[Node, list[Mark]]:
    """The tree (an empty object where there is none) and marks for what is wrong with it as JSON."""
    node, problems = json_text.parse(source.text, trailing_commas)
    marks = []
    for problem in problems:
        edits = (Edit(*problem.edit),) if problem.edit else ()
        marks.append(Mark("invalid-file", problem.start, problem.end, problem.message, edits))
    if node is None or not node.is_object:
        if node is not None:
            marks.append(Mark("invalid-file", node.start, node.start + 1, "expected an object"))
        return Node([], 0, 0, True), marks
    for inner in node.walk():
        seen: dict[str, Entry] = {}
        for entry in inner.entries():
            if entry.key in seen:
                first = seen[entry.key]
                where = source.place(first.start)[0]
                marks.append(Mark("duplicate-key", entry.start, entry.end, f"'{entry.key}' stands in line {where} too"))
            seen[entry.key] = entry
    return node, marks


def in_project(source: Source) -> bool:
    """Whether the file is one of a project, which all who work on it have, and not the home's or the machine's."""
    path = source.path.replace("\\", "/")
    home = os.environ.get("HOME") or "/root"
    folder = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    return not path.startswith(("~", "/etc/", "/Library/")) and folder != os.path.abspath(home)


def unknown_keys(
    node: Node | None, known: Iterable[str], where: str, elsewhere: dict[str, str] | None = None
) -> list[Mark]:
    """Marks for keys that the tool does not read; `elsewhere` says where a key belongs."""
    from difflib import get_close_matches

    marks = []
    names = list(known)
    for entry in node.entries() if node else []:
        if entry.key in names:
            continue
        near = get_close_matches(entry.key, names, 1, 0.75)
        place, witness = (elsewhere or {}).get(entry.key), ""
        if place:
            detail = f"'{entry.key}' is not read {where}: it belongs into {place}"
            meant = next((text for text, _ in entry.value.strings()), "")
            witness = sample(meant.partition("(")[2].removesuffix(")")) if meant else ""
        elif near:
            detail = f"'{entry.key}' is not read {where}: did you mean '{near[0]}'?"
        else:
            continue
        marks.append(Mark("unknown-key", entry.start, entry.end, detail, witness=witness))
    return marks


def sample(body: str) -> str:
    """A command that the rule was meant for."""
    return " ".join(body.removesuffix(":*").replace("*", " ").split()) or "ls"


def inner_span(source: Source, node: Node) -> tuple[int, int]:
    """The offsets of a text without its quotes."""
    quoted = source.text[node.start : node.start + 1] in ('"', "'")
    return (node.start + 1, node.end - 1) if quoted else (node.start, node.end)


def removal(source: Source, nodes: list[Node], node: Node) -> tuple[Edit, ...]:
    """Takes `node` out of the array `nodes` (which may hold others that were left out)."""
    if not nodes:
        return ()
    index = bisect_left(nodes, node.start, key=lambda other: other.start)
    return cuts.item(source.text, nodes, index, ("#",) if source.path.endswith(".toml") else ("//",))


def element_removal(source: Source, listed: Node | None, node: Node, whole: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Takes `node` out of a list of patterns, or with the last one `whole`, since a rule without patterns may be one
    for everything. The bracket is written anew, so that of one list no two elements go at the same time."""
    if listed is None or len(listed.items()) < 2:
        return whole
    return (Edit(listed.start, listed.start + 1, "["), *removal(source, listed.items(), node))


def entry_removal(source: Source, entries: list[Entry], index: int) -> tuple[Edit, ...]:
    """Takes the entry at `index` out of its object."""
    previous = entries[index - 1].value.end if index else -1
    return cuts.entry(source.text, entries[index].start, entries[index].value.end, previous)
