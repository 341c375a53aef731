"""Rules held against the witness: wrong ones of every class are refuted, shipped ones are not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guard.prove import prove, record
from guard.prove.examples import of_rules
from guard.rulebook import Rulebook
from guard.rulebook.load import data_folder

SHIPPED = data_folder("rules")
WRONG = {
    "write": ("touch", "touch new.txt"),
    "delete": ("rm", "rm a.txt"),
    "repo": ("git", "git tag other"),
    "process": ("renice", "renice -n 5 2"),
    "system": ("date", "date -s 2001-01-01"),
    "net_read": ("curl", "curl http://192.0.2.1/"),
    "build": ("mkdir", "mkdir -p /home/user/.cache/x"),
    "exec": ("make", "make -n"),
    "read_secret": ("head", "head -3 /home/user/.ssh/id_ed25519"),
    "net_write": ("python3", "python3 -c 'import socket; socket.socket().bind((\"127.0.0.1\", 8080))'"),
}
"""By the class that the witness has to see: a program, and an example that its rule wrongly allows."""
RULE = """summary: A rule that is wrong on purpose.
source: https://example.org/
syntax: words
operands: [{{text: many}}]
examples:
  allow: [{command}]
  veto: ["{program}"]
"""


@pytest.fixture
def wrong_rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    (folder / "commands").mkdir(parents=True)
    for name in os.listdir(SHIPPED):
        if name.endswith(".yaml"):
            shutil.copy(os.path.join(SHIPPED, name), folder / name)
    for program, command in WRONG.values():
        (folder / "commands" / f"{program}.yaml").write_text(RULE.format(program=program, command=json.dumps(command)))
    return folder


@pytest.mark.usefixtures("sandbox")
def test_a_wrong_rule_of_each_class_is_refuted(wrong_rules: Path) -> None:
    book = Rulebook(str(wrong_rules))
    found = prove(book, of_rules(book), 5.0)
    assert found["blind"] == []
    seen = {row["command"]: {one["kind"] for one in row["seen"]} for row in found["refuted"]}
    missing = {kind: command for kind, (program, command) in WRONG.items() if kind not in seen.get(command, set())}
    assert missing == {}


@pytest.mark.usefixtures("sandbox")
def test_a_slice_of_the_shipped_rules_is_not_refuted() -> None:
    book = Rulebook()
    examples = of_rules(book, ["sed", "jq", "xxd", "uniq"])
    found = prove(book, examples, 10.0)
    assert found["refuted"] == found["blind"] == found["could_not_be_run"] == []
    assert (found["examples"], found["runs"]) == (len(examples), 2 * len(examples))
    assert len(examples) > 30


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "guard.cli.main", "prove", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.usefixtures("sandbox")
def test_command_line(wrong_rules: Path) -> None:
    done = run("uniq", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["outcomes"]["refuted"] == 0
    assert "never proves" in found["caveat"]
    done = run("touch", "--rules", str(wrong_rules))
    assert done.returncode == 1
    assert "REFUTED rules/commands/touch.yaml:6: `touch new.txt`" in done.stdout
    assert "write: created /home/user/project/new.txt" in done.stdout


@pytest.mark.usefixtures("sandbox")
def test_results_are_kept(wrong_rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "witness.json"
    for words in (("uniq",), ("touch", "--rules", str(wrong_rules))):
        run(*words, "--record", str(path))
        (name,) = words[:1]
        row = json.loads(path.read_text())["rules"][name]
        assert row["digest"] == record.digest(Rulebook(words[-1] if "--rules" in words else None), f"{name}.yaml")
    assert row["runs"] == {"refuted": 2}
    row["digest"] = "of another rule"
    record.write(str(path), {}, {"touch": ""}, {"touch": row})
    book = Rulebook(str(wrong_rules))
    for rule in record.digests(book).keys() - {"touch", "date"}:
        os.remove(wrong_rules / "commands" / f"{rule}.yaml")
    for expected in (4, 0):  # touch, whose digest is another one, and date, which is not on record
        done = run("--changed", "--rules", str(wrong_rules), "--record", str(path), "--json")
        assert json.loads(done.stdout)["runs"] == expected


def test_where_there_can_be_no_sandbox(tmp_path: Path) -> None:
    done = run("uniq", PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert "it needs strace, git, bash" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("no-such-program",),
        ("uniq", "--timeout", "0"),
        ("--corpus", "/nonexistent"),
        ("--rules", "/nonexistent"),
        ("uniq", "--record", "/nonexistent/witness.json"),
        ("uniq", "--changed"),
        ("uniq", "--options", "--record", "/tmp/witness.json"),
        ("--corpus", "corpus", "--record", "/tmp/witness.json"),
    ],
)
def test_wrong_usage(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
