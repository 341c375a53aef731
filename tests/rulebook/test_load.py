"""Rules from files: compiled forms, broken files, the user's and a repository's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from guard import judge
from guard.classify import Place
from guard.model.errors import RuleError
from guard.model.grant import Grant
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook, build
from guard.rulebook.load import data_folder

ROOT = Path(__file__).parents[2]
TEXT = """summary: For tests.
source: https://example.org/
aliases: [other]
{more}operands: [{{read: many}}]
examples: {{allow: ["prog a"], veto: ["prog -x"]}}
"""


def rule(folder: Path, name: str, more: str = "", text: str | None = None) -> Path:
    path = folder / "commands" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEXT.format(more=more) if text is None else text)
    return path


def shipped(tmp_path: Path) -> Path:
    """A copy of a few shipped rules and all data files."""
    folder = tmp_path / "rules"
    (folder / "commands").mkdir(parents=True)
    for name in ("ls", "cat", "sed"):
        shutil.copy(f"{data_folder('rules')}/commands/{name}.yaml", folder / "commands")
    for name in build.DATA:
        shutil.copy(f"{data_folder('rules')}/{name}.yaml", folder)
    return folder


def verdict(command: str, book: Rulebook) -> Verdict:
    return judge.command(command, Place("/nonexistent", "/home/user"), Grant(), book)


def allowed(command: str, book: Rulebook) -> bool:
    return verdict(command, book).decision is Decision.ALLOW


def test_a_rule_is_compiled_once_and_anew_when_it_changes(tmp_path: Path) -> None:
    path = rule(tmp_path, "prog")
    first = Rulebook(str(tmp_path)).rule("prog")
    compiled = tmp_path / ".compiled" / "prog.json"
    assert first is not None
    stamp = compiled.stat().st_mtime_ns
    assert Rulebook(str(tmp_path)).rule("other") == first
    assert compiled.stat().st_mtime_ns == stamp
    path.write_text(TEXT.format(more="inert: true\n"))
    again = Rulebook(str(tmp_path)).rule("other")
    assert again is not None
    assert (first.inert, again.inert) == (False, True)


@pytest.mark.parametrize(
    "content", [b"", b"x", b"99\tprog.yaml\t1:1\n[]", b"3\n[]", b"\xff\xff\n{", b"3\t../../../etc\t1:2\n1"]
)
def test_a_compiled_file_that_is_no_such_thing_is_not_believed(tmp_path: Path, content: bytes) -> None:
    rule(tmp_path, "prog")
    first = Rulebook(str(tmp_path)).rule("prog")
    (tmp_path / ".compiled" / "prog.json").write_bytes(content)
    assert Rulebook(str(tmp_path)).rule("prog") == first


def test_a_compiled_file_that_others_can_write_is_not_believed(tmp_path: Path) -> None:
    rule(tmp_path, "prog")
    first = Rulebook(str(tmp_path)).rule("prog")
    compiled = tmp_path / ".compiled" / "prog.json"
    head, _, body = compiled.read_text().partition("\n")
    row = json.loads(body)
    row[8] = not row[8]
    compiled.write_text(f"{head}\n{json.dumps(row)}")
    compiled.chmod(0o666)
    assert Rulebook(str(tmp_path)).rule("prog") == first


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    rule(tmp_path, "prog")
    (tmp_path / ".compiled").write_text("a file where the folder should be")
    assert Rulebook(str(tmp_path)).rule("prog") is not None


BROKEN = {
    "not YAML": ("summary: [", "not valid YAML"),
    "empty": ("", "empty file"),
    "binary": ("\x00\x01", "not valid YAML"),
    "unknown key": (TEXT.format(more="wirte: x\n"), "unknown key 'wirte'"),
    "unknown effect": (TEXT.format(more="effect: wirte\n"), "did you mean 'write'?"),
    "list": ("- a\n", "expected a mapping"),
    "twice": (TEXT.format(more="summary: again\n"), "stands twice"),
    "any on a reader": (TEXT.format(more="any: true\n"), "any: only for a node"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_fails_closed_for_its_program_alone(tmp_path: Path, name: str) -> None:
    text, message = BROKEN[name]
    folder = shipped(tmp_path)
    rule(folder, "ls", text=text)
    book = Rulebook(str(folder))
    with pytest.raises(RuleError, match=r"rules/commands/ls\.yaml:"):
        book.rule("ls")
    (reason,) = verdict("ls -la", book).reasons
    assert (reason.code, message in reason.message) == ("broken-rule", True)
    assert allowed("cat a.txt", book)


def test_a_rule_that_is_not_a_file(tmp_path: Path) -> None:
    folder = shipped(tmp_path)
    (folder / "commands" / "ls.yaml").unlink()
    (folder / "commands" / "ls.yaml").mkdir()
    book = Rulebook(str(folder))
    assert [reason.code for reason in verdict("ls", book).reasons] == ["broken-rule"]
    assert allowed("cat a.txt", book)


def test_missing_data_is_a_veto_that_says_so(tmp_path: Path) -> None:
    folder = shipped(tmp_path)
    (folder / "environment.yaml").unlink()
    (reason,) = verdict("TZ=UTC ls", Rulebook(str(folder))).reasons
    assert (reason.code, "rules/environment.yaml" in reason.message) == ("data", True)


def test_the_user_can_add_tighten_and_replace(tmp_path: Path) -> None:
    folder, user = shipped(tmp_path), tmp_path / "user"
    rule(user, "mine", text=TEXT.format(more="").replace("other", "mine2"))
    rule(user, "cat", text=TEXT.format(more="effect: exec\n").replace("other", "cat2"))
    book = Rulebook(str(folder), str(user))
    assert [allowed(line, book) for line in ("mine a", "mine2 a", "mine -x", "cat a", "ls")] == [
        True, True, False, False, True,
    ]  # fmt: skip
    rule(user, "sed", text=TEXT.format(more="").replace("other", "sed2"))
    assert not allowed("sed w f", Rulebook(str(folder), str(user)))
    rule(user, "sed", text=TEXT.format(more="override: true\n").replace("other", "sed2"))
    assert allowed("sed w f", Rulebook(str(folder), str(user)))


def test_a_repository_can_only_tighten(tmp_path: Path) -> None:
    folder, local = shipped(tmp_path), tmp_path / "local"
    rule(local, "mine", text=TEXT.format(more="override: true\n").replace("other", "mine2"))
    rule(local, "sed", text=TEXT.format(more="override: true\n").replace("other", "sed2"))
    rule(local, "cat", text=TEXT.format(more="effect: exec\n").replace("other", "cat2"))
    rule(local, "ls", text="broken: [")
    book = Rulebook(str(folder), None, str(local))
    assert not any(allowed(line, book) for line in ("mine a", "sed w f", "cat a", "ls"))
    assert allowed("sed -n p f", book) is False  # the repository's rule of sed has no -n


def test_the_users_folder_is_found_by_the_command_line(tmp_path: Path) -> None:
    rule(tmp_path / "devkit-guard" / "rules", "mine-only", text=TEXT.format(more="").replace("other", "mine-too"))
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "guard.cli.main", "classify", "mine-only a | mine-too b"]
    assert subprocess.run(command, env=environment, capture_output=True, check=False, cwd="/").returncode == 0
    environment["XDG_CONFIG_HOME"] = str(tmp_path / "empty")
    assert subprocess.run(command, env=environment, capture_output=True, check=False, cwd="/").returncode == 1


def test_every_shipped_rule_compiles_to_what_is_loaded() -> None:
    folder = data_folder("rules")
    for source in build.sources(folder):
        if os.sep not in source:
            for name, row in build.compile_file(folder, source).items():
                assert Rulebook(folder).rule(name) is not None, (source, row)


def test_a_file_of_its_own_wins_over_an_alias_that_was_compiled_before(tmp_path: Path) -> None:
    rule(tmp_path, "prog")
    book = Rulebook(str(tmp_path))
    assert (found := book.rule("other")) is not None
    assert found.name == "prog"
    rule(tmp_path, "other", text=TEXT.format(more="").replace("aliases: [other]\n", ""))
    assert (found := Rulebook(str(tmp_path)).rule("other")) is not None
    assert found.name == "other"


def test_aliases_of_yaml_that_would_fill_the_memory_are_refused(tmp_path: Path) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join(['*' + before] * 10)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    rule(tmp_path, "prog", text="\n".join(lines))
    with pytest.raises(RuleError, match="aliases that stand for more than"):
        Rulebook(str(tmp_path)).rule("prog")


@pytest.mark.parametrize("compiled", [False, True])
def test_a_pipe_is_no_rule(tmp_path: Path, compiled: bool) -> None:
    path = rule(tmp_path, "prog")
    if compiled:
        Rulebook(str(tmp_path)).rule("prog")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(RuleError, match="not a plain file"):
        Rulebook(str(tmp_path)).rule("prog")
    assert Rulebook(str(tmp_path)).rule("nothing") is None
