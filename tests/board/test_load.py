"""Twenty processes at once on one board. A slice of a few seconds here; DEVKIT_BOARD_LOAD=60 runs the whole minute."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import time
from collections import Counter
from pathlib import Path

from guard.board import doctor, journal
from guard.board.caller import Caller
from guard.board.card import number_of, replay
from guard.board.cards import Board
from guard.board.files import FileStore
from guard.board.rejections import BoardError
from tests.board.boards import DESIGN, board

WORKERS = 20
SECONDS = float(os.environ.get("DEVKIT_BOARD_LOAD", "4"))
EXPECTED = {"revision-mismatch", "write-contended", "claimed", "not-owner", "illegal-edge", "gate-unsatisfied"}


def work(root: str, witness: str, name: str, until: float) -> None:
    """Create, attach, take, move and release at random; note each success, and hold a file while holding a card."""
    opened, me, dice = board(Path(root)), Caller("agent", name, name), random.Random(name)
    notes: list[tuple[str, int]] = []
    refusals: Counter[str] = Counter()
    holding: str | None = None
    while time.monotonic() < until:
        try:
            holding = turn(opened, me, dice, witness, notes, holding)
        except BoardError as error:
            refusals[error.code] += 1
            if error.code not in EXPECTED:
                raise
    with open(os.path.join(witness, f"{name}.json"), "w", encoding="utf-8") as file:
        json.dump({"notes": notes, "refusals": refusals}, file)


def turn(
    opened: Board, me: Caller, dice: random.Random, witness: str, notes: list[tuple[str, int]], holding: str | None
) -> str | None:
    if holding is not None:
        card = opened.card(holding)
        if card.stage == "developing" and dice.random() < 0.7:
            notes.append((holding, opened.transition(me, holding, "reviewing", card.revision).revision))
            return holding
        with contextlib.suppress(FileNotFoundError):  # gone where the release before was refused
            os.unlink(os.path.join(witness, holding))
        notes.append((holding, opened.release(me, holding, card.revision).revision))
        return None
    ids = opened.store.ids()
    if not ids or (len(ids) < 60 and dice.random() < 0.2):
        card = opened.create(me, f"By {me.name}", "Text.")
        notes.append((card.id, card.revision))
        return None
    card = opened.card(dice.choice(ids))
    if card.stage == "designing" and card.newest("design") is None:
        notes.append((card.id, opened.attach(me, card.id, card.revision, kind="design", content=DESIGN).revision))
    elif card.stage in ("draft", "designing"):
        to = {"draft": "designing", "designing": "ready"}[card.stage]
        notes.append((card.id, opened.transition(me, card.id, to, card.revision).revision))
    elif card.stage == "reviewing" and dice.random() < 0.5:
        notes.append((card.id, opened.transition(me, card.id, "developing", card.revision, reason="again").revision))
    else:
        card, _ = opened.take(me, card.id, card.revision)
        os.close(os.open(os.path.join(witness, card.id), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        notes.append((card.id, card.revision))
        return card.id
    return None


def test_twenty_processes(tmp_path: Path) -> None:
    root, witness = tmp_path / "work", tmp_path / "witness"
    root.mkdir()
    witness.mkdir()
    context = multiprocessing.get_context("fork")
    until = time.monotonic() + SECONDS
    workers = [
        context.Process(target=work, args=(str(root), str(witness), f"worker-{number:02}", until))
        for number in range(WORKERS)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(SECONDS + 60)
    assert [worker.exitcode for worker in workers] == [0] * WORKERS

    opened = board(root)
    ids = opened.store.ids()
    assert [number_of(card) for card in ids] == list(range(1, len(ids) + 1))
    notes: Counter[tuple[str, int]] = Counter()
    refusals: Counter[str] = Counter()
    for path in sorted(witness.glob("worker-*.json")):
        found = json.loads(path.read_text())
        notes.update((card, revision) for card, revision in found["notes"])
        refusals.update(found["refusals"])
    assert set(notes.values()) == {1}, "two writers were given the same revision"
    revisions = set()
    for card in ids:
        records = journal.parse(opened.store.journal(card))
        replay(card, records)
        # Taking a card that is ready appends two records; the caller is told the last revision.
        ends = [
            record.rev for record, line in zip(records, raw_lines(opened, card), strict=True) if not line.get("more")
        ]
        revisions |= {(card, revision) for revision in ends}
    assert set(notes) == revisions, "a success that is in no journal, or the other way round"
    assert not [entry for entry in doctor.examine(opened, FileStore(str(root))) if entry.level == "fault"]
    print(f"{WORKERS} processes, {SECONDS:.0f} s: {len(ids)} cards, {len(revisions)} changes, refused {dict(refusals)}")
    assert len(revisions) > 100


def raw_lines(opened: Board, card: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in opened.store.journal(card).splitlines()]


def test_creators_at_once_never_get_the_same_number(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=create_many, args=(str(tmp_path), number)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 8
    assert [number_of(card) for card in board(tmp_path).store.ids()] == list(range(1, 81))


def create_many(root: str, number: int) -> None:
    opened = board(Path(root))
    for _ in range(10):
        opened.create(Caller("agent", f"s{number}", "c"), "The same title", "")
