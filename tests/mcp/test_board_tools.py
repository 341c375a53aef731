"""The nine tools as a client sees them: their bytes, their schemas, and how a call is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator

from guard.board import definition
from guard.board.definition import load
from guard.mcp.board_schemas import DESCRIPTIONS, PIPELINE
from guard.mcp.board_tools import board_tools, presentation
from guard.workflow.own_tools import BOARD_TOOLS
from tests.board.boards import ALPHA, board, brought_to
from tests.mcp.client import connected

Environ = dict[str, str]
PINNED = Path(__file__).with_name("board_tools.json")
READS = ("devflow_list", "devflow_show", "devflow_read_artifact")


def listed(environ: Environ, folder: Path) -> list[dict[str, Any]]:
    async def play() -> list[dict[str, Any]]:
        async with connected(environ, str(folder)) as client:
            tools = (await client.list_tools()).tools
        return [json.loads(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools]

    return [tool for tool in anyio.run(play) if tool["name"].startswith("devflow_")]


def test_every_byte_is_pinned(environ: Environ, tmp_path: Path) -> None:
    """They stand in a model's cached prompt: a change here is one that users pay for, so it is made on purpose. Write
    the file anew with `python -m tests.mcp.test_board_tools`."""
    first, second = (
        json.dumps(listed({**environ, "PYTHONHASHSEED": seed}, tmp_path), indent=1, ensure_ascii=False) + "\n"
        for seed in ("1", "2")
    )
    assert first == second
    assert first == PINNED.read_text(encoding="utf-8")


def test_the_tools() -> None:
    tools = {tool.name: tool for tool in board_tools({})}
    assert tuple(tools) == BOARD_TOOLS
    for name, tool in tools.items():
        assert tool.read_only == (name in READS)
        assert tool.observed != tool.read_only
        for schema in (tool.input, tool.output):
            Draft202012Validator.check_schema(dict(schema))
            assert schema["additionalProperties"] is False
        mutates = {"id", "expectedRevision"} <= set(tool.input["required"])
        assert mutates == (name not in (*READS, "devflow_create"))
        assert ("stageRevision that you last saw" in tool.description) == mutates


def test_the_descriptions_carry_the_pipeline() -> None:
    pipeline = load("workflows/board.yaml")
    names = [stage.id for stage in pipeline.stages if not stage.returns]
    assert f"Pipeline: {' → '.join(names)};" in PIPELINE
    for stage, nexts in zip(pipeline.stages, names[1:], strict=False):
        assert stage.next == (nexts,)
    rework = {stage.id: stage.rework for stage in pipeline.stages if stage.rework}
    assert rework == {"reviewing": ("developing", "designing"), "testing": ("developing", "designing")}
    assert "reviewing or testing → developing or designing" in PIPELINE
    for name in ("devflow_list", "devflow_transition"):
        assert PIPELINE in DESCRIPTIONS[name]
    kept = ", ".join(stage for stage, to in pipeline.take.items() if stage == to).replace(", testing", " or testing")
    assert f"one in {kept} stays there" in DESCRIPTIONS["devflow_take"]
    assert "Parents are one level deep" in DESCRIPTIONS["devflow_create"]
    assert definition.find("/", {}).endswith("workflows/board.yaml")


SHOWN: list[tuple[str, Mapping[str, Any], dict[str, Any]]] = [
    ("devflow_list", {}, {"title": "List cards", "kind": "read", "arguments": {}}),
    (
        "devflow_list",
        {"stage": "ready", "parent": None},
        {"title": "List cards · ready", "kind": "read", "arguments": {"stage": "ready"}},
    ),
    (
        "devflow_show",
        {"id": "0001-a"},
        {"title": "Show a card · 0001-a", "kind": "read", "arguments": {"id": "0001-a"}},
    ),
    (
        "devflow_create",
        {"title": "A", "body": "long"},
        {"title": "Create a card · A", "kind": "edit", "arguments": {"title": "A"}},
    ),
    (
        "devflow_transition",
        {"id": "0001-a", "to": "done", "expectedRevision": 4},
        {"title": "Move a card · 0001-a · done", "kind": "edit", "arguments": {"id": "0001-a", "to": "done"}},
    ),
    (
        "devflow_take",
        {"id": "0001-a", "expectedRevision": 4},
        {"title": "Take a card · 0001-a", "kind": "edit", "arguments": {"id": "0001-a"}},
    ),
    (
        "devflow_attach_artifact",
        {"id": "0001-a", "expectedRevision": 4, "kind": "design", "content": "long"},
        {
            "title": "Attach an artifact · 0001-a · design",
            "kind": "edit",
            "arguments": {"id": "0001-a", "kind": "design"},
        },
    ),
    (
        "devflow_read_artifact",
        {"id": "0001-a", "kind": "design"},
        {
            "title": "Read an artifact · 0001-a · design",
            "kind": "read",
            "arguments": {"id": "0001-a", "kind": "design"},
        },
    ),
    (
        "devflow_release",
        {"id": "0001-a", "expectedRevision": 4},
        {"title": "Release a card · 0001-a", "kind": "edit", "arguments": {"id": "0001-a"}},
    ),
    (
        "devflow_takeover",
        {"id": "0001-a", "expectedRevision": 4},
        {"title": "Take a card over · 0001-a", "kind": "edit", "arguments": {"id": "0001-a"}},
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "shown"), SHOWN)
def test_presentation(tool: str, arguments: Mapping[str, Any], shown: dict[str, Any]) -> None:
    assert presentation(tool, arguments) == shown


def test_results_grow_with_what_is_shown(environ: Environ, tmp_path: Path) -> None:
    """A list costs its cards, a change costs the card: neither carries bodies or the rest of the board."""
    opened = board(tmp_path)
    for _ in range(30):
        opened.create(ALPHA, "A title of some length", "x" * 2000)
    card = brought_to(opened, "ready")

    async def play() -> tuple[int, int, int]:
        async with connected(environ, str(tmp_path)) as client:
            everything = await client.call_tool("devflow_list", {})
            some = await client.call_tool("devflow_list", {"stage": "ready"})
            taken = await client.call_tool("devflow_take", {"id": card.id, "expectedRevision": card.revision})
        return tuple(len(str(result.content[0].text)) for result in (everything, some, taken))  # type: ignore[return-value, union-attr]

    everything, some, taken = anyio.run(play)
    assert everything < 31 * 100
    assert some < 200
    assert taken < 300


def test_arguments_are_checked(environ: Environ, tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with connected(environ, str(tmp_path)) as client:
            results = [
                await client.call_tool("devflow_take", {"id": "0001-a"}),
                await client.call_tool("devflow_take", {"id": "0001-a", "expectedRevision": "1"}),
                await client.call_tool("devflow_create", {"title": "A", "body": "", "stage": "done"}),
                await client.call_tool("devflow_show", {"id": "../../etc"}),
            ]
        return [result.content[0].text for result in results if result.is_error]  # type: ignore[union-attr]

    assert anyio.run(play) == [
        "devflow_take: arguments: 'expectedRevision' is a required property",
        "devflow_take: expectedRevision: '1' is not of type 'integer'",
        "devflow_create: arguments: Additional properties are not allowed ('stage' was unexpected)",
        "unknown-card: There is no card '../../etc'. Call devflow_list for the ids of this board.",
    ]


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = listed({**os.environ, "XDG_STATE_HOME": folder}, Path(folder))
    PINNED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
