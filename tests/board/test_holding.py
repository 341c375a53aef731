from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guard import board as hook_side
from guard.board import holding
from guard.board.caller import Caller
from guard.board.cards import Board
from guard.board.holding import protected, remember, steps_for, workspace_of
from guard.model.call import ToolCall
from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant, Step
from tests.board.boards import ALPHA, Hands, board, brought_to

SEEN = Caller("agent", "connection-1", "claude-code", "host-1")


def call(cwd: Path | str | None, session: str | None = "host-1", agent: str | None = None) -> ToolCall:
    return ToolCall("claude", "Bash", {"command": "ls"}, None if cwd is None else str(cwd), session, agent)


def held(opened: Board, caller: Caller, stage: str = "reviewing") -> str:
    card = brought_to(opened, stage)
    return opened.take(caller, card.id, card.revision)[0].id


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work" / "src").mkdir(parents=True)
    return tmp_path / "work"


def step(card: str, root: Path, stage: str = "reviewing", number: int = 5, *, delegate: bool = False) -> Step:
    title = f"board card {card}"
    return Step(card, title, stage, number, 8, True, Grant(), repository=os.path.realpath(root), delegate=delegate)


def test_public() -> None:
    assert (hook_side.steps_for, hook_side.protected) == (steps_for, protected)


def test_who_is_bound_by_a_claim_that_the_hook_saw(root: Path, environ: dict[str, str]) -> None:
    card = held(board(root), SEEN)
    expected = (step(card, root),)
    assert steps_for(call(root), environ) == expected
    assert steps_for(call(root / "src"), environ) == expected
    assert steps_for(call(root, agent="sub-1"), environ) == (step(card, root, delegate=True),)
    assert steps_for(call(root, "host-2"), environ) == ()
    assert steps_for(call(root, None), environ) == expected, "a caller that is not known may be the holder"
    assert steps_for(call(root.parent), environ) == ()
    assert steps_for(call(None), environ) == ()


def test_a_card_of_a_sub_agent_binds_only_that_one(root: Path, environ: dict[str, str]) -> None:
    card = held(board(root), SEEN._replace(agent="sub-1"))
    assert steps_for(call(root, agent="sub-1"), environ) == (step(card, root),)
    assert steps_for(call(root, agent="sub-2"), environ) == ()
    assert steps_for(call(root), environ) == ()


def test_a_claim_that_the_hook_did_not_see_binds_everybody_in_the_workspace(
    root: Path, environ: dict[str, str]
) -> None:
    card = held(board(root), ALPHA)
    assert steps_for(call(root), environ) == (step(card, root),)
    assert steps_for(call(root / "src", "host-2"), environ) == (step(card, root),)


def test_a_persons_claim_binds_no_agent(root: Path, environ: dict[str, str]) -> None:
    held(board(root), Caller("human", "human:alpha@here", "alpha"))
    assert steps_for(call(root), environ) == ()


def test_leaving_the_workspace_is_no_way_out(root: Path, environ: dict[str, str]) -> None:
    opened = board(root)
    remember(opened.store.root, environ)
    card = held(opened, SEEN)
    assert steps_for(call("/"), environ) == (step(card, root),)
    assert steps_for(call("/", "host-2"), environ) == ()
    assert steps_for(call(root), environ) == (step(card, root),), "not twice"


def test_the_grant_follows_the_stage(root: Path, environ: dict[str, str]) -> None:
    opened = board(root)
    card = held(opened, SEEN, "designing")
    assert steps_for(call(root), environ) == (step(card, root, "designing", 2),)
    opened.transition(SEEN, card, "blocked", 3)
    assert steps_for(call(root), environ) == ()
    opened.transition(SEEN, card, "designing", 4)
    opened.release(SEEN, card, 5)
    assert steps_for(call(root), environ) == ()
    free = held(opened, SEEN, "ready")
    assert opened.card(free).stage == "developing"
    assert steps_for(call(root), environ) == ()


def test_every_part_of_a_grant_reaches_the_hook(root: Path, environ: dict[str, str]) -> None:
    from guard.board.definition import load

    (root / "board.yaml").write_text(
        "name: x\nstages:\n"
        "- {id: todo, next: [over], take: todo, enforce: soft, guard: {bash: [net_read], run: ['pytest *'],"
        " write: ['reports/**'], tools: [WebFetch], subagents: free}}\n- {id: over, final: true}\n"
    )
    opened = board(root)
    opened.pipeline = load(str(root / "board.yaml"))
    card = opened.create(SEEN, "A", "")
    opened.take(SEEN, card.id, 1)
    (found,) = steps_for(call(root), environ)
    assert not found.hard
    assert found.grant == Grant(READ_ONLY | {Kind.NET_READ}, (("pytest", "*"),), ("reports/**",), ("WebFetch",), "free")


