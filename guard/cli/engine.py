"""`devkit-engine`: workflows from the shell, the MCP server, and what is open.

Exit codes: 0 done, 1 refused or not advanced, 2 wrong usage, 3 internal error.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from typing import Annotated

import typer

from guard import __version__
from guard.board.rejections import BoardError
from guard.cli import engine_views as views
from guard.model.errors import GuardError, RefusedError, UsageError
from guard.rulebook.grant_reader import SETS, read_sets
from guard.store.location import all_folders
from guard.store.repair import problem, repair
from guard.workflow import catalog, service
from guard.workflow.definition import Workflow
from guard.workflow.reader import read_principles
from guard.workflow.repository import home_of
from guard.workflow.sessions import Session
from guard.workflow.text import page

app = typer.Typer(
    help="Workflows that agents go through step by step.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
SessionOption = Annotated[
    str, typer.Option("--session", help="The session; may be left out where only one is open here.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Also sessions that are over.")]


@app.command("list")
def list_workflows() -> None:
    """The workflows that can be started."""
    for found in catalog.listing(os.environ):
        if isinstance(found, Workflow):
            typer.echo(f"{found.name:<12} {len(found.steps)} steps  {found.description}")
        else:
            typer.echo(f"faulty: {found}", err=True)


@app.command()
def start(
    workflow: Annotated[str, typer.Argument(help="Name of a workflow, or a file.")],
    text: Annotated[str, typer.Option("--input", help="What it is about.")] = "",
) -> None:
    """Open a workflow for every caller in this repository and print its first step."""
    chosen = catalog.load(workflow) if os.sep in workflow or workflow.endswith((".yaml", ".yml")) else workflow
    owner = service.Owner(_home(), "shell", person=True)
    typer.echo(page(service.start(chosen, text, owner, os.environ, _progress)))


@app.command()
def advance(
    session: SessionOption = "",
    output: Annotated[str, typer.Option("--output", help="The output of the step; - reads it from stdin.")] = "",
    spent: Annotated[float, typer.Option(help="What the step used up of the workflow's budget.")] = 0,
) -> None:
    """Report that the open step is done and print the next one."""
    before = _chosen(session)
    after = service.proceed(before, sys.stdin.read() if output == "-" else output, os.environ, _progress, spent)
    typer.echo(page(after))
    moved = (after.state.step, after.state.iteration, after.state.visits) != (
        before.state.step,
        before.state.iteration,
        before.state.visits,
    )
    if after.status == "failed" or not moved:
        raise typer.Exit(1)


@app.command()
def abort(
    reason: Annotated[str, typer.Option("--reason", help="Why it ends.")],
    session: SessionOption = "",
) -> None:
    """End a session before it is complete."""
    typer.echo(page(service.abort(_chosen(session), reason)))


@app.command()
def status(
    session: Annotated[str, typer.Option("--session", help="Only this session.")] = "",
    ended: AllOption = False,
    watch: Annotated[bool, typer.Option("--watch", help="Print it again every second.")] = False,
) -> None:
    """What is open: which step, since when, what it allows, how to go on."""
    while True:
        text = views.status_text(_selected(session, ended), os.environ)
        typer.echo(("\x1b[H\x1b[2J" if watch and sys.stdout.isatty() else "") + text)
        if not watch:
            return
        time.sleep(1)


@app.command("session-status")
def session_status(
    session: Annotated[str, typer.Option("--session", help="Only this session.")] = "",
    ended: AllOption = False,
) -> None:
    """The open sessions as JSON."""
    found = [views.session_json(entry, os.environ) for entry in _selected(session, ended)]
    typer.echo(json.dumps({"sessions": found}))


@app.command()
def show(
    workflow: Annotated[str, typer.Argument(help="Name of a workflow, or a file.")],
    form: Annotated[str, typer.Option("--format", help="text or mermaid")] = "text",
) -> None:
    """Draw a workflow: steps, loops, branches, gates and grants."""
    from guard.workflow.drawing import drawn, mermaid

    drawings = {"text": drawn, "mermaid": mermaid}
    if form not in drawings:
        raise UsageError(f"--format: expected text or mermaid (got '{form}')")
    is_file = os.sep in workflow or workflow.endswith((".yaml", ".yml"))
    typer.echo(drawings[form](catalog.load(workflow) if is_file else catalog.find(workflow, os.environ)))


@app.command()
def validate(
    files: Annotated[list[str] | None, typer.Argument(help="Workflow files.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of workflow files.")] = False,
) -> None:
    """Check workflow files: the first fault of each as file:line:column. `devkit-guard lint` looks deeper."""
    if schema:
        from guard.workflow.schema import SCHEMA

        typer.echo(json.dumps(SCHEMA, indent=2))
        return
    if not files:
        raise UsageError("validate: expected at least one file")
    faults = 0
    for path in files:
        try:
            typer.echo(f"{path}: ok: {_validated(path)}")
        except GuardError as error:
            faults += 1
            typer.echo(str(error), err=True)
    if faults:
        raise typer.Exit(1)


@app.command()
def mcp() -> None:
    """Serve the tools over MCP on stdin and stdout."""
    from guard.mcp.server import serve
    from guard.mcp.tools import all_tools

    serve(all_tools(os.environ), __version__, os.environ)


@app.command()
def doctor(
    mend: Annotated[
        str, typer.Option("--repair", metavar="FOLDER", help="Put the damaged store in FOLDER aside.")
    ] = "",
) -> None:
    """Check the store and the hook."""
    if mend:
        moved = repair(mend, time.strftime("%Y%m%d-%H%M%S"))
        typer.echo("\n".join([f"moved {path}" for path in moved] + [f"new store in {mend}; its sessions are over"]))
        return
    lines = []
    for folder in all_folders(os.environ):
        fault = problem(folder)
        lines += (
            [f"fault {fault}: run `devkit-engine doctor --repair {folder}`"] if fault else views.store_lines(folder)
        )
    hook = shutil.which("devkit-guard")
    lines.append(f"ok    hook: {hook}" if hook else "fault hook: devkit-guard is not on PATH: no step is enforced")
    typer.echo("\n".join(lines))
    code = subprocess.run([hook, "doctor"], check=False).returncode if hook else 1
    if code or any(line.startswith("fault") for line in lines):
        raise typer.Exit(1)


@app.command(
    "board", context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)
def board(context: typer.Context) -> None:
    """The task board of this workspace."""
    from guard.cli import board as people

    try:
        people.app(context.args, prog_name="devkit-engine board")
    except BoardError as error:
        raise RefusedError(error.code, people.at_a_shell(str(error))) from None


def main() -> None:
    """Entry point of the script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(standalone_mode=False)
        raise SystemExit(code if isinstance(code, int) else 0)
    except GuardError as error:
        _fail(str(error), 2 if isinstance(error, UsageError) else 1)
    except (KeyboardInterrupt, BrokenPipeError):
        raise SystemExit(130) from None
    except Exception as error:
        show_usage = getattr(error, "format_message", None)
        if show_usage is not None:
            _fail(show_usage(), 2) if show_usage() else sys.exit(2)  # without words: help was shown
        _fail(f"internal error: {type(error).__name__}: {error}", 3)


def _fail(message: str, code: int) -> None:
    print(f"devkit-engine: {message}", file=sys.stderr)
    raise SystemExit(code)


def _progress(message: str) -> None:
    print(f"devkit-engine: {message}", file=sys.stderr)


def _chosen(session: str) -> Session:
    if session:
        return service.named(session, os.environ)
    return service.only_one(_home(), os.environ)


def _selected(session: str, ended: bool) -> list[Session]:
    return [service.named(session, os.environ)] if session else service.listed(os.environ, ended=ended)


def _validated(path: str) -> str:
    """What is in a file of the workflow folder. Raises RuleError."""
    name = os.path.basename(path)
    if name == catalog.PRINCIPLES:
        return f"{len(read_principles(path))} principles"
    if name == SETS:
        return f"{sum(map(len, read_sets(path)))} sets"
    if name == "board.yaml":
        from guard.board import definition

        return f"a pipeline of {len(definition.load(path).stages)} stages"
    found = catalog.load(path)
    return f"{found.name}, {len(found.steps)} steps"


def _home() -> str:
    try:
        return home_of(os.getcwd())
    except FileNotFoundError:
        raise UsageError("the current folder is gone: change into one that is there") from None
