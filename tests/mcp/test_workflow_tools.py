"""The workflow tools through a real client on a real server process."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from jsonschema import Draft202012Validator
from mcp import ClientSession

from guard.model.call import ToolCall
from guard.workflow import grants_for, observe_call
from tests.mcp.client import called, connected, refused

Environ = dict[str, str]
Write = Callable[[str, str], str]

FLOW = """\
name: flow
description: A flow.
principles: [evidence]
steps:
  - {id: look, prompt: 'Look at {{input}}', require: {non_empty: true}}
  - {id: test, command: 'test -e ready'}
  - {id: work, prompt: 'Work', loop: {max: 2, gate: 'test "$DEVKIT_OUT_WORK" = good'}}
  - {id: end, prompt: 'Report on {{look}}'}
"""


def played(environ: Environ, folder: Path, play: Callable[[ClientSession], Any]) -> Any:
    async def run() -> Any:
        async with connected(environ, str(folder)) as client:
            return await play(client)

    return anyio.run(run)


def test_the_five_tools_have_schemas_and_annotations(environ: Environ, repository: Path) -> None:
    tools = played(environ, repository, lambda client: client.list_tools()).tools
    named = {tool.name: tool for tool in tools if tool.name.startswith("devkit_")}
    assert list(named) == ["devkit_list", "devkit_start", "devkit_advance", "devkit_status", "devkit_abort"]
    reads = {name: tool.annotations.read_only_hint for name, tool in named.items()}
    assert [name for name, read_only in reads.items() if read_only] == ["devkit_list", "devkit_status"]
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_the_schemas_are_the_same_bytes_in_every_run(environ: Environ, repository: Path) -> None:
    first, second = (
        played({**environ, "PYTHONHASHSEED": seed}, repository, lambda client: client.list_tools()) for seed in "12"
    )
    assert first.model_dump_json() == second.model_dump_json()


def test_a_workflow_from_list_to_the_end(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)

    async def play(client: ClientSession) -> None:
        listed = await called(client, "devkit_list")
        assert [entry["steps"] for entry in listed["workflows"] if entry["name"] == "flow"] == [
            ["look", "test", "work", "end"]
        ]
        assert (await called(client, "devkit_status"))["sessions"] == []
        session = await called(client, "devkit_start", workflow="flow", input="it")
        name = session["session"]
        assert session["step"] == {"index": 1, "total": 4, "id": "look", "kind": "prompt", "enforce": "hard"}
        for part in ("step 1/4: look", "Look at it", "- evidence: ", "- not be empty", "call devkit_advance"):
            assert part in session["text"]
        structured = json.dumps({key: value for key, value in session.items() if key != "text"})
        for part in ("step 1/4: look", "Look at it", "evidence: ", "not be empty", "call devkit_advance", "read-only"):
            assert part in structured
        stays = await called(client, "devkit_advance", session=name)
        assert (stays["step"]["id"], stays["notice"]) == ("look", "not advanced: the output must not be empty")
        stuck = await called(client, "devkit_advance", session=name, output="seen")
        assert stuck["step"]["kind"] == "command"
        assert "command of step test failed: expected exit status 0 (got exit status 1)" in stuck["text"]
        (repository / "ready").touch()
        work = await called(client, "devkit_advance", session=name)
        assert (work["step"]["id"], work["loop"]) == ("work", {"iteration": 1, "max": 2})
        again = await called(client, "devkit_advance", session=name, output="bad")
        assert (again["step"]["id"], again["loop"]) == ("work", {"iteration": 2, "max": 2})
        last = await called(client, "devkit_advance", session=name, output="good")
        assert (last["step"]["id"], last["prompt"]) == ("end", "Report on seen")
        status = await called(client, "devkit_status", session=name)
        assert status["sessions"] == [{key: value for key, value in last.items() if key != "text"}]
        assert status["text"] == last["text"]
        (brief,) = (await called(client, "devkit_status"))["sessions"]
        assert (brief["header"], brief["prompt"], brief["next"]) == ("step 4/4: end", None, last["next"])
        done = await called(client, "devkit_advance", session=name, output="")
        assert (done["status"], done["step"]) == ("done", None)
        assert (await called(client, "devkit_status"))["sessions"] == []

    played(environ, repository, play)


def test_what_is_wrong_is_said(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    workflow_file("faulty", "name: faulty\n")

    async def play(client: ClientSession) -> None:
        assert "faulty.yaml:1:1: workflow: missing key 'description'" in (await called(client, "devkit_list"))["text"]
        messages = [
            await refused(client, "devkit_start", workflow="none"),
            await refused(client, "devkit_start", workflow="faulty"),
            await refused(client, "devkit_start"),
            await refused(client, "devkit_start", workflow=3),
            await refused(client, "devkit_start", workflow="flow", task="x"),
            await refused(client, "devkit_advance", session="none"),
            await refused(client, "devkit_nothing"),
        ]
        assert messages[0].startswith("unknown-workflow: no workflow 'none': expected one of audit, bugfix, faulty, ")
        assert messages[1].endswith("faulty.yaml:1:1: workflow: missing key 'description'")
        assert messages[2:5] == [
            "devkit_start: arguments: 'workflow' is a required property",
            "devkit_start: workflow: 3 is not of type 'string'",
            "devkit_start: arguments: Additional properties are not allowed ('task' was unexpected)",
        ]
        assert messages[5] == "unknown-session: no session 'none': running sessions: none"
        assert messages[6].startswith("unknown tool 'devkit_nothing'")
        name = (await called(client, "devkit_start", workflow="flow"))["session"]
        assert (await refused(client, "devkit_start", workflow="flow")).startswith("session-open: flow was not started")
        assert "non-empty" in await refused(client, "devkit_abort", session=name, reason="")
        aborted = await called(client, "devkit_abort", session=name, reason="not needed")
        assert (aborted["status"], aborted["notice"]) == ("aborted", "aborted: not needed")
        assert (await refused(client, "devkit_advance", session=name)).startswith(f"ended: session {name} is aborted")

    played(environ, repository, play)


def test_a_long_gate_reports_progress(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file(
        "slow",
        "name: slow\ndescription: S.\nsteps:\n  - {id: a, prompt: x, loop: {max: 1, gate: 'sleep 6'}}\n",
    )
    news: list[tuple[float, str | None]] = []

    async def watch(progress: float, total: float | None, message: str | None) -> None:
        news.append((progress, message))

    async def play(client: ClientSession) -> None:
        name = (await called(client, "devkit_start", workflow="slow"))["session"]
        done = await client.call_tool("devkit_advance", {"session": name, "output": "x"}, progress_callback=watch)
        assert done.structured_content["status"] == "done"

    played(environ, repository, play)
    assert news[0] == (1, "gate, round 1 of 1: sleep 6")
    assert news[1][0] == 2
    assert str(news[1][1]).startswith("gate, round 1 of 1: sleep 6 (")


def test_other_calls_are_answered_during_a_long_gate(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file(
        "slow",
        "name: slow\ndescription: S.\nsteps:\n  - {id: a, prompt: x, loop: {max: 1, gate: 'touch begun; sleep 3'}}\n",
    )

    async def play(client: ClientSession) -> None:
        name = (await called(client, "devkit_start", workflow="slow"))["session"]
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: called(client, "devkit_advance", session=name, output="x"))
            while not (repository / "begun").exists():
                await anyio.sleep(0.05)
            with anyio.fail_after(2):
                assert (await called(client, "devkit_status"))["sessions"][0]["session"] == name
                message = await refused(client, "devkit_advance", session=name, output="y")
        assert message.startswith(f"conflict: another advance of session {name} is under way")

    played(environ, repository, play)


def hook_call(cwd: Path, session: str, tool: str = "Bash", agent: str | None = None, **arguments: str) -> ToolCall:
    return ToolCall("claude", tool, arguments, str(cwd), session, agent)


START = "mcp__plugin_devkit_devkit-engine__devkit_start"


def test_a_start_that_the_hook_saw_binds_that_caller_alone(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)

    async def play(client: ClientSession) -> None:
        observe_call(hook_call(repository, "H", START, workflow="flow", input="it"), environ)
        name = (await called(client, "devkit_start", workflow="flow", input="it"))["session"]
        assert [step.session for step in grants_for(hook_call(repository, "H"), environ)] == [name]
        assert grants_for(hook_call(repository, "K"), environ) == ()

    played(environ, repository, play)


def test_the_id_of_the_call_decides_which_sub_agent_started_what(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)

    async def play(client: ClientSession) -> None:
        for agent in "ab":
            seen = hook_call(repository, "H", START, agent, workflow="flow")
            observe_call(seen._replace(call_id=f"toolu_{agent}"), environ)
        for agent in "ba":
            meta: Any = {"claudecode/toolUseId": f"toolu_{agent}"}
            started = await client.call_tool("devkit_start", {"workflow": "flow"}, meta=meta)
            name = started.structured_content["session"]
            caller = hook_call(repository, "H", "Bash", agent)
            assert [step.session for step in grants_for(caller, environ)] == [name]

    played(environ, repository, play)


def test_a_start_that_no_hook_saw_binds_everybody_here(
    environ: Environ, repository: Path, tmp_path: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)

    async def play(client: ClientSession) -> None:
        name = (await called(client, "devkit_start", workflow="flow"))["session"]
        for host in ("H", "K"):
            assert [step.session for step in grants_for(hook_call(repository, host), environ)] == [name]
        assert grants_for(hook_call(tmp_path, "H"), environ) == ()

    played(environ, repository, play)


async def through(client: ClientSession, name: str, *outputs: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for output in outputs:
        found = await called(client, "devkit_advance", session=name, output=output)
    return found


TRI = ["gathered", "x\nfindings: 1", "x\nfindings: 0", "x\nfindings: 2", "list", "verdict: mend"]
AUDIT = ["map", "all three", "holds", "confirmed: 0"]


def test_mega_pr_with_its_reviews_one_after_the_other_from_the_parent(environ: Environ, repository: Path) -> None:
    environ.pop("DEVKIT_WORKFLOWS")

    async def start(client: ClientSession, workflow: str) -> str:
        observe_call(hook_call(repository, "H", START, workflow=workflow), environ)
        return str((await called(client, "devkit_start", workflow=workflow))["session"])

    async def play(client: ClientSession) -> None:
        parent = await start(client, "mega-pr")
        await through(client, parent, "overview")
        review = await start(client, "tri-review")
        steps = grants_for(hook_call(repository, "H"), environ)
        assert [(step.workflow, step.step) for step in steps] == [("mega-pr", "code-review"), ("tri-review", "gather")]
        observe_call(hook_call(repository, "H", START, workflow="audit"), environ)
        message = await refused(client, "devkit_start", workflow="audit")
        assert message.startswith("session-open: audit was not started: workflow tri-review")
        assert (await through(client, review, *TRI))["status"] == "done"
        await through(client, parent, "verdict: mend")
        review = await start(client, "audit")
        assert (await through(client, review, *AUDIT))["status"] == "done"
        done = await through(client, parent, "confirmed: 0", "result: MENDED", "Why What Reviewed")
        assert done["status"] == "done"
        assert grants_for(hook_call(repository, "H"), environ) == ()

    played(environ, repository, play)


def test_mega_pr_with_both_reviews_at_once_from_sub_agents(environ: Environ, repository: Path) -> None:
    environ.pop("DEVKIT_WORKFLOWS")

    async def start(client: ClientSession, workflow: str, agent: str | None) -> str:
        observe_call(hook_call(repository, "H", START, agent, workflow=workflow), environ)
        return str((await called(client, "devkit_start", workflow=workflow))["session"])

    def bound(agent: str | None) -> list[tuple[str, bool]]:
        found = grants_for(hook_call(repository, "H", "Bash", agent), environ)
        return [(step.workflow, step.delegate) for step in found]

    async def play(client: ClientSession) -> None:
        parent = await start(client, "mega-pr", None)
        await through(client, parent, "overview")
        first, second = await start(client, "tri-review", "a"), await start(client, "audit", "b")
        assert bound(None) == [("mega-pr", False)]
        assert bound("a") == [("mega-pr", True), ("tri-review", False)]
        assert bound("b") == [("mega-pr", True), ("audit", False)]
        for number in range(4):
            await through(client, first, TRI[number])
            await through(client, second, AUDIT[number])
        assert bound("b") == [("mega-pr", True)]
        assert (await through(client, first, *TRI[4:]))["status"] == "done"
        done = await through(client, parent, "verdict: mend", "confirmed: 0", "result: MENDED", "Why What Reviewed")
        assert done["status"] == "done"
        assert bound("a") == bound(None) == []

    played(environ, repository, play)


def test_two_servers_share_one_store(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)

    async def run() -> None:
        async with connected(environ, str(repository)) as one, connected(environ, str(repository)) as two:
            name = (await called(one, "devkit_start", workflow="flow"))["session"]
            await called(two, "devkit_advance", session=name, output="seen by the other")
            (repository / "ready").touch()
            assert (await called(one, "devkit_advance", session=name))["step"]["id"] == "work"

    anyio.run(run)


def test_the_client_hanging_up_ends_the_server(environ: Environ, repository: Path) -> None:
    from tests.mcp.client import ENGINE

    done = subprocess.run([ENGINE, "mcp"], input="", env=environ, cwd=repository, capture_output=True, timeout=20)
    assert (done.returncode, done.stdout) == (0, b"")


def test_garbage_on_the_wire_does_not_end_the_server(environ: Environ, repository: Path) -> None:
    from tests.mcp.client import ENGINE

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    lines = ["garbage", "[]", json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})]
    process = subprocess.Popen(
        [ENGINE, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environ,
        cwd=repository,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n".join(lines) + "\n")
    process.stdin.flush()
    answers: list[dict[str, Any]] = []
    while not any(answer.get("id") == 1 for answer in answers):
        answers.append(json.loads(process.stdout.readline()))
    process.stdin.close()
    process.wait(20)
    process.stdout.close()
    assert answers[-1]["result"]["serverInfo"]["name"] == "devkit-engine"
    assert os.WEXITSTATUS(process.returncode) == 0