def test_a_broken_file_frees_nobody(root: Path, environ: dict[str, str]) -> None:
    opened = board(root)
    card = held(opened, SEEN, "ready")
    assert steps_for(call(root), environ) == ()
    folder = Path(opened.store.folder(card))
    claim = (folder / "claim.json").read_bytes()
    for raw in (b"", b"{}", claim.replace(b'"hard": true', b'"hard"'), claim.replace(b'"lease": "', b'"lease": "x')):
        (folder / "claim.json").write_bytes(raw)
        (found,) = steps_for(call(root), environ)
        assert (found.step, found.hard, found.grant) == ("developing", True, Grant())
        assert found.note == f"Its files cannot be read: run `devkit-engine board doctor {card}` in {root}."
    (folder / "claim.json").write_bytes(claim)
    with open(folder / "journal.jsonl", "ab") as file:
        file.write(b"nonsense\n")
    (found,) = steps_for(call(root, "host-2"), environ)
    assert (found.step, found.hard, found.grant) == ("unreadable", True, Grant())
    (folder / "journal.jsonl").write_bytes(
        b"".join(line + b"\n" for line in (folder / "journal.jsonl").read_bytes().splitlines()[:-1]) + b'{"torn'
    )
    assert steps_for(call(root), environ) == (), "an append that was cut off takes no effect"


def test_a_pipe_stops_nobody(root: Path, environ: dict[str, str]) -> None:
    opened = board(root)
    card = held(opened, SEEN)
    other = brought_to(opened, "draft")
    for path in (f"{card}/claim.json", f"{other.id}/journal.jsonl"):
        os.unlink(root / ".devflow" / "tasks" / path)
        os.mkfifo(root / ".devflow" / "tasks" / path)
    (found,) = steps_for(call(root), environ)
    assert found.grant == Grant()
    assert [getattr(found, "code", "sound") for found in opened.each()] == ["sound", "invalid-journal"]


def test_a_marker_alone_binds_nobody(root: Path, environ: dict[str, str]) -> None:
    opened = board(root)
    card = brought_to(opened, "reviewing")
    for name in (card.id, "0009-gone"):
        (root / ".devflow" / "held" / name).touch()
    assert steps_for(call(root), environ) == ()


def test_a_stale_claim_still_binds_its_own_session(root: Path, environ: dict[str, str]) -> None:
    clock = Hands()
    card = held(board(root, clock), SEEN)
    clock.pass_by(100_000)
    assert steps_for(call(root), environ) == (step(card, root),)


def test_workspace_of(root: Path) -> None:
    assert workspace_of(str(root)) is None
    brought_to(board(root), "draft")
    assert workspace_of(str(root / "src")) == os.path.realpath(root)
    (root.parent / "link").symlink_to(root / "src")
    assert workspace_of(str(root.parent / "link")) == os.path.realpath(root)
    for folder in (str(root.parent), "relative", "", None):
        assert workspace_of(folder) is None


def test_protected(root: Path) -> None:
    brought_to(board(root), "draft")
    (root / "notes").symlink_to(".devflow/tasks")
    (root / "file").symlink_to(root / ".devflow" / "lock")
    (root / "dangling").symlink_to(root / ".devflow" / "not-yet")
    (root / "out").symlink_to("/usr")
    expected = {
        ".devflow": True,
        ".devflow/": True,
        ".devflow/tasks/0001-x/journal.jsonl": True,
        ".devflow/new": True,
        ".DevFlow/tasks/x": True,
        "src/../.devflow/held/x": True,
        "notes/0001-cache-the-index/card.md": True,
        "notes/../lock": True,
        "file": True,
        "dangling": True,
        "other/.devflow/x": True,
        "src/a.py": False,
        "src/.devflow.md": False,
        "devflow/x": False,
        "out/bin/env": False,
    }
    assert {path: protected(os.path.join(root, path)) for path in expected} == expected


def test_cheap(root: Path, environ: dict[str, str]) -> None:
    """Nothing but the standard library is imported, and without a board a call takes microseconds."""
    script = (
        "import json, sys; before = set(sys.modules); import guard.board;"
        "from guard.model.call import ToolCall;"
        f"print(guard.board.steps_for(ToolCall('c', 'Bash', {{}}, {str(root)!r}, 's'), {{}}));"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    answer, modules = done.stdout.splitlines()
    assert answer == "()"
    heavy = {"yaml", "typing_extensions", "dataclasses", "inspect", "sqlite3", "guard.board.cards", "guard.board.files"}
    assert not heavy & set(json.loads(modules))
    begun = time.perf_counter()
    for _ in range(1000):
        steps_for(call(root / "src"), environ)
    each = (time.perf_counter() - begun) / 1000
    print(f"without a board: {1e6 * each:.0f} µs a call")
    assert each < 0.002


def test_remember_forgets_workspaces_that_are_gone(root: Path, environ: dict[str, str]) -> None:
    brought_to(board(root), "draft")
    for folder in ("/nowhere/x", str(root), str(root)):
        remember(folder, environ)
    (name,) = os.listdir(root.parent / "state" / "devkit" / "boards")
    assert (root.parent / "state" / "devkit" / "boards" / name).read_text() == str(root)


def test_remember_survives_a_state_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        remember("/work", {"XDG_STATE_HOME": str(tmp_path / "file")})
    assert steps_for(call(tmp_path), {"XDG_STATE_HOME": str(tmp_path / "file")}) == ()
    assert holding.HELD == "held"
