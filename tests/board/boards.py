"""What the tests of the board share: boards in temporary folders, callers, a clock that is set by hand, a design."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.board.caller import Caller
from guard.board.card import Card
from guard.board.cards import Board
from guard.board.definition import load
from guard.board.files import FileStore
from guard.board.lease import Clock
from guard.board.rejections import BoardError

PIPELINE = load("workflows/board.yaml")
ALPHA = Caller("agent", "session-alpha", "alpha")
BETA = Caller("agent", "session-beta", "beta")
DESIGN = """---
title: Cache the index
status: agreed
---

## Context

It is read anew for each query.

## Decision

Keep it.

## Alternatives

## Acceptance

The second query is faster.
"""


class Hands:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = Clock(1_780_000_000.0, 1000.0, "boot")

    def __call__(self) -> Clock:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now = self.now._replace(wall=self.now.wall + seconds, monotonic=self.now.monotonic + seconds)


def board(root: Path, clock: Hands | None = None) -> Board:
    """The board with the shipped pipeline in `root`."""
    store = FileStore(os.path.realpath(root))
    return Board(store, PIPELINE, clock) if clock else Board(store, PIPELINE)


def brought_to(opened: Board, stage: str, caller: Caller = ALPHA) -> Card:
    """A new, free card in a stage."""
    card = opened.create(caller, "Cache the index", "Text.")
    for to in ("designing", "ready", "developing", "reviewing", "testing", "done"):
        if card.stage == stage:
            break
        if to == "ready":
            card = opened.attach(caller, card.id, card.revision, kind="design", content=DESIGN)
        card = opened.transition(caller, card.id, to, card.revision)
    return card


def tree(root: Path) -> dict[str, bytes]:
    """Every file under `root` with its content, but for the empty ones that only lock or mark."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return {path: raw for path, raw in found.items() if os.path.basename(path) != "lock"}


def refused(action: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(BoardError) as caught:
        action()
    return caught.value.code, str(caught.value)


def changed_artifact(opened: Board) -> str:
    card = brought_to(opened, "designing")
    opened.attach(ALPHA, card.id, card.revision, kind="design", content=DESIGN)
    path = os.path.join(opened.store.folder(card.id), "artifacts", "3-design.md")
    os.chmod(path, 0o644)
    with open(path, "a", encoding="utf-8") as file:
        file.write("more")
    return card.id
