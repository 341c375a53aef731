"""The vendors' own programs obey what `init` writes: a veto, an allow, and what they do when the hook is gone.

They are not installed with the project: put them into one folder and name it in `DEVKIT_GUARD_RUNTIMES`. Nothing leaves
the machine: the model is `tests/runtimes/model.py`, the home folder a new one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from guard.setup.probes import probe
from guard.setup.reading import RUNS
from guard.setup.runtimes import BY_NAME
from tests.runtimes.model import Model
from tests.runtimes.programs import PROGRAMS
from tests.setup.machine import PROGRAM

FOLDER = os.environ.get("DEVKIT_GUARD_RUNTIMES", "")
SECONDS = 120


class Seen(NamedTuple):
    """`made`: whether the command has made its file. `told` is what the model was told, `logged` our own verdicts."""

    made: bool
    told: str
    logged: list[str]


def stop_what_stays(home: Path) -> None:
    """Ends processes that a program has left behind (Cline's hub): those whose HOME is this home folder."""
    mark = f"HOME={home}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in entry.read_bytes().split(b"\0"):
                os.kill(int(entry.parent.name), signal.SIGKILL)
        except OSError:  # gone, or somebody else's
            continue


def attempt(name: str, home: Path, command: str, registered: str | None) -> Seen:
    """One run of the vendor's program, with a hook that starts the program `registered`."""
    program = PROGRAMS[name]
    work = home / "work"
    shutil.rmtree(home, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "there").write_text("what is there\n")
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    with Model(command) as model:

        def filled(text: str) -> str:
            return text.replace("{url}", model.url).replace("{home}", str(home)).replace("{work}", str(work))

        for place, text in program.files.items():
            (home / place).parent.mkdir(parents=True, exist_ok=True)
            (home / place).write_text(filled(text))
        environ = {"HOME": str(home), "PATH": FOLDER + os.pathsep + os.environ["PATH"], "LANG": "C.UTF-8"}
        environ |= {key: filled(value) for key, value in program.environ.items()}
        if registered is not None:
            init = [PROGRAM, "init", "--agent", name, "--mode", "always", "--command", registered]
            subprocess.run(init, env=environ, cwd=work, check=True, capture_output=True)
        done = subprocess.run(
            list(program.command),
            env=environ,
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        stop_what_stays(home)
        assert model.requests, done.stderr.decode("utf-8", "replace")[-2000:]
        log = home / ".local/state/devkit/decisions.jsonl"
        records = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        logged = [record["verdict"] for record in records if record["event"] == "tool"]
        return Seen((work / "made").exists(), "\n".join(model.results), logged)


def test_every_program_belongs_to_a_runtime_that_says_so() -> None:
    assert set(PROGRAMS) == {name for name, runtime in BY_NAME.items() if runtime.certainty == "live"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_obeys(name: str, tmp_path: Path) -> None:
    if not FOLDER or shutil.which(name, path=FOLDER) is None:  # each program has the name of its runtime
        pytest.skip(f"no `{name}` in the folder DEVKIT_GUARD_RUNTIMES ({PROGRAMS[name].package})")
    free = attempt(name, tmp_path / "home", "touch made", None)
    assert free == (True, free.told, [])
    vetoed = attempt(name, tmp_path / "home", "touch made", PROGRAM)
    assert (vetoed.made, vetoed.logged) == (False, ["veto"])
    if name != "cline":  # which ends the task instead of telling the model
        assert "this command does more than read" in vetoed.told
    allowed = attempt(name, tmp_path / "home", "cat there", PROGRAM)
    assert allowed.logged == ["allow"]
    assert "what is there" in allowed.told
    broken = attempt(name, tmp_path / "home", "touch made", "/no/such/devkit-guard")
    assert broken.made == (PROGRAMS[name].broken == RUNS)


def test_the_hook_manager_of_auggie_obeys(tmp_path: Path) -> None:
    """It needs an account to run, so its hook manager is run alone: it loads the file, runs the hook and obeys."""
    bundle = shutil.which("auggie", path=FOLDER) if FOLDER else None
    if bundle is None:
        pytest.skip("no `auggie` in the folder DEVKIT_GUARD_RUNTIMES (npm: @augmentcode/auggie)")
    environ = {"HOME": str(tmp_path), "PATH": FOLDER + os.pathsep + os.environ["PATH"]}
    init = [PROGRAM, "init", "--agent", "augment", "--mode", "always"]
    subprocess.run(init, env=environ, cwd=tmp_path, check=True, capture_output=True)
    found = []
    for command in ("touch made", "ls"):
        manager = ["node", str(Path(__file__).parent / "auggie.mjs"), os.path.realpath(bundle)]
        event = probe("augment", str(tmp_path), command)
        done = subprocess.run(manager, input=event, env=environ, cwd=tmp_path, capture_output=True, check=True)
        seen = json.loads(done.stdout)
        assert (seen["warnings"], "PreToolUse" in seen["events"]) == ([], True)
        (result,) = seen["results"]
        found.append(result["shouldContinue"])
    assert found == [False, True]
