"""The whole path: a real MCP client, the real server, the real hook script, which runs the real guard."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession

from tests.mcp.client import ENGINE, called, connected

ROOT = Path(__file__).parents[2]
SCRIPT = str(ROOT / "hooks" / "devkit-workflow-guard.sh")
OWN = "mcp__plugin_devkit_devkit-engine__"
Environ = dict[str, str]
Write = Callable[[str, str], str]

FLOW = """\
name: flow
description: A flow.
steps:
  - {id: gather, prompt: 'Gather {{input}}', require: {non_empty: true}}
  - id: report
    prompt: 'Report on {{gather}}'
    guard: {write: ["reports/**"], run: ["touch marker"], tools: [WebFetch]}
  - {id: check, command: 'test -e marker'}
  - {id: hint, prompt: 'A reminder only', enforce: soft}
"""


@pytest.fixture(autouse=True)
def programs(environ: Environ) -> None:
    environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + environ["PATH"]


class Host:
    """A stand-in for the agent's host: it runs the hooks of `hooks.json` for a call and says what came of it."""

    def __init__(self, environ: Environ, cwd: Path, session: str = "H", agent: str | None = None) -> None:
        self.environ, self.cwd, self.session, self.agent = environ, cwd, session, agent

    def hook(self, event: str, **payload: Any) -> subprocess.CompletedProcess[str]:
        name = "PreToolUse" if event == "Start" else event
        known = {"session_id": self.session, "cwd": str(self.cwd), "hook_event_name": name, **payload}
        if self.agent is not None:
            known["agent_id"] = self.agent
        return subprocess.run(
            ["sh", SCRIPT, event],
            input=json.dumps(known),
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )

    def veto(self, tool: str, **arguments: Any) -> str | None:
        """Why the call is vetoed, None where it passes in silence."""
        events = ["PreToolUse", "Start"] if tool == OWN + "devkit_start" else ["PreToolUse"]
        for event in events:
            done = self.hook(event, tool_name=tool, tool_input=arguments, tool_use_id="toolu_1")
            if done.stdout:
                answer = json.loads(done.stdout)["hookSpecificOutput"]
                assert answer["hookEventName"] == "PreToolUse"
                if "permissionDecision" not in answer:
                    continue
                assert (answer["permissionDecision"], done.returncode) == ("deny", 2)
                return str(answer["permissionDecisionReason"])
            assert (done.returncode, done.stderr) == (0, "")
        return None

    def bash(self, command: str) -> str | None:
        return self.veto("Bash", command=command)


def lead(step: int, total: int = 4, workflow: str = "flow") -> str:
    return f"devkit workflow {workflow} is at step {step}/{total} — call devkit_advance before other tool calls. "


def vetoed(reason: str | None, start: str) -> bool:
    assert reason is not None
    assert reason.startswith(start), reason
    return True


def played(environ: Environ, folder: Path, play: Callable[[ClientSession], Any]) -> None:
    async def run() -> None:
        async with connected(environ, str(folder)) as client:
            await play(client)

    anyio.run(run)


async def started(client: ClientSession, host: Host, workflow: str = "flow", **more: str) -> str:
    assert host.veto(OWN + "devkit_start", workflow=workflow, **more) is None
    return str((await called(client, "devkit_start", workflow=workflow, **more))["session"])


def free(host: Host) -> bool:
    """Whether everything passes."""
    calls = [host.bash("rm -rf build"), host.veto("Write", file_path="/x", content=""), host.veto("Task", prompt="x")]
    return calls == [None, None, None]


