from __future__ import annotations

from itertools import product

import pytest

from guard.board.definition import load
from guard.board.rejections import BoardError
from guard.board.stages import Pipeline, check_move, moves

STAGES = ("draft", "designing", "ready", "developing", "reviewing", "testing", "done", "blocked")
FORWARD = {
    ("draft", "designing"),
    ("designing", "ready"),
    ("ready", "developing"),
    ("developing", "reviewing"),
    ("reviewing", "testing"),
    ("testing", "done"),
}
REWORK = {(stage, to) for stage in ("reviewing", "testing") for to in ("developing", "designing")}
BLOCKING = {(stage, "blocked") for stage in STAGES[:6]}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load("workflows/board.yaml")


def refusal(pipeline: Pipeline, stage: str, came_from: str | None, to: str, reason: str | None) -> str | None:
    try:
        check_move(pipeline, "0001-x", stage, came_from, to, reason)
    except BoardError as error:
        return error.code
    return None


def test_stages(pipeline: Pipeline) -> None:
    assert tuple(stage.id for stage in pipeline.stages) == STAGES


@pytest.mark.parametrize("reason", [None, " ", "the cache is never cleared"])
def test_every_pair(pipeline: Pipeline, reason: str | None) -> None:
    expected, found = {}, {}
    for stage, to in product(STAGES, STAGES):
        pair = (stage, to)
        legal = pair in FORWARD | REWORK | BLOCKING or pair == ("blocked", "designing")
        needs = pair in REWORK and not (reason or "").strip()
        expected[pair] = "reason-required" if needs else None if legal else "illegal-edge"
        found[pair] = refusal(pipeline, stage, "designing", to, reason)
    assert found == expected


@pytest.mark.parametrize("came_from", STAGES[:6])
def test_blocked_leads_only_back(pipeline: Pipeline, came_from: str) -> None:
    allowed = [to for to in STAGES if refusal(pipeline, "blocked", came_from, to, "x") is None]
    assert allowed == [came_from]


def test_moves_in_order(pipeline: Pipeline) -> None:
    assert [tuple(move) for move in moves(pipeline, "testing", "reviewing")] == [
        ("done", False),
        ("developing", True),
        ("designing", True),
        ("blocked", False),
    ]
    assert moves(pipeline, "done", "testing") == ()
    assert moves(pipeline, "a-stage-of-before", None) == ()


def test_unknown_stage(pipeline: Pipeline) -> None:
    assert refusal(pipeline, "draft", None, "nowhere", None) == "illegal-edge"
    assert refusal(pipeline, "a-stage-of-before", None, "draft", None) == "illegal-edge"
