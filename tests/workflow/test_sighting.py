"""What the hook saw of a start reaches the server, for the right start and for one only."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from guard import gate
from guard.model.call import ToolCall
from guard.rulebook.yaml_source import read_file
from guard.workflow.own_tools import BOARD_TOOLS, PREFIXES, SUFFIXES, WORKFLOW_TOOLS, own_tool, tool_name
from guard.workflow.sighting import FRESH, ancestors, claim, observe_call

Environ = dict[str, str]
START = "mcp__plugin_devkit_devkit-engine__devkit_start"
ARGUMENTS = {"workflow": "two", "input": "x"}


def call(
    cwd: Path | None,
    session: str | None = "H",
    agent: str | None = None,
    call_id: str | None = None,
    tool: str = START,
    arguments: dict[str, object] | None = None,
) -> ToolCall:
    where = None if cwd is None else str(cwd)
    return ToolCall("claude", tool, arguments or ARGUMENTS, where, session, agent, None, call_id)


def sightings(environ: Environ) -> list[str]:
    folder = os.path.join(environ["XDG_STATE_HOME"], "devkit", "sightings")
    return os.listdir(folder) if os.path.isdir(folder) else []


def test_a_start_is_seen_once(environ: Environ, repository: Path) -> None:
    assert observe_call(call(repository / "..", "H", "a"), environ)
    assert observe_call(call(repository, "H", "a"), environ)
    seen = claim("devkit_start", ARGUMENTS, str(repository), None, environ)
    assert seen is not None
    assert (seen.runtime, seen.session, seen.agent, seen.home) == ("claude", "H", "a", str(repository))
    assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is None
    assert sightings(environ) == []


OTHERS = ["Bash", "mcp__plugin_evil__devkit_start", "mcp__plugin_devkit_devkit-engine__devkit_advance"]


@pytest.mark.parametrize("tool", OTHERS)
def test_other_calls_leave_nothing(environ: Environ, repository: Path, tool: str) -> None:
    assert not observe_call(call(repository, tool=tool), environ)
    assert sightings(environ) == []


def test_another_start_is_not_claimed(environ: Environ, repository: Path) -> None:
    observe_call(call(repository), environ)
    assert claim("devkit_start", {"workflow": "two", "input": "y"}, str(repository), None, environ) is None
    assert claim("devkit_start", {"workflow": "three", "input": "x"}, str(repository), None, environ) is None
    assert claim("devflow_take", ARGUMENTS, str(repository), None, environ) is None
    assert claim("devkit_start", {**ARGUMENTS, "more": None}, str(repository), None, environ) is not None


def test_the_call_s_own_id_decides(environ: Environ, repository: Path) -> None:
    for number in (1, 2, 3):
        observe_call(call(repository, f"H{number}", call_id=f"toolu_{number}"), environ)
    for number in (2, 3, 1):
        seen = claim("devkit_start", ARGUMENTS, "/elsewhere", f"toolu_{number}", environ)
        assert seen is not None
        assert seen.session == f"H{number}"
    assert claim("devkit_start", ARGUMENTS, str(repository), "toolu_4", environ) is None


def test_starts_that_cannot_be_told_apart_are_nobodys(environ: Environ, repository: Path) -> None:
    """The first may be one that the person refused: taking it would free the caller of the second."""
    for agent in "ab":
        observe_call(call(repository, "H", agent), environ)
    assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is None


def test_the_same_start_tried_again_is_its_callers(environ: Environ, repository: Path) -> None:
    for number in ("toolu_1", "toolu_2"):
        observe_call(call(repository, "H", "a", call_id=number), environ)
    seen = claim("devkit_start", ARGUMENTS, str(repository), None, environ)
    assert seen is not None
    assert (seen.session, seen.agent) == ("H", "a")


def test_an_id_counts_more_than_an_older_sighting_without_one(environ: Environ, repository: Path) -> None:
    observe_call(call(repository, "OTHER"), environ)
    observe_call(call(repository, "H", call_id="toolu_1"), environ)
    seen = claim("devkit_start", ARGUMENTS, str(repository), "toolu_1", environ)
    assert seen is not None
    assert seen.session == "H"


def test_asking_for_permission_is_no_sighting(
    environ: Environ, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", environ["XDG_STATE_HOME"])
    gate.opinion(call(repository), always=False, about_to_run=False)
    assert sightings(environ) == []
    gate.opinion(call(repository), always=False)
    assert len(sightings(environ)) == 1


def test_the_caller_s_repository_is_preferred(environ: Environ, repository: Path, tmp_path: Path) -> None:
    observe_call(call(tmp_path, "K"), environ)
    observe_call(call(repository, "H"), environ)
    seen = claim("devkit_start", ARGUMENTS, str(repository), None, environ)
    assert seen is not None
    assert seen.session == "H"


def rewrite(environ: Environ, **changes: object) -> None:
    folder = os.path.join(environ["XDG_STATE_HOME"], "devkit", "sightings")
    for name in os.listdir(folder):
        path = Path(folder, name)
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_host_that_is_another_process_counts_only_in_the_same_repository(environ: Environ, repository: Path) -> None:
    observe_call(call(repository), environ)
    rewrite(environ, parents=[999_999_999])
    assert claim("devkit_start", ARGUMENTS, "/elsewhere", None, environ) is None
    assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is not None


def test_the_same_host_counts_wherever_the_caller_works(environ: Environ, repository: Path) -> None:
    observe_call(call(repository), environ)
    seen = claim("devkit_start", ARGUMENTS, "/elsewhere", None, environ)
    assert seen is not None
    assert seen.home == str(repository)


def test_an_old_sighting_is_void_and_one_from_the_future_is_not(environ: Environ, repository: Path) -> None:
    observe_call(call(repository), environ)
    rewrite(environ, at=time.time() - FRESH - 1)
    assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is None
    assert sightings(environ) == []
    observe_call(call(repository), environ)
    rewrite(environ, at=time.time() + 86400)
    assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is not None


def test_damaged_sightings_are_dropped(environ: Environ, repository: Path) -> None:
    for content in (b"", b"{", b"[]", b'{"at": 1}', b"\xff"):
        observe_call(call(repository), environ)
        folder = Path(environ["XDG_STATE_HOME"], "devkit", "sightings")
        (path,) = folder.iterdir()
        path.write_bytes(content)
        assert claim("devkit_start", ARGUMENTS, str(repository), None, environ) is None
        assert sightings(environ) == []


def test_without_a_place_to_write_nothing_happens(environ: Environ, repository: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environ["XDG_STATE_HOME"] = str(tmp_path / "file")
    assert not observe_call(call(repository), environ)


def test_ancestors_are_the_processes_above() -> None:
    assert ancestors(os.getpid())[0] == os.getppid()


NAMES = [
    ("mcp__plugin_devkit_devkit-engine__devkit_advance", "claude", "devkit_advance"),
    ("mcp__devkit-engine__devkit_advance", "claude", "devkit_advance"),
    ("mcp__plugin_devkit_devkit-engine__devflow_show", "claude", "devflow_show"),
    ("mcp__devkit__devkit_advance", "codex", "devkit_advance"),
    ("mcp_devkit-engine_devkit_start", "gemini", "devkit_start"),
    ("MCP:devkit_abort", "cursor", "devkit_abort"),
    ("devkit-engine-devkit_list", "copilot", "devkit_list"),
    ("devkit-engine_devkit_list", "opencode", "devkit_list"),
    ("devkit_status_devkit-engine", "augment", "devkit_status"),
    ("@devkit-engine/devkit_status", "kiro", "devkit_status"),
    # look-alikes
    ("mcp__plugin_evil__devkit_advance", "claude", None),
    ("mcp__plugin_evil_devkit-engine__devkit_advance", "claude", None),
    ("mcp__plugin_devkit_evil__devkit_advance", "claude", None),
    ("mcp__plugin_devkit_devkit-engine__devkit_advance_all", "claude", None),
    ("mcp__plugin_devkit_devkit-engine__devkit_masquerade", "claude", None),
    ("xmcp__devkit-engine__devkit_advance", "claude", None),
    ("MCP__DEVKIT-ENGINE__DEVKIT_ADVANCE", "claude", None),
    ("devkit_advance", "claude", None),
    ("devkit-engine_devkit_list", "claude", None),
    ("mcp__devkit__devkit_advance", "claude", None),
    ("", "claude", None),
]


@pytest.mark.parametrize(("name", "runtime", "found"), NAMES)
def test_own_tools_are_named_exactly(name: str, runtime: str, found: str | None) -> None:
    assert tool_name(name, runtime) == found
    assert own_tool(name, runtime) is (found is not None)


def test_every_runtime_that_has_an_adapter_has_names() -> None:
    from guard.hooks.runtimes import NAMES as ADAPTERS

    tools = read_file(str(Path(__file__).parents[2] / "rules/tools.yaml")).mapping("tools")
    assert set(tools.pop("fields").mapping("fields")) == {"folder", "shell", "write"}
    assert set(ADAPTERS) == set(tools) == {*PREFIXES, *SUFFIXES}
    kinds = {"shell", "folder", "other", "write", "read", "search", "web", "subagent", "harmless", "multiplex"}
    assert {kind for table in tools.values() for kind in table.mapping("runtime")} <= kinds


def test_the_table_of_names_is_that_of_the_server(environ: Environ) -> None:
    from guard.mcp.tools import all_tools

    assert [tool.name for tool in all_tools(environ)] == [*WORKFLOW_TOOLS, *BOARD_TOOLS]
