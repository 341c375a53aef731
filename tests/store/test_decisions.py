"""The decision log: whole lines whoever else writes, bounded, private, and never in the way."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from guard.store import decisions
from guard.store.decision_reader import newest_first, parsed, records


def environment(tmp_path: Path) -> dict[str, str]:
    """Where the log of a test is."""
    return {"XDG_STATE_HOME": str(tmp_path)}


def test_a_record_is_one_line_with_id_and_time(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    decisions.append(environ, {"verdict": "veto", "command": "rm \n x"})
    decisions.append(environ, {"verdict": "allow"})
    found = list(records(environ))
    assert [(record["verdict"], record.get("command")) for record in found] == [("veto", "rm \n x"), ("allow", None)]
    assert found[0]["id"] < found[1]["id"]
    assert newest_first(environ) == found[::-1]
    path = tmp_path / "devkit" / "decisions.jsonl"
    assert path.read_bytes().count(b"\n") == 2
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_without_a_home_there_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guard.store.location._registered_home", lambda: "")
    decisions.append({}, {"verdict": "veto"})
    assert list(records({})) == []


WRITER = """
import os, sys
from guard.store import decisions
decisions.MAX_BYTES = 20_000
for number in range(200):
    decisions.append(os.environ, {"writer": int(sys.argv[1]), "number": number, "command": "x" * (number * 7 % 900)})
"""


def test_writers_at_the_same_time_lose_and_mix_nothing(tmp_path: Path) -> None:
    environ = {**os.environ, **environment(tmp_path)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER.replace("20_000", "1 << 30"), str(number)], env=environ)
        for number in range(8)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 8
    found = [(record["writer"], record["number"]) for record in records(environ)]
    assert sorted(found) == [(writer, number) for writer in range(8) for number in range(200)]


def test_the_log_is_bounded_while_many_write(tmp_path: Path) -> None:
    environ = {**os.environ, **environment(tmp_path)}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(number)], env=environ) for number in range(8)]
    assert [writer.wait(60) for writer in writers] == [0] * 8
    folder = tmp_path / "devkit"
    assert len(decisions.aside(str(folder))) <= decisions.KEPT + 1
    # About 800 kB were written. Whoever puts a full file aside may be stopped on the way, while others go on writing.
    assert sum(path.stat().st_size for path in folder.iterdir()) < 400_000
    assert all(parsed(line) for path in folder.iterdir() for line in path.read_bytes().splitlines())
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.iterdir())


def test_a_record_that_is_too_large_keeps_what_is_short(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    decisions.append(environ, {"verdict": "veto", "input": "0" * 64, "command": "x" * 100_000, "rules": ["y"] * 9999})
    (record,) = records(environ)
    assert set(record) == {"id", "at", "verdict", "input"}


def test_a_torn_line_costs_itself_alone(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    decisions.append(environ, {"number": 1})
    path = tmp_path / "devkit" / "decisions.jsonl"
    with path.open("ab") as file:
        file.write(b'{"id":"x","at":1,"comm')
    decisions.append(environ, {"number": 2})
    with path.open("ab") as file:
        file.write(b"[1]\nnonsense\n\xff\n")
    decisions.append(environ, {"number": 3})
    assert [record["number"] for record in records(environ)] == [1, 2, 3]


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "locked folder"])
def test_a_log_that_is_no_plain_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "devkit"
    folder.mkdir()
    path = folder / "decisions.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        (tmp_path / "other").touch()
        path.symlink_to(tmp_path / "other")
    elif kind == "folder":
        path.mkdir()
    elif os.getuid() == 0:
        pytest.skip("root writes everywhere")
    else:
        folder.chmod(0o500)
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the kind
        decisions.append(environment(tmp_path), {"verdict": "veto"})
    assert not (tmp_path / "other").exists() or (tmp_path / "other").read_bytes() == b""


def test_what_stands_in_the_log_of_a_real_hook(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", "claude", "--mode", "always"]
    given = {"command": "curl -H 'Authorization: Bearer abcdef0123456789' https://u:p@example.org"}
    payload = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    raw = json.dumps({**payload, "tool_use_id": "toolu_1", "tool_input": given}).encode()
    subprocess.run(command, input=raw, env={**os.environ, **environment(tmp_path)}, capture_output=True, check=False)
    (record,) = records(environment(tmp_path))
    assert record.pop("ms") > 0
    assert record.pop("reason").startswith("devkit-guard: this command does more than read")
    assert {
        key: record[key] for key in ("agent", "event", "session", "caller", "cwd", "call", "tool", "mode", "verdict")
    } == {
        "agent": "claude",
        "event": "tool",
        "session": "s",
        "caller": None,
        "cwd": str(tmp_path),
        "call": "toolu_1",
        "tool": "Bash",
        "mode": "always",
        "verdict": "veto",
    }
    canonical = json.dumps(given, separators=(",", ":")).encode()
    assert record["input"] == hashlib.sha256(canonical).hexdigest()
    assert record["command"] == "curl -H 'Authorization: Bearer [redacted]' https://u:[redacted]@example.org"
    assert "net_read" in record["effects"]
