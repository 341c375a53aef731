"""The hook script as a process, under every shell it may meet: what it prints, when it stays silent, what it starts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = str(ROOT / "hooks" / "devkit-workflow-guard.sh")
SHELLS = [["dash"], ["bash", "--posix"], ["bash"], ["busybox", "ash"]]
PAYLOAD = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"session_id":"H","cwd":"/"}'
Environ = dict[str, str]


@pytest.fixture(params=[pytest.param(shell, id="-".join(shell)) for shell in SHELLS])
def shell(request: pytest.FixtureRequest) -> list[str]:
    words: list[str] = request.param
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    return words


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    """A PATH on which `devkit-guard` is a stand-in that says how it was called."""
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "devkit-guard", 'echo "guard $*"; cat')
    (tmp_path / "state").mkdir()
    return {
        "PATH": f"{tmp_path}/bin:/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "CLAUDE_PLUGIN_ROOT": str(ROOT / "nowhere"),
    }


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def run(shell: list[str], environ: Environ, event: str = "PreToolUse") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*shell, SCRIPT, event], input=PAYLOAD, env=environ, capture_output=True, text=True, check=False
    )


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


CALLED = (0, f"guard hook --agent claude\n{PAYLOAD}", "")
SILENT = (0, "", "")


def touched(folder: Path, *parts: str) -> Path:
    path = folder.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_nothing_open(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    assert said(run(shell, environ)) == SILENT
    touched(tmp_path, "state/devkit/engine.db")
    (tmp_path / "state/devkit/open").mkdir()
    assert said(run(shell, environ)) == SILENT
    for event in ("Stop", "SubagentStop", "SessionStart"):
        assert said(run(shell, environ, event)) == SILENT


def test_a_session_is_open(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    marker = touched(tmp_path, "state/devkit/open/0123456789ab")
    for event in ("PreToolUse", "Stop", "SubagentStop", "SessionStart"):
        assert said(run(shell, environ, event)) == CALLED
    marker.unlink()
    assert said(run(shell, environ)) == SILENT


def test_a_session_in_the_plugin_s_own_folder(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    folder = tmp_path / "plug in $(x) data"
    environ["CLAUDE_PLUGIN_DATA"] = str(folder)
    assert said(run(shell, environ)) == SILENT
    touched(folder, "open/0123456789ab")
    assert said(run(shell, environ)) == CALLED


def test_the_default_state_folder(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    environ["XDG_STATE_HOME"] = "relative/is/ignored"
    assert said(run(shell, environ)) == SILENT
    touched(tmp_path, "home/.local/state/devkit/open/0123456789ab")
    assert said(run(shell, environ)) == CALLED


def test_without_home_the_guard_is_asked(shell: list[str], environ: Environ) -> None:
    del environ["HOME"], environ["XDG_STATE_HOME"]
    assert said(run(shell, environ)) == CALLED


def test_a_store_without_markers_is_for_the_guard_to_judge(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    touched(tmp_path, "state/devkit/engine.db")
    assert said(run(shell, environ)) == CALLED


def test_a_card_is_held(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    workspace = tmp_path / "work space"
    held = touched(workspace, ".devflow/held/0001-card")
    touched(tmp_path, "state/devkit/boards/abc").write_text(str(workspace))
    assert said(run(shell, environ)) == CALLED
    held.unlink()
    assert said(run(shell, environ)) == SILENT


def test_the_start_of_a_workflow_is_always_seen(shell: list[str], environ: Environ) -> None:
    assert said(run(shell, environ, "Start")) == CALLED


@pytest.mark.parametrize("mode", ["always", "observe"])
def test_other_modes_judge_every_call(shell: list[str], environ: Environ, mode: str) -> None:
    environ["DEVKIT_GUARD_MODE"] = mode
    assert said(run(shell, environ)) == CALLED


def test_an_odd_mode_is_for_the_guard_to_judge(shell: list[str], environ: Environ) -> None:
    environ["DEVKIT_GUARD_MODE"] = "--help; rm"
    assert said(run(shell, environ)) == CALLED


CONFIGURATIONS = ["config/devkit-guard", "project/.devkit-guard", "project/in/ner/.devkit-guard"]


@pytest.mark.parametrize("folder", CONFIGURATIONS)
def test_a_configuration_file_may_ask_for_more(shell: list[str], environ: Environ, tmp_path: Path, folder: str) -> None:
    environ["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    environ["CLAUDE_PROJECT_DIR"] = str(tmp_path / "project/in/ner")
    file = touched(tmp_path, folder, "config.toml")
    for text in ("", 'log = false\nmode = "step"\n'):
        file.write_text(text)
        assert said(run(shell, environ)) == SILENT
    for text in ('log = false\nmode = "always"\n', "mode='observe'"):
        file.write_text(text)
        assert said(run(shell, environ)) == CALLED
    environ["DEVKIT_GUARD_MODE"] = "step"
    assert said(run(shell, environ)) == SILENT


@pytest.mark.parametrize("folder", ["", "relative", "/", "//", "/a//b/", "a/b"])
def test_odd_project_folders(shell: list[str], environ: Environ, folder: str) -> None:
    environ["CLAUDE_PROJECT_DIR"] = folder
    assert said(run(shell, environ)) == SILENT


def test_the_guard_is_found_beside_the_plugin(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    touched(tmp_path, "state/devkit/open/0123456789ab")
    (tmp_path / "bin" / "devkit-guard").unlink()
    for where, name in ((tmp_path / "data/venv/bin", "venv"), (tmp_path / "root/.venv/bin", "checkout")):
        where.mkdir(parents=True)
        program(where / "devkit-guard", f"echo {name}")
        environ["CLAUDE_PLUGIN_ROOT" if name == "checkout" else "CLAUDE_PLUGIN_DATA"] = str(where.parents[1])
        assert said(run(shell, environ)) == (0, f"{name}\n", "")
        environ["CLAUDE_PLUGIN_DATA"] = ""


def test_a_guard_that_is_missing_is_said_loudly_and_vetoes_while_a_session_is_open(
    shell: list[str], environ: Environ, tmp_path: Path
) -> None:
    (tmp_path / "bin" / "devkit-guard").unlink()
    assert said(run(shell, environ)) == SILENT
    start = run(shell, environ, "SessionStart")
    assert "devkit-guard was not found on PATH" in json.loads(start.stdout)["systemMessage"]
    assert said(run(shell, environ, "Start")) == SILENT
    touched(tmp_path, "state/devkit/open/0123456789ab")
    veto = run(shell, environ)
    answer = json.loads(veto.stdout)["hookSpecificOutput"]
    assert (veto.returncode, answer["hookEventName"], answer["permissionDecision"]) == (2, "PreToolUse", "deny")
    assert "Install the project" in answer["permissionDecisionReason"]
    assert "devkit-guard was not found" in veto.stderr
    assert said(run(shell, environ, "Stop")) == SILENT


def test_a_folder_that_cannot_be_read_is_for_the_guard_to_judge(
    shell: list[str], environ: Environ, tmp_path: Path
) -> None:
    folder = tmp_path / "state/devkit/open"
    folder.mkdir(parents=True)
    folder.chmod(0)
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    assert said(run(shell, environ)) == CALLED


def test_shellcheck_finds_nothing() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    for name in ("devkit-workflow-guard.sh", "devkit-engine-mcp.sh"):
        for dialect in ("sh", "dash", "bash"):
            done = subprocess.run(
                ["shellcheck", "-s", dialect, str(ROOT / "hooks" / name)], capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stdout) == (0, "")


def test_with_nothing_open_only_the_payload_is_read(environ: Environ, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    (tmp_path / "state/devkit/open").mkdir(parents=True)
    log = tmp_path / "log"
    done = subprocess.run(
        ["strace", "-f", "-o", str(log), "-e", "trace=execve,clone,clone3,fork,vfork", "dash", SCRIPT, "PreToolUse"],
        input=PAYLOAD,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    if not log.exists() or "execve" not in log.read_text():
        pytest.skip("strace may not trace here")
    started = re.findall(r'execve\("([^"]+)"', log.read_text())
    assert (said(done), [os.path.basename(name) for name in started]) == (SILENT, ["dash", "cat"])


def test_a_large_payload_is_read_to_its_end(shell: list[str], environ: Environ) -> None:
    done = subprocess.run(
        [*shell, SCRIPT, "PreToolUse"], input=b"x" * (8 << 20), env=environ, capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_the_server_is_started_from_where_the_engine_is(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    command = [*shell, str(ROOT / "hooks/devkit-engine-mcp.sh")]
    missing = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (missing.returncode, missing.stdout) == (127, "")
    assert "devkit-engine was not found on PATH" in missing.stderr
    (tmp_path / "root/.venv/bin").mkdir(parents=True)
    program(tmp_path / "root/.venv/bin/devkit-engine", 'echo "beside $*"')
    environ["CLAUDE_PLUGIN_ROOT"] = str(tmp_path / "root")
    assert subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout == "beside mcp\n"
    program(tmp_path / "bin/devkit-engine", 'echo "path $*"')
    assert subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout == "path mcp\n"


def test_the_plugin_s_files_fit_together() -> None:
    hooks = json.loads((ROOT / "hooks/hooks.json").read_text())["hooks"]
    assert set(hooks) == {"PreToolUse", "Stop", "SubagentStop", "SessionStart"}
    commands = [hook for groups in hooks.values() for group in groups for hook in group["hooks"]]
    assert all(hook["type"] == "command" and hook["timeout"] == 10 for hook in commands)
    assert all("${CLAUDE_PLUGIN_ROOT}/hooks/devkit-workflow-guard.sh" in hook["command"] for hook in commands)
    plugin = json.loads((ROOT / ".claude-plugin/plugin.json").read_text())
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    server = json.loads((ROOT / ".mcp.json").read_text())
    assert plugin["name"] == market["plugins"][0]["name"] == "devkit"
    assert list(server["mcpServers"]) == ["devkit-engine"]
    assert os.access(ROOT / "hooks/devkit-engine-mcp.sh", os.X_OK)


def test_the_start_entry_names_every_tool_whose_caller_matters() -> None:
    from guard.workflow.sighting import OBSERVED

    groups = json.loads((ROOT / "hooks/hooks.json").read_text())["hooks"]["PreToolUse"]
    named = set(groups[1]["matcher"].split("|"))
    assert named == {f"mcp__plugin_devkit_devkit-engine__{tool}" for tool in OBSERVED}


def test_a_board_is_near(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    """Its files are to be kept although nobody holds a card: seen from the folder, the project, or the call itself."""
    inner = tmp_path / "work space" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "work space" / ".devflow").mkdir()
    near = subprocess.run(
        [*shell, SCRIPT, "PreToolUse"],
        input=PAYLOAD,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        cwd=inner,
    )
    assert said(near) == CALLED
    assert said(run(shell, {**environ, "CLAUDE_PROJECT_DIR": str(inner)})) == CALLED
    assert said(run(shell, {**environ, "CLAUDE_PROJECT_DIR": str(inner), "DEVKIT_GUARD_MODE": "step"})) == CALLED


@pytest.mark.parametrize(
    "text", ["/far/.devflow/x", "/far/.DevFlow/x", "%s \\n 50% `x` $(y)\n\n .devflow", ".devflow", "a\\n.devflow/x"]
)
def test_a_call_that_names_a_board(shell: list[str], environ: Environ, text: str) -> None:
    payload = PAYLOAD.replace("ls", text)
    done = subprocess.run(
        [*shell, SCRIPT, "PreToolUse"], input=payload, env=environ, capture_output=True, text=True, check=False, cwd="/"
    )
    assert said(done) == (0, f"guard hook --agent claude\n{payload}\n", "")


@pytest.mark.parametrize("text", ["my.devflow.io", "docs/devflow.md", "devflow", "plan"])
def test_a_call_that_names_none(shell: list[str], environ: Environ, tmp_path: Path, text: str) -> None:
    touched(tmp_path, "state/devkit/boards/empty")
    payload = PAYLOAD.replace("ls", text)
    done = subprocess.run(
        [*shell, SCRIPT, "PreToolUse"], input=payload, env=environ, capture_output=True, text=True, check=False, cwd="/"
    )
    assert said(done) == SILENT


@pytest.mark.parametrize("blank", ["", " "])
def test_a_host_that_is_planning(shell: list[str], environ: Environ, blank: str) -> None:
    payload = PAYLOAD.replace('"cwd"', f'"permission_mode":{blank}"plan","cwd"')
    done = subprocess.run(
        [*shell, SCRIPT, "PreToolUse"], input=payload, env=environ, capture_output=True, text=True, check=False, cwd="/"
    )
    assert said(done) == (0, f"guard hook --agent claude\n{payload}\n", "")


def test_a_veto_passes_through_the_pipe(shell: list[str], environ: Environ, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "devkit-guard", "cat > /dev/null; echo no >&2; exit 2")
    done = subprocess.run(
        [*shell, SCRIPT],
        input=PAYLOAD.replace("ls", ".devflow"),
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said(done) == (2, "", "no\n")
