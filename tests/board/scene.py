"""A board with something of everything: parents, leases old and new, gates, rework, a broken card, awkward text."""

from __future__ import annotations

import os
from pathlib import Path

from guard.board.caller import Caller
from guard.board.card import Card
from guard.board.cards import Board
from tests.board.boards import DESIGN, Hands, board

CLAUDE = Caller("agent", "7f3a9c2e11", "claude-code")
CODEX = Caller("agent", "b81c44d0aa", "codex")
PERSON = Caller("human", "human:user@desk", "user")
HOUR = 3600


def scene(root: Path) -> Board:
    """The board, seen half an hour after the last of it happened."""
    clock = Hands()
    opened = board(root, clock)

    def moved(card: Card, who: Caller, *stages: str, reason: str | None = None) -> Card:
        for stage in stages:
            clock.pass_by(HOUR)
            if stage == "ready":
                card = opened.attach(who, card.id, card.revision, kind="design", content=DESIGN)
            card = opened.transition(who, card.id, stage, card.revision, reason)
        return card

    def taken(card: Card, who: Caller) -> Card:
        return opened.take(who, card.id, card.revision)[0]

    text = "The index is read anew for each query.\n\n- measure\n- cache\n- evict"
    epic = moved(opened.create(PERSON, "Search answers within 50 ms", text), PERSON, "designing", "ready")
    measure = opened.create(CLAUDE, "Measure what a query costs", "For ten thousand entries.", parent=epic.id)
    measure = taken(moved(measure, CLAUDE, "designing", "ready"), CLAUDE)
    moved(measure, CLAUDE, "reviewing", "testing", "done")
    evict = moved(opened.create(CLAUDE, "Drop entries that nobody uses", "", parent=epic.id), CLAUDE, "designing")
    opened.attach(CLAUDE, evict.id, 2, kind="design", content="---\ntitle: Eviction\n---\n## Context\nx\n")
    opened.create(CODEX, "Show the cost in the log", "", parent=epic.id, slug="log")
    title = "Fix: the login page shows a stack trace for an unknown user and leaks the name of the table"
    moved(taken(moved(opened.create(PERSON, title, ""), PERSON, "designing", "ready"), CLAUDE), CLAUDE, "reviewing")
    awkward = opened.create(PERSON, "Rename <script>alert(1)</script> & co", "<img src=x onerror=alert(1)> {{x}}")
    moved(awkward, PERSON, "designing", "ready")
    moved(opened.create(CODEX, "Move to the new payment API", "Waits for it."), CODEX, "designing", "blocked")
    opened.create(PERSON, "a" * 90, "b" * 300)
    clock.pass_by(HOUR)
    keep = opened.create(CLAUDE, "Keep the index in memory", "With a limit.", parent=epic.id)
    keep = moved(taken(moved(keep, CLAUDE, "designing", "ready"), CODEX), CODEX, "reviewing")
    keep = opened.transition(CODEX, keep.id, "developing", keep.revision, "no test shows eviction under load")
    stored = opened.store.lease(keep.id)
    assert stored is not None
    opened.renew(keep.id, stored)
    broken = opened.create(PERSON, "Torn", "")
    with open(os.path.join(opened.store.folder(broken.id), "journal.jsonl"), "ab") as file:
        file.write(b'{"rev":2,"at"')
    clock.pass_by(42)
    return opened
