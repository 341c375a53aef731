"""`devkit-guard lint`, `explain` and `import` as a person calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLACE = ".claude/settings.json"
TEXT = """{
  "permissions": {
    "allow": [
      // devkit-guard: ignore[B107] thrown-away machine
      "Bash(find:*)",
      "Bash(sort:*)", // devkit-guard: ignore[unsafe-option]
      "Bash (ls:*)"
    ]
  }
}
"""


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "HOME": str(folder / "home")}
    command = [sys.executable, "-m", "guard.cli.main", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def _codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [one["code"] for one in json.loads(done.stdout)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".claude").mkdir()
    (tmp_path / PLACE).write_text(TEXT)
    return tmp_path


def test_comments_accept_findings_with_a_reason(project: Path) -> None:
    done = _run(project, "lint", "--format", "json", PLACE)
    assert (done.returncode, _codes(done)) == (1, ["B107", "N202", "S001"])


def test_select_ignore_and_configuration(project: Path) -> None:
    assert _codes(_run(project, "lint", "--format", "json", "--select", "N,S001", PLACE)) == ["N202", "S001"]
    assert _codes(_run(project, "lint", "--format", "json", "--ignore", "unsafe-option,S", PLACE)) == ["N202"]
    (project / "pyproject.toml").write_text(
        '[tool.devkit-guard.lint]\nignore = ["S"]\nper-file-ignores = {".claude/*" = ["B107 a reason"]}\n'
    )
    assert _codes(_run(project, "lint", "--format", "json", PLACE)) == ["N202"]
    (project / ".devkit-guard.toml").write_text('[lint]\nexclude = [".claude/*"]\n')
    done = _run(project, "lint", "--format", "json", ".")
    assert (done.returncode, _codes(done)) == (0, [])


def test_fix_diff_and_exit_zero(project: Path) -> None:
    text = TEXT.replace('"Bash (ls:*)"', '"Bash(ls:*)",\n      "Bash(ls -l)"')
    (project / PLACE).write_text(text)
    shown = _run(project, "lint", "--diff", PLACE)
    assert shown.returncode == 1
    assert '-      "Bash(ls:*)",\n-      "Bash(ls -l)"\n+      "Bash(ls:*)"\n' in shown.stdout
    assert (project / PLACE).read_text() == text
    (project / PLACE).chmod(0o640)
    done = _run(project, "lint", "--fix", "--exit-zero", "--statistics", PLACE)
    assert done.returncode == 0
    assert done.stdout == "     1  B107  unsafe-option\n     1  S001  no-reason\n"
    assert (project / PLACE).read_text() == TEXT.replace("Bash (ls", "Bash(ls")  # comments and order as they were
    assert (project / PLACE).stat().st_mode & 0o777 == 0o640
    assert _run(project, "lint", "--diff", PLACE).stdout == ""
    _run(project, "lint", "--fix", "--unsafe-fixes", PLACE)
    assert '"Bash(sort:*)"' not in (project / PLACE).read_text()
    assert '"Bash(find:*)"' in (project / PLACE).read_text()


def test_without_a_path_the_places_of_the_tools_are_looked_at(project: Path) -> None:
    home = project / "home" / ".codex" / "rules"
    home.mkdir(parents=True)
    (home / "default.rules").write_text('prefix_rule(pattern=["git"])\n')
    (project / "opencode.json").write_text('{"permission": "allow"}')
    done = _run(project, "lint", "--format", "json", "--select", "B")
    found = {(os.path.basename(one["path"]), one["code"]) for one in json.loads(done.stdout)}
    assert found == {("settings.json", "B107"), ("default.rules", "B105"), ("opencode.json", "B101")}


def test_formats(project: Path) -> None:
    assert (
        "::error file=.claude/settings.json,line=7,col=8" in _run(project, "lint", "--format", "github", PLACE).stdout
    )
    assert json.loads(_run(project, "lint", "--format", "sarif", PLACE).stdout)["version"] == "2.1.0"
    text = _run(project, "lint", PLACE).stdout
    assert '7 |       "Bash (ls:*)"\n  |        ^^^^^^^^^^^' in text
    (project / "mine.txt").write_text("rm\n")
    assert _codes(_run(project, "lint", "--format", "json", "--as", "list", "mine.txt")) == ["B106"]


def test_explain() -> None:
    here = Path.cwd()
    assert _run(here, "explain", "B107").stdout.startswith(
        "B107 unsafe-option (warning)\n\nA rule that allows a reader"
    )
    assert _run(here, "explain", "rule-example").stdout.startswith("O803 rule-example (error)")
    assert "  -o, --output write  -o writes the result to this file\n" in _run(here, "explain", "sort").stdout
    assert "  --output write  " in _run(here, "explain", "git", "log").stdout
    done = _run(here, "explain", "unsafe-optoin")
    assert (done.returncode, "did you mean 'unsafe-option'?" in done.stderr) == (2, True)


def test_import(tmp_path: Path) -> None:
    rules = ["Bash(ls:*)", "Bash(npm run build)", "Bash(git:*)", "mcp__x__y", "mcp__z__*", "Bash(git commit -m 'a b')"]
    (tmp_path / "s.json").write_text(
        json.dumps({"permissions": {"allow": [*rules, "Read(src/**)"], "deny": ["Bash(rm:*)"]}})
    )
    done = _run(tmp_path, "import", "--as", "claude", "s.json")
    assert done.returncode == 0
    assert done.stdout == (
        "# Imported from s.json. Reading is granted already; this is what is granted beyond it.\n"
        "guard:\n"
        "  run:\n"
        "    - ['npm', 'run', 'build']\n"
        "    - ['git', 'commit', '-m', 'a b']\n"
        "  tools:\n"
        "    - 'mcp__x__y'\n"
    )
    lines = done.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines[:-1]] == [
        "needless", "kept", "dropped", "kept", "dropped", "kept", "needless", "needless",
    ]  # fmt: skip
    assert lines[-1] == "3 kept, 3 needless, 2 dropped"
    report = json.loads(_run(tmp_path, "import", "--as", "claude", "--json", "s.json").stdout)
    assert [one["what"] for one in report["rules"]].count("kept") == 3
    (tmp_path / "bad.json").write_text("{")
    assert _run(tmp_path, "import", "--as", "claude", "bad.json").returncode == 2
