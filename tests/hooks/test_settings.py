"""The configuration file: what it changes, and that a repository's can only make it stricter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from guard.model.errors import RuleError
from guard.settings import STRICTER, Settings, settings
from guard.setup.probes import probe

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def write(base: Path, *path: str, text: str) -> None:
    """A configuration file."""
    place = base.joinpath(*path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


@pytest.mark.parametrize(
    ("user", "repository", "expected"),
    [
        ("", "", Settings()),
        ('mode = "always"', "", Settings(mode="always")),
        ('mode = "always"\non_veto = "ask"\non_allow = "approve"\nplan = "off"\nlog = false', "",
         Settings("always", "ask", "approve", "off", False)),
        ("", 'mode = "always"', Settings(mode="always")),
        ('mode = "always"', 'mode = "observe"', Settings(mode="always")),
        ('mode = "observe"', 'mode = "step"', Settings(mode="step")),
        ('on_allow = "approve"', 'on_allow = "silent"', Settings()),
        ("", 'on_allow = "approve"\non_veto = "ask"\nplan = "off"\nlog = false', Settings()),
        ('log = false', "log = true", Settings()),
    ],
)  # fmt: skip
def test_the_stricter_value_holds(tmp_path: Path, user: str, repository: str, expected: Settings) -> None:
    write(tmp_path, "config", "devkit-guard", "config.toml", text=user)
    write(tmp_path, "repository", ".devkit-guard", "config.toml", text=repository)
    (tmp_path / "repository" / "deep").mkdir()
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    assert settings(environ, str(tmp_path / "repository" / "deep")) == expected


def test_without_files() -> None:
    assert settings({}, None) == Settings()
    assert settings({"HOME": "relative"}, "relative") == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('mood = "x"', "unknown key 'mood': expected one of mode, on_veto, on_allow, plan, log"),
        ('mode = "sometimes"', "mode: expected one of observe, step, always (got 'sometimes')"),
        ("log = 1", "log: expected one of false, true (got '1')"),
        ("mode = true", "mode: expected one of"),
        ("mode =", "cannot be read"),
    ],
)
def test_a_wrong_file_is_an_error_with_its_name(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "devkit-guard", "config.toml", text=text)
    with pytest.raises(RuleError) as error:
        settings({"XDG_CONFIG_HOME": str(tmp_path)}, None)
    assert message in str(error.value)
    assert str(tmp_path) in str(error.value)


def hook(raw: bytes, agent: str = "claude", *more: str) -> tuple[bytes, bytes, int]:
    """One real hook process in the environment of the test."""
    command = [sys.executable, "-m", "guard.cli.main", "hook", "--agent", agent, *more]
    done = subprocess.run(command, input=raw, capture_output=True, timeout=60, check=False)
    return done.stdout, done.stderr, done.returncode


APPROVED = b'"permissionDecision": "allow"'


def test_what_only_reads_is_approved_if_the_user_says_so(own_state: Path, tmp_path: Path) -> None:
    write(own_state.parent, "config", "devkit-guard", "config.toml", text='on_allow = "approve"')
    assert APPROVED in hook(probe("claude", str(tmp_path), "ls"))[0]
    assert hook(probe("claude", str(tmp_path), "touch x")) == (b"", b"", 0)
    assert hook(probe("codex", str(tmp_path), "ls"), "codex") == (b"", b"", 0)
    assert json.loads(hook(probe("cursor", str(tmp_path), "ls"), "cursor")[0]) == {"permission": "allow"}


def test_a_veto_of_mode_always_can_be_a_question(own_state: Path, tmp_path: Path) -> None:
    write(own_state.parent, "config", "devkit-guard", "config.toml", text='mode = "always"\non_veto = "ask"')
    stdout, _, code = hook(probe("claude", str(tmp_path)))
    assert (json.loads(stdout)["hookSpecificOutput"]["permissionDecision"], code) == ("ask", 0)
    assert (
        json.loads(hook(probe("codex", str(tmp_path)), "codex")[0])["hookSpecificOutput"]["permissionDecision"]
        == "deny"
    )
    stdout, _, code = hook(probe("claude", str(tmp_path)), "claude", "--on-veto", "deny")
    assert (json.loads(stdout)["hookSpecificOutput"]["permissionDecision"], code) == ("deny", 2)


def test_plan_mode_only_reads_unless_switched_off(own_state: Path, tmp_path: Path) -> None:
    raw = probe("claude", str(tmp_path)).replace(b'"permission_mode": "default"', b'"permission_mode": "plan"')
    assert hook(raw)[2] == 2
    write(own_state.parent, "config", "devkit-guard", "config.toml", text='plan = "off"')
    assert hook(raw) == (b"", b"", 0)


@pytest.mark.parametrize("whose", ["user", "repository"])
def test_a_wrong_file_is_taken_for_the_strictest(own_state: Path, tmp_path: Path, whose: str) -> None:
    broken = 'on_allow = "approve"\nmode = '
    if whose == "user":
        write(own_state.parent, "config", "devkit-guard", "config.toml", text=broken)
    else:
        write(own_state.parent, "config", "devkit-guard", "config.toml", text='mode = "always"')
        write(tmp_path, ".devkit-guard", "config.toml", text=broken)
    assert hook(probe("claude", str(tmp_path), "ls")) == (b"", b"", 0)
    stdout, _, code = hook(probe("claude", str(tmp_path)))
    assert (b"The strictest settings hold" in stdout, b"config.toml" in stdout, code) == (True, True, 2)
    assert hook(b"{", "claude")[2] == 2
    assert hook(probe("claude", str(tmp_path)), "claude", "--mode", "step") == (b"", b"", 0)


def test_readme_has_every_key_with_its_default_and_its_other_values(tmp_path: Path) -> None:
    section = README.partition("\n## Configuration\n")[2].partition("\n## ")[0]
    block = section.partition("```toml\n")[2].partition("```")[0]
    assert tomllib.loads(block) == Settings()._asdict()
    lines = {line.partition(" ")[0]: line for line in block.splitlines()}
    assert list(lines) == list(STRICTER)
    for key, values in STRICTER.items():
        assert [value for value in values if json.dumps(value) not in lines[key]] == [], key


def test_a_pipe_in_the_place_of_the_file_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "devkit-guard").mkdir()
    os.mkfifo(tmp_path / "devkit-guard" / "config.toml")
    with pytest.raises(RuleError, match="not a regular file"):
        settings({"XDG_CONFIG_HOME": str(tmp_path)}, None)
