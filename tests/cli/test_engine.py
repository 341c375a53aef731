"""`devkit-engine` as a process: what each verb prints and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.workflow.schema import SCHEMA
from tests.workflow.conftest import environ, repository, workflow_file

__all__ = ["environ", "repository", "workflow_file"]
ROOT = Path(__file__).parents[2]
ENGINE = os.path.join(os.path.dirname(sys.executable), "devkit-engine")
Environ = dict[str, str]
Write = Callable[[str, str], str]
Engine = Callable[..., subprocess.CompletedProcess[str]]

FLOW = """\
name: flow
description: A flow.
steps:
  - {id: one, prompt: 'Do {{input}}', require: {non_empty: true}, guard: {write: ["reports/**"]}}
  - id: two
    prompt: 'Then {{one}}'
    loop: {max: 2, gate: 'test "$DEVKIT_OUT_TWO" = good'}
    goto: [{when: good, step: one}]
"""


@pytest.fixture
def engine(environ: Environ, repository: Path, workflow_file: Write) -> Engine:
    workflow_file("flow", FLOW)

    def run(*words: str, text: str = "", code: int = 0, folder: Path = repository) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [ENGINE, *words], input=text, env=environ, cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done
        assert "Traceback" not in done.stderr
        return done

    return run


def sessions(engine: Engine, *words: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(engine("session-status", *words).stdout)["sessions"]
    return found


def test_nothing_open(engine: Engine, environ: Environ) -> None:
    assert engine("session-status").stdout == '{"sessions": []}\n'
    assert engine("status").stdout == "No workflow is open.\n"
    assert not Path(environ["XDG_STATE_HOME"]).exists()


def test_a_session_from_start_to_abort(engine: Engine, repository: Path) -> None:
    assert "step 1/2: one\n\nDo it\n" in engine("start", "flow", "--input", "it").stdout
    (session,) = sessions(engine)
    times = {"started_at": session["started_at"], "updated_at": session["updated_at"], "id": session["id"]}
    assert session == {
        **times,
        "workflow": "flow",
        "status": "running",
        "step": {"index": 1, "total": 2, "id": "one", "kind": "prompt", "enforce": "hard"},
        "repo_root": str(repository),
        "host": "shell",
        "host_session": None,
        "agent": None,
        "idle": False,
        "notice": "",
        "guard": {"bash": ["read", "cache"], "run": [], "write": ["reports/**"], "tools": [], "subagents": "same"},
    }
    assert "not advanced: the output must not be empty" in engine("advance", code=1).stdout
    assert "Then from stdin" in engine("advance", "--output", "-", text="from stdin").stdout
    again = engine("advance", "--output", "bad", "--session", str(session["id"]))
    assert "loop 2/2" in again.stdout
    assert again.stderr == 'devkit-engine: gate, round 1 of 2: test "$DEVKIT_OUT_TWO" = good\n'
    shown = engine("status").stdout
    for part in ("flow  ", "step 2/2: two", str(repository), "every caller in that repository", "allows", "abort "):
        assert part in shown
    failed = engine("advance", "--output", "bad", code=1).stdout
    assert "workflow flow: failed\n\nloop used up: step two, round 2 of 2: the gate gave exit status 1" in failed
    assert sessions(engine) == []
    assert [entry["status"] for entry in sessions(engine, "--all")] == ["failed"]
    engine("start", "flow")
    assert "aborted: enough" in engine("abort", "--reason", "enough").stdout
    assert [entry["status"] for entry in sessions(engine, "--all")] == ["failed", "aborted"]


def test_the_session_is_found_by_its_id_from_anywhere(engine: Engine, tmp_path: Path) -> None:
    engine("start", "flow")
    (session,) = sessions(engine)
    refused = engine("advance", "--output", "x", code=1, folder=tmp_path)
    assert refused.stderr == f"devkit-engine: no session is open in {tmp_path}: devkit-engine status shows all\n"
    engine("advance", "--output", "x", "--session", str(session["id"]), folder=tmp_path)
    assert sessions(engine, "--session", str(session["id"]))[0]["step"] == {
        "index": 2,
        "total": 2,
        "id": "two",
        "kind": "prompt",
        "enforce": "hard",
    }
    assert "no session 'nope'" in engine("abort", "--session", "nope", "--reason", "x", code=1).stderr


USAGE = [
    (["nope"], "devkit-engine: No such command 'nope'.\n"),
    (["abort"], "devkit-engine: Missing option '--reason'.\n"),
    (["show", "flow", "--format", "png"], "devkit-engine: --format: expected text or mermaid (got 'png')\n"),
    (["validate"], "devkit-engine: validate: expected at least one file\n"),
]


def test_odd_input(engine: Engine, environ: Environ) -> None:
    environ |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "step 1/2: one" in engine("start", "flow", "--input", "ä\udcff").stdout
    assert "step 2/2: two" in engine("advance", "--output", "\udcff").stdout
    assert (
        engine("advance", "--spent", "-1", code=2).stderr == "devkit-engine: spent: expected a number from 0 (got -1)\n"
    )
    assert (
        engine("advance", "--spent", "nan", code=2).stderr
        == "devkit-engine: spent: expected a number from 0 (got nan)\n"
    )


def test_a_folder_that_is_gone(engine: Engine, environ: Environ, tmp_path: Path) -> None:
    script = f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir {tmp_path}/gone; exec {ENGINE} start flow"
    done = subprocess.run(["sh", "-c", script], env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "devkit-engine: the current folder is gone: change into one that is there\n",
    )


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_wrong_usage(engine: Engine, words: list[str], message: str) -> None:
    assert engine(*words, code=2).stderr == message


def test_a_workflow_may_be_a_file(engine: Engine, repository: Path) -> None:
    (repository / "own.yaml").write_text(FLOW.replace("name: flow", "name: own"))
    assert "devkit workflow own, session " in engine("start", "./own.yaml").stdout
    assert "own: A flow." in engine("show", "own.yaml").stdout


def test_list_shows_the_faulty_ones_too(engine: Engine, workflow_file: Write) -> None:
    path = workflow_file("bad", "name: bad\nsteps: 3\n")
    done = engine("list")
    assert "flow         2 steps  A flow.\n" in done.stdout
    assert "tri-review   6 steps  " in done.stdout
    assert done.stderr == f"faulty: {path}:1:1: workflow: missing key 'description'\n"


def test_validate(engine: Engine, workflow_file: Write) -> None:
    good, bad = workflow_file("flow", FLOW), workflow_file("bad", FLOW.replace("goto", "gote"))
    assert engine("validate", good).stdout == f"{good}: ok: flow, 2 steps\n"
    done = engine("validate", good, bad, "none.yaml", code=1)
    faults = done.stderr.splitlines()
    assert faults[0].startswith(f"{bad}:8:5: prompt step 'two': unknown key 'gote': expected one of")
    assert faults[1] == "none.yaml:0:0: cannot be read: No such file or directory"
    assert done.stdout == f"{good}: ok: flow, 2 steps\n"


def test_every_file_of_the_workflow_folder_can_be_validated(engine: Engine) -> None:
    files = sorted(str(path) for path in (ROOT / "workflows").glob("*.yaml"))
    lines = engine("validate", *files).stdout.splitlines()
    assert len(lines) == len(files) == 11
    assert [
        line.rsplit("/", 1)[1].split(",")[0]
        for line in lines
        if "ok: a pipeline" in line or "principles" in line or "sets" in line
    ] == [
        "board.yaml: ok: a pipeline of 8 stages",
        "principles.yaml: ok: 10 principles",
        "sets.yaml: ok: 5 sets",
    ]


def test_the_published_schema_is_the_newest(engine: Engine) -> None:
    printed = engine("validate", "--schema").stdout
    assert printed == (ROOT / "docs/workflow.schema.json").read_text()
    assert json.loads(printed) == SCHEMA


def test_show_draws_loops_branches_gates_and_grants(engine: Engine) -> None:
    text = engine("show", "flow").stdout
    for part in (
        "1/2 one  (prompt)",
        "loop ≤ 2, until gate: test",
        "good → one (back, at most 10 visits)",
        "reports/**",
    ):
        assert part in text
    mermaid = engine("show", "flow", "--format", "mermaid").stdout
    assert mermaid.startswith('flowchart TD\n  s0["1. one<br/>')
    assert '  s1 -->|"good"| s0\n' in mermaid
    assert '  s1 -->|"again, at most 2 rounds"| s1\n' in mermaid


def test_watch_prints_it_again(engine: Engine, environ: Environ, repository: Path) -> None:
    engine("start", "flow")
    process = subprocess.Popen(
        [ENGINE, "status", "--watch"], env=environ, cwd=repository, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    shown = [line for line, _ in zip(iter(process.stdout.readline, ""), range(16), strict=False)]
    process.terminate()
    process.wait()
    process.stdout.close()
    assert sum("step 1/2: one" in line for line in shown) > 1


def test_doctor_names_what_is_wrong_with_the_store(engine: Engine, environ: Environ) -> None:
    engine("start", "flow")
    folder = os.path.join(environ["XDG_STATE_HOME"], "devkit")
    store = Path(folder, "engine.db")
    lines = subprocess.run(
        [ENGINE, "doctor"], env=environ, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    assert lines[:2] == [f"ok    {folder}: mode 700", f"ok    {store}: mode 600"]
    store.chmod(0o644)
    assert f"fault {store}: mode 644" in engine("doctor", code=1).stdout
    store.write_bytes(b"x" * 5000)
    fault = f"fault {store}: file is not a database: run `devkit-engine doctor --repair {folder}`"
    assert fault in engine("doctor", code=1).stdout
    assert f"new store in {folder}; its sessions are over" in engine("doctor", "--repair", folder).stdout
    assert sessions(engine) == []


def test_standard_output_that_is_closed_is_no_crash(engine: Engine, environ: Environ, repository: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{ENGINE} list | head -c 1 > /dev/null"],
        env=environ,
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
