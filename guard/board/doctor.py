"""What is wrong with a board's files, and what to do about it. Changes nothing but torn journals, and those on request.

A `fault` stops somebody from working; a `note` is left over from an operation that was cut off, or only for people.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from guard.board import journal
from guard.board.card import Card, number_of, project
from guard.board.cards import Board
from guard.board.files import FileStore
from guard.board.lease import duration
from guard.board.rejections import BoardError


class Finding(NamedTuple):
    """`card` is empty for what concerns the whole board; `repairable`: `--repair` mends it."""

    card: str
    level: str
    message: str
    repairable: bool = False


def examine(board: Board, store: FileStore, only: list[str] | None = None) -> list[Finding]:
    """Everything that is worth telling, card by card; a card in `only` may be archived."""
    found: list[Finding] = []
    ids = only or store.ids()
    for name in ids:
        found += _card(board, store, name)
    if only:
        return found
    for number, same in groupby(ids, number_of):
        names = list(same)
        if len(names) > 1:  # two clones that were merged
            message = f"number {number} stands for {', '.join(names)}: name these cards by their full ids"
            found.append(Finding("", "note", message))
    held = _listing(os.path.join(store.base, "held"))
    for name in held:
        if name not in ids:
            message = f"held/{name}: marks a lease on a card that is not on the board; it can be deleted"
            found.append(Finding("", "note", message))
    left = _listing(os.path.join(store.base, "tmp"))
    if left:
        message = f"tmp/: {len(left)} unfinished files of operations that were cut off; when nothing runs, delete them"
        found.append(Finding("", "note", message))
    return found


def repair(store: FileStore, card: str) -> str | None:
    """Take a torn append off a card's journal; where it was saved, None where nothing is torn."""
    return store.cut(card, time.strftime("%Y%m%dT%H%M%S"))


def _card(board: Board, store: FileStore, name: str) -> Iterator[Finding]:
    try:
        raw = store.journal(name)
        _, problem = journal.parse_prefix(raw)
        card = board.card(name)
    except BoardError as error:
        if error.code != "invalid-journal":
            yield Finding(name, "fault", str(error))
        elif problem is not None and problem.torn:
            cut = f"journal.jsonl:{problem.line}: {problem.problem}: an append did not finish and took no effect"
            mend = f"`devkit-engine board doctor {name} --repair` saves the torn end beside the journal and cuts it off"
            yield Finding(name, "fault", f"{cut}; {mend}", repairable=True)
        else:
            advice = "nothing is repaired by itself: bring the file back from version control or a backup, or move the"
            yield Finding(name, "fault", f"{str(error).partition('. Run')[0]}; {advice} card's folder out of tasks/")
        return
    yield from _place(board, store, card)
    yield from _lease(board, store, card)
    yield from _artifacts(board, store, card)


def _place(board: Board, store: FileStore, card: Card) -> Iterator[Finding]:
    folder = store.folder(card.id)
    in_tasks = folder == os.path.join(store.base, "tasks", card.id)
    if board.pipeline.stage(card.stage) is None:
        names = ", ".join(stage.id for stage in board.pipeline.stages)
        message = f"its stage {card.stage} is not in the pipeline ({names}): nothing can move it"
        yield Finding(card.id, "fault", message)
    if card.archived and in_tasks:
        message = f"archived, but still in tasks/: `devkit-engine board archive {card.id}` moves its folder"
        yield Finding(card.id, "note", message)
    try:
        with open(os.path.join(folder, "card.md"), "rb") as file:
            current = file.read() == project(card).encode()
    except OSError:
        current = False
    if not current:
        yield Finding(card.id, "note", "card.md does not show the newest revision; the next change writes it anew")


def _lease(board: Board, store: FileStore, card: Card) -> Iterator[Finding]:
    stored, holding = store.lease(card.id), board.holding(card)
    marked = os.path.exists(os.path.join(store.base, "held", card.id))
    if holding is None:
        if stored is not None or marked:
            message = "the files of a lease are there, but the journal knows of none: it counts for nothing"
            yield Finding(card.id, "note", f"{message}, and the next take replaces it")
        return
    if not marked:
        message = f"held by {holding.holder}, but held/{card.id} is missing, so the guard does not see it"
        yield Finding(card.id, "fault", f"{message}: release the card or take it over")
    if holding.stale:
        message = f"held by {holding.holder}, not heard of for {duration(holding.age)}"
        yield Finding(card.id, "note", f"{message}: it can be taken over")


def _artifacts(board: Board, store: FileStore, card: Card) -> Iterator[Finding]:
    for found in card.artifacts:
        try:
            store.read(card.id, found.path) if found.digest is None else board.text(card, found)
        except ValueError as error:
            level = "fault" if found.kind and found == card.newest(found.kind) else "note"
            yield Finding(card.id, level, f"{found.path} (revision {found.revision}): {error}")
    known = {os.path.basename(found.path) for found in card.artifacts}
    for name in _listing(os.path.join(store.folder(card.id), "artifacts")):
        revision = name.partition("-")[0]
        if name not in known and revision.isdecimal():
            message = f"artifacts/{name} is not registered: an attach was cut off, or a person left it"
            yield Finding(card.id, "note", message)


def _listing(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
