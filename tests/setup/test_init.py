"""`init` on a machine with hand-written settings: the difference, a second run, and `uninit`."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from guard.setup import jsonc
from guard.setup.runtimes import RUNTIMES
from tests.setup.machine import PROGRAM, SETTINGS, contents, furnish, run

AGENTS = ("claude", "codex", "gemini", "cursor", "hermes", "kimi")
SIX = [word for name in AGENTS for word in ("--agent", name)]


def is_subsequence(text: bytes, longer: bytes) -> bool:
    """Whether every byte of a text is in the other, in the same order."""
    rest = iter(longer)
    return all(byte in rest for byte in text)


def test_six_runtimes_twice_and_back(tmp_path: Path) -> None:
    furnish(tmp_path)
    before = contents(tmp_path)
    assert run(tmp_path, "init", *SIX, "--dry-run")[0] == 0
    assert contents(tmp_path) == before
    code, said = run(tmp_path, "init", *SIX)
    assert code == 0, said
    after = contents(tmp_path)
    assert set(after) == set(before)
    for name in SETTINGS:
        assert is_subsequence(before[name], after[name]), name
        assert after[name].count(b"hook --agent") >= 1, name
    assert run(tmp_path, "init", *SIX)[0] == 0
    assert contents(tmp_path) == after
    assert run(tmp_path, "uninit")[0] == 0
    assert contents(tmp_path) == before


def test_what_people_wrote_still_means_the_same(tmp_path: Path) -> None:
    furnish(tmp_path)
    run(tmp_path, "init", *SIX)
    data: dict[str, Any] = jsonc.plain(jsonc.parse((tmp_path / ".claude/settings.json").read_text()))
    assert list(data) == ["model", "permissions", "hooks", "env"]
    assert data["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == "my-linter"
    assert data["hooks"]["PreToolUse"][1]["hooks"][0] == {
        "type": "command",
        "command": f"{PROGRAM} hook --agent claude",
        "timeout": 10,
        "onFailure": "block",
    }
    codex = tomllib.loads((tmp_path / ".codex/config.toml").read_text())
    assert codex["hooks"]["PostToolUse"][0]["hooks"][0]["command"] == "notify"
    assert codex["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == f"{PROGRAM} hook --agent codex"
    assert not (tmp_path / ".codex/hooks.json").exists()
    gemini = json.loads((tmp_path / ".gemini/settings.json").read_text())
    assert [group["matcher"] for group in gemini["hooks"]["BeforeTool"]] == ["write_file", ".*"]


def test_changes_of_people_in_between_survive(tmp_path: Path) -> None:
    furnish(tmp_path)
    run(tmp_path, "init", *SIX)
    claude = tmp_path / ".claude/settings.json"
    claude.write_text(claude.read_text().replace('"opus"', '"sonnet"'))
    kimi = tmp_path / ".kimi-code/config.toml"
    kimi.write_text(kimi.read_text() + "\n# later\n[later]\nx = 1\n")
    assert run(tmp_path, "uninit")[0] == 0
    assert claude.read_text() == SETTINGS[".claude/settings.json"].replace('"opus"', '"sonnet"')
    assert kimi.read_text() == SETTINGS[".kimi-code/config.toml"] + "\n# later\n[later]\nx = 1\n"


def test_every_runtime_on_an_empty_machine_and_back(tmp_path: Path) -> None:
    agents = [word for runtime in RUNTIMES for word in ("--agent", runtime.name)]
    code, said = run(tmp_path, "init", *agents)
    assert code == 0, said
    made = contents(tmp_path)
    expected = {runtime.user for runtime in RUNTIMES if "*" not in runtime.user}
    assert set(made) == expected
    assert os.access(tmp_path / "Documents/Cline/Hooks/PreToolUse", os.X_OK)
    assert run(tmp_path, "init", *agents)[0] == 0
    assert contents(tmp_path) == made
    assert run(tmp_path, "uninit")[0] == 0
    assert contents(tmp_path) == {}


def test_a_project_gets_the_name_and_not_a_path(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "deep").mkdir()
    code, said = run(tmp_path, "init", "--project", "--agent", "claude", "--agent", "devin", cwd=project / "deep")
    assert code == 0, said
    data = json.loads((project / ".claude/settings.json").read_text())
    assert data["hooks"]["Stop"][0]["hooks"][0]["command"] == "devkit-guard hook --agent claude"
    assert list(json.loads((project / ".devin/hooks.v1.json").read_text())) == ["PreToolUse", "PermissionRequest"]
    assert run(tmp_path, "uninit", "--project", cwd=project)[0] == 0
    assert contents(tmp_path) == {}


def test_another_command_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    furnish(tmp_path)
    before = contents(tmp_path)
    run(tmp_path, "init", *SIX, "--command", "/old/devkit-guard")
    run(tmp_path, "init", *SIX, "--mode", "always")
    for name in SETTINGS:
        text = (tmp_path / name).read_text()
        assert "/old/devkit-guard" not in text, name
        assert "--mode always" in text, name
    run(tmp_path, "uninit")
    assert contents(tmp_path) == before


def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    real.chmod(0o600)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").symlink_to(real)
    run(tmp_path, "init", "--agent", "claude")
    assert (tmp_path / ".claude/settings.json").is_symlink()
    assert "hook --agent claude" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600
    run(tmp_path, "uninit", "--agent", "claude")
    assert real.read_text() == "{}\n"


@pytest.mark.parametrize(
    ("agent", "name", "text", "message"),
    [
        ("claude", ".claude/settings.json", "{broken", "line 1, column 2: expected a value"),
        ("claude", ".claude/settings.json", '{"hooks": []}', "hooks.PreToolUse: expected an object at hooks"),
        ("kimi", ".kimi-code/config.toml", "hooks = []\n", "another form of tables stands there"),
        ("hermes", ".hermes/config.yaml", "hooks:\n  pre_llm_call: []\n", "there is a key 'hooks' already"),
        ("cline", "Documents/Cline/Hooks/PreToolUse", "#!/bin/sh\nmine\n", "there is a hook of another kind"),
        ("opencode", ".config/opencode/plugins/devkit-guard.js", "export {}\n", "there is a hook of another kind"),
    ],
)
def test_a_file_that_cannot_be_changed_is_left_alone(
    tmp_path: Path, agent: str, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    code, said = run(tmp_path, "init", "--agent", agent)
    assert (code, path.read_text()) == (1, text)
    assert message in said


def test_an_unknown_name_is_wrong_usage(tmp_path: Path) -> None:
    code, said = run(tmp_path, "init", "--agent", "nobody")
    assert (code, "expected one of claude, codex" in said) == (2, True)
    assert run(tmp_path, "init", path="/usr/bin:/bin")[0] == 2


def test_registering_again_keeps_the_mode(tmp_path: Path) -> None:
    run(tmp_path, "init", *SIX, "--mode", "always")
    before = contents(tmp_path)
    assert run(tmp_path, "init", *SIX)[0] == 0
    assert contents(tmp_path) == before
    run(tmp_path, "init", *SIX, "--mode", "step")
    assert not any(b"--mode always" in content for content in contents(tmp_path).values())


@pytest.mark.parametrize(
    "text", ['{"theme":"x",\r\n"hooks":{}}\r\n', '{"theme":"x",\n"hooks":{}}', "", SETTINGS[".gemini/settings.json"]]
)
@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_another_mode_changes_nothing_but_the_command(agent: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f".{agent}/settings.json"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    run(tmp_path, "init", "--agent", agent)
    once = path.read_bytes()
    run(tmp_path, "init", "--agent", agent, "--mode", "always")
    name = f"hook --agent {agent}".encode()
    assert path.read_bytes() == once.replace(name, name + b" --mode always") != once
    run(tmp_path, "uninit")
    assert path.read_bytes() == text.encode()


BY_HAND = """{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
  {"type": "command", "command": "devkit-guard hook --agent claude --mode always", "timeout": 10, "onFailure": "block"}
]}]}}
"""


def test_a_hook_that_was_registered_by_hand_goes_too(tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(BY_HAND)
    run(tmp_path, "init", "--agent", "claude")
    assert run(tmp_path, "uninit")[0] == 0
    assert not path.exists() or "devkit-guard" not in path.read_text()
    assert "registered nowhere" in run(tmp_path, "uninit")[1]
