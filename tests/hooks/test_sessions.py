"""Open steps and the hook: calls, stops, starts of sessions, faults; real processes on a real store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guard.hooks import runtimes
from guard.setup.probes import probe
from guard.setup.reading import REFUSED, effect
from guard.workflow import service
from tests.workflow.conftest import environ, repository, workflow_file

__all__ = ["environ", "repository", "workflow_file"]
Environ = dict[str, str]
Answer = tuple[bytes, bytes, int]
SILENCE = (b"", b"", 0)
THREE = """name: three
description: Three steps.
steps:
  - {id: look, prompt: Look.}
  - {id: think, prompt: Think.}
  - {id: say, prompt: Say.}
"""


@pytest.fixture
def session(environ: Environ, repository: Path, workflow_file: Callable[[str, str], str]) -> str:
    """A session of the host session `s` at the first of three steps."""
    workflow_file("three", THREE)
    return service.start("three", "", service.Owner(str(repository), "claude", "s"), environ).id


def hook(environ: Environ, agent: str, raw: bytes, *more: str, cwd: Path | str = "/") -> Answer:
    """One hook process, started in `cwd`."""
    command = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", agent, *more]
    env = {**environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, input=raw, capture_output=True, timeout=60, env=env, cwd=cwd, check=False)
    return done.stdout, done.stderr, done.returncode


def event(name: str, cwd: Path, **more: Any) -> bytes:
    """A payload of Claude Code."""
    fields = {"session_id": "s", "transcript_path": "/t", "cwd": str(cwd), "hook_event_name": name, **more}
    return json.dumps(fields).encode()


def test_a_stop_is_blocked_once_with_the_number_of_steps_left(environ: Environ, repository: Path, session: str) -> None:
    stdout, stderr, code = hook(environ, "claude", event("Stop", repository, stop_hook_active=False))
    reason = (
        "devkit workflow three is at step 1/3, so 3 steps are left: do step `look`, then call devkit_advance; or end "
        f"it with devkit_abort (session {session})."
    )
    assert (json.loads(stdout), stderr, code) == ({"decision": "block", "reason": reason}, b"", 0)
    assert hook(environ, "claude", event("Stop", repository, stop_hook_active=True)) == SILENCE


def test_other_callers_may_stop(environ: Environ, repository: Path, session: str) -> None:
    assert hook(environ, "claude", event("Stop", repository, session_id="another", stop_hook_active=False)) == SILENCE
    assert hook(environ, "claude", event("SubagentStop", repository, agent_id="a")) == SILENCE
    assert hook(environ, "claude", event("SubagentStop", repository)) == SILENCE
    assert hook(environ, "claude", event("PostToolUse", repository, tool_name="Bash", tool_input={})) == SILENCE


def test_a_sub_agent_with_a_session_of_its_own_is_held(
    environ: Environ, repository: Path, workflow_file: Callable[[str, str], str]
) -> None:
    workflow_file("three", THREE)
    service.start("three", "", service.Owner(str(repository), "claude", "s", "a"), environ)
    stdout, _, _ = hook(environ, "claude", event("SubagentStop", repository, agent_id="a", stop_hook_active=False))
    assert json.loads(stdout)["decision"] == "block"
    assert hook(environ, "claude", event("SubagentStop", repository, agent_id="b")) == SILENCE
    assert hook(environ, "claude", event("Stop", repository, stop_hook_active=False)) == SILENCE


def test_observing_blocks_no_stop(environ: Environ, repository: Path, session: str) -> None:
    stdout, stderr, code = hook(environ, "claude", event("Stop", repository), "--mode", "observe")
    assert (stdout, code) == (b"", 0)
    assert b"would veto: devkit workflow three is at step 1/3" in stderr


def test_the_start_of_a_session_tells_what_is_open(environ: Environ, repository: Path, session: str) -> None:
    stdout, stderr, code = hook(
        environ, "claude", event("SessionStart", repository, session_id="new", source="startup")
    )
    text = (
        f"devkit workflow three is open at step 1/3 (`look`, session {session}): devkit_status shows it, "
        "devkit_advance goes on, devkit_abort ends it."
    )
    output = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}
    assert (json.loads(stdout), stderr, code) == (output, b"", 0)
    assert hook(environ, "claude", event("SessionStart", Path("/"), session_id="new")) == SILENCE


def test_every_runtime_is_held_to_the_step(environ: Environ, repository: Path, session: str) -> None:
    lead = "devkit workflow three is at step 1/3 — call devkit_advance before other tool calls. Step `look`:"
    for agent in runtimes.NAMES:
        raw = probe(agent, str(repository)).replace(b'"probe"', b'"s"')
        answer = hook(environ, agent, raw)
        assert effect(agent, *answer) == REFUSED, agent
        text = answer[1].decode() if not answer[0] else " ".join(strings(json.loads(answer[0])))
        assert lead in text, agent
        reading = probe(agent, str(repository), "git log --oneline").replace(b'"probe"', b'"s"')
        assert hook(environ, agent, reading) == runtimes.adapter(agent).allow, agent


def strings(value: Any) -> list[str]:
    """Every text in JSON data."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    return [value] if isinstance(value, str) else []


