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
    assert run(environ, "why", "nothing")[0] == 2
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
