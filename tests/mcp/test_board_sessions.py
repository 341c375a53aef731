"""Whose call it is, and which board it means: connections, `_meta`, roots, folders that are gone."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.session import ClientRequestContext
from pydantic import FileUrl

from guard.board import steps_for
from guard.model.call import ToolCall
from guard.workflow import observe_call
from tests.board.boards import board, brought_to, tree
from tests.mcp.client import ENGINE, connected

Environ = dict[str, str]
Modes = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


def server(environ: Environ, folder: Path) -> StdioServerParameters:
    return StdioServerParameters(command=ENGINE, args=["mcp"], env=environ, cwd=str(folder))


def created(result: types.CallToolResult) -> str:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return str(result.structured_content["id"])


@Modes
def test_two_workspaces_from_one_server(environ: Environ, tmp_path: Path, mode: str) -> None:
    """The client's root decides, asked anew for each call, in either era of the protocol."""
    roots = [tmp_path / "a b", tmp_path / "c"]
    for root in roots:
        root.mkdir()
    current = roots[0]

    async def list_roots(context: ClientRequestContext) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl(current.as_uri()))])

    async def play() -> list[str]:
        nonlocal current
        found = []
        async with Client(server(environ, tmp_path), mode=mode, list_roots_callback=list_roots) as client:
            for root in (*roots, roots[0]):
                current = root
                result = await client.call_tool("devflow_create", {"title": "A", "body": ""})
                found.append(created(result))
        return found

    assert anyio.run(play) == ["0001-a", "0001-a", "0002-a"]
    assert [sorted(os.listdir(root / ".devflow" / "tasks")) for root in roots] == [["0001-a", "0002-a"], ["0001-a"]]


@Modes
def test_without_roots_it_is_the_servers_folder(environ: Environ, tmp_path: Path, mode: str) -> None:
    (tmp_path / "work").mkdir()

    async def play() -> str:
        async with Client(server(environ, tmp_path / "work"), mode=mode) as client:
            return created(await client.call_tool("devflow_create", {"title": "A", "body": ""}))

    assert anyio.run(play) == "0001-a"
    assert os.listdir(tmp_path / "work" / ".devflow" / "tasks") == ["0001-a"]


@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize("gone", [True, False])
def test_a_caller_without_a_working_directory(environ: Environ, tmp_path: Path, configured: bool, gone: bool) -> None:
    """Started in a folder that is gone, or in `/` as desktop programs do: the configured root, else one of our own."""
    folder = tmp_path / "gone"
    folder.mkdir()
    expected = tmp_path / "default" if configured else tmp_path / "state" / "devkit" / "workspace"
    start = f"rmdir {folder}; exec {ENGINE} mcp" if gone else f"exec {ENGINE} mcp"
    command = StdioServerParameters(
        command="sh",
        args=["-c", start],
        env={**environ, **({"DEVKIT_BOARD_ROOT": str(tmp_path / "default")} if configured else {})},
        cwd=str(folder) if gone else "/",
    )

    async def play() -> str:
        async with Client(command, mode="legacy") as client:
            return created(await client.call_tool("devflow_create", {"title": "A", "body": ""}))

    assert anyio.run(play) == "0001-a"
    assert os.listdir(expected / ".devflow" / "tasks") == ["0001-a"]


Call = tuple[dict[str, Any], str, dict[str, Any]]


def raw_calls(environ: Environ, folder: Path, *calls: Call) -> list[dict[str, Any]]:
    """Calls (`_meta`, tool, arguments) as bare lines on a server's standard input: what no SDK lets a client leave out
    is left out here."""
    results = []
    with subprocess.Popen(
        [ENGINE, "mcp"], env=environ, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, (meta, tool, arguments) in enumerate(calls):
            envelope = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                **meta,
            }
            params = {"name": tool, "arguments": arguments, "_meta": envelope}
            request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            results.append(json.loads(process.stdout.readline())["result"])
        process.stdin.close()
    return results


CHANGES: dict[str, dict[str, Any]] = {
    "devflow_create": {"title": "A", "body": ""},
    "devflow_transition": {"id": "0001-cache-the-index", "to": "designing", "expectedRevision": 1},
    "devflow_take": {"id": "0002-cache-the-index", "expectedRevision": 4},
    "devflow_attach_artifact": {
        "id": "0001-cache-the-index", "expectedRevision": 1, "kind": "notes", "content": "",
    },
    "devflow_release": {"id": "0001-cache-the-index", "expectedRevision": 1},
    "devflow_takeover": {"id": "0001-cache-the-index", "expectedRevision": 1},
}  # fmt: skip
NO_SESSION = (
    "no-session: This call changes the board but comes from no session. Connect with a client that names itself"
    " (clientInfo.name), or pass _meta['devkit/session']."
)


