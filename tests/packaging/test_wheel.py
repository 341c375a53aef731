"""The wheel, installed where the checkout is not to be seen: everything is in it, is used, and nothing is written."""

from __future__ import annotations

import email
import json
import os
import site
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Paths = tuple[Path, Path]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built by the backend that is installed here."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*command, "-w", str(folder), str(ROOT)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Paths:
    """(the folder of its programs, its site-packages). What it depends on comes from the environment of the tests, the
    link of which to the checkout is not followed from there."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-deps", "--no-index"]
    done = subprocess.run([*command, str(wheel)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder / "bin", packages


def test_metadata_and_licence(wheel: Path) -> None:
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
        assert archive.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        programs = archive.read(f"{info}/entry_points.txt").decode()
    assert (metadata["Name"], metadata["License-Expression"]) == ("devkit-guard", "GPL-3.0-or-later")
    assert metadata["License-File"] == "LICENSE"
    assert metadata["Summary"] == project["description"]
    assert metadata["Requires-Python"] == project["requires-python"]
    assert all(f"{name} = {place}" in programs for name, place in project["scripts"].items())
    assert metadata.get_payload(decode=True) == (ROOT / "README.md").read_bytes()


def test_all_data_is_inside_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("rules", "workflows"):
        there = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.yaml")}
        there |= {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.md")}
        assert {f"guard/data/{path}" for path in there} <= names
    package = {path.relative_to(ROOT) for path in (ROOT / "guard").rglob("*") if path.is_file()}
    assert {str(path) for path in package if "__pycache__" not in path.parts} <= names
    assert sum(name.startswith("guard/data/rules/.compiled/") for name in names) > 900
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"guard"}


RUNS: list[tuple[list[str], int, str]] = [
    (["devkit-guard", "lint", "--format", "concise"], 1, ".claude/settings.json:1:27: warning B107"),
    (["devkit-guard", "classify", "git log"], 0, "allow"),
    (["devkit-guard", "classify", "git push"], 1, "rules/commands/git/push.yaml"),
    (["devkit-guard", "explain", "B107"], 0, "B107 unsafe-option"),
    (["devkit-guard", "explain", "git", "log"], 0, "rules/commands/git/log.yaml"),
    (["devkit-guard", "import", ".claude/settings.json"], 0, "guard:"),
    (["devkit-engine", "list"], 0, "tri-review"),
    (["devkit-engine", "show", "tri-review"], 0, "Reviews a change three times"),
]


@pytest.mark.parametrize(("command", "code", "out"), RUNS, ids=[" ".join(run[0]) for run in RUNS])
def test_programs_run_and_write_nothing_beside_themselves(
    installed: Paths, tmp_path: Path, command: list[str], code: int, out: str
) -> None:
    programs, packages = installed
    for name in ("home", "work/.claude"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work" / ".claude" / "settings.json").write_text('{"permissions":{"allow":["Bash(find:*)"]}}')
    before = _state(packages)
    done = _run(programs / command[0], command[1:], tmp_path)
    assert (done.returncode, out in done.stdout) == (code, True), done
    assert _state(packages) == before
    written = {path.name for path in (tmp_path / "home").rglob("*") if path.is_file()}
    assert not any(name.endswith((".json", ".yaml")) for name in written), written


def test_the_compiled_rules_are_used(installed: Paths, tmp_path: Path) -> None:
    """With the YAML gone the answers are the same, and no reader of YAML is loaded."""
    script = (
        "import sys; from guard import judge; from guard.classify import Place; from guard.model.grant import Grant\n"
        "import guard.rulebook as r; b = r.Rulebook(); print(b.folder)\n"
        "print(judge.command('git log | sed -n 1p', Place('/', '/'), Grant(), b).decision.name, 'yaml' in sys.modules)"
    )
    programs, packages = installed
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    done = _run(programs / "python", ["-c", script], tmp_path)
    assert done.stdout.splitlines() == [str(packages / "guard" / "data" / "rules"), "ALLOW False"], done


def test_the_hook_and_the_language_server_answer(installed: Paths, tmp_path: Path) -> None:
    programs, _ = installed
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm x"}, "cwd": "/"}
    done = _run(
        programs / "devkit-guard", ["hook", "--agent", "claude", "--mode", "always"], tmp_path, json.dumps(call)
    )
    assert (done.returncode, '"deny"' in done.stdout) == (2, True), done
    body = '{"jsonrpc":"2.0","id":1,"method":"shutdown","params":null}'
    done = _run(programs / "devkit-guard", ["lsp"], tmp_path, f"Content-Length: {len(body)}\r\n\r\n{body}")
    assert '"result": null' in done.stdout, done


def _run(
    program: Path, arguments: list[str], folder: Path, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LANG": "C.UTF-8"}
    return subprocess.run(
        [str(program), *arguments],
        cwd=folder / "work",
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _state(packages: Path) -> dict[str, tuple[int, int]]:
    """Every file of the installed package but Python's own caches, with its size and time."""
    found = (path for path in packages.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}
