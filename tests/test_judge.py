"""Calls against a grant: files that tools write, and commands whose folder is not certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from guard.judge import Case
from guard.model.call import ToolCall
from guard.model.grant import Grant, Step

GRANT = Grant(write=("**",), run=(("touch", "*"),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in (".claude", "docs", "elsewhere"):
        (tmp_path / folder).mkdir()
    return tmp_path


def refused(root: Path, runtime: str, tool: str, **arguments: object) -> str | None:
    call = ToolCall(runtime, tool, arguments, str(root), "H")
    return Case(call).refused(Step("s", "flow", "a", 1, 2, True, GRANT, repository=str(root)))


@pytest.mark.parametrize(
    ("path", "passes"),
    [
        ("docs/a.md", True),
        (".claude/settings.json", False),
        (".claude/settings.json ", False),
        (" .claude/settings.json", False),
        ("\t.claude/settings.json\n", False),
        ("docs/../.claude/settings.json ", False),
    ],
)
def test_blanks_at_the_ends_of_a_path_hide_nothing(path: str, passes: bool, root: Path) -> None:
    assert (refused(root, "claude", "Write", file_path=path, content="x") is None) is passes


def test_blanks_at_the_ends_of_a_path_hide_no_secret(root: Path) -> None:
    assert refused(root, "claude", "Read", file_path="docs/.env ") is not None


@pytest.mark.parametrize(
    ("command", "known", "assumed"),
    [
        ("git log", True, True),
        ("cat docs/a.md", True, True),
        ("touch a", True, True),
        ("echo x > docs/a.md", True, False),
        ("git log > docs/a.md", True, False),
        ("echo x > ROOT/docs/a.md", True, True),
        ("git log > ROOT/docs/a.md", True, True),
        ("cd ROOT && echo x > docs/a.md", True, True),
        ("echo x > ROOT/docs/a.md; echo x > docs/b.md", True, False),
        ("echo x > /elsewhere/a.md", False, False),
    ],
)
def test_what_may_run_elsewhere_writes_by_whole_paths(command: str, known: bool, assumed: bool, root: Path) -> None:
    command = command.replace("ROOT", str(root))
    assert (refused(root, "claude", "Bash", command=command) is None) is known
    assert (refused(root, "codex", "Bash", command=command) is None) is assumed


def test_a_folder_that_is_named_is_where_it_runs(root: Path) -> None:
    given = {"cmd": "echo x > a.md", "workdir": str(root / "docs")}
    assert refused(root, "codex", "exec_command", **given) is None
    assert refused(root, "gemini", "run_shell_command", command="echo x > a.md", dir_path="docs") is None
    assert refused(root, "gemini", "run_shell_command", command="echo x > a.md", dir_path="/etc") is not None


def test_a_field_that_nobody_knows_is_named(root: Path) -> None:
    why = refused(root, "claude", "Bash", command="ls", chroot="/etc")
    assert why == "the call of Bash has a field 'chroot', of which is not known what it does: leave it out."
