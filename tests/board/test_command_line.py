"""`devkit-engine board` as people and scripts use it: real processes, and a real terminal (tmux)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guard.board.rejections import MESSAGES
from guard.cli.board import at_a_shell
from tests.board.boards import ALPHA, DESIGN, board, brought_to
from tests.board.scene import scene

ENGINE = os.path.join(os.path.dirname(sys.executable), "devkit-engine")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work" / "src").mkdir(parents=True)
    return tmp_path / "work"


def run(root: Path, *arguments: str, text: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    base = {key: value for key, value in os.environ.items() if not key.startswith("DEVKIT_")}
    base |= {"XDG_STATE_HOME": str(root.parent / "state"), "COLUMNS": "150", "TERM": "dumb"}
    command = [ENGINE, "board", *arguments]
    return subprocess.run(
        command, cwd=root, env={**base, **environ}, input=text, capture_output=True, text=True, check=False
    )


def answered(root: Path, *arguments: str, text: str = "", **environ: str) -> dict[str, Any]:
    done = run(root, *arguments, "--json", text=text, **environ)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_life_from_the_shell(root: Path) -> None:
    made = answered(root, "create", "Cache the index", "--body", "-", text="Text.\n")
    assert made == {
        "id": "0001-cache-the-index", "title": "Cache the index", "stage": "draft", "stageRevision": 1,
        "moves": [{"to": "designing", "reasonRequired": False}, {"to": "blocked", "reasonRequired": False}],
    }  # fmt: skip
    child = answered(root, "create", "Part", "--parent", "1", "--slug", "part")
    assert child["parent"] == "0001-cache-the-index"
    assert answered(root / "src", "move", "1", "designing")["stage"] == "designing"
    refusal = run(root, "move", "1", "ready", "--json")
    assert refusal.returncode == 1
    assert json.loads(refusal.stdout)["error"]["code"] == "gate-unsatisfied"
    (root / "design.md").write_text(DESIGN)
    assert answered(root, "attach", "1", "design.md", "--kind", "design")["artifactGates"][0]["satisfied"]
    assert answered(root, "move", "1", "ready", "--revision", "3")["stageRevision"] == 4
    taken = answered(root, "take", "1")
    assert (taken["stage"], taken["stageRevision"], taken["lease"]["stale"]) == ("developing", 6, False)
    other = run(root, "release", "1", DEVKIT_SESSION="s-9")
    assert (other.returncode, other.stdout) == (1, "")
    assert other.stderr.startswith("devkit-engine: '0001-cache-the-index' is held by ")
    assert run(root, "takeover", "1", DEVKIT_SESSION="s-9").returncode == 1
    robbed = answered(root, "takeover", "1", "--force", DEVKIT_SESSION="s-9")
    assert robbed["lease"]["holder"] == "devkit-engine (s-9)"
    assert "lease" not in answered(root, "release", "1", DEVKIT_SESSION="s-9")
    for to in ("reviewing", "testing"):
        answered(root, "move", "1", to)
    assert run(root, "move", "1", "developing").returncode == 1
    assert answered(root, "move", "1", "developing", "--reason", "slow")["stage"] == "developing"
    for to in ("reviewing", "testing", "done"):
        answered(root, "move", "1", to)
    shown = answered(root, "show", "1")
    assert (shown["body"], [child["id"] for child in shown["children"]]) == ("Text.\n", ["0002-part"])
    assert [event["text"] for event in shown["history"]][-4:] == [
        "testing → developing",
        "developing → reviewing",
        "reviewing → testing",
        "testing → done",
    ]
    assert [card["id"] for card in answered(root, "list", "--stage", "draft")["cards"]] == ["0002-part"]
    assert answered(root, "archive", "1")["stage"] == "done"
    assert [card["id"] for card in answered(root, "list")["cards"]] == ["0002-part"]
    assert answered(root, "restore", "0001-cache-the-index")["stage"] == "done"
    assert answered(root, "doctor") == {"findings": [], "repaired": {}}
    records = board(root).card("0001-cache-the-index").history
    assert {record.by["kind"] for record in records} == {"human", "agent"}


def test_doctor(root: Path) -> None:
    card = brought_to(board(root), "ready")
    brought_to(board(root), "draft")
    journal = Path(board(root).store.folder(card.id)) / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"rev":5')
    found = run(root, "doctor")
    assert found.returncode == 1
    assert found.stdout.startswith("fault: 0001-cache-the-index: journal.jsonl:5: an append was cut off here: ")
    assert run(root, "list").stdout == "0002-cache-the-index  draft  1  Cache the index\n"
    mended = run(root, "doctor", "--repair")
    assert (mended.returncode, mended.stdout.splitlines()[-1]) == (0, "the board is sound")
    assert journal.read_bytes() == whole
    (saved,) = journal.parent.glob("journal.torn-*")
    assert saved.read_bytes() == b'{"rev":5'


def test_no_refusal_sends_a_person_to_a_tool() -> None:
    for message in MESSAGES.values():
        assert "devflow_" not in at_a_shell(message)
    asked = "Call devflow_show, then devflow_take or call devflow_takeover."
    show, take, over = (f"`devkit-engine board {verb}`" for verb in ("show", "take", "takeover"))
    assert at_a_shell(asked) == f"Run {show}, then {take} or run {over}."


def test_usage(root: Path) -> None:
    assert run(root, "take", "1").stderr == (
        "devkit-engine: There is no card '1'. Run `devkit-engine board list` for the ids of this board.\n"
    )
    for arguments, code in (
        (["--root", "/nowhere"], 2),
        (["take"], 2),
        (["nonsense"], 2),
        (["attach", "1", "none.md", "--kind", "x"], 2),
        (["--help"], 0),
    ):
        done = run(root, *arguments)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    (root / ".devkit-guard").mkdir()
    (root / ".devkit-guard" / "board.yaml").write_text("name: x\nstages: {}\n")
    done = run(root, "list")
    assert done.returncode == 1
    assert done.stderr.endswith(".devkit-guard/board.yaml:2:1: stages: expected a list (got a mapping)\n")
    text = "name: x\nstages:\n- {id: a, next: [b, c]}\n- {id: d, final: true}\n"
    (root / ".devkit-guard" / "board.yaml").write_text(text)
    found = json.loads(run(root, "doctor", "--json").stdout)["findings"]
    assert [entry["message"].partition("board.yaml:")[2] for entry in found] == [
        "3:18: next: expected one of a, d (got 'b')",
        "3:21: next: expected one of a, d (got 'c')",
    ]


def test_drawn_for_the_window(root: Path) -> None:
    scene(root)
    wide = run(root, COLUMNS="180").stdout
    assert all(len(line) <= 180 for line in wide.splitlines())
    row = next(line for line in wide.splitlines() if line.startswith("draft 2"))
    assert row.split()[::2] == [stage for stage in STAGES if stage != "testing"]
    narrow = run(root, COLUMNS="60").stdout
    assert all(len(line) <= 60 for line in narrow.splitlines())
    headings = [words[0] for line in narrow.splitlines() if len(words := line.split()) == 2 and words[1].isdecimal()]
    assert headings == row.split()[::2]
    for text in (wide, narrow):
        assert "! gate to ready not" in text
        assert "● codex (b81c44d0)" in text
        assert "part of 0001" in text
        assert "0010-torn --repair" in " ".join(text.replace("│", " ").split())
        assert "empty: testing" in text


STAGES = ("draft", "designing", "ready", "developing", "reviewing", "testing", "done", "blocked")


def test_html(root: Path) -> None:
    scene(root)
    done = run(root, "--html", "board.html")
    assert (done.returncode, done.stdout) == (0, "board.html\n")
    text = (root / "board.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<h1>work: task board</h1>" in text


class Terminal:
    """A tmux server of its own."""

    def __init__(self, name: str, width: int, height: int, command: str) -> None:
        self._name = name
        size = ("-x", str(width), "-y", str(height))
        self.tmux("-f", "/dev/null", "new-session", "-d", *size, command)

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-L", self._name, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    def until(self, *wanted: str) -> str:
        """The screen, as soon as it shows all these texts: it may be caught while it is drawn."""
        deadline = time.monotonic() + 30
        while not all(part in (text := self.tmux("capture-pane", "-p")) for part in wanted):
            assert time.monotonic() < deadline, text
            time.sleep(0.2)
        return text


@pytest.fixture
def watched(root: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None and not os.environ.get("CI"):
        pytest.skip("tmux is not installed: apt-get install tmux")
    scene(root)
    command = f"COLUMNS=33 LINES=7 exec {ENGINE} board --root {root} --watch"
    terminal = Terminal(f"board-{os.getpid()}", 170, 40, command)
    yield terminal
    terminal.tmux("kill-server")


def test_watch(root: Path, watched: Terminal) -> None:
    text = watched.until("empty: testing")
    pictures = os.environ.get("DEVKIT_SCREENSHOTS")
    if pictures:
        Path(pictures, "board-terminal.ansi").write_text(watched.tmux("capture-pane", "-p", "-e"), encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("draft 2"))
    assert row.split()[::2] == [stage for stage in STAGES if stage != "testing"]
    card = board(root).create(ALPHA, "Something new", "")
    assert "draft 3" in watched.until("0011 Something new")
    board(root).archive(ALPHA, card.id, 1, reason="not needed")
    watched.until("draft 2")
    watched.tmux("resize-window", "-x", "70", "-y", "60")
    text = watched.until("0003 Drop entries that nobody uses", "empty: testing")
    assert all(len(line) <= 70 for line in text.splitlines())
