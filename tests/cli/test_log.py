"""`log` and `why` on records that real hooks have written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guard.setup.probes import probe

MAIN = [sys.executable, "-m", "guard.cli.main"]
Environ = dict[str, str]


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    """A log with a veto and an allow of Claude Code, a pass of Codex, and malformed input."""
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "LANG": "C.UTF-8"}
    for agent, raw, mode in (
        ("claude", probe("claude", str(tmp_path)), "always"),
        ("claude", probe("claude", str(tmp_path), "ls"), "always"),
        ("codex", probe("codex", str(tmp_path)), "step"),
        ("claude", b"{", "always"),
    ):
        hook = [*MAIN, "hook", "--agent", agent, "--mode", mode]
        subprocess.run(hook, input=raw, env=environ, capture_output=True, check=False)
    return environ


def run(environ: Environ, *arguments: str) -> tuple[int, str]:
    """(exit code, what was printed)."""
    done = subprocess.run([*MAIN, *arguments], env=environ, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def listed(environ: Environ, *arguments: str) -> list[tuple[str, str]]:
    """(agent, verdict) of the records that were printed."""
    _, said = run(environ, "log", "--json", *arguments)
    return [(record["agent"], record["verdict"]) for record in map(json.loads, said.splitlines())]


def test_the_log_lists_filters_and_counts(environ: Environ) -> None:
    everything = [("claude", "veto"), ("claude", "allow"), ("codex", "pass"), ("claude", "veto")]
    assert listed(environ) == everything
    assert listed(environ, "--limit", "1") == everything[-1:]
    assert listed(environ, "--verdict", "veto") == [("claude", "veto")] * 2
    assert listed(environ, "--agent", "codex") == [("codex", "pass")]
    assert listed(environ, "--effect", "delete") == [("claude", "veto")]
    assert listed(environ, "--tool", "Bash", "--session", "probe") == everything[:3]
    assert listed(environ, "--text", "not valid JSON") == [("claude", "veto")]
    assert (listed(environ, "--since", "1h"), listed(environ, "--since", "0s")) == (everything, [])
    _, said = run(environ, "log", "--counts", "--json")
    assert json.loads(said) == {
        "decisions": 4,
        "verdict": {"veto": 2, "allow": 1, "pass": 1},
        "mode": {"always": 3, "step": 1},
        "enforced": {"True": 2},
        "agent": {"claude": 3, "codex": 1},
        "tool": {"Bash": 3},
        "effects": {"delete": 1, "read": 2},
    }
    assert run(environ, "log", "--since", "soon")[0] == 2
    assert "rm -f devkit-guard-probe" in run(environ, "log")[1]


def test_why_explains_one_decision(environ: Environ) -> None:
    first = json.loads(run(environ, "log", "--json")[1].splitlines()[0])
    code, said = run(environ, "why", first["id"])
    assert code == 0
    assert said.startswith("veto  ")
    assert "command   rm -f devkit-guard-probe" in said
    assert json.loads(run(environ, "why", first["id"], "--json")[1]) == first
    assert "not valid JSON" in run(environ, "why", "last")[1]
    assert run(environ, "why", "nothing") == (
        1,
        "devkit-guard: no decision whose id begins with 'nothing' in the log: devkit-guard log shows what is there\n",
    )
    assert run(environ, "why", first["id"][:2])[0] == 2


def test_following_goes_on_with_what_comes(environ: Environ, tmp_path: Path) -> None:
    follow = [*MAIN, "log", "--follow", "--json", "--limit", "1"]
    process = subprocess.Popen(follow, env=environ, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["verdict"] == "veto"
    time.sleep(1.0)
    hook = [*MAIN, "hook", "--agent", "vibe", "--mode", "always"]
    subprocess.run(hook, input=probe("vibe", str(tmp_path)), env=environ, capture_output=True, check=False)
    assert json.loads(process.stdout.readline())["agent"] == "vibe"
    process.terminate()
    process.wait(20)


def test_what_was_not_enforced_is_told_apart(environ: Environ, tmp_path: Path) -> None:
    hook = [*MAIN, "hook", "--agent", "claude", "--mode", "observe"]
    done = subprocess.run(hook, input=probe("claude", str(tmp_path)), env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    kept = [json.loads(line) for line in run(environ, "log", "--json")[1].splitlines()]
    assert [(record["mode"], record["verdict"], record.get("enforced")) for record in kept] == [
        ("always", "veto", True),
        ("always", "allow", None),
        ("step", "pass", None),
        ("always", "veto", True),
        ("observe", "veto", False),
    ]
    lines = run(environ, "log")[1].splitlines()
    assert ["not enforced" in line for line in lines] == [False, False, False, False, True]
    assert "not enforced" in run(environ, "why", "last")[1].splitlines()[0]


def test_a_veto_of_mode_always_names_the_way_out(tmp_path: Path) -> None:
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    hook = [*MAIN, "hook", "--agent", "claude", "--mode"]
    raw = probe("claude", str(tmp_path))
    planned = raw.replace(b'"permission_mode": "default"', b'"permission_mode": "plan"')
    found = [
        subprocess.run([*hook, mode], input=given, env=environ, capture_output=True, check=False).stderr.decode()
        for mode, given in (("always", raw), ("step", planned), ("observe", raw))
    ]
    look = "`devkit-guard why last` shows the decision, `devkit-guard status` where that is set.)"
    assert f"(Mode always holds: {look}" in found[0]
    assert f"(The runtime is in its mode plan: {look}" in found[1]
    assert "devkit-guard status" not in found[2]
    assert run(environ, "why", "last")[1].splitlines()[-1].endswith("devkit-guard status")


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("verb", [["log"], ["log", "--json"], ["explain", "git"], ["status"], ["doctor"], ["lint"]])
def test_whoever_stops_reading_gets_no_complaint(
    verb: list[str], environ: Environ, tmp_path: Path, buffered: bool
) -> None:
    rules = tmp_path / ".claude" / "settings.json"
    rules.parent.mkdir()
    rules.write_text('{"permissions": {"allow": ["Bash(*)"]}}\n')
    given = {key: value for key, value in environ.items() if key != "PYTHONUNBUFFERED"} | {"HOME": str(tmp_path)}
    if not buffered:
        given["PYTHONUNBUFFERED"] = "1"
    process = subprocess.Popen([*MAIN, *verb], env=given, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().replace(b"1 file, 1 finding\n", b"")  # the summary of lint is no complaint
    assert (said, process.wait(60)) == (b"", 141)
