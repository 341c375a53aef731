"""One contract for all runtimes: what is read, what is answered byte by byte, and what becomes of a call then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guard.hooks import base, last_resort, runtimes
from guard.hooks.base import PERMISSION, START, STOP, TOOL, Answer, MalformedError, Outcome, Skip
from guard.hooks.recording import digest
from guard.model.call import ToolCall
from guard.setup.probes import probe
from guard.setup.reading import REFUSED, RUNS, effect

PAYLOADS = Path(__file__).parents[1] / "runtimes"
DECODED: dict[str, Any] = json.loads((PAYLOADS / "decoded.json").read_text())
AGENTS = runtimes.NAMES
R = "why"


def test_every_payload_has_its_line() -> None:
    files = {str(path.relative_to(PAYLOADS)) for path in PAYLOADS.glob("*/*.json")}
    assert files == set(DECODED)
    assert {name.split("/")[0] for name in files} == set(AGENTS)


@pytest.mark.parametrize("name", DECODED)
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_payloads_are_decoded_whole(name: str, before: bytes, ends: bytes) -> None:
    raw = (PAYLOADS / name).read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\n", ends)
    payload = base.payload(before + raw)
    expected = DECODED[name]
    found = decoded(name.split("/")[0], payload)
    if isinstance(expected, str):
        assert found == expected
    elif expected is None:
        assert isinstance(found, Skip)
    else:
        kind, runtime, tool, arguments, cwd, session, agent, mode, call_id, again = expected
        call = ToolCall(runtime, tool, arguments, cwd, session, agent, mode, call_id)
        assert found == base.Event(kind, call, again)


def decoded(agent: str, payload: dict[str, Any]) -> base.Event | Skip | str:
    """What the adapter makes of a payload; the message where it is malformed."""
    adapter = runtimes.adapter_for(agent, payload)
    assert adapter is not None
    try:
        return adapter.decode(payload)
    except MalformedError as error:
        return str(error)


@pytest.mark.parametrize("name", [name for name, line in DECODED.items() if isinstance(line, list)])
def test_the_runtime_is_recognised_by_its_payload(name: str) -> None:
    payload = base.payload((PAYLOADS / name).read_bytes())
    found = runtimes.adapter_for("auto", payload)
    assert found is not None
    assert found.name == name.split("/")[0]


@pytest.mark.parametrize("registered", ["claude", "cursor"])
def test_grok_is_answered_in_its_form_by_the_hooks_of_others_that_it_runs(registered: str) -> None:
    payload = base.payload((PAYLOADS / "grok" / "source_pre_tool_use.json").read_bytes())
    found = runtimes.adapter_for(registered, payload)
    assert found is not None
    assert found.name == "grok"


@pytest.mark.parametrize("name", ["preToolUse", "PreToolUse"])
def test_both_spellings_of_kiro(name: str) -> None:
    payload = {"hook_event_name": name, "tool_name": "shell", "tool_input": {"command": "git status"}}
    assert isinstance(runtimes.adapter("kiro").decode(payload), base.Event)


CLAUDE = (
    b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    b'"permissionDecisionReason": "why"}}'
)
PERMIT = (
    b'{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", '
    b'"message": "why"}}}'
)
BLOCK, DENY = b'{"decision": "block", "reason": "why"}', b'{"decision": "deny", "reason": "why"}'
CURSOR = (
    b'{"permission": "deny", "user_message": "why", "agent_message": "why", "userMessage": "why", '
    b'"agentMessage": "why"}'
)
COPILOT = b'{"permissionDecision": "deny", "permissionDecisionReason": "why", "reason": "why"}'
LINE = b"why\n"
VETOES = {
    "claude": Answer(CLAUDE, LINE, 2),
    "codex": Answer(CLAUDE, b"", 0),
    "cursor": Answer(CURSOR, LINE, 0),
    "copilot": Answer(COPILOT, b"", 0),
    "vscode": Answer(CLAUDE, LINE, 2),
    "gemini": Answer(DENY, LINE, 2),
    "qwen": Answer(CLAUDE, LINE, 2),
    "antigravity": Answer(DENY, b"", 0),
    "devin": Answer(BLOCK, b"", 0),
    "opencode": Answer(DENY, b"", 0),
    "windsurf": Answer(b"", LINE, 2),
    "droid": Answer(CLAUDE, LINE, 2),
    "kiro": Answer(b"", LINE, 2),
    "vibe": Answer(DENY, b"", 0),
    "goose": Answer(BLOCK, b"", 0),
    "crush": Answer(DENY, b"", 0),
    "cline": Answer(b'{"cancel": true, "errorMessage": "why"}', b"", 0),
    "augment": Answer(CLAUDE, LINE, 2),
    "kimi": Answer(CLAUDE, LINE, 2),
    "grok": Answer(DENY, LINE, 2),
    "hermes": Answer(b'{"action": "block", "message": "why"}', b"", 0),
    "openhands": Answer(DENY, LINE, 2),
}
ALLOWS = {
    "cursor": b"{}",
    "antigravity": b'{"decision": "allow"}',
    "devin": b"{}",
    "opencode": b'{"decision": "allow"}',
    "cline": b'{"cancel": false}',
    "hermes": b"{}",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_answers_byte_by_byte(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    assert adapter.veto(TOOL, R) == VETOES[agent]
    assert adapter.allow == Answer(ALLOWS.get(agent, b""), b"", 0)


PERMISSIONS = {"claude": Answer(PERMIT, LINE, 2), "codex": Answer(PERMIT, b"", 0)}
PERMISSIONS |= {"copilot": Answer(b'{"behavior": "deny", "message": "why"}', b"", 0), "devin": Answer(BLOCK, b"", 0)}
STOPS = dict.fromkeys(("claude", "codex", "vscode", "qwen", "droid"), Answer(BLOCK, b"", 0))
STOPS |= {"gemini": Answer(DENY, b"", 0), "kimi": Answer(b"", LINE, 2)}
STOPS |= {"cursor": Answer(b'{"followup_message": "why"}', b"", 0)}


@pytest.mark.parametrize("agent", PERMISSIONS)
def test_permission_requests_byte_by_byte(agent: str) -> None:
    assert runtimes.adapter(agent).veto(PERMISSION, R) == PERMISSIONS[agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_stops_byte_by_byte(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    assert (STOP in adapter.events.values()) == (agent in STOPS)
    if agent in STOPS:
        assert adapter.veto(STOP, R) == STOPS[agent]


def pointers(value: Any, at: str = "") -> list[str]:
    """Where values stand in an answer."""
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in pointers(inner, f"{at}/{key}")]
    return [at]


DECISIONS = {
    "/hookSpecificOutput/permissionDecision": {"claude", "codex", "vscode", "qwen", "droid", "augment", "kimi"},
    "/permissionDecision": {"copilot"},
    "/permission": {"cursor"},
    "/decision": {
        *("gemini", "antigravity", "devin", "opencode", "vibe", "goose", "crush", "grok", "openhands"),
    },
    "/cancel": {"cline"},
    "/action": {"hermes"},
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_decision_stands_at_its_own_pointer_and_at_nobody_elses(agent: str) -> None:
    stdout = VETOES[agent].stdout
    there = set(pointers(json.loads(stdout))) if stdout else set()
    assert there & set(DECISIONS) == {pointer for pointer, agents in DECISIONS.items() if agent in agents}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_runtime_refuses_a_veto_and_runs_what_is_allowed(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    assert effect(agent, *adapter.veto(TOOL, R)) == REFUSED
    assert effect(agent, *adapter.allow) == RUNS
    assert effect(agent, *adapter.remind(TOOL, "note")) == RUNS
    if adapter.approve is not None:
        assert effect(agent, *adapter.approve) == RUNS


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", [TOOL, PERMISSION, STOP, START])
@pytest.mark.parametrize("word", ["", "deny", "ALLOW", "allow ", "yes", "true", "block", "defer", "pass", "none", "0"])
def test_anything_but_allow_blocks(agent: str, kind: str, word: str) -> None:
    adapter = runtimes.adapter(agent)
    assert base.encode(adapter, kind, Outcome(word, R)) == adapter.veto(kind, R)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_rewrite_is_a_refusal(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    for rewrite in ({"command": "ls"}, {}, "", 0, False):
        answer = base.encode(adapter, TOOL, Outcome("allow", "", rewrite))
        assert effect(agent, *answer) == REFUSED
        assert b"never rewritten" in answer.stdout + answer.stderr
        assert not any(key in answer.stdout for key in (b"updated", b"modified", b"tool_input", b"args"))


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("outcome", [Outcome("veto"), Outcome("veto", " \n"), Outcome("ask", "")])
def test_a_reason_is_never_empty(agent: str, outcome: Outcome) -> None:
    answer = base.encode(runtimes.adapter(agent), TOOL, outcome)
    assert b"vetoed without a reason" in answer.stdout + answer.stderr


ASKS = {"claude", "vscode", "droid", "gemini", "antigravity"}


@pytest.mark.parametrize("agent", AGENTS)
def test_ask_is_a_veto_where_the_runtime_cannot(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    assert (adapter.ask is not None) == (agent in ASKS)
    if agent not in ASKS:
        assert base.encode(adapter, TOOL, Outcome("ask", R)) == VETOES[agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_long_reasons_are_cut_and_odd_characters_survive(agent: str) -> None:
    adapter = runtimes.adapter(agent)
    answer = adapter.veto(TOOL, "é \ud800 \x1b " * 5000)
    assert len(answer.stdout) < 300_000
    assert effect(agent, *answer) == REFUSED


UNKNOWN: dict[str, dict[str, Any]] = {
    "antigravity": {"conversationId": "c", "invocationNum": 1},
    "cline": {"hookName": "TaskStart", "taskStart": {}},
    "copilot": {"sessionId": "s", "timestamp": 1, "cwd": "/", "source": "new"},
    "crush": {"event": "PostToolUse"},
    "goose": {"event": "PostToolUse"},
    "grok": {"hookEventName": "post_tool_use"},
    "openhands": {"event_type": "PostToolUse"},
    "opencode": {"event": "tool.execute.after"},
    "windsurf": {"agent_action_name": "post_write_code"},
}


@pytest.mark.parametrize("agent", AGENTS)
def test_unknown_events_are_skipped(agent: str) -> None:
    payload = UNKNOWN.get(agent, {"hook_event_name": "SomeFutureEvent", "session_id": "s"})
    assert isinstance(runtimes.adapter(agent).decode(payload), Skip)


def changed(agent: str, change: Any) -> dict[str, Any]:
    """The probe's payload after a change to the object that has the tool's name."""
    payload: dict[str, Any] = json.loads(probe(agent, "/"))
    inner = {"antigravity": "toolCall", "cline": "preToolUse", "opencode": "input"}.get(agent)
    change(payload if inner is None else payload[inner])
    return payload


NAMES = ("tool_name", "toolName", "tool", "name")


@pytest.mark.parametrize("agent", [name for name in AGENTS if name != "windsurf"])
@pytest.mark.parametrize("value", [None, "", 3, ["Bash"], {}])
def test_a_call_without_a_proper_name_is_malformed(agent: str, value: Any) -> None:
    def change(found: dict[str, Any]) -> None:
        found[next(key for key in NAMES if key in found)] = value

    assert "expected text" in str(decoded(agent, changed(agent, change)))


INPUTS = ("tool_input", "toolInput", "toolArgs", "args", "parameters", "tool_info")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("value", [None, "x", '["ls"]', 3, ["ls"]])
def test_a_call_without_proper_arguments_is_malformed(agent: str, value: Any) -> None:
    payload = json.loads(probe(agent, "/"))
    for place in (payload, payload.get("toolCall"), payload.get("preToolUse"), payload.get("output")):
        for key in INPUTS:
            if isinstance(place, dict) and key in place:
                place[key] = value
    found = decoded(agent, payload)
    assert isinstance(found, str)
    assert "in the payload" in found


def test_texts_of_arguments_are_read_by_the_same_strict_rules() -> None:
    for text in ('{"command": "ls", "command": "rm x"}', '{"command": "ls"} x', '{"command": NaN}', "[" * 999, "null"):
        payload = {"toolName": "bash", "toolArgs": text}
        assert isinstance(decoded("copilot", payload), str)


@pytest.mark.parametrize("agent", AGENTS)
def test_large_integers_keep_every_digit(agent: str) -> None:
    number = 123456789012345678901234567890123
    raw = probe(agent, "/").replace(b'"rm -f devkit-guard-probe"', b'"ls", "limit": %d' % number)
    found = decoded(agent, base.payload(raw))
    assert isinstance(found, base.Event)
    assert found.call.input["limit"] == number
    assert digest(found.call.input) != digest({**found.call.input, "limit": float(number)})


CORRELATORS = (
    "prompt_id",
    "turn_id",
    "tool_use_id",
    "tool_call_id",
    "callID",
    "generation_id",
    "execution_id",
    "extra",
)


@pytest.mark.parametrize("agent", AGENTS)
def test_correlators_never_enter_the_input_or_its_sum(agent: str) -> None:
    plain = decoded(agent, json.loads(probe(agent, "/")))
    assert isinstance(plain, base.Event)

    def change(found: dict[str, Any]) -> None:
        found.update(dict.fromkeys(CORRELATORS[:-1], "another"), extra={"task_id": "another"}, stepIdx=7)

    marked = decoded(agent, {**json.loads(probe(agent, "/")), **changed(agent, change)})
    assert isinstance(marked, base.Event)
    inside = {key for key in marked.call.input if key in CORRELATORS}
    assert (marked.call.input, inside) == (plain.call.input, set())
    assert digest(marked.call.input) == digest(plain.call.input)


def process(agent: str, raw: bytes, *more: str) -> tuple[bytes, bytes, int]:
    """One real hook process."""
    command = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", agent, *more]
    done = subprocess.run(command, input=raw, capture_output=True, timeout=60, check=False)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("agent", AGENTS)
def test_a_real_process_for_every_runtime(agent: str, tmp_path: Path) -> None:
    vetoed = process(agent, probe(agent, str(tmp_path)), "--mode", "always")
    assert effect(agent, *vetoed) == REFUSED
    assert b"deletes" in vetoed[0] + vetoed[1] or b"rm" in vetoed[0] + vetoed[1]
    allowed = process(agent, probe(agent, str(tmp_path), "ls -la"), "--mode", "always")
    assert allowed == runtimes.adapter(agent).allow
    assert process(agent, probe(agent, str(tmp_path)), "--mode", "observe")[::2] == (ALLOWS.get(agent, b""), 0)
    stdout, stderr, code = process(agent, probe(agent, str(tmp_path)), "--wrong")
    assert (stdout, code) == (b"", runtimes.adapter(agent).failure)
    assert b"unknown argument" in stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_the_answer_without_any_adapter_is_the_adapters(agent: str) -> None:
    stdout, stderr, code = last_resort.FORMS[agent]
    expected = runtimes.adapter(agent).veto(TOOL, last_resort.TEXT)
    assert Answer(stdout.encode(), f"{stderr}\n".encode() if stderr else b"", code) == expected


@pytest.mark.parametrize("agent", AGENTS)
def test_a_guard_that_cannot_be_loaded_still_answers(agent: str, tmp_path: Path, own_state: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(Path(base.__file__).parents[1], copy / "guard", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "guard" / "hooks" / "base.py").write_text("raise MemoryError\n")

    def answered(*more: str) -> tuple[bytes, bytes, int]:
        command = [sys.executable, "-c", "from guard.cli.main import main; main()", "hook", "--agent", agent, *more]
        environ = {**os.environ, "PYTHONPATH": str(copy)}
        done = subprocess.run(command, input=b"{}", capture_output=True, env=environ, cwd=copy, check=False)
        return done.stdout, done.stderr, done.returncode

    assert effect(agent, *answered("--mode", "always")) == REFUSED
    stdout, stderr, code = answered()
    assert (stdout, stderr, code in (0, 1)) == (b"", b"devkit-guard: MemoryError: \n", True)
    (own_state / "open").mkdir(parents=True)
    (own_state / "open" / "a-session").touch()
    assert effect(agent, *answered()) == REFUSED


@pytest.mark.parametrize(
    ("commands", "expected"),
    [(["ls"], RUNS), (["rm x"], REFUSED), (["ls", "ls"], REFUSED), ([], REFUSED), ("ls", RUNS), ([["ls"]], REFUSED)],
)
def test_a_list_of_commands_is_judged_only_if_it_holds_one(commands: Any, expected: str) -> None:
    payload = json.loads((PAYLOADS / "cline" / "source_tool_call.json").read_bytes())
    payload["tool_call"]["input"]["commands"] = commands
    assert effect("cline", *process("cline", json.dumps(payload).encode(), "--mode", "always")) == expected
