"""`doctor` finds planted faults, each with its cure, and says nothing wrong of what works."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import guard
from guard.setup.runtimes import RUNTIMES
from tests.board.boards import ALPHA, board, brought_to
from tests.setup.machine import PROGRAM, run

CLAUDE = ".claude/settings.json"


def codes(home: Path, *agents: str, cwd: Path | None = None) -> dict[str, str]:
    """Code → cure of everything that is wrong, by a real `doctor --json`."""
    chosen = [word for name in agents for word in ("--agent", name)]
    code, said = run(home, "doctor", "--json", *chosen, cwd=cwd, path="/usr/bin:/bin")
    found = {entry["code"]: entry["cure"] for entry in json.loads(said)["findings"] if entry["code"]}
    assert code == (1 if found else 0)
    return found


def test_what_init_writes_works_for_every_runtime(tmp_path: Path) -> None:
    agents = [runtime.name for runtime in RUNTIMES if "*" not in runtime.user]
    run(tmp_path, "init", *[word for name in agents for word in ("--agent", name)])
    _, said = run(tmp_path, "doctor", "--json")
    found = {entry["agent"]: entry["code"] for entry in json.loads(said)["findings"]}
    assert found == dict.fromkeys(agents, "")


def test_a_program_in_an_odd_place_is_quoted_and_found(tmp_path: Path) -> None:
    place = tmp_path / "a b & (c); d"
    place.mkdir()
    (place / "devkit-guard").symlink_to(PROGRAM)
    run(tmp_path, "init", "--agent", "claude", "--command", shlex.quote(str(place / "devkit-guard")))
    assert codes(tmp_path, "claude") == {}


@pytest.mark.parametrize(
    "runtime", ["claude", "codex", "gemini", "qwen", "cursor", "copilot", "vibe", "devin", "crush"]
)
def test_what_init_writes_lints_clean(runtime: str, tmp_path: Path) -> None:
    run(tmp_path, "init", "--agent", runtime)
    code, said = run(tmp_path, "lint", "--format", "json")
    assert (code, json.loads(said)) == (0, [])


def test_kiro_is_registered_with_every_agent(tmp_path: Path) -> None:
    for name in ("one", "two"):
        path = tmp_path / ".kiro" / "agents" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{{"name": "{name}"}}\n')
    run(tmp_path, "init", "--agent", "kiro")
    assert codes(tmp_path, "kiro") == {}
    assert "not-registered" in codes(tmp_path, "claude")


def edit(old: str, new: str, name: str = CLAUDE) -> Callable[[Path], None]:
    """A change to a registered file."""

    def plant(home: Path) -> None:
        path = home / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return plant


def script(line: str, mode: int) -> Callable[[Path], None]:
    """Another program in the place of the registered one."""

    def plant(home: Path) -> None:
        path = home / "bin" / "devkit-guard"
        path.parent.mkdir()
        path.write_text(line)
        path.chmod(mode)
        edit(PROGRAM, str(path))(home)

    return plant


def stale_plugin(home: Path) -> None:
    """A copy of the plugin that is another version, in a folder that is gone."""
    path = home / ".claude" / "plugins" / "installed_plugins.json"
    path.parent.mkdir(parents=True)
    copy = {"scope": "user", "installPath": str(home / "gone"), "version": guard.__version__ + ".old"}
    path.write_text(json.dumps({"version": 2, "plugins": {"devkit@devkit-guard": [copy]}}))


FAULTS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "wrong path": ("claude", edit(PROGRAM, "/no/such/devkit-guard"), "not-found"),
    "not on PATH": ("claude", edit(PROGRAM, "devkit-guard"), "not-found"),
    "not executable": ("claude", script("#!/bin/sh\n", 0o644), "not-executable"),
    "python missing": ("claude", script("#!/no/such/python3\n", 0o755), "no-python"),
    "event misspelt": ("claude", edit('"PreToolUse"', '"PreToolUSe"'), "event"),
    "event misspelt, Gemini": ("gemini", edit('"BeforeTool"', '"PreToolUse"', ".gemini/settings.json"), "event"),
    "event misspelt, Kimi": ("kimi", edit('"PreToolUse"', '"preToolUse"', ".kimi-code/config.toml"), "event"),
    "|| true": ("claude", edit("--agent claude", "--agent claude || true"), "wrapped"),
    "; exit 0": (
        "windsurf",
        edit("--agent windsurf", "--agent windsurf; exit 0", ".codeium/windsurf/hooks.json"),
        "wrapped",
    ),
    "allow rule": (
        "claude",
        edit('{\n  "hooks"', '{\n  "permissions": {"allow": ["Bash(*)"]},\n  "hooks"'),
        "allow-rule",
    ),
    "hooks disabled": ("claude", edit('{\n  "hooks"', '{\n  "disableAllHooks": true,\n  "hooks"'), "hooks-off"),
    "hooks disabled, Gemini": (
        "gemini",
        edit('{\n  "hooks"', '{\n  "hooksConfig": {"enabled": false},\n  "hooks"', ".gemini/settings.json"),
        "hooks-off",
    ),
    "hooks disabled, Qwen": (
        "qwen",
        edit('{\n  "hooks"', '{\n  "disableAllHooks": true,\n  "hooks"', ".qwen/settings.json"),
        "hooks-off",
    ),
    "wrong matcher": ("claude", edit('"matcher": "*"', '"matcher": "bash"'), "matcher"),
    "wrong matcher, Gemini": ("gemini", edit('".*"', '"^shell$"', ".gemini/settings.json"), "matcher"),
    "a matcher that is no expression, Goose": (
        "goose",
        edit(
            '"PreToolUse": [\n      {',
            '"PreToolUse": [\n      {"matcher": "*",',
            ".agents/plugins/devkit-guard/hooks/hooks.json",
        ),
        "matcher",
    ),
    "stale plugin": ("claude", stale_plugin, "stale-plugin"),
    "only observes": ("claude", edit("--agent claude", "--agent claude --mode observe"), "observes"),
    "a mode that is none": ("claude", edit("--agent claude", "--agent claude --mode alwys"), "wrong-mode"),
    "another runtime's adapter": (
        "codex",
        edit("--agent codex", "--agent windsurf", ".codex/hooks.json"),
        "other-agent",
    ),
    "a program that does nothing": ("claude", script("#!/bin/sh\n", 0o755), "no-veto"),
    "usage error": ("claude", edit("--agent claude", "--agent claude --moed always"), "no-veto"),
    "broken file": ("claude", edit("{", "{,"), "unreadable"),
    "byte order mark, Codex": ("codex", edit('{\n  "hooks"', '\ufeff{\n  "hooks"', ".codex/hooks.json"), "bom"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_with_its_cure(name: str, tmp_path: Path) -> None:
    agent, plant, code = FAULTS[name]
    run(tmp_path, "init", "--agent", agent)
    plant(tmp_path)
    found = codes(tmp_path, agent)
    assert code in found
    assert found[code]


def test_a_project_that_is_not_trusted(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    for agent in ("codex", "gemini", "qwen", "claude"):
        run(tmp_path, "init", "--project", "--agent", agent, "--command", PROGRAM, cwd=project)
    for folder in (".gemini", ".qwen"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "trustedFolders.json").write_text(json.dumps({str(project): "DO_NOT_TRUST"}))
    (tmp_path / ".claude.json").write_text(json.dumps({"projects": {str(project): {"hasTrustDialogAccepted": False}}}))
    for agent in ("codex", "gemini", "qwen", "claude"):
        assert set(codes(tmp_path, agent, cwd=project)) == {"untrusted"}, agent
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')
    assert codes(tmp_path, "codex", cwd=project) == {}


def test_codex_with_hooks_switched_off(tmp_path: Path) -> None:
    run(tmp_path, "init", "--agent", "codex")
    (tmp_path / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    assert "hooks-off" in codes(tmp_path, "codex")


def test_a_machine_without_runtimes_is_told_that_nothing_is_guarded(tmp_path: Path) -> None:
    assert set(codes(tmp_path)) == {"no-runtime"}
    code, said = run(tmp_path, "doctor", path="/usr/bin:/bin")
    assert (code, "nothing is guarded" in said) == (1, True)


def test_status_says_what_holds_and_why(tmp_path: Path) -> None:
    run(tmp_path, "init", "--agent", "claude")
    config = tmp_path / ".config" / "devkit-guard" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('mode = "always"\n')
    code, said = run(tmp_path, "status", "--json")
    found = json.loads(said)
    assert (code, found["mode"], found["because"], found["open"]) == (0, "always", str(config), [])
    assert found["registered"][0]["command"] == f"{PROGRAM} hook --agent claude"
    config.write_text("mode = 1\n")
    code, said = run(tmp_path, "status")
    assert (code, "mode: expected one of" in said) == (1, True)


def test_status_names_the_mode_of_every_registration_and_what_would_not_start(tmp_path: Path) -> None:
    run(tmp_path, "init", "--agent", "claude", "--mode", "always")
    run(tmp_path, "init", "--agent", "codex")
    run(tmp_path, "init", "--agent", "droid", "--command", "/no/such/devkit-guard")
    code, said = run(tmp_path, "status", "--json", path="/usr/bin:/bin")
    found = json.loads(said)
    assert {entry["agent"]: (entry["mode"], entry["because"], entry["problem"]) for entry in found["registered"]} == {
        "claude": ("always", "its own --mode", ""),
        "codex": ("step", "the default", ""),
        "droid": ("step", "the default", "`/no/such/devkit-guard` is not found from here"),
    }
    assert (code, found["mode"], len(found["problems"])) == (1, "step", 1)
    _, text = run(tmp_path, "status")
    assert "claude       mode always (from its own --mode)" in text


def test_status_shows_open_steps_and_held_cards_with_their_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".local/state"))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    engine = [PROGRAM.replace("devkit-guard", "devkit-engine"), "start", "bugfix"]
    subprocess.run(engine, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}, cwd=project, check=True)
    opened = board(project)
    card = brought_to(opened, "reviewing")
    opened.take(ALPHA, card.id, card.revision)
    code, said = run(tmp_path, "status", "--json", cwd=project)
    step, held = json.loads(said)["open"]
    assert (code, step["kind"], step["number"], step["enforced"]) == (0, "workflow", 1, True)
    assert (held["kind"], held["session"], held["step"]) == ("card", card.id, "reviewing")
    for found in (step, held):
        assert found["allows"].startswith("read-only commands and file tools")
    ways = [" ".join(found["way_out"]) for found in (step, held)]
    for word in ("devkit_advance", f"devkit-engine advance --session {step['session']}", "devkit-engine abort"):
        assert word in ways[0]
    for word in ("devflow_transition", "devflow_release", f"devkit-engine board show {card.id}"):
        assert word in ways[1]
    _, text = run(tmp_path, "status", cwd=project)
    assert all(way in text for found in (step, held) for way in found["way_out"])
