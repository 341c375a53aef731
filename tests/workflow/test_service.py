"""Start, advance, abort on a real store with real commands and real git."""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.model.errors import ConflictError, GuardError, RefusedError
from guard.store.location import folders
from guard.workflow import service, sessions
from guard.workflow.catalog import load
from guard.workflow.sessions import Attempt, Session
from guard.workflow.text import page

Environ = dict[str, str]
Write = Callable[[str, str], str]

TWO = """\
name: two
description: Two steps.
steps:
  - {id: one, prompt: 'First {{input}}'}
  - {id: two, prompt: 'Then {{one}}'}
"""


def owner(repository: Path, session: str | None = None, agent: str | None = None) -> service.Owner:
    return service.Owner(str(repository), "claude", session, agent)


def marks(environ: Environ) -> list[str]:
    return sorted(os.listdir(os.path.join(environ["XDG_STATE_HOME"], "devkit", "open")))


def test_a_workflow_from_start_to_end(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("two", TWO)
    one = service.start("two", "{{two}} $(x)", owner(repository), environ)
    assert "step 1/2: one" in page(one)
    assert "First {{two}} $(x)" in page(one)
    assert marks(environ) == [one.id]
    two = service.proceed(one, "{{input}}", environ)
    assert "step 2/2: two" in page(two)
    assert "Then {{input}}" in page(two)
    done = service.proceed(two, "", environ)
    assert (done.status, marks(environ), service.listed(environ)) == ("done", [], [])
    assert service.listed(environ, ended=True) == [done]
    with pytest.raises(RefusedError, match="is done: start the workflow again"):
        service.proceed(done, "", environ)
    with pytest.raises(RefusedError, match="is done already"):
        service.abort(done, "late")


def test_the_store_is_private(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("two", TWO)
    service.start("two", "", owner(repository), environ)
    folder = os.path.join(environ["XDG_STATE_HOME"], "devkit")
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert {stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) for name in ("engine.db",)} == {0o600}


def test_the_plugin_s_folder_is_used_first(
    environ: Environ, repository: Path, workflow_file: Write, tmp_path: Path
) -> None:
    workflow_file("two", TWO)
    environ["CLAUDE_PLUGIN_DATA"] = str(tmp_path / "plugin")
    session = service.start("two", "", owner(repository, "H"), environ)
    assert session.folder == str(tmp_path / "plugin")
    assert service.listed(environ) == [session]


def test_without_home_the_user_data_base_says_where() -> None:
    expected = os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".local/state/devkit")
    assert [folders(environ) for environ in ({}, {"HOME": ""}, {"HOME": "relative"})] == [(expected,)] * 3


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become a user that has no entry")
def test_without_any_home_there_is_a_message(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow = load(workflow_file("two", TWO))
    lost = {"DEVKIT_WORKFLOWS": environ["DEVKIT_WORKFLOWS"], "XDG_CONFIG_HOME": environ["XDG_CONFIG_HOME"]}
    there, here = os.pipe()
    child = os.fork()
    if child == 0:
        os.setuid(54321)
        try:
            service.start(workflow, "", owner(repository), lost)
        except BaseException as error:
            os.write(here, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(here)
    with os.fdopen(there) as pipe:
        assert pipe.read() == "UsageError: no place for the workflow state: set HOME or XDG_STATE_HOME"
    os.waitpid(child, 0)


COMMANDS = """\
name: commands
description: Commands and a gate.
steps:
  - {id: first, command: 'echo "$DEVKIT_INPUT"; pwd'}
  - id: work
    prompt: "{{first}}"
    loop: {max: 3, gate: 'test "$DEVKIT_OUT_WORK" = good && test -z "$DEVKIT_OUT_LAST"'}
  - {id: red, command: 'exit 3', expect: failure}
  - {id: last-check, command: 'test -e allowed'}
  - {id: end, prompt: Done.}
"""


def test_commands_and_gates_are_run_by_the_engine(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("commands", COMMANDS)
    news: list[str] = []
    session = service.start("commands", "$(touch pwned) {{x}}", owner(repository), environ, news.append)
    assert session.state.outputs == {"first": f"$(touch pwned) {{{{x}}}}\n{repository}\n"}
    assert news == ['step first: echo "$DEVKIT_INPUT"; pwd']
    again = service.proceed(session, "bad", environ, news.append)
    assert "loop 2/3" in page(again)
    assert news[1].startswith("gate, round 1 of 3: test")
    stuck = service.proceed(again, "good", environ)
    assert (stuck.state.step, stuck.attempt) == (3, None)
    assert stuck.state.notice.startswith(
        "command of step last-check failed: expected exit status 0 (got exit status 1)"
    )
    assert sessions.step_json(stuck) == {
        "index": 4,
        "total": 5,
        "id": "last-check",
        "kind": "command",
        "enforce": "hard",
    }
    still = service.proceed(stuck, "", environ)
    assert still.state.step == 3
    (repository / "allowed").touch()
    assert service.proceed(still, "", environ).state.step == 4
    assert not (repository / "pwned").exists()


def test_a_long_gate_is_stopped_with_all_it_started(environ: Environ, repository: Path, workflow_file: Write) -> None:
    text = (
        "name: slow\ndescription: Slow.\nsteps:\n  - {id: a, command: 'sleep 60 & echo begun; sleep 60', timeout: 1}\n"
    )
    workflow_file("slow", text)
    began = time.monotonic()
    session = service.start("slow", "", owner(repository), environ)
    assert time.monotonic() - began < 20
    assert session.state.notice == ("command of step a failed: expected exit status 0 (got no end within 1 s)\nbegun")


def test_a_command_that_leaves_a_child_behind_does_not_hang(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("child", "name: child\ndescription: C.\nsteps:\n  - {id: a, command: 'sleep 60 & echo out'}\n")
    began = time.monotonic()
    session = service.start("child", "", owner(repository), environ)
    assert (session.status, session.state.outputs) == ("done", {"a": "out\n"})
    assert time.monotonic() - began < 20


def test_a_folder_that_is_gone_is_said(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("child", "name: child\ndescription: C.\nsteps:\n  - {id: a, command: 'true'}\n")
    session = service.start("child", "", owner(repository / "gone"), environ)
    start = "command of step a failed: expected exit status 0 (got no start: [Errno 2] No such file or directory"
    assert session.state.notice.startswith(start)


def test_huge_outputs_reach_commands_cut(environ: Environ, repository: Path, workflow_file: Write) -> None:
    steps = "  - {id: a, prompt: x}\n  - {id: b, command: 'printf %s \"$DEVKIT_OUT_A\" | wc -c'}\n"
    text = f"name: big\ndescription: B.\nsteps:\n{steps}"
    workflow_file("big", text)
    session = service.start("big", "", owner(repository), environ)
    done = service.proceed(session, "ü" * 200_000, environ)
    assert done.state.outputs["b"].strip() == str(64 * 1024)
    with pytest.raises(RefusedError, match="write a file and name it instead"):
        service.proceed(service.start("big", "", owner(repository), environ), "x" * (1 << 20 | 1), environ)


def test_an_edited_file_changes_nothing_for_a_running_session(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("two", TWO)
    session = service.start("two", "", owner(repository), environ)
    workflow_file("two", TWO.replace("Then", "Never") + "    enforce: soft\n")
    assert "Then x" in page(service.proceed(session, "x", environ))
    Path(environ["DEVKIT_WORKFLOWS"], "two.yaml").unlink()
    assert service.proceed(service.named(session.id, environ), "", environ).status == "done"


def test_of_two_advances_one_wins(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("two", TWO)
    session = service.start("two", "", owner(repository), environ)
    results: list[Session | GuardError] = []
    gate = threading.Barrier(8)

    def run(number: int) -> None:
        gate.wait()
        try:
            results.append(service.proceed(session, str(number), environ))
        except GuardError as error:
            results.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = [result for result in results if isinstance(result, Session)]
    lost = [result for result in results if isinstance(result, ConflictError)]
    assert (len(won), len(lost)) == (1, 7)
    assert str(lost[0]).startswith(f"session {session.id} was changed by another call in the meantime")
    assert service.named(session.id, environ) == won[0]


GATED = """\
name: gated
description: A gate.
steps:
  - {id: a, prompt: x, loop: {max: 3, gate: 'echo x >> ran; sleep 2'}}
  - {id: b, prompt: y}
"""


def test_an_advance_during_another_s_gate_is_refused_at_once(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("gated", GATED)
    session = service.start("gated", "", owner(repository), environ)
    first = threading.Thread(target=service.proceed, args=(session, "x", environ))
    first.start()
    while not (repository / "ran").exists():
        time.sleep(0.02)
    began = time.monotonic()
    with pytest.raises(
        ConflictError, match=r"another advance of session .* is under way: process .* runs `echo x >> ran"
    ):
        service.proceed(service.named(session.id, environ), "y", environ)
    assert time.monotonic() - began < 1
    first.join()
    assert (repository / "ran").read_text() == "x\n"
    assert service.named(session.id, environ).state.step == 1


def test_an_abort_wins_over_an_advance(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("gated", GATED)
    session = service.start("gated", "", owner(repository), environ)
    errors: list[GuardError] = []

    def run() -> None:
        try:
            service.proceed(session, "x", environ)
        except GuardError as error:
            errors.append(error)

    first = threading.Thread(target=run)
    first.start()
    while not (repository / "ran").exists():
        time.sleep(0.02)
    assert service.abort(service.named(session.id, environ), "enough").status == "aborted"
    first.join()
    assert [type(error) for error in errors] == [ConflictError]
    assert service.named(session.id, environ).status == "aborted"
    assert marks(environ) == []


def test_an_attempt_of_a_process_that_is_gone_is_taken_over(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("gated", GATED.replace("sleep 2", "true"))
    session = service.start("gated", "", owner(repository), environ)
    process = subprocess.Popen(["true"])
    process.wait()
    now = time.time()
    voids = [
        Attempt(process.pid, "", now, now + 600, "gone"),
        Attempt(os.getpid(), "1", now, now + 600, "another process had this id"),
        Attempt(os.getppid(), "", now - 700, now - 60, "its time is over"),
    ]
    for void in voids:
        session = sessions.save(session._replace(attempt=void))
    assert service.proceed(session, "x", environ).state.step == 1


def test_an_engine_killed_during_its_gate_leaves_nothing_busy(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("gated", GATED.replace("sleep 2", "test -e quick || sleep 30"))
    session = service.start("gated", "", owner(repository), environ)
    script = os.path.join(os.path.dirname(sys.executable), "devkit-engine")
    engine = subprocess.Popen([script, "advance", "--session", session.id], env=environ, cwd=repository)
    while not (repository / "ran").exists():
        time.sleep(0.02)
    with pytest.raises(ConflictError, match=f"process {engine.pid} runs"):
        service.proceed(service.named(session.id, environ), "x", environ)
    engine.kill()
    engine.wait()
    (repository / "quick").touch()
    after = service.proceed(service.named(session.id, environ), "x", environ)
    assert (after.state.step, after.attempt) == (1, None)


def test_a_branch_is_created_or_the_start_fails(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("branch", TWO.replace("name: two", "name: branch\nbranch_name: devkit/work"))
    session = service.start("branch", "", owner(repository), environ)
    shown = subprocess.run(
        ["git", "branch", "--show-current"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert (session.status, shown.stdout) == ("running", "devkit/work\n")
    service.abort(session, "again")
    with pytest.raises(RefusedError, match="already exists"):
        service.start("branch", "", owner(repository), environ)
    assert (service.listed(environ), marks(environ)) == ([], [])


def test_without_git_a_start_with_a_branch_fails_cleanly(
    environ: Environ, tmp_path: Path, repository: Path, workflow_file: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow_file("branch", TWO.replace("name: two", "name: branch\nbranch_name: devkit/work"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RefusedError, match="workflow branch was not started: git was not found"):
        service.start("branch", "", owner(repository), environ)
    assert (service.listed(environ), marks(environ)) == ([], [])


def test_unknown_names(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("two", TWO)
    with pytest.raises(RefusedError, match=r"no workflow 'three': expected one of .*two"):
        service.start("three", "", owner(repository), environ)
    with pytest.raises(RefusedError, match="no session 'x': running sessions: none"):
        service.named("x", environ)
    session = service.start("two", "", owner(repository), environ)
    with pytest.raises(RefusedError, match=f"running sessions: {session.id} \\(two\\)"):
        service.named("x", environ)


def test_the_session_may_be_left_out_where_there_is_one(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("two", TWO)
    with pytest.raises(RefusedError, match="no session is open"):
        service.only_one(str(repository), environ)
    person = owner(repository)._replace(person=True)
    first = service.start("two", "", person, environ)
    assert service.only_one(str(repository), environ) == first
    service.start("two", "", person, environ)
    with pytest.raises(RefusedError, match="several sessions are open"):
        service.only_one(str(repository), environ)


NESTING = TWO.replace("name: two", "name: outer\nguard: {tools: [devkit_start]}")


def test_a_second_workflow_is_refused_unless_the_open_step_grants_it(
    environ: Environ, repository: Path, workflow_file: Write
) -> None:
    workflow_file("two", TWO)
    workflow_file("outer", NESTING)
    service.start("outer", "", owner(repository, "H"), environ)
    service.start("two", "", owner(repository, "H"), environ)
    with pytest.raises(RefusedError, match=r"workflow two \(session .*\) is open at step 1/2 \(one\)"):
        service.start("two", "", owner(repository, "H"), environ)
    # others are not held up by it: another host session, and a sub-agent of the first one, which has one itself then
    service.start("two", "", owner(repository, "K"), environ)


def test_sub_agents_may_each_own_one(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("two", TWO)
    workflow_file("outer", NESTING)
    service.start("outer", "", owner(repository, "H"), environ)
    service.start("two", "", owner(repository, "H", "a"), environ)
    service.start("two", "", owner(repository, "H", "b"), environ)
    with pytest.raises(RefusedError, match="is open at step"):
        service.start("two", "", owner(repository, "H", "a"), environ)
