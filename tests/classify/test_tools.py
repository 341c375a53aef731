"""Tools by what a call does: which fields say it, and which make that it cannot be said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guard import judge
from guard.classify.tools import ToolUse, use
from guard.gate import opinion
from guard.model.call import ToolCall
from guard.model.grant import Grant
from guard.rulebook import Rulebook
from guard.rulebook.yaml_source import read_file

OFFERED = json.loads((Path(__file__).parents[1] / "runtimes" / "offered.json").read_text())
"""Runtime → version, and the fields of every tool that it offered to a model."""
RUNS_TEXT = {"command", "commands", "cmd", "script", "code", "chars"}
READ_BY_PEOPLE = {
    "claude/Workflow": "a script that only starts sub-agents",
    "opencode/task": "the name of a command of its own",
    "openhands/task_tracker": "its command is view or plan",
    "openhands/file_editor": "its command says what is done to a file",
}
BOOK = Rulebook()
PATCH = "*** Begin Patch\n*** Add File: b\n+x\n*** End Patch"


def used(runtime: str, tool: str, **given: object) -> ToolUse:
    return use(ToolCall(runtime, tool, given, "/session"), BOOK)


@pytest.mark.parametrize("runtime", OFFERED)
def test_no_offered_tool_that_runs_text_is_unknown(runtime: str) -> None:
    """A tool that is not known passes in mode always, so one that runs commands has to be."""
    found = []
    for tool, fields in OFFERED[runtime]["tools"].items():
        if RUNS_TEXT & set(fields) and f"{runtime}/{tool}" not in READ_BY_PEOPLE:
            kind = used(runtime, tool, **dict.fromkeys(fields, "x")).kind
            found += [f"{tool}: {kind}"] if kind not in ("shell", "other") else []
    assert found == []


@pytest.mark.parametrize("runtime", OFFERED)
def test_every_offered_field_of_a_tool_that_runs_or_writes_is_known(runtime: str) -> None:
    """Tried with a text where a field may hold one, with a switch where it cannot."""
    switches = {"is_input", "disable_timeout", "dangerouslyDisableSandbox", "cross_profile", "replace_all", "login"}
    switches |= {
        "replaceAll",
        "detach",
        "fireAndForget",
        "background",
        "notify_on_complete",
        "pty",
        "reset",
        "tty",
        "change_all",
    }
    numbers = {"timeout", "initial_wait", "max_output_tokens", "yield_time_ms", "insert_line", "idle_timeout_ms"}
    numbers |= {"max_events", "view_range"}
    values: dict[str, object] = {**dict.fromkeys(switches, False), **dict.fromkeys(numbers, 1), "shell": "bash"}
    problems = []
    for tool, fields in OFFERED[runtime]["tools"].items():
        given = {field: values.get(field, PATCH if field == "patch" else "x") for field in fields}
        found = used(runtime, tool, **given)
        if found.kind in ("shell", "write") and found.problem and "commands" not in given:
            problems.append(found.problem)
    assert problems == []


@pytest.mark.parametrize(
    ("runtime", "tool", "given", "expected"),
    [
        ("vibe", "file_system.bash", {"command": "ls"}, ToolUse("shell", "ls", "/session")),
        ("vibe", "bash", {"command": "ls"}, ToolUse("shell", "ls", "/session")),
        ("vibe", "process.start", {"command": "ls", "env": {"A": "1"}}, ToolUse("other")),
        ("vibe", "process.write", {"processId": "p", "text": "ls"}, ToolUse("other")),
        ("vibe", "file_system.write_file", {"file_path": "a"}, ToolUse("write", paths=("a",))),
        ("kimi", "Bash", {"command": "ls", "cwd": "/tmp"}, ToolUse("shell", "ls", "/tmp")),
        ("kimi", "Write", {"path": "a"}, ToolUse("write", paths=("a",))),
        ("qwen", "monitor", {"command": "ls", "directory": "/tmp"}, ToolUse("shell", "ls", "/tmp")),
        ("cline", "read_files", {"files": [{"path": "a"}, {"path": "b"}]}, ToolUse("read", paths=("a", "b"))),
        ("cline", "search_codebase", {"queries": ["x"]}, ToolUse("read", searches=True)),
        (
            "copilot",
            "grep",
            {"pattern": "x", "paths": ["a", "b"]},
            ToolUse("read", paths=("a", "b"), searches=True),
        ),
        ("copilot", "write_bash", {"shellId": "1", "input": "ls"}, ToolUse("other")),
        ("vscode", "send_to_terminal", {"id": "1", "command": "ls"}, ToolUse("other")),
        ("copilot", "send_to_terminal", {"id": "1", "command": "ls"}, ToolUse("other")),
        ("augment", "write-process", {"terminal_id": 1, "input_text": "ls"}, ToolUse("other")),
        ("codex", "write_stdin", {"session_id": 1, "chars": "ls"}, ToolUse("other")),
        ("claude", "mcp__desk__run", {"command": "rm x"}, ToolUse("unknown", "rm x")),
        ("claude", "mcp__desk__find", {"query": "x"}, ToolUse("unknown")),
        ("antigravity", "run_anywhere", {"CommandLine": "rm x"}, ToolUse("unknown", "rm x")),
        ("no runtime", "bash", {"command": "rm x"}, ToolUse("unknown", "rm x")),
        ("kiro", "fs_read", {"operations": [{"mode": "Line", "path": "a"}]}, ToolUse("read", paths=("a",))),
        (
            "kiro",
            "fs_read",
            {"operations": [{"mode": "Image", "image_paths": ["a", "b"]}, {"mode": "Line", "path": "c"}]},
            ToolUse("read", paths=("c", "a", "b")),
        ),
        ("hermes", "patch", {"mode": "replace", "path": "a", "new_string": "x"}, ToolUse("write", paths=("a",))),
        ("hermes", "patch", {"mode": "patch", "patch": PATCH}, ToolUse("write", paths=("b",))),
        ("hermes", "patch", {"mode": "patch", "path": "a", "patch": PATCH}, ToolUse("write", paths=("a", "b"))),
        ("droid", "ApplyPatch", {"input": PATCH}, ToolUse("write", paths=("b",))),
        (
            "vscode",
            "multi_replace_string_in_file",
            {"explanation": "x", "replacements": [{"filePath": "a", "oldString": "x", "newString": "y"}]},
            ToolUse("write", paths=("a",)),
        ),
        (
            "augment",
            "str-replace-editor",
            {"command": "str_replace", "path": "a", "old_str_1": "x", "new_str_1": "y", "instruction_reminder": "z"},
            ToolUse("write", paths=("a",)),
        ),
        ("crush", "multiedit", {"file_path": "a", "edits": [{"old_string": "x"}]}, ToolUse("write", paths=("a",))),
        ("gemini", "grep_search", {"pattern": ".env", "dir_path": "a"}, ToolUse("read", paths=("a",), searches=True)),
    ],
)
def test_what_a_call_does(runtime: str, tool: str, given: dict[str, object], expected: ToolUse) -> None:
    assert used(runtime, tool, **given) == expected


@pytest.mark.parametrize(("command", "vetoed"), [("rm x", True), ("ls", False)])
def test_an_unknown_tool_that_is_called_like_the_shell_is_held_to_reading(command: str, vetoed: bool) -> None:
    call = ToolCall("claude", "mcp__desk__run", {"command": command}, "/")
    found = opinion(call, always=True)
    assert (found.veto is not None, found.reads) == (vetoed, False)


@pytest.mark.parametrize(
    ("runtime", "tool", "given", "cwd", "assumed"),
    [
        ("claude", "Bash", {"command": "ls", "run_in_background": True, "description": "x"}, "/session", False),
        ("gemini", "run_shell_command", {"command": "ls", "dir_path": "/etc"}, "/etc", False),
        ("gemini", "run_shell_command", {"command": "ls", "directory": "sub"}, "/session/sub", False),
        ("kiro", "execute_bash", {"command": "ls", "working_dir": "~/x"}, "~/x", False),
        ("opencode", "bash", {"command": "ls", "workdir": ""}, "/session", False),
        ("grok", "run_terminal_command", {"command": "ls", "cwd": "/etc"}, "/etc", False),
        ("codex", "Bash", {"command": "ls"}, "/session", True),
        ("codex", "exec_command", {"cmd": "ls", "workdir": "/etc"}, "/etc", False),
        ("codex", "exec_command", {"cmd": "ls", "workdir": "sub"}, "sub", False),
        ("codex", "shell", {"command": "ls", "shell": "/bin/bash", "env": {}}, "/session", True),
        ("openhands", "terminal", {"command": "ls", "is_input": False}, "/session", True),
    ],
)
def test_where_it_runs(runtime: str, tool: str, given: dict[str, object], cwd: str, assumed: bool) -> None:
    assert used(runtime, tool, **given) == ToolUse("shell", "ls", cwd, assumed=assumed)


@pytest.mark.parametrize(
    ("tool", "given", "problem"),
    [
        ("Bash", {"cwd": 1}, "a working directory that is not text"),
        ("Bash", {"cwd": "/a", "workdir": "/b"}, "several working directories"),
        ("Bash", {"env": {"PATH": "."}}, "sets variables"),
        ("Bash", {"environment": ["A=1"]}, "sets variables"),
        ("Bash", {"shell": "/usr/bin/fish"}, "another shell"),
        ("Bash", {"shell": ["bash", "-i"]}, "another shell"),
        ("Bash", {"is_input": True}, "types into a running program"),
        ("Bash", {"chdir": "/etc"}, "a field 'chdir'"),
        ("Bash", {"options": {"where": ["/etc"]}}, "a field 'options'"),
        ("Bash", {"variables": {"LD_PRELOAD": 1}}, "a field 'variables'"),
        ("Bash", {"cwd2": "/etc"}, "a field 'cwd2'"),
        ("Bash", {"stdin": "rm x"}, "a field 'stdin'"),
        ("Bash", {"retries": 3, "fast": True, "nothing": None, "empty": ""}, ""),
        ("Write", {"base": "/etc"}, "a field 'base'"),
        ("Write", {"edits": [{"path": "/etc/x"}]}, "a field 'path'"),
        ("Write", {"append": True, "at": 3}, ""),
    ],
)
def test_what_cannot_be_judged(tool: str, given: dict[str, object], problem: str) -> None:
    found = used("claude", tool, command="ls", file_path="a", **given) if tool == "Write" else None
    found = found or used("claude", tool, command="ls", **given)
    assert problem in found.problem if problem else found.problem == ""


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"pattern": "x"}, False),
        ({"pattern": ".env"}, False),
        ({"pattern": "x", "path": "src"}, False),
        ({"pattern": "x", "glob": "*.py"}, False),
        ({"pattern": "x", "glob": "**/*.{ts,tsx}"}, False),
        ({"pattern": "x", "glob": "!.env"}, False),
        ({"pattern": "x", "exclude": ".env"}, False),
        ({"pattern": "x", "description": "look for the .env"}, False),
        ({"pattern": "x", "glob": ".env"}, True),
        ({"pattern": "x", "glob": "**/.env"}, True),
        ({"pattern": "x", "glob": "*.ts, .env"}, True),
        ({"pattern": "x", "glob": "{*.ts,.en{v,x}}"}, True),
        ({"pattern": "x", "glob": "{[.]env,a}"}, True),
        ({"pattern": "x", "glob": "?env"}, True),
        ({"pattern": "x", "glob": "{a,b}" * 100 + ".env"}, True),
        ({"pattern": "x", "glob": "a" * 5000}, True),
        ({"pattern": "x", "include_pattern": ["a.py", ".env"]}, True),
        ({"pattern": "x", "path": "/home/user/.ssh"}, True),
        ({"pattern": "x", "path": "/root/.ssh"}, True),
        ({"pattern": "x", "path": "/home/other/.aws"}, True),
        ({"pattern": "x", "path": "/home/user/.aws", "glob": "cred*"}, True),
        ({"pattern": "x", "path": "/home/user/work/..", "glob": ".aws/*"}, True),
        ({"pattern": "x", "path": "/home/user"}, True),
        ({"pattern": "x", "path": "/"}, True),
        ({"pattern": "x", "path": "/root"}, True),
        ({"pattern": "x", "path": "/home"}, True),
        ({"pattern": "x", "path": "/root/project"}, False),
    ],
)
def test_a_search_reads_the_files_that_it_chooses(given: dict[str, object], refused: bool) -> None:
    case = judge.Case(ToolCall("claude", "Grep", given, "/session"))
    case.place = case.place._replace(home="/home/user")
    assert ((case.use.problem or case.refused_reading(Grant())) not in ("", None)) is refused


def test_a_list_of_the_home_directory_reads_no_file() -> None:
    case = judge.Case(ToolCall("claude", "LS", {"path": "/home/user"}, "/session"))
    case.place = case.place._replace(home="/home/user")
    assert case.refused_reading(Grant()) is None


def test_lists_of_fields_have_no_name_twice() -> None:
    tools = read_file(str(Path(__file__).parents[2] / "rules/tools.yaml")).mapping("tools")
    for kind, names in tools["fields"].mapping("fields").items():
        texts = [name.text("name") for name in names.sequence("names")]
        assert len(texts) == len(set(texts)), kind
