"""The hook with a held card: real hook processes, by the plugin's script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guard.board.caller import Caller
from guard.board.cards import Board, open_board
from guard.board.holding import remember
from tests.board.boards import brought_to

SCRIPT = Path(__file__).parents[2] / "hooks" / "devkit-workflow-guard.sh"
HOLDER = Caller("agent", "connection-1", "claude-code", "host-1")
OWN = "name: own\nstages:\n- {id: todo, next: [over], take: todo, guard: {write: ['**']}}\n- {id: over, final: true}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def environ(root: Path) -> dict[str, str]:
    base = {key: value for key, value in os.environ.items() if not key.startswith(("DEVKIT_", "CLAUDE_"))}
    path = f"{os.path.dirname(sys.executable)}:{base['PATH']}"
    return {**base, "PATH": path, "XDG_STATE_HOME": str(root.parent / "state")}


def hooked(root: Path, tool: str, given: dict[str, Any], session: str = "host-1", cwd: Path | None = None) -> str:
    """The reason of a veto; nothing where the call passes."""
    payload = {
        "session_id": session, "cwd": str(cwd or root), "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": given, "permission_mode": "default",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", str(SCRIPT), "PreToolUse"],
        input=json.dumps(payload), text=True, capture_output=True, env=environ(root), cwd=cwd or root, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    if not done.stdout:
        assert done.returncode == 0, done.stderr
        return ""
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    return str(answer["permissionDecisionReason"])


def taken(opened: Board, root: Path, card: str, revision: int) -> None:
    remember(str(root), environ(root))
    opened.take(HOLDER, card, revision)


def edit(path: str) -> dict[str, Any]:
    return {"file_path": path, "old_string": "a", "new_string": "b"}


def test_a_held_card_is_a_step(root: Path) -> None:
    opened = open_board(str(root), {})
    card = brought_to(opened, "reviewing", HOLDER)
    change = edit(str(root / "a.py"))
    assert hooked(root, "Edit", change) == "", "nobody holds it yet"
    taken(opened, root, card.id, card.revision)
    refused = hooked(root, "Edit", change)
    assert f"{card.id} is at stage reviewing (5/8)" in refused
    assert "a.py" in refused
    assert hooked(root, "Bash", {"command": "git log --oneline | head"}) == ""
    assert "rm removes files" in hooked(root, "Bash", {"command": "rm -rf build"})
    assert hooked(root, "Read", {"file_path": str(root / "a.py")}) == ""
    own = "mcp__plugin_devkit_devkit-engine__devflow_transition"
    move = {"id": card.id, "to": "testing", "expectedRevision": card.revision + 1}
    assert hooked(root, own, move) == ""
    assert hooked(root, own.replace("plugin_devkit", "plugin_evil"), move) != ""
    assert hooked(root, "Edit", change, "host-2") == "", "another session holds nothing"
    assert hooked(root, "Edit", change, cwd=root.parent) != "", "leaving the workspace is no way out"
    opened.transition(HOLDER, card.id, "developing", card.revision + 1, "slow")
    assert hooked(root, "Edit", change) == "", "developing is free"
    opened.release(HOLDER, card.id, card.revision + 2)
    assert hooked(root, "Bash", {"command": "rm -rf build"}) == ""


def test_no_grant_reaches_the_boards_own_files(root: Path) -> None:
    (root / ".devkit-guard").mkdir()
    (root / ".devkit-guard" / "board.yaml").write_text(OWN)
    opened = open_board(str(root), {})
    card = opened.create(HOLDER, "A", "")
    taken(opened, root, card.id, 1)
    (root / "notes").symlink_to(".devflow/tasks")
    (root / "journal").symlink_to(f".devflow/tasks/{card.id}/journal.jsonl")
    assert hooked(root, "Write", {"file_path": str(root / "b.txt"), "content": "x"}) == ""
    assert hooked(root, "Bash", {"command": "echo x > b.txt"}) == ""
    own = (f".devflow/tasks/{card.id}/journal.jsonl", ".devflow/new", f"notes/{card.id}/card.md", "journal")
    for path in own:
        assert "task board" in hooked(root, "Write", {"file_path": str(root / path), "content": "x"}), path
        assert "task board" in hooked(root, "Edit", edit(str(root / path))), path
        assert hooked(root, "Bash", {"command": f"echo x > {path}"}) != "", path
        assert hooked(root, "Bash", {"command": f"sed -n 1p < {path}"}) == "", path
    assert hooked(root, "Bash", {"command": "cd .devflow && echo x > new"}) != ""


def test_the_board_is_kept_while_nothing_is_held(root: Path, tmp_path: Path) -> None:
    """A free stage or no card at all: everything passes, but for what is plain to see to change the board's files."""
    opened = open_board(str(root), {})
    card = brought_to(opened, "developing", HOLDER)
    remember(str(root), environ(root))
    (root / "notes").symlink_to(".devflow/tasks")
    (root / "src").mkdir()
    shell = (
        "echo x > .devflow/new",
        "echo x >> notes/new",
        "cd .devflow && echo x > new",
        "cd .devflow; python3 gen.py",
        "rm -rf .devflow",
        "rm -rf .dev*",
        "echo x > .?evflow/x",
        "echo x > .d[e]vflow/x",
        "rm -rf .",
        f"rm -rf {root}",
        f"rm -rf {root.parent}",
        "sed -i s/a/b/ .devflow/tasks/x/card.md",
        "cp a .devflow/held/x",
        "mv a notes/x",
        "tee .devflow/x < a",
        "tar x -C .devflow -f a.tar",
        "git checkout -- .devflow/tasks",
        "python3 -c \"open('.devflow/held/x', 'w')\"",
        "python3 - << 'E'\nopen('.devflow/held/x', 'w')\nE",
        "sh -c 'rm .devflow/x'",
        "for f in .devflow/a b; do rm $f; done",
        "find .devflow -type f -delete",
        "ln src/a.txt .devflow/x",
        "sudo rm .DevFlow/x",
        "make -C .devflow",
    )
    for command in shell:
        assert "task board" in hooked(root, "Bash", {"command": command}), command
    passing = (
        "rm -rf src",
        "pytest -q",
        "git commit -m 'about .devflow and its cards'",
        "git add -A && git commit -qm x",
        "cat .devflow/tasks/*/card.md | head",
        "grep -rn open .devflow",
        'rm -f "$x"',
        "cp .devflow/tasks/x/card.md src/copy.md",
        "sed -i '/.devflow/d' .gitignore",
        "ruff check --exclude .devflow .",
        "tar czf a.tgz --exclude=.devflow src",
        "echo .devflow",
        "devkit-engine board doctor",
    )
    for command in passing:
        assert hooked(root, "Bash", {"command": command}) == "", command
    for path in (".devflow/new", f"notes/{card.id}/card.md"):
        assert "task board" in hooked(root, "Write", {"file_path": str(root / path), "content": "x"}), path
        assert "task board" in hooked(root, "Write", {"file_path": str(root / path), "content": "x"}, cwd=tmp_path), (
            path
        )
        assert hooked(root, "Read", {"file_path": str(root / path)}) == "", path
    assert hooked(root, "Write", {"file_path": str(root / "src/a"), "content": ".devflow/x"}) == ""
    assert "task board" in hooked(root, "mcp__fs__write", {"where": {"path": ".devflow/x"}, "text": "x"})
    assert hooked(root, "mcp__chat__send", {"text": "see .devflow/x", "list": [1, None]}) == ""
    assert hooked(root, "Task", {"prompt": "Read .devflow/x"}) == ""
