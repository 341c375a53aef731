"""The hook as Claude Code runs it: real processes, whole answers, byte by byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", "claude", "--mode", "always"]
SILENCE = (b"", b"", 0)


def run(
    raw: bytes, *more: str, command: list[str] = COMMAND, environment: dict[str, str] | None = None
) -> tuple[bytes, bytes, int]:
    """Standard output, standard error and exit code of one hook process."""
    done = subprocess.run(
        [*command, *more],
        input=raw,
        capture_output=True,
        timeout=60,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    return done.stdout, done.stderr, done.returncode


def payload(command: Any, **more: Any) -> bytes:
    """A PreToolUse payload for Bash; `more` replaces or adds keys (None: removes)."""
    fields = {
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": "/",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "toolu_1",
        **more,
    }
    return json.dumps({key: value for key, value in fields.items() if value is not None}).encode()


def reason(answer: tuple[bytes, bytes, int]) -> str:
    """The reason of a veto, after checking that every channel says the same."""
    stdout, stderr, code = answer
    found = json.loads(stdout)["hookSpecificOutput"]
    assert (set(found), code) == ({"hookEventName", "permissionDecision", "permissionDecisionReason"}, 2)
    assert (found["hookEventName"], found["permissionDecision"]) == ("PreToolUse", "deny")
    text = str(found["permissionDecisionReason"])
    assert stderr == text.encode() + b"\n"
    assert text.startswith("devkit-guard: ")
    return text


def test_a_reading_command_passes_in_silence() -> None:
    assert run(payload("ls -la | head -5")) == SILENCE


def test_a_veto_names_the_smallest_part_and_its_effect() -> None:
    assert reason(run(payload("ls && sed -i s/a/b/ a.txt"))) == (
        "devkit-guard: this command does more than read, or could. "
        "`-i`: -i rewrites the files. Instead: `sed 's/OLD/NEW/' FILE` (without -i) prints the changed text, "
        "`sed -n '1,50p' FILE` lines of the file. "
        "(Mode always holds: `devkit-guard why last` shows the decision, `devkit-guard status` where that is set.)"
    )


@pytest.mark.parametrize(
    "raw",
    [
        payload(None, hook_event_name="PostToolUse"),
        payload("rm x", hook_event_name="PostToolUse"),
        payload("rm x", hook_event_name="Stop"),
        payload("rm x", hook_event_name="SomeFutureEvent"),
        payload(None, tool_name="Read", tool_input={"file_path": "/a"}),
        payload(None, tool_name="mcp__x__y", tool_input={}),
    ],
)
def test_events_and_tools_without_a_decision_are_skipped(raw: bytes) -> None:
    assert run(raw) == SILENCE


MALFORMED = {
    "plain text": (b"hello", "not valid JSON"),
    "empty": (b"", "is empty"),
    "blank": (b" \n", "is empty"),
    "truncated": (payload("ls")[:-3], "not valid JSON"),
    "array": (b"[1,2]", "not a JSON object (got list)"),
    "number": (b"42", "not a JSON object (got int)"),
    "text": (b'"x"', "not a JSON object (got str)"),
    "null": (b"null", "not a JSON object (got NoneType)"),
    "tool_input text": (payload("x", tool_input="x"), "'tool_input' in the payload: expected an object"),
    "tool_input missing": (payload("x", tool_input=None), "'tool_input' in the payload: expected an object"),
    "tool_name missing": (payload("x", tool_name=None), "'tool_name' in the payload: expected text (got nothing)"),
    "event missing": (payload("x", hook_event_name=None), "'hook_event_name' in the payload: expected text"),
    "event number": (payload("x", hook_event_name=3), "'hook_event_name' in the payload: expected text (got int)"),
    "cwd number": (payload("ls", cwd=3), "'cwd' in the payload: expected text (got int)"),
    "command array": (payload(["ls"]), "has no text in 'command'"),
    "command null": (payload(None), "has no text in 'command'"),
    "command missing": (payload("x", tool_input={"description": "x"}), "has no text in 'command'"),
    "nested 3,000": (b'{"a":' * 3000 + b"1" + b"}" * 3000, "nested"),
    "nested 300": (b'{"a":' * 300 + b"1" + b"}" * 300, "nested deeper than 200"),
    "nested array 100,000": (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested"),
    "trailing data": (payload("ls") + b"{}", "not valid JSON: Extra data"),
    "twice": (
        b'{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm x"}}',
        "twice",
    ),
    "NaN": (payload("ls", x=float("nan")), "NaN"),
    "invalid UTF-8": (payload("ls ?").replace(b"?", b"\xff"), "not valid UTF-8"),
    "long number": (b'{"a": ' + b"9" * 5000 + b"}", "number that cannot be read"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_input_is_a_deliberate_veto(name: str) -> None:
    raw, expected = MALFORMED[name]
    answer = run(raw)
    assert expected in reason(answer)
    assert b"Traceback" not in answer[1]


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_input_only_observed(name: str) -> None:
    stdout, stderr, code = run(MALFORMED[name][0], "--mode", "observe")
    assert (stdout, code) == (b"", 0)
    assert stderr.startswith(b"devkit-guard would veto: ")


def test_a_payload_over_the_limit_is_a_named_veto() -> None:
    assert "larger than 32 MiB" in reason(run(payload("ls " + "x" * (33 << 20))))


def test_a_large_payload_for_another_tool_passes() -> None:
    assert run(payload(None, tool_name="Write", tool_input={"content": "x" * (4 << 20)})) == SILENCE


COMMANDS = {
    "NUL": ("ls\x00--no-verify", "control character"),
    "CR": ("ls\rrm x", "control character"),
    "lone surrogate": ("ls \ud800", "surrogate"),
    "long": ("ls " + "x" * 70_000, "longer than 64 KiB"),
    "BOM": ("\ufeffls", "control character"),
    "empty": ("", "no command"),
    "blank": ("  \n", "no command"),
    "comment": ("# rm x", "no command"),
    "leading assignment": ("FOO=1 rm -rf logs", "rm"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_that_cannot_be_read(name: str) -> None:
    command, expected = COMMANDS[name]
    assert expected in reason(run(payload(command)))


def test_a_bom_before_the_payload_is_dropped() -> None:
    assert run(b"\xef\xbb\xbf" + payload("ls")) == SILENCE


@pytest.mark.parametrize("cwd", [None, "relative", "/no/such/folder", "/tmp/", "/tmp/."])
def test_any_working_directory(cwd: str | None) -> None:
    assert run(payload("ls", cwd=cwd)) == SILENCE


def test_a_working_directory_that_is_not_known_is_not_guessed(tmp_path: Path) -> None:
    assert "directory that is decided at run time" in reason(run(payload("git status", cwd=None)))
    assert run(payload("git status", cwd=str(tmp_path))) == SILENCE


def test_large_integers_do_no_harm() -> None:
    assert run(payload("ls", extra=12345678901234567890123)) == SILENCE


def test_another_shell_is_not_read() -> None:
    assert "PowerShell is a shell that this guard does not read" in reason(run(payload("ls", tool_name="PowerShell")))


@pytest.mark.parametrize("home", ["", "/nonexistent", "relative"])
def test_any_home(home: str) -> None:
    assert run(payload("cat ~/notes.txt"), environment={"HOME": home}) == SILENCE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "nobody"], "--agent: expected one of auto, claude, codex,"),
        (["--on-veto", "sometimes"], "--on-veto: expected one of deny, ask"),
        (["--wrong"], "unknown argument '--wrong'"),
        (["--mode"], "--mode needs a value"),
    ],
)
def test_usage_errors_never_exit_with_2(arguments: list[str], message: str) -> None:
    stdout, stderr, code = run(payload("ls"), *arguments)
    assert (stdout, code) == (b"", 1)
    assert message in stderr.decode()


def test_help() -> None:
    stdout, stderr, code = run(b"", "--help")
    assert (stdout.startswith(b"usage: devkit-guard hook"), stderr, code) == (True, b"", 0)


def test_the_mode_of_the_environment() -> None:
    stdout, stderr, code = run(payload("rm x"), command=COMMAND[:-2], environment={"DEVKIT_GUARD_MODE": "observe"})
    assert (stdout, code, stderr.startswith(b"devkit-guard would veto: ")) == (b"", 0, True)


@pytest.mark.parametrize(
    ("arguments", "variable", "source"), [(["--mode", "alwys"], "", "--mode"), ([], "alwys", "DEVKIT_GUARD_MODE")]
)
def test_a_mode_that_is_none_is_the_strictest(arguments: list[str], variable: str, source: str) -> None:
    command, environment = COMMAND[:-2], {"DEVKIT_GUARD_MODE": variable}
    stdout, stderr, code = run(payload("rm x"), *arguments, command=command, environment=environment)
    assert (b'"permissionDecision":"deny"' in stdout.replace(b" ", b""), code) == (True, 2)
    assert f"{source}: expected one of step, always, observe (got 'alwys')" in stderr.decode()
    assert run(payload("ls"), *arguments, command=command, environment=environment) == SILENCE


def test_slices_are_read_to_the_end() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    raw = payload("rm x")
    for start in range(0, len(raw), 40):
        process.stdin.write(raw[start : start + 40])
        process.stdin.flush()
        time.sleep(0.01)
    stdout, stderr = process.communicate(timeout=30)
    assert "rm" in reason((stdout, stderr, process.returncode))


def test_input_that_stalls_is_a_veto_of_its_own() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"{")
    process.stdin.flush()
    assert process.stdout is not None
    assert process.stderr is not None
    stdout, stderr = process.stdout.read(), process.stderr.read()
    process.stdin.close()
    assert "did not end within" in reason((stdout, stderr, process.wait(30)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_request_to_stop_is_answered(number: signal.Signals) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)
    assert "was told to stop" in reason((stdout, stderr, process.returncode))


def test_a_closed_output_still_blocks() -> None:
    command = " ".join([*COMMAND, ">&-"])
    done = subprocess.run(["sh", "-c", command], input=payload("rm x"), capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"rm" in done.stderr
