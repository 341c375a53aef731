"""The pipeline and its moves. Pure: no files, no clock.

    draft → designing → ready → developing → reviewing → testing → done     (the shipped pipeline)

A move is legal when it is the stage's `next`, one of its `rework` stages (then a reason is required), the way into the
stage that `returns` (from every stage that is not final), or the way back from it to where the card came from.
"""

from __future__ import annotations

from typing import NamedTuple

from guard.board.rejections import BoardError
from guard.model.grant import Grant


class Stage(NamedTuple):
    """`guard` is the grant while a session holds a card in this stage; None: no check. One that is not
    `hard` only reminds."""

    id: str
    next: tuple[str, ...] = ()
    rework: tuple[str, ...] = ()
    final: bool = False
    returns: bool = False
    guard: Grant | None = None
    hard: bool = True


class Requirement(NamedTuple):
    """One artifact that a gate asks for. `template` is a file's name beside the pipeline's file, or None."""

    kind: str
    template: str | None = None
    front_matter: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    non_empty: tuple[str, ...] = ()


class Gate(NamedTuple):
    """The edge `stage → to` needs every one of `requirements`."""

    stage: str
    to: str
    requirements: tuple[Requirement, ...]


class Pipeline(NamedTuple):
    """`take` maps a stage to the stage that taking a card moves it to (the same: the lease only).

    `heartbeat` and `stale_after` are seconds. `folder` is where templates are found.
    """

    name: str
    stages: tuple[Stage, ...]
    take: dict[str, str]
    gates: tuple[Gate, ...] = ()
    heartbeat: int = 30
    stale_after: int = 900
    folder: str = ""

    def stage(self, name: str) -> Stage | None:
        """The stage of this name; None for one that the pipeline no longer has."""
        return next((stage for stage in self.stages if stage.id == name), None)

    def gate(self, stage: str, to: str) -> Gate | None:
        """The gate on one edge, or None."""
        return next((gate for gate in self.gates if (gate.stage, gate.to) == (stage, to)), None)


class Move(NamedTuple):
    """A legal move; `rework` moves need a reason."""

    to: str
    rework: bool = False


def moves(pipeline: Pipeline, name: str, came_from: str | None) -> tuple[Move, ...]:
    """Every legal move of a card in the stage `name` that came from `came_from`, in the pipeline's order."""
    stage = pipeline.stage(name)
    if stage is None or stage.final:
        return ()
    if stage.returns:
        return (Move(came_from),) if came_from else ()
    found = [Move(to) for to in stage.next] + [Move(to, rework=True) for to in stage.rework]
    return (*found, *(Move(other.id) for other in pipeline.stages if other.returns))


def check_move(pipeline: Pipeline, card: str, name: str, came_from: str | None, to: str, reason: str | None) -> None:
    """Raise `illegal-edge` or `reason-required` unless the card may move to `to`."""
    legal = moves(pipeline, name, came_from)
    move = next((move for move in legal if move.to == to), None)
    if move is None:
        names = ", ".join(found.to for found in legal) or f"nothing, {name} is final"
        raise BoardError("illegal-edge", id=card, stage=name, to=to, moves=names)
    if move.rework and not (reason or "").strip():
        raise BoardError("reason-required", id=card, stage=name, to=to)