def test_a_permission_request_is_held_to_the_step(environ: Environ, repository: Path, session: str) -> None:
    raw = event("PermissionRequest", repository, tool_name="Bash", tool_input={"command": "rm x"})
    stdout, _, code = hook(environ, "claude", raw)
    decision = json.loads(stdout)["hookSpecificOutput"]["decision"]
    assert (decision["behavior"], code) == ("deny", 2)
    assert decision["message"].startswith("devkit workflow three is at step 1/3 — call devkit_advance")


@pytest.mark.parametrize("agent", runtimes.NAMES)
def test_malformed_input_is_a_veto_while_a_step_is_open_here(
    agent: str, environ: Environ, repository: Path, workflow_file: Callable[[str, str], str]
) -> None:
    workflow_file("three", THREE)
    service.start("three", "", service.Owner(str(repository), "shell"), environ)
    assert effect(agent, *hook(environ, agent, b"{", cwd=repository)) == REFUSED
    stdout, stderr, code = hook(environ, agent, b"{", cwd="/")
    assert (stdout, code) == runtimes.adapter(agent).allow[::2]
    assert b"not valid JSON" in stderr


def test_wrong_usage_is_a_veto_on_standard_output_while_a_step_is_open(
    environ: Environ, repository: Path, workflow_file: Callable[[str, str], str]
) -> None:
    workflow_file("three", THREE)
    service.start("three", "", service.Owner(str(repository), "shell"), environ)
    for agent in runtimes.NAMES:
        stdout, stderr, code = hook(environ, agent, b"", "--wrong", cwd=repository)
        assert code == runtimes.adapter(agent).failure != 2
        assert b"unknown argument '--wrong'" in stderr
        assert bool(stdout) == (agent not in ("windsurf", "kiro"))


def test_a_store_that_cannot_be_read_is_a_veto_of_calls_only(environ: Environ, repository: Path, session: str) -> None:
    Path(environ["XDG_STATE_HOME"], "devkit", "engine.db").write_bytes(b"not a database" * 100)
    for agent in runtimes.NAMES:
        answer = hook(environ, agent, probe(agent, str(repository), "ls"))
        assert effect(agent, *answer) == REFUSED, agent
        assert b"devkit-engine doctor --repair" in answer[0] + answer[1]
    for name in ("Stop", "SessionStart"):
        stdout, stderr, code = hook(environ, "claude", event(name, repository, stop_hook_active=False))
        assert (stdout, code) == (b"", 0)
        assert b"devkit-engine doctor --repair" in stderr


def test_the_log_has_the_step(environ: Environ, repository: Path, session: str) -> None:
    hook(environ, "claude", event("PreToolUse", repository, tool_name="Edit", tool_input={"file_path": "a.py"}))
    lines = Path(environ["XDG_STATE_HOME"], "devkit", "decisions.jsonl").read_text().splitlines()
    record = json.loads(lines[-1])
    assert (record["verdict"], record["tool"], record["paths"]) == ("veto", "Edit", ["a.py"])
    assert record["steps"] == [f"{session} three 1/3 look"]
    assert os.stat(Path(environ["XDG_STATE_HOME"], "devkit", "decisions.jsonl")).st_mode & 0o777 == 0o600
