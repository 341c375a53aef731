"""The pre-commit hook and the GitHub Action: what they name is there, and their commands do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from guard.lint.discover import form_of
from guard.lint.foreign import FORMATS

ROOT = Path(__file__).resolve().parents[2]
GOOD = '{"permissions": {"allow": ["Bash(ls:*)"]}}\n'
BAD = '{"permissions": {"allow": ["Bash(ls:*)", "Bash(find:*)"]}}\n'


def _load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def _environment(home: Path) -> dict[str, str]:
    """Programs of this interpreter first, the checkout importable, and no configuration of a person."""
    paths = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
    return {**kept, "HOME": str(home), "PATH": paths, "PRE_COMMIT_HOME": str(home / "cache"), "PYTHONPATH": str(ROOT)}


def test_the_hook_sees_the_project_files_of_every_format() -> None:
    (hook,) = _load(".pre-commit-hooks.yaml")
    files = re.compile(hook["files"])
    for name, module in FORMATS.items():
        for path in module.PROJECT:
            shown = path.replace("*", "x")
            assert files.search(shown), (name, shown)
            assert form_of(shown) == name
    for path in ("src/settings.json", "firebase/storage.rules", "allowlist.txt", ".devkit-guard/config.yaml"):
        assert not files.search(path), path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that has the hook from a copy of this checkout's definition, run with what is installed here.

    What is not tried here, as it takes a network and half a minute, is that pre-commit installs the package by itself.
    """
    pytest.importorskip("pre_commit")
    if shutil.which("git") is None:
        pytest.skip("no git here")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs, tmp_path / "home"):
        folder.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", ours)
    commit = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x"]
    for command in (["git", "init", "-q"], ["git", "add", "-A"], commit):
        subprocess.run(command, cwd=ours, env=_environment(tmp_path / "home"), check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ours, capture_output=True, text=True, check=True)
    hook = {"id": "devkit-guard-lint", "language": "system", "entry": f"{sys.executable} -m guard.cli.main lint"}
    config = {"repos": [{"repo": str(ours), "rev": head.stdout.strip(), "hooks": [hook]}]}
    (theirs / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=theirs, env=_environment(tmp_path / "home"), check=True)
    return theirs


@pytest.mark.parametrize(("text", "code", "shown"), [(GOOD, 0, "Passed"), (BAD, 1, "find . -delete")])
def test_pre_commit_runs_the_hook(repository: Path, text: str, code: int, shown: str) -> None:
    environment = _environment(repository.parent / "home")
    (repository / ".claude").mkdir()
    (repository / ".claude" / "settings.json").write_text(text, encoding="utf-8")
    (repository / "storage.rules").write_text("service x {}\n", encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=repository, env=environment, check=True)
    command = [sys.executable, "-m", "pre_commit", "run"]
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, shown in done.stdout) == (code, True), done


def _step(inputs: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The last step of the action as GitHub runs it: expressions replaced, `bash --noprofile --norc -eo pipefail`."""
    action = _load("action.yml")
    values = {name: one["default"] for name, one in action["inputs"].items()} | inputs
    step = action["runs"]["steps"][-1]
    given = {
        key: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: values[found[1]], text)
        for key, text in step["env"].items()
    }
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "devkit-guard").write_text(f'#!/bin/sh\nexec {sys.executable} -m guard.cli.main "$@"\n')
    (programs / "devkit-guard").chmod(0o755)
    environment = {**_environment(folder), **given}
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    script = folder / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(
        command, cwd=folder / "work", env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A work tree with a good and a bad file, one of them in a folder with a blank."""
    for name, text in {"a/.claude/settings.json": GOOD, "b c/.claude/settings.json": BAD}.items():
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("inputs", "code", "out"),
    [
        ({}, 1, "::warning file=./b c/.claude/settings.json,line=1,"),
        ({"paths": "a"}, 0, ""),
        ({"paths": "a\n.\n"}, 1, "::warning file=./b c/.claude/settings.json,line=1,"),
        ({"ignore": "B107"}, 0, ""),
        ({"select": "N,unsafe-option"}, 1, "find . -delete"),
        ({"paths": "--help"}, 2, ""),
        ({"paths": "$(touch x)"}, 2, ""),
        ({"select": "Z1"}, 2, ""),
    ],
)
def test_the_action_lints(work: Path, inputs: dict[str, str], code: int, out: str) -> None:
    done = _step(inputs, work)
    assert (done.returncode, out in done.stdout, bool(done.stdout)) == (code, True, bool(out)), done
    assert sorted(os.listdir(work / "work")) == ["a", "b c"]


def test_the_action_writes_sarif_and_still_fails(work: Path) -> None:
    done = _step({"sarif": "findings.sarif"}, work)
    found = json.loads((work / "work" / "findings.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert (done.returncode, [one["ruleId"] for one in found]) == (1, ["B107"])


def test_the_action_reads_inputs_by_environment_only() -> None:
    action = _load("action.yml")
    assert all("${{" not in step.get("run", "") for step in action["runs"]["steps"])
    used = set(re.findall(r"inputs\.([a-z-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
