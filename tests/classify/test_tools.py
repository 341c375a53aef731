"""Tools by what a call does: what programs of the vendors offered a model, and what their hooks were told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guard.classify.tools import ToolUse, use
from guard.gate import opinion
from guard.model.call import ToolCall
from guard.rulebook import Rulebook

OFFERED = json.loads((Path(__file__).parents[1] / "runtimes" / "offered.json").read_text())
"""Runtime → version, and the fields of every tool that it offered."""
RUNS_TEXT = {"command", "commands", "cmd", "script", "code", "chars"}
READ_BY_PEOPLE = {
    "claude/Workflow": "a script that only starts sub-agents",
    "opencode/task": "the name of a command of its own",
    "openhands/task_tracker": "its command is view or plan",
    "openhands/file_editor": "its command says what is done to a file",
}
BOOK = Rulebook()


@pytest.mark.parametrize("runtime", OFFERED)
def test_no_offered_tool_that_runs_text_is_unknown(runtime: str) -> None:
    """A tool that is not known passes in mode always, so one that runs commands has to be."""
    found = []
    for tool, fields in OFFERED[runtime]["tools"].items():
        if RUNS_TEXT & set(fields) and f"{runtime}/{tool}" not in READ_BY_PEOPLE:
            kind = use(ToolCall(runtime, tool, dict.fromkeys(fields, "x"), "/"), BOOK).kind
            found += [f"{tool}: {kind}"] if kind not in ("shell", "other") else []
    assert found == []


@pytest.mark.parametrize(
    ("runtime", "tool", "given", "expected"),
    [
        ("vibe", "file_system.bash", {"command": "ls"}, ToolUse("shell", "ls", "/w")),
        ("vibe", "bash", {"command": "ls"}, ToolUse("shell", "ls", "/w")),
        ("vibe", "process.start", {"command": "ls", "env": {"A": "1"}}, ToolUse("other")),
        ("vibe", "process.write", {"processId": "p", "text": "ls"}, ToolUse("other")),
        ("vibe", "file_system.write_file", {"file_path": "a"}, ToolUse("write", paths=("a",))),
        ("kimi", "Bash", {"command": "ls", "cwd": "/tmp"}, ToolUse("shell", "ls", "/tmp")),
        ("kimi", "Write", {"path": "a"}, ToolUse("write", paths=("a",))),
        ("qwen", "monitor", {"command": "ls", "directory": "/tmp"}, ToolUse("shell", "ls", "/tmp")),
        ("cline", "read_files", {"files": [{"path": "a"}, {"path": "b"}]}, ToolUse("read", paths=("a", "b"))),
        ("cline", "search_codebase", {"queries": ["x"]}, ToolUse("read")),
        ("copilot", "grep", {"pattern": "x", "paths": ["a", "b"]}, ToolUse("read", paths=("a", "b"))),
        ("copilot", "write_bash", {"shellId": "1", "input": "ls"}, ToolUse("other")),
        ("vscode", "send_to_terminal", {"id": "1", "command": "ls"}, ToolUse("other")),
        ("copilot", "send_to_terminal", {"id": "1", "command": "ls"}, ToolUse("other")),
        ("augment", "write-process", {"terminal_id": 1, "input_text": "ls"}, ToolUse("other")),
        ("codex", "write_stdin", {"session_id": 1, "chars": "ls"}, ToolUse("other")),
        ("claude", "mcp__desk__run", {"command": "rm x"}, ToolUse("unknown", "rm x")),
        ("claude", "mcp__desk__find", {"query": "x"}, ToolUse("unknown")),
        ("antigravity", "run_anywhere", {"CommandLine": "rm x"}, ToolUse("unknown", "rm x")),
        ("no runtime", "bash", {"command": "rm x"}, ToolUse("unknown", "rm x")),
    ],
)
def test_what_a_call_does(runtime: str, tool: str, given: dict[str, object], expected: ToolUse) -> None:
    assert use(ToolCall(runtime, tool, given, "/w"), BOOK) == expected


@pytest.mark.parametrize(("command", "vetoed"), [("rm x", True), ("ls", False)])
def test_an_unknown_tool_that_is_called_like_the_shell_is_held_to_reading(command: str, vetoed: bool) -> None:
    call = ToolCall("claude", "mcp__desk__run", {"command": command}, "/")
    found = opinion(call, always=True)
    assert (found.veto is not None, found.reads) == (vetoed, False)
