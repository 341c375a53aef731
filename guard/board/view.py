"""What a caller is shown of the board, as plain data; the tools send it, the command line prints it with `--json`.

Keys are camelCase, as on the wire.
"""

from __future__ import annotations

import os
from typing import Any

from guard.board import definition
from guard.board.caller import named
from guard.board.card import Card, Registration
from guard.board.cards import Board
from guard.board.gates import Judged, Preflight
from guard.board.journal import Record
from guard.board.lease import duration
from guard.board.rejections import BoardError
from guard.board.stages import moves

Data = dict[str, Any]

STOP = (
    "Do not move this card to {to} before the gate is satisfied: attach what is missing with devflow_attach_artifact."
)
SHOW_FIRST = "Call devflow_show with a card's id before moving it."


def summary(card: Card) -> Data:
    """One line of a list."""
    found = {"id": card.id, "title": card.title, "stage": card.stage, "stageRevision": card.revision}
    return {**found, "parent": card.parent} if card.parent else found


def listed(board: Board, stage: str | None = None, parent: str | None = None) -> Data:
    """The cards of the board, by number, and those that cannot be read."""
    cards: list[Data] = []
    broken: list[Data] = []
    for found in board.each():
        if isinstance(found, BoardError):
            broken.append(problem(found))
        elif (stage is None or found.stage == stage) and (parent is None or found.parent == parent):
            cards.append(summary(found))
    return {"cards": cards, "hint": SHOW_FIRST, **({"broken": broken} if broken else {})}


def problem(error: BoardError) -> Data:
    """A refusal as data."""
    return {"code": error.code, "message": str(error)}


def changed(board: Board, card: Card) -> Data:
    """The result of a change: the card's new place, what it may do next and what is still missing."""
    legal = moves(board.pipeline, card.stage, card.came_from)
    nexts = [{"to": move.to, "reasonRequired": move.rework} for move in legal]
    return {**summary(card), **_origin(board, card), "moves": nexts, **_lease(board, card), **_gates(board, card)}


def shown(board: Board, card: Card) -> Data:
    """Everything about one card."""
    children = [
        summary(found) for found in board.each() if not isinstance(found, BoardError) and found.parent == card.id
    ]
    return {
        **changed(board, card),
        **_parent(board, card),
        "children": children,
        "path": os.path.join(board.store.folder(card.id), "card.md"),
        "artifacts": [registered(found) for found in card.artifacts],
        "archived": card.archived,
        "body": card.body,
    }


def registered(found: Registration) -> Data:
    """One registration."""
    kind = {"kind": found.kind} if found.kind else {}
    return {**kind, "path": found.path, "revision": found.revision, "stage": found.stage}


def preflight(board: Board, found: Preflight) -> Data:
    """One gate as it stands; with the instruction to stop while it is not satisfied."""
    stop = {} if found.satisfied else {"instruction": STOP.format(to=found.gate.to)}
    return {
        "from": found.gate.stage,
        "to": found.gate.to,
        "satisfied": found.satisfied,
        **stop,
        "requires": [_requirement(board, judged) for judged in found.judged],
    }


def _requirement(board: Board, judged: Judged) -> Data:
    found: Data = {"kind": judged.requirement.kind, "status": judged.status, "defects": list(judged.defects)}
    if judged.newest is not None:
        found["newest"] = registered(judged.newest)
    if judged.requirement.template is not None:
        found["template"] = os.path.join(board.pipeline.folder, judged.requirement.template)
        text = definition.template(board.pipeline, judged.requirement)
        if text is not None and judged.status == "missing":
            found["templateText"] = text
    return found


def _gates(board: Board, card: Card) -> Data:
    found = [preflight(board, gate) for gate in board.preflight(card)]
    return {"artifactGates": found} if found else {}


def _origin(board: Board, card: Card) -> Data:
    """Where a blocked card came from, which is the only place that it can go to."""
    stage = board.pipeline.stage(card.stage)
    return {"blockedFrom": card.came_from} if stage is not None and stage.returns and card.came_from else {}


def _lease(board: Board, card: Card) -> Data:
    holding = board.holding(card)
    if holding is None:
        return {}
    lease = {"holder": holding.holder, "session": holding.session, "age": duration(holding.age)}
    return {"lease": {**lease, "stale": holding.stale}}


def _parent(board: Board, card: Card) -> Data:
    if card.parent is None:
        return {}
    try:
        return {"parentTitle": board.card(card.parent).title}
    except BoardError as error:
        return {"parentTitle": f"({error.code})"}


def overview(board: Board, *, history: bool = False) -> Data:
    """The whole board for people: stages in the pipeline's order, each with its cards; children name their parents.

    `history` adds what only a page has room for: body, artifacts and the timeline.
    """
    columns: dict[str, list[Data]] = {stage.id: [] for stage in board.pipeline.stages}
    children: dict[str, list[Data]] = {}
    broken: list[Data] = []
    for card in board.each():
        if isinstance(card, BoardError):
            broken.append(problem(card))
            continue
        found = {
            **summary(card),
            **_origin(board, card),
            **_lease(board, card),
            "unmet": _unmet(board, card),
            "children": [],
        }
        if history:
            found |= {"body": card.body, "artifacts": [registered(entry) for entry in card.artifacts]}
            found["history"] = [event(record) for record in card.history]
        columns.setdefault(card.stage, []).append(found)
        if card.parent:
            children.setdefault(card.parent, []).append(summary(card))
    for cards in columns.values():
        for found in cards:
            found["children"] = children.get(found["id"], [])
    finals = [stage.id for stage in board.pipeline.stages if stage.final]
    stages = [{"stage": stage, "final": stage in finals, "cards": cards} for stage, cards in columns.items()]
    return {"root": board.store.root, "stages": stages, "broken": broken}


def event(record: Record) -> Data:
    """One line of a card's history: when, who, what."""
    data = record.data
    texts = {
        "created": "created",
        "transition": f"{data.get('from')} → {data.get('to')}",
        "artifact": f"attached {data.get('kind') or data.get('path')}",
        "claimed": "taken",
        "claim-expired": "lease expired, taken over",
        "released": "released",
        "archived": "archived",
        "restored": "restored",
    }
    found = {"revision": record.rev, "at": record.at, "type": record.type, "by": named(record.by)}
    reason = {"reason": data["reason"]} if isinstance(data.get("reason"), str) else {}
    return {**found, "text": texts[record.type], **reason}


def _unmet(board: Board, card: Card) -> list[str]:
    return [f"{gate.gate.to}: {gate.described()}" for gate in board.preflight(card) if not gate.satisfied]
