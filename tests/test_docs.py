"""What README and docs say is so: examples are replayed, tables complete."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from guard.model.effect import Kind

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str, page: str = README) -> list[str]:
    """Contents of fenced blocks of a kind."""
    found: list[str] = []
    lines: list[str] = []
    inside = False
    for line in page.splitlines():
        if line == f"```{kind}" and not inside:
            inside, lines = True, []
        elif line == "```" and inside:
            found.append("\n".join(lines) + "\n")
            inside = False
        elif inside:
            lines.append(line)
    return found


@pytest.mark.parametrize("block", [block for block in blocks("console") if block.startswith("$ devkit-guard classify")])
def test_examples_print_what_readme_shows(block: str) -> None:
    command, _, expected = block.removeprefix("$ devkit-guard ").partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "guard.cli.main", *shlex.split(command)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.stdout == expected


def test_the_frontier_table_is_what_its_command_prints() -> None:
    done = subprocess.run(
        [sys.executable, "tests/bench/frontier.py"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    first, second, cases, *_ = done.stdout.splitlines()
    assert "\n".join((first, second, cases)) in README


def test_the_rule_that_the_page_on_rules_begins_with_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "rules-format.md").read_text(encoding="utf-8")
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "sed.yaml").write_text(blocks("yaml", page)[0], encoding="utf-8")
    command = [sys.executable, "-m", "guard.cli.main", "lint", "--as", "rules", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "1 file, 0 findings\n")


def test_every_effect_is_explained() -> None:
    assert [kind.value for kind in Kind if f"`{kind.value}`" not in README] == []


def test_every_verb_is_documented() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from guard.cli.app import app; print(*(c.callback.__name__ for c in app.registered_commands), "
            "*(group.name for group in app.registered_groups))",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert [verb for verb in done.stdout.split() if f"devkit-guard {verb.strip('_')}" not in README] == []


def test_the_project_speaks_of_itself_alone() -> None:
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False, cwd=ROOT).stdout.split(
        "\n"
    )
    words = ("/work/" + "shared", "pypi" + ".org", "registry.npmjs" + ".org")
    found = []
    for name in tracked:
        path = ROOT / name
        if name and path.is_file() and path.suffix in (".py", ".md", ".yaml", ".toml", ".sh", ".json", ".jsonl", ""):
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{name}: {word}" for word in words if word in text]
    assert found == []
