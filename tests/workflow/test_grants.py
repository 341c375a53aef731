"""Which open steps bind a caller: host sessions, sub-agents, repositories, work trees, several workflows."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.model.call import ToolCall
from guard.model.errors import StoreError
from guard.model.grant import Grant, Step
from guard.workflow import grants_for, service
from guard.workflow.grants import idle_after
from guard.workflow.sessions import Session

Environ = dict[str, str]
Write = Callable[[str, str], str]

FLOW = """\
name: flow
description: A flow.
steps:
  - {id: look, prompt: x}
  - {id: check, command: 'exit 1'}
  - {id: end, prompt: y, enforce: soft}
"""


def call(cwd: Path | str | None, session: str | None = "H", agent: str | None = None) -> ToolCall:
    return ToolCall("claude", "Bash", {"command": "ls"}, None if cwd is None else str(cwd), session, agent)


@pytest.fixture
def started(environ: Environ, repository: Path, workflow_file: Write) -> Callable[..., Session]:
    def start(
        home: Path = repository, session: str | None = None, agent: str | None = None, guard: str = ""
    ) -> Session:
        name = f"flow{len(os.listdir(environ['DEVKIT_WORKFLOWS']))}"
        workflow_file(name, FLOW.replace("name: flow", f"name: {name}\nguard: {{{guard}}}"))
        return service.start(name, "", service.Owner(str(home), "claude", session, agent, person=True), environ)

    return start


def bound(environ: Environ, *calls: ToolCall) -> list[list[str]]:
    return [[step.session for step in grants_for(one, environ)] for one in calls]


def test_the_open_step_is_told_as_it_is(environ: Environ, repository: Path, started: Callable[..., Session]) -> None:
    assert grants_for(call(repository), environ) == ()
    session = started(session="H", guard="tools: [WebFetch]")
    name, place = session.workflow.name, str(repository)
    look = Step(session.id, name, "look", 1, 3, True, Grant(tools=("WebFetch",)), False, place)
    assert grants_for(call(repository), environ) == (look,)
    session = service.proceed(session, "", environ)
    assert grants_for(call(repository), environ) == (look._replace(step="check", number=2, engine_runs=True),)
    service.abort(session, "enough")
    assert grants_for(call(repository), environ) == ()


def test_a_soft_step(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("soft", "name: soft\ndescription: S.\nsteps: [{id: a, prompt: x, enforce: soft}]\n")
    service.start("soft", "", service.Owner(str(repository), "shell", person=True), environ)
    assert [step.hard for step in grants_for(call(repository), environ)] == [False]


def test_two_host_sessions_in_one_repository(
    environ: Environ, repository: Path, started: Callable[..., Session]
) -> None:
    one, two = started(session="H"), started(session="K")
    assert bound(environ, call(repository, "H"), call(repository, "K"), call(repository, "L")) == [
        [one.id],
        [two.id],
        [],
    ]


def test_cd_is_no_way_out_of_a_host_session_s_step(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    one = started(session="H")
    assert bound(environ, call(tmp_path), call("/"), call(None), call(repository / "sub")) == [[one.id]] * 4


def test_a_caller_that_names_no_host_session_is_bound_in_the_repository(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    one = started(session="H")
    assert bound(environ, call(repository, None), call(tmp_path, None)) == [[one.id], []]


def test_a_session_from_a_shell_binds_every_caller_in_its_repository(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    one = started()
    (repository / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to(repository / "deep")
    (tmp_path / "repository-evil").mkdir()
    inside = [call(repository, "H"), call(repository / "deep/er", "K", "a"), call(tmp_path / "link"), call(None)]
    inside.append(call(f"{repository}/deep/../"))
    outside = [call(tmp_path), call(tmp_path / "repository-evil"), call("/")]
    assert bound(environ, *inside) == [[one.id]] * 5
    assert bound(environ, *outside) == [[]] * 3


def shell(cwd: Path, command: str, session: str = "H") -> ToolCall:
    return ToolCall("claude", "Bash", {"command": command}, str(cwd), session)


REACHING = [
    "rm -rf {repository}/src",
    "rm -rf '{repository}'/src",
    'rm -rf "{repository}/s"rc',
    "cd {repository} && touch x",
    "cd {repository}/..; rm -rf repository",
    "cd / && rm -rf x",
    "cp a.py {repository}",
    "echo x >{repository}/a.py",
    "git -C {repository} checkout .",
    "make -C{repository}/src",
    "tar -x --directory={repository}",
    "curl -d @{repository}/a http://x",
    "docker run -v {repository}:/x image",
    "rm -rf ../repository/src",
    "rm -rf link/src",
    "rm -rf link/*",
    "rm -rf {repository}*",
    "rm -rf ../*/src",
    "rm -rf ../r{{e,x}}pository/src",
    "rm -rf $TEST_REPOSITORY/src",
    "rm -rf {repository}/$x",
    "rm -rf {parent}",
    "rm -rf {parent}/*",
]
APART = [
    "ls",
    "rm -rf build src/* 'a b' $x",
    "rm -rf {parent}/repository-evil",
    "rm -rf ../other",
    "rm -rf ../o*",
    "sed -i s/a/b/ x && echo 'either / or ~ three'",
    "curl https://example.org/{repository}",
    "git diff HEAD~1..main -- src",
    "ls link-that-is-none/../x",
]


@pytest.mark.parametrize("command", REACHING)
def test_cd_is_no_way_out_of_a_session_from_a_shell(
    environ: Environ,
    repository: Path,
    tmp_path: Path,
    started: Callable[..., Session],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    monkeypatch.setenv("TEST_REPOSITORY", str(repository))
    one, away = started(), tmp_path / "away"
    away.mkdir()
    (away / "link").symlink_to(repository)
    reaching = shell(away, command.format(repository=repository, parent=tmp_path))
    assert bound(environ, reaching) == [[one.id]]


@pytest.mark.parametrize("command", APART)
def test_a_session_from_a_shell_leaves_other_repositories_alone(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session], command: str
) -> None:
    started()
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    assert bound(environ, shell(other, command.format(repository=repository, parent=tmp_path))) == [[]]


def test_a_file_tool_is_bound_by_the_repository_of_its_path(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    one = started()
    (tmp_path / "link").symlink_to(repository)

    def to(path: str, tool: str = "Write", key: str = "file_path") -> ToolCall:
        return ToolCall("claude", tool, {key: path, "content": f"see {repository}/a"}, str(tmp_path), "H")

    inside = [to(f"{repository}/src/a.py"), to("link/a.py"), to("repository/a.py"), to(f"{repository}/a", "Mcp", "at")]
    assert bound(environ, *inside) == [[one.id]] * 4
    assert bound(environ, to(f"{tmp_path}/a.py"), to("repository-evil/a.py")) == [[], []]


def test_the_project_of_the_caller_counts_wherever_its_shell_is(
    environ: Environ,
    repository: Path,
    tmp_path: Path,
    started: Callable[..., Session],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, away = started(), tmp_path / "away"
    away.mkdir()
    assert bound(environ, call(away)) == [[]]
    assert bound(environ, call(away)._replace(roots=(str(away), f"{repository}/src"))) == [[one.id]]
    assert bound({**environ, "CLAUDE_PROJECT_DIR": str(repository)}, call(away)) == [[one.id]]
    monkeypatch.chdir(repository)
    assert bound(environ, call(away)) == [[one.id]]


def test_two_work_trees_and_a_submodule(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    def git(*words: str, cwd: Path = repository) -> None:
        settings = ["-c", "protocol.file.allow=always", "-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *settings, *words], cwd=cwd, check=True, capture_output=True)

    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(repository), str(other)], check=True, capture_output=True)
    git("worktree", "add", "-q", str(repository / ".trees" / "b"), "-b", "b")
    git("submodule", "add", "-q", str(other), "module")
    one = started(repository)
    two = started(repository / ".trees" / "b")
    places = [repository, repository / ".trees" / "b", repository / "module", other]
    assert bound(environ, *map(call, places)) == [[one.id], [two.id], [one.id], []]


def test_outside_of_git_a_folder_is_the_home(
    environ: Environ, tmp_path: Path, repository: Path, started: Callable[..., Session]
) -> None:
    plain = tmp_path / "plain"
    (plain / "inner").mkdir(parents=True)
    one = started(plain)
    assert bound(environ, call(plain), call(plain / "inner"), call(tmp_path), call(repository)) == [
        [one.id],
        [one.id],
        [],
        [],
    ]


SUBAGENTS = [
    # the session's owner, its grant, the caller's agent, bound as delegate (None: not bound)
    (None, "same", None, False),
    (None, "same", "a", True),
    (None, "free", None, False),
    (None, "free", "a", None),
    (None, "none", "a", True),
    ("a", "same", "a", False),
    ("a", "none", "a", False),
    ("a", "same", "b", None),
    ("a", "same", None, None),
]


@pytest.mark.parametrize(("owner", "subagents", "agent", "delegate"), SUBAGENTS)
def test_sub_agents(
    environ: Environ,
    repository: Path,
    started: Callable[..., Session],
    owner: str | None,
    subagents: str,
    agent: str | None,
    delegate: bool | None,
) -> None:
    started(session="H", agent=owner, guard=f"subagents: {subagents}")
    found = grants_for(call(repository, "H", agent), environ)
    expected = [] if delegate is None else [(delegate, subagents)]
    assert [(step.delegate, step.grant.subagents) for step in found] == expected


def test_one_caller_with_two_workflows_is_bound_by_both(
    environ: Environ, repository: Path, started: Callable[..., Session]
) -> None:
    one, two = started(session="H", guard="tools: [A, B]"), started(session="H", guard="tools: [B]")
    found = grants_for(call(repository), environ)
    assert [(step.session, step.grant.tools) for step in found] == [(one.id, ("A", "B")), (two.id, ("B",))]
    service.abort(one, "x")
    assert bound(environ, call(repository)) == [[two.id]]


def test_a_plugin_s_hook_sees_sessions_from_a_shell_too(
    environ: Environ, repository: Path, tmp_path: Path, started: Callable[..., Session]
) -> None:
    shell = started()
    environ["CLAUDE_PLUGIN_DATA"] = str(tmp_path / "plugin")
    plugin = started(session="H")
    assert bound(environ, call(repository, "H"), call(repository, "K")) == [[plugin.id, shell.id], [shell.id]]
    del environ["CLAUDE_PLUGIN_DATA"]
    assert service.abort(service.named(plugin.id, environ), "from a shell").status == "aborted"


def test_idle_sessions_stay_enforced_and_say_how_to_end_them(
    environ: Environ, repository: Path, started: Callable[..., Session]
) -> None:
    session = started(session="H")
    assert grants_for(call(repository), environ)[0].note == ""
    environ["DEVKIT_IDLE_AFTER"] = "0s"
    note = f'The session is idle for 0.0 h: `devkit-engine abort --session {session.id} --reason "…"` ends it.'
    assert [step.note for step in grants_for(call(repository), environ)] == [note]


def test_a_clock_that_was_set_back_or_far_ahead(
    environ: Environ, repository: Path, started: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = started(session="H")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 10 * 365 * 86400)
    assert [(step.session, step.note) for step in grants_for(call(repository), environ)] == [(session.id, "")]
    session = service.proceed(session, "", environ)
    monkeypatch.setattr(time, "time", lambda: now + 10 * 365 * 86400)
    (step,) = grants_for(call(repository), environ)
    assert (step.session, "is idle for" in step.note) == (session.id, True)


IDLE = [("", 14400.0), ("90", 90.0), ("30m", 1800.0), ("2d", 172800.0), ("soon", 14400.0), ("-5", 14400.0)]


@pytest.mark.parametrize(("text", "seconds"), IDLE)
def test_idle_after_is_read(text: str, seconds: float) -> None:
    assert idle_after({"DEVKIT_IDLE_AFTER": text}) == seconds


def test_a_budget_that_is_used_up_leaves_only_the_devkit_tools(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file(
        "paid", "name: paid\ndescription: P.\nbudget: {limit: 5}\nsteps: [{id: a, prompt: x}, {id: b, prompt: y}]\n"
    )
    session = service.start("paid", "", service.Owner(str(repository), "shell", person=True), environ)
    service.proceed(session, "", environ, spent=5)
    (step,) = grants_for(call(repository), environ)
    assert (step.engine_runs, step.note) == (True, "the budget of 5 is used up (5): abort the workflow")


def store(environ: Environ) -> str:
    return os.path.join(environ["XDG_STATE_HOME"], "devkit", "engine.db")


DAMAGE: list[Callable[[str], object]] = [
    lambda path: Path(path).write_bytes(b"not a database at all, but long enough to be looked at" * 30),
    lambda path: Path(path).write_bytes(Path(path).read_bytes()[:5000]),
    lambda path: Path(path).write_bytes(b""),
    lambda path: Path(path).unlink(),
    lambda path: _folder(path),
    lambda path: _sql(path, "DROP TABLE sessions"),
    lambda path: _sql(path, "UPDATE sessions SET open = '{'"),
    lambda path: _sql(path, "UPDATE sessions SET open = '{}'"),
    lambda path: _sql(path, "UPDATE sessions SET open = NULL"),
]


def _folder(path: str) -> None:
    Path(path).unlink()
    Path(path).mkdir()


def _sql(path: str, statement: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


@pytest.mark.parametrize("number", range(len(DAMAGE)))
def test_a_damaged_store_is_an_error_that_names_the_way_out(
    environ: Environ, repository: Path, started: Callable[..., Session], number: int
) -> None:
    started(session="H")
    DAMAGE[number](store(environ))
    with pytest.raises(StoreError) as caught:
        grants_for(call(repository), environ)
    folder = os.path.dirname(store(environ))
    assert str(caught.value).startswith(store(environ) + ": ")
    assert str(caught.value).endswith(f"run `devkit-engine doctor --repair {folder}`")
    # the command does what it says
    script = os.path.join(os.path.dirname(sys.executable), "devkit-engine")
    done = subprocess.run(
        [script, "doctor", "--repair", folder], env=environ, capture_output=True, text=True, check=True
    )
    assert f"new store in {folder}" in done.stdout
    assert grants_for(call(repository), environ) == ()
    again = started(session="H")
    assert bound(environ, call(repository)) == [[again.id]]


def test_a_damaged_store_frees_nobody_but_holds_nobody_when_nothing_runs(
    environ: Environ, repository: Path, started: Callable[..., Session]
) -> None:
    service.abort(started(session="H"), "x")
    Path(store(environ)).write_bytes(b"garbage" * 1000)
    assert grants_for(call(repository), environ) == ()


def test_a_writer_that_holds_the_lock_does_not_hold_up_the_hook(
    environ: Environ, repository: Path, started: Callable[..., Session]
) -> None:
    session = started(session="H")
    writer = sqlite3.connect(store(environ), isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE sessions SET status = 'done'")
    began = time.monotonic()
    assert bound(environ, call(repository)) == [[session.id]]
    assert time.monotonic() - began < 0.5
    writer.execute("ROLLBACK")
    writer.execute("PRAGMA journal_mode=DELETE")
    writer.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    with pytest.raises(StoreError, match="database is locked"):
        grants_for(call(repository), environ)
    assert time.monotonic() - began < 3
    writer.close()


def test_what_is_imported_stays_cheap(environ: Environ) -> None:
    program = (
        "import sys; import guard.workflow; from guard.model.call import ToolCall; import os;"
        "guard.workflow.grants_for(ToolCall('claude', 'Bash', {}, '/', 'H'), os.environ);"
        "heavy = {'yaml', 'typer', 'rich', 'mcp', 'pydantic', 'dataclasses', 'sqlite3', 'subprocess', 'asyncio'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_pipe_called_git_holds_nobody_up(environ: Environ, tmp_path: Path, started: Callable[..., Session]) -> None:
    odd = tmp_path / "odd"
    odd.mkdir()
    os.mkfifo(odd / ".git")
    one = started(odd)
    assert bound(environ, call(odd)) == [[one.id]]
