"""`devkit-guard new rule`: from a manual page or from help, never over a file, never running a program unasked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
needs_man = pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
PAGE = """.TH MYTOOL 1
.SH NAME
mytool \\- shows things
.SH OPTIONS
.TP
.BR \\-o ", " \\-\\-output =\\fIFILE\\fR
Write to FILE.
.TP
.B \\-\\-force
Do it.
"""
HELP = "usage: mytool\n\n  -o, --output FILE  write to FILE\n      --force        do it\n"
OPTIONS = {"-o, --output": {"effect": "opaque", "takes": "text"}, "--force": {"effect": "opaque"}}


class Home:
    """A home folder with one program on the PATH, which leaves a mark when it is run, and a folder of manual pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = folder / "ran"
        (folder / "bin").mkdir()
        (folder / "man" / "man1").mkdir(parents=True)
        program = folder / "bin" / "mytool"
        program.write_text(f"#!/bin/sh\ntouch '{self.mark}'\ncat\ncat <<'END'\n{HELP}END\n")
        program.chmod(0o755)

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **{name: value for name, value in os.environ.items() if name != "XDG_CONFIG_HOME"},
            "HOME": str(self.folder),
            "MANPATH": str(self.folder / "man"),
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            **more,
        }
        return subprocess.run(
            [sys.executable, "-m", "guard.cli.main", "new", "rule", *words],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=self.folder,
        )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def option_rows(text: str) -> dict[str, dict[str, str]]:
    found = yaml.safe_load(text)["options"]
    return {name: {key: value for key, value in row.items() if key != "message"} for name, row in found.items()}


@needs_man
def test_from_a_manual_page(home: Home) -> None:
    (home.folder / "man" / "man1" / "mytool.1").write_text(PAGE)
    done = home.run("mytool", "--output", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert option_rows(done.stdout) == OPTIONS
    assert yaml.safe_load(done.stdout)["summary"] == "TODO: shows things"
    assert not home.mark.exists()


REAL = {
    "wc": {"-c, --bytes", "-l, --lines", "-w, --words"},
    "sort": {"-o, --output", "-u, --unique", "--compress-program"},
    "bash": {"-c", "-i", "-r", "-s"},
}


@needs_man
@pytest.mark.parametrize(("program", "expected"), REAL.items(), ids=REAL)
def test_real_pages(home: Home, program: str, expected: set[str]) -> None:
    if subprocess.run(["man", "-w", "-S", "1", program], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"no manual page of {program}")
    done = home.run(program, "-o", "-", MANPATH="")
    assert done.returncode == 0
    assert option_rows(done.stdout).keys() >= expected


@needs_man
def test_where_it_goes(home: Home) -> None:
    (home.folder / "man" / "man1" / "mytool.1").write_text(PAGE)
    own = home.folder / ".config" / "devkit-guard" / "rules" / "commands" / "mytool.yaml"
    assert home.run("mytool", "--user").returncode == 0
    assert home.run("mytool").returncode == 2  # no folder of rules here
    (home.folder / "rules" / "commands").mkdir(parents=True)
    assert home.run("mytool").returncode == 0
    written = home.folder / "rules" / "commands" / "mytool.yaml"
    assert option_rows(own.read_text()) == option_rows(written.read_text()) == OPTIONS
    for words, path in ((("--user",), own), ((), written), (("-o", str(own)), own)):
        path.write_text("mine")
        done = home.run("mytool", *words)
        assert (done.returncode, done.stdout, path.read_text()) == (2, "", "mine")
        assert "is there already" in done.stderr


@needs_man
def test_lint_refuses_it_until_it_is_judged(home: Home) -> None:
    (home.folder / "man" / "man1" / "mytool.1").write_text(PAGE)
    path = home.folder / "rules" / "commands" / "mytool.yaml"
    home.run("mytool", "-o", str(path))
    lint = [sys.executable, "-m", "guard.cli.main", "lint", "--format", "json", str(path)]
    done = subprocess.run(lint, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, {row["code"] for row in json.loads(done.stdout)}) == (1, {"O810"})
    judged = path.read_text().replace("TODO: ", "").replace("effect: opaque\nmessage", "message")
    path.write_text(judged.replace('{allow: [], veto: ["mytool"]}', "{allow: [mytool], veto: [mytool --force]}"))
    done = subprocess.run(lint, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_from_help_only_when_told_to(home: Home) -> None:
    done = home.run("mytool", "-o", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--run-help" in done.stderr
    assert not home.mark.exists()
    done = home.run("mytool", "-o", "-", "--run-help")
    assert done.returncode == 0
    assert option_rows(done.stdout) == OPTIONS
    assert "is run without a sandbox" in done.stderr  # it does not see the home folder
    assert home.mark.exists()


def test_help_of_a_system_program_is_read_in_the_sandbox(home: Home) -> None:
    done = home.run("grep", "-o", "-", "--run-help")
    assert done.returncode == 0
    assert len(option_rows(done.stdout)) > 5
    assert done.stderr == "" or "cannot run here" in done.stderr


WRONG = {
    "../mytool": "is a path",
    "/bin/ls": "is a path",
    "a b": "cannot be a program's name",
    "-": "cannot be a program's name",
    "-x": "cannot be a program's name",
    "a..b": "cannot be a program's name",
    ".x": "cannot be a program's name",
    "": "cannot be a program's name",
    "l\u0455": "cannot be a program's name",
    "no-such-program-here": "is not found",
}


@pytest.mark.parametrize(("name", "message"), WRONG.items())
def test_names_that_are_none(home: Home, name: str, message: str) -> None:
    done = home.run("-o", "x.yaml", "--run-help", "--", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (home.folder / "x.yaml").exists()


def test_an_alias_has_its_rule_already(home: Home) -> None:
    commands = home.folder / "rules" / "commands"
    commands.mkdir(parents=True)
    shutil.copy(ROOT / "rules" / "commands" / "sed.yaml", commands)
    done = home.run("gsed")
    assert (done.returncode, done.stdout) == (2, "")
    assert "gsed has a rule already: rules/commands/sed.yaml" in done.stderr
