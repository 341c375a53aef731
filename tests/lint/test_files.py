"""Files that are no rule files: a message and an exit code for each, never a crash, never silence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guard.lint.config import Config
from guard.lint.discover import Target
from guard.lint.session import Session

PLACE = ".claude/settings.json"


def _lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "guard.cli.main", "lint", "--format", "concise", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "HOME": str(folder / "home")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def _file(folder: Path, content: bytes, name: str = PLACE) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


CASES = [
    ("empty", b"", 1, "N200: an empty file"),
    ("blank", b" \n\n", 1, "N200: an empty file"),
    ("cut off", b'{"permissions": {"allow": ["Bash(ls', 1, "N200: a text that does not end on its line"),
    ("array", b"[1]", 1, "N200: expected an object"),
    ("binary", b"\x7fELF\0\1\2", 1, "F001: holds a NUL byte"),
    ("latin-1", b'{"a": "\xe9"}', 1, "F001: not valid UTF-8"),
    ("deep", b"[" * 5000, 1, "N200: nested more than 100 deep"),
    ("huge", b"{" + b" " * (9 << 20) + b"}", 1, "F001: larger than 8 MiB"),
    ("bom", b"\xef\xbb\xbf{}", 0, ""),
    ("clean", b"{}", 0, ""),
    (
        "odd types",
        b'{"permissions": {"allow": "Bash", "deny": [1, null, {}]}, "hooks": [], "env": 1}',
        1,
        "must be a list",
    ),
]


@pytest.mark.parametrize(("content", "code", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_content(tmp_path: Path, content: bytes, code: int, message: str) -> None:
    _file(tmp_path, content)
    done = _lint(tmp_path, PLACE)
    assert (done.returncode, message in done.stdout, "Traceback" in done.stderr) == (code, True, False), done


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (".gemini/policies/a.toml", "[[rule]\n", "a.toml:1:7: error N200"),
        (".codex/rules/a.rules", "prefix_rule(pattern=[)\n", "a.rules:1:22: error N200"),
        ("opencode.json", '{"permission": {"bash": {"*": "maybe"}}}', "opencode.json:1:31: error N212"),
        (".vscode/settings.json", '{"a": }', "settings.json:1:7: error N200"),
        ("a/commands/x.yaml", "summary: [", "x.yaml:2:1: error O801"),
        ("board.yaml", "name: b\n", "board.yaml:1:1: error W906"),
        ("flow.yaml", "name: f\nsteps:\n- promt: x\n", "flow.yaml:1:1: error W901"),
    ],
)
def test_malformed_is_located(tmp_path: Path, name: str, text: str, message: str) -> None:
    _file(tmp_path, text.encode(), name)
    done = _lint(tmp_path, name)
    assert done.returncode == 1
    assert message in done.stdout


def test_links_and_rights(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / PLACE).symlink_to("settings.local.json")
    (tmp_path / ".claude" / "settings.local.json").symlink_to("settings.json")
    (tmp_path / "loop").symlink_to(tmp_path)
    done = _lint(tmp_path, PLACE)
    assert done.returncode == 1
    assert "F001: cannot be read: Too many levels of symbolic links" in done.stdout
    assert _lint(tmp_path, ".").returncode == 1  # ends, although a folder contains itself


def test_unreadable(tmp_path: Path) -> None:
    """Root reads everything, so it looks as somebody else."""
    path = _file(tmp_path, b"{}")
    path.chmod(0)
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        (one,) = Session(Config()).lint(Target(str(path), "claude"))
    finally:
        os.seteuid(user)
    assert (one.code, one.message) == ("F001", "cannot be read: Permission denied")


def test_folders_without_rule_files(tmp_path: Path) -> None:
    (tmp_path / PLACE).mkdir(parents=True)
    for name, content in {"storage.rules": b"service x {}\n", "allowlist.txt": b"10.0.0.1\n", "a.json": b"{}"}.items():
        _file(tmp_path, content, name)
    for arguments in (PLACE,), (".",), ():
        done = _lint(tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (0, "")
        assert "no rule file" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.json"], "there is no such file or folder"),
        (["x.txt"], "of which format is it?"),
        (["--as", "clawd", "x.txt"], "--as: expected one of claude"),
        (["--as", "clawd", "."], "--as: expected one of claude"),
        (["--format", "xml", PLACE], "--format: expected one of"),
        (["--select", "Z9", PLACE], "no check has the code or name 'Z9'"),
        (["--nonsense"], "No such option"),
    ],
)
def test_usage(tmp_path: Path, arguments: list[str], message: str) -> None:
    _file(tmp_path, b"{}")
    _file(tmp_path, b"ls\n", "x.txt")
    done = _lint(tmp_path, *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_broken_configuration(tmp_path: Path) -> None:
    _file(tmp_path, b"{}")
    _file(tmp_path, b'[lint]\nselct = ["B"]\n', ".devkit-guard.toml")
    done = _lint(tmp_path, PLACE)
    assert done.returncode == 3
    assert "unknown key 'selct': expected one of select, ignore" in done.stderr