def test_a_caller_without_a_session_is_refused_before_any_effect(environ: Environ, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    brought_to(board(work), "draft")
    brought_to(board(work), "ready")
    before = tree(work)
    metas: tuple[dict[str, Any], ...] = (
        {},
        {"io.modelcontextprotocol/clientInfo": {"name": " ", "version": "1"}},
        {"devkit/session": " "},
    )
    calls = [(meta, tool, arguments) for tool, arguments in CHANGES.items() for meta in metas]
    for result in raw_calls(environ, work, *calls):
        assert result["isError"]
        assert result["content"] == [{"type": "text", "text": NO_SESSION}]
    assert tree(work) == before
    assert not (tmp_path / "state").exists()


def test_a_caller_without_a_session_may_read(environ: Environ, tmp_path: Path) -> None:
    brought_to(board(tmp_path), "ready")
    card = {"id": "0001-cache-the-index"}
    reads: list[Call] = [
        ({}, "devflow_list", {}),
        ({}, "devflow_show", card),
        ({}, "devflow_read_artifact", {**card, "kind": "design"}),
    ]
    assert [result.get("isError", False) for result in raw_calls(environ, tmp_path, *reads)] == [False] * 3


def test_a_session_that_the_client_passes(environ: Environ, tmp_path: Path) -> None:
    """It outlives the connection: the next server process takes the same session for the holder."""
    brought_to(board(tmp_path), "ready")
    card = "0001-cache-the-index"
    mine, other = {"devkit/session": "s-1"}, {"devkit/session": "s-2"}
    release = {"id": card, "expectedRevision": 6}
    first = raw_calls(environ, tmp_path, (mine, "devflow_take", {"id": card, "expectedRevision": 4}))
    second = raw_calls(environ, tmp_path, (other, "devflow_release", release), (mine, "devflow_release", release))
    assert [result.get("isError", False) for result in first + second] == [False, True, False]
    assert second[0]["content"][0]["text"].startswith(f"not-owner: '{card}' is held by mcp (s-1)")


def test_what_the_hook_saw_is_in_the_claim_and_binds_only_that_caller(environ: Environ, tmp_path: Path) -> None:
    """Hook and server meet: the take that the hook saw gives its host session the card, and its stage's grant."""
    work = tmp_path / "work"
    work.mkdir()
    card = brought_to(board(work), "reviewing")
    arguments = {"id": card.id, "expectedRevision": card.revision}
    tool = "mcp__plugin_devkit_devkit-engine__devflow_take"
    observe_call(ToolCall("claude", tool, arguments, str(work), "host-1"), environ)

    async def play() -> None:
        async with connected(environ, str(work)) as client:
            assert not (await client.call_tool("devflow_take", arguments)).is_error

    anyio.run(play)
    claim = board(work).card(card.id).claim
    assert claim is not None
    assert claim.by["host"] == "host-1"
    edit = {"file_path": str(work / "a.py")}
    bound = {
        (cwd, session): [step.step for step in steps_for(ToolCall("claude", "Edit", edit, cwd, session), environ)]
        for cwd in (str(work), "/")
        for session in ("host-1", "host-2")
    }
    assert bound == {
        (str(work), "host-1"): ["reviewing"],
        (str(work), "host-2"): [],
        ("/", "host-1"): ["reviewing"],
        ("/", "host-2"): [],
    }


def test_a_living_session_is_not_robbed_and_a_dead_one_is(environ: Environ, tmp_path: Path) -> None:
    """Real heartbeats of a real server, with a lease that is stale after two seconds."""
    work = tmp_path / "work"
    (work / ".devkit-guard").mkdir(parents=True)
    (work / ".devkit-guard" / "board.yaml").write_text(
        "name: quick\nlease: {heartbeat: 1, stale_after: 3}\nstages:\n"
        "- {id: todo, next: [over], take: todo}\n- {id: over, final: true}\n"
    )

    async def play() -> None:
        async with connected(environ, str(work)) as other:
            async with connected(environ, str(work)) as holder:
                result = await holder.call_tool("devflow_create", {"title": "A", "body": ""})
                card = created(result)
                arguments: dict[str, Any] = {"id": card, "expectedRevision": 1}
                assert not (await holder.call_tool("devflow_take", arguments)).is_error
                arguments["expectedRevision"] = 2
                for _ in range(5):
                    await asyncio.sleep(1)
                    robbed = await other.call_tool("devflow_takeover", arguments)
                    assert robbed.is_error
                    assert robbed.content[0].text.startswith("claimed: '0001-a' is held by mcp (")  # type: ignore[union-attr]
            died = time.monotonic()
            robbed = await other.call_tool("devflow_takeover", arguments)
            assert robbed.is_error, "dead, but not yet for long enough"
            while (await other.call_tool("devflow_takeover", arguments)).is_error:
                assert time.monotonic() - died < 10
                await asyncio.sleep(0.2)
            assert time.monotonic() - died > 1.5
            shown = await other.call_tool("devflow_show", {"id": card})
            assert shown.structured_content is not None
            assert not shown.structured_content["lease"]["stale"]
            assert shown.structured_content["stageRevision"] == 4

    anyio.run(play)