def test_the_whole_path(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    host = Host(environ, repository)

    async def play(client: ClientSession) -> None:
        assert free(host)
        name = await started(client, host, input="it")
        # step 1: reading only
        assert vetoed(host.bash("rm -rf build"), lead(1))
        assert vetoed(host.veto("Write", file_path=str(repository / "x"), content=""), lead(1))
        assert vetoed(host.veto("WebFetch", url="https://example.org"), lead(1))
        assert vetoed(host.veto("mcp__other__tool"), lead(1))
        assert vetoed(host.veto("mcp__plugin_evil__devkit_advance", session=name), lead(1))
        assert vetoed(host.veto("SomethingNew"), lead(1))
        for command in ("git diff --stat", "ls -la | head", "cd sub && git log -3 2>/dev/null"):
            assert host.bash(command) is None, command
        assert host.veto("Read", file_path=str(repository / "x")) is None
        assert host.veto("Grep", pattern="x") is None
        for tool in ("ToolSearch", "TodoWrite", "AskUserQuestion", OWN + "devkit_advance", OWN + "devkit_status"):
            assert host.veto(tool) is None, tool
        # step 2: what it grants, and no more
        await called(client, "devkit_advance", session=name, output="seen")
        assert vetoed(host.bash("rm -rf build"), lead(2))
        assert host.veto("Write", file_path=str(repository / "reports/a.md"), content="") is None
        assert vetoed(host.veto("Write", file_path=str(repository / "src/a.py"), content=""), lead(2))
        assert host.veto("WebFetch", url="https://example.org") is None
        assert host.bash("touch marker") is None
        assert vetoed(host.bash("touch other"), lead(2))
        # step 3: a command that fails; only the devkit tools
        stuck = await called(client, "devkit_advance", session=name, output="written")
        assert stuck["step"]["id"] == "check"
        assert vetoed(host.bash("ls"), lead(3))
        assert vetoed(host.veto("Read", file_path="x"), lead(3))
        assert host.veto(OWN + "devkit_abort", session=name) is None
        assert host.veto("TodoWrite") is None
        (repository / "marker").touch()
        # step 4: soft
        await called(client, "devkit_advance", session=name)
        reminder = host.hook("PreToolUse", tool_name="Bash", tool_input={"command": "rm -rf build"})
        assert "permissionDecision" not in reminder.stdout
        assert lead(4)[:40] in json.loads(reminder.stdout)["hookSpecificOutput"]["additionalContext"]
        done = await called(client, "devkit_advance", session=name, output="")
        assert done["status"] == "done"
        assert free(host)

    played(environ, repository, play)


def test_an_abort_in_the_middle(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    host = Host(environ, repository)

    async def play(client: ClientSession) -> None:
        name = await started(client, host)
        await called(client, "devkit_advance", session=name, output="seen")
        assert vetoed(host.bash("rm -rf build"), lead(2))
        assert host.veto(OWN + "devkit_abort", session=name, reason="enough") is None
        await called(client, "devkit_abort", session=name, reason="enough")
        assert free(host)

    played(environ, repository, play)


def test_stopping_with_steps_left_is_blocked_once(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    host, other = Host(environ, repository), Host(environ, repository, "K")

    async def play(client: ClientSession) -> None:
        assert [host.hook(event).stdout for event in ("Stop", "SessionStart")] == ["", ""]
        name = await started(client, host)
        blocked = json.loads(host.hook("Stop", stop_hook_active=False).stdout)
        assert blocked["decision"] == "block"
        assert "4 steps" in blocked["reason"]
        assert host.hook("Stop", stop_hook_active=True).stdout == ""
        assert other.hook("Stop", stop_hook_active=False).stdout == ""
        for one in (host, other):
            assert "step 1/4" in one.hook("SessionStart", source="startup").stdout
        await called(client, "devkit_abort", session=name, reason="enough")
        assert host.hook("Stop", stop_hook_active=False).stdout == ""

    played(environ, repository, play)


def test_two_host_sessions_a_sub_agent_and_two_repositories(
    environ: Environ, repository: Path, tmp_path: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=other, check=True)
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=repository, check=True)
    host = Host(environ, repository)

    async def play(client: ClientSession) -> None:
        await started(client, host)
        assert vetoed(host.bash("rm x"), lead(1))
        assert vetoed(Host(environ, repository, agent="a").bash("rm x"), lead(1))
        assert vetoed(Host(environ, tmp_path).bash("rm x"), lead(1))
        for elsewhere in (repository, other, tmp_path / "tree"):
            assert free(Host(environ, elsewhere, "K"))

    played(environ, repository, play)


def test_a_session_from_a_shell_holds_everybody_in_the_repository(
    environ: Environ, repository: Path, tmp_path: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=repository, check=True)

    def engine(*words: str) -> str:
        return subprocess.run(
            [ENGINE, *words], env=environ, cwd=repository, capture_output=True, text=True, check=True
        ).stdout

    assert "step 1/4: gather" in engine("start", "flow", "--input", "it")
    assert all(vetoed(Host(environ, repository, name).bash("rm x"), lead(1)) for name in "HK")
    assert free(Host(environ, tmp_path / "tree"))
    assert "step 2/4: report" in engine("advance", "--output", "seen")
    assert vetoed(Host(environ, repository).bash("rm x"), lead(2))
    engine("abort", "--reason", "enough")
    assert free(Host(environ, repository))


def test_two_workflows_of_one_caller(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    workflow_file(
        "outer", "name: outer\ndescription: O.\nguard: {tools: [devkit_start, WebFetch]}\nsteps: [{id: a, prompt: x}]\n"
    )
    host = Host(environ, repository)

    async def play(client: ClientSession) -> None:
        outer = await started(client, host, "outer")
        assert host.veto("WebFetch", url="x") is None
        inner = await started(client, host)
        reason = host.veto("WebFetch", url="x")
        assert vetoed(reason, lead(1))
        assert "devkit workflow outer is at step 1/1" in str(reason)
        await called(client, "devkit_advance", session=inner, output="seen")
        assert host.veto("WebFetch", url="x") is None
        reason = host.veto("Write", file_path=str(repository / "reports/a"), content="")
        assert vetoed(reason, lead(1, 1, "outer"))
        await called(client, "devkit_advance", session=outer, output="")
        assert host.veto("Write", file_path=str(repository / "reports/a"), content="") is None

    played(environ, repository, play)


def test_symlinks_out_of_the_repository_and_the_guard_s_own_files(
    environ: Environ, repository: Path, tmp_path: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW.replace("reports/**", "**"))
    (repository / "reports").symlink_to(tmp_path)
    (repository / "inside").mkdir()
    host = Host(environ, repository)

    async def play(client: ClientSession) -> None:
        name = await started(client, host)
        await called(client, "devkit_advance", session=name, output="seen")
        assert host.veto("Write", file_path=str(repository / "inside/new"), content="") is None
        state = Path(environ["XDG_STATE_HOME"], "devkit")
        refused = [repository / "reports/x", tmp_path / "x", state / "engine.db", state / "open" / name]
        refused += [
            repository / "inside/../../x",
            repository / ".devflow/tasks/x",
            repository / ".git/hooks/pre-commit",
        ]
        for path in refused:
            assert vetoed(host.veto("Write", file_path=str(path), content=""), lead(2)), path
            assert vetoed(host.bash(f"echo x > {path}"), lead(2)), path

    played(environ, repository, play)


def test_a_damaged_store_is_a_veto_that_names_the_repair(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("flow", FLOW)
    subprocess.run([ENGINE, "start", "flow"], env=environ, cwd=repository, check=True, capture_output=True)
    folder = Path(environ["XDG_STATE_HOME"], "devkit")
    (folder / "engine.db").write_bytes(b"garbage" * 2000)
    reason = Host(environ, repository).bash("ls")
    assert reason is not None
    assert f"{folder}/engine.db: " in reason
    assert f"devkit-engine doctor --repair {folder}" in reason
    subprocess.run([ENGINE, "doctor", "--repair", str(folder)], env=environ, check=True, capture_output=True)
    assert free(Host(environ, repository))


def test_fifty_hook_calls_at_once_while_ten_advances_run(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    """Every answer is one that the state between the call's beginning and end justifies."""
    steps = "".join(f"  - {{id: s{number}, prompt: x}}\n" for number in range(1, 12))
    workflow_file("long", f"name: long\ndescription: L.\nsteps:\n{steps}")
    subprocess.run([ENGINE, "start", "long"], env=environ, cwd=repository, check=True, capture_output=True)
    host = Host(environ, repository)
    moments: list[tuple[float, int]] = [(time.monotonic(), 1)]

    def advance() -> None:
        for number in range(2, 12):
            before = time.monotonic()
            subprocess.run([ENGINE, "advance"], env=environ, cwd=repository, check=True, capture_output=True)
            moments.append((before, number))
            moments.append((time.monotonic(), number))

    def ask(number: int) -> tuple[float, float, str | None]:
        began = time.monotonic()
        # file tools, so that the time the classifier may take on a busy machine is no part of this
        answer = host.veto("Read" if number % 2 else "Write", file_path=str(repository / "x"))
        return began, time.monotonic(), answer

    with ThreadPoolExecutor(51) as pool:
        advances = pool.submit(advance)
        answers = list(pool.map(ask, range(50)))
        advances.result()
    assert [reason for _, _, reason in answers[1::2]] == [None] * 25
    for began, ended, reason in answers[::2]:
        step = int(str(reason).split("step ")[1].split("/")[0])
        # (moment, number): the advance to `number` began, then it was done
        first = max((number for moment, number in moments[::2] if moment <= began), default=1) - 1
        last = max(number for moment, number in moments if moment <= ended)
        assert first <= step <= last, (first, step, last)
        assert vetoed(reason, lead(step, 11, "long"))
    print(f"longest answer: {max(ended - began for began, ended, _ in answers):.2f} s")
