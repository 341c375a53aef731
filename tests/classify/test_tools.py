"""What a shell tool is asked besides its command line: where it runs, and how."""

from __future__ import annotations

import pytest

from guard import judge
from guard.classify.tools import ToolUse, use
from guard.model.call import ToolCall
from guard.model.grant import Grant
from guard.rulebook import Rulebook

BOOK = Rulebook()


def used(runtime: str, tool: str, **given: object) -> ToolUse:
    return use(ToolCall(runtime, tool, given, "/session"), BOOK)


@pytest.mark.parametrize(
    ("runtime", "tool", "given", "cwd"),
    [
        ("claude", "Bash", {"command": "ls"}, "/session"),
        ("gemini", "run_shell_command", {"command": "ls", "dir_path": "/etc"}, "/etc"),
        ("gemini", "run_shell_command", {"command": "ls", "directory": "/etc"}, "/etc"),
        ("codex", "exec_command", {"cmd": "ls", "workdir": "/etc"}, "/etc"),
        ("grok", "run_terminal_command", {"command": "ls", "cwd": "/etc"}, "/etc"),
        ("vscode", "run_in_terminal", {"command": "ls", "cwd": "sub"}, "sub"),
        ("opencode", "bash", {"command": "ls", "workdir": ""}, "/session"),
        ("codex", "shell", {"command": "ls", "shell": "/bin/bash", "env": {}}, "/session"),
    ],
)
def test_where_it_runs(runtime: str, tool: str, given: dict[str, object], cwd: str) -> None:
    assert used(runtime, tool, **given) == ToolUse("shell", "ls", cwd)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"cwd": 1}, "a working directory that is not text"),
        ({"cwd": "/a", "workdir": "/b"}, "several working directories"),
        ({"env": {"PATH": "."}}, "sets variables"),
        ({"environment": ["A=1"]}, "sets variables"),
        ({"shell": "/usr/bin/fish"}, "another shell"),
        ({"shell": ["bash", "-i"]}, "another shell"),
        ({"is_input": True}, "types into a running program"),
    ],
)
def test_what_cannot_be_judged(given: dict[str, object], problem: str) -> None:
    assert problem in used("claude", "Bash", command="ls", **given).problem


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"pattern": "x"}, False),
        ({"pattern": "x", "path": "src"}, False),
        ({"pattern": "x", "glob": "*.py"}, False),
        ({"pattern": "x", "glob": "**/*.{ts,tsx}"}, False),
        ({"pattern": "x", "glob": "!.env"}, False),
        ({"pattern": "x", "glob": ".env"}, True),
        ({"pattern": "x", "glob": "**/.env"}, True),
        ({"pattern": "x", "path": "/home/user/.ssh"}, True),
        ({"pattern": "x", "path": "/home/user/.aws", "glob": "cred*"}, True),
    ],
)
def test_a_search_reads_the_files_that_it_chooses(given: dict[str, object], refused: bool) -> None:
    case = judge.Case(ToolCall("claude", "Grep", given, "/session"))
    case.place = case.place._replace(home="/home/user")
    assert (case.refused_reading(Grant()) is not None) is refused
