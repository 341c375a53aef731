"""A hook call opens the rules of the programs that its command names, and no others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from guard.rulebook import build
from guard.rulebook.load import data_folder

RULES = data_folder("rules")
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
COMMANDS = [
    ("sort a.txt | uniq -c", {"sort", "uniq"}),
    ("cat a.txt", {"cat"}),
    ("git log --oneline | head", {"git", "git/log", "head"}),
    ("timeout 5 grep x a.txt", {"timeout", "grep"}),
    ("rm -rf x && touch y", {"rm", "touch"}),
]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    build.build(RULES)


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_only_the_rules_of_named_programs_are_opened(command: str, expected: set[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    payload = {
        "session_id": "s", "transcript_path": "", "cwd": str(tmp_path), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": command},
    }  # fmt: skip
    hook = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", "claude", "--mode", "always"]
    own = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"), str(tmp_path))
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=open,openat", "-o", str(log), *hook],
        input=json.dumps(payload),
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, **own},
    )
    assert done.returncode in (0, 2), done.stderr
    assert opened(log) == expected


def opened(log: Path) -> set[str]:
    """The names of rules whose files were really opened, compiled or not; data files beside them left out."""
    found = set()
    for line in log.read_text(encoding="utf-8").splitlines():
        path = line.split('"')[1] if '"' in line else ""
        inside = path.removeprefix(RULES + "/")
        if "O_DIRECTORY" in line or inside == path or " = -1 " in line:
            continue
        name = inside.removeprefix(".compiled/").removesuffix(".json").removeprefix("commands/").removesuffix(".yaml")
        if not name.startswith(("@", "../")):
            found.add(name.replace("@", "/"))
    return found
