"""The typer app behind `devkit-guard`, and the boundary where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

import guard
from guard.cli import new
from guard.model.errors import GuardError, UsageError

EXIT_ALLOW, EXIT_VETO, EXIT_USAGE, EXIT_INTERNAL = 0, 1, 2, 3
EXIT_UNREAD = 141
"""Whoever read the output went away (`| head -1`): what a shell shows for a program that SIGPIPE has ended. Never 0, as
the verdict may not have been written."""

app = typer.Typer(
    name="devkit-guard",
    help="Works out what a Bash command could do, and lets through what only reads.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(new.app, name="new")


def run(arguments: list[str] | None = None) -> int:
    """Runs the app; the exit code. Every error a person can meet is one line on standard error."""
    try:
        result = app(arguments, standalone_mode=False)
        sys.stdout.flush()
        return int(result or 0)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("interrupted", EXIT_INTERNAL)
    except TyperException as error:
        return _fail(f"{error} (see --help)", EXIT_USAGE) if str(error) else EXIT_USAGE  # without words: help was shown
    except UsageError as error:
        return _fail(str(error), EXIT_USAGE)
    except (BrokenPipeError, SystemExit):  # typer exits by itself, with 1, when nobody reads the output
        _drop_output()
        return EXIT_UNREAD
    except GuardError as error:
        return _fail(str(error), EXIT_INTERNAL)
    except OSError as error:
        return _fail(f"{error.strerror or error}: {error.filename or 'input or output'}", EXIT_INTERNAL)
    except Exception as error:
        return _fail(f"internal error, nothing was decided: {type(error).__name__}: {error}", EXIT_INTERNAL)


def _fail(message: str, code: int) -> int:
    try:
        sys.stderr.write(f"devkit-guard: {message}\n")
        sys.stderr.flush()
    except OSError:
        pass
    return code


def _drop_output() -> None:
    """Keeps the interpreter from complaining about the closed output when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"devkit-guard {guard.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def classify(
    command: Annotated[
        str | None, typer.Argument(help="The command line, in quotes; `-` reads it from standard input.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object for programs.")] = False,
    batch: Annotated[bool, typer.Option("--batch", help='JSON lines in ({"command": …}), JSON lines out.')] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also print the tree that was read, and every effect.")
    ] = False,
    grant: Annotated[str, typer.Option("--grant", metavar="KINDS", help="Effects that pass.")] = "read,cache",
    cwd: Annotated[str | None, typer.Option("--cwd", metavar="DIR", help="Where the command will run.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colour.")] = False,
) -> int:
    """Say what a command could do. Exit code: 0 allow, 1 veto, 2 usage, 3 internal error."""
    from guard.cli import classify as verb

    if batch:
        if command is not None or json_ or explain:
            raise UsageError("--batch reads commands from standard input: leave out the command, --json and --explain")
        return verb.batch(verb.grant(grant), verb.directory(cwd))
    if command is None:
        raise UsageError('which command? Try: devkit-guard classify "git log --oneline | head"')
    if command == "-":
        command = verb.standard_input()
    return verb.one(command, verb.grant(grant), verb.directory(cwd), as_json=json_, tree=explain, plain=plain)


@app.command()
def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders; default: where the tools keep theirs, here and at home."),
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="text, concise, json, sarif or github.")] = "text",
    as_: Annotated[str | None, typer.Option("--as", metavar="FORMAT", help="Read the files as this format.")] = None,
    select: Annotated[str, typer.Option("--select", metavar="CODES", help="Only these checks: codes or names.")] = "",
    ignore: Annotated[str, typer.Option("--ignore", metavar="CODES", help="Not these checks.")] = "",
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended without changing what is meant.")] = False,
    unsafe_fixes: Annotated[bool, typer.Option("--unsafe-fixes", help="Also narrow and remove rules.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what --fix would change, and write nothing.")] = False,
    statistics: Annotated[bool, typer.Option("--statistics", help="How often each check was found.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 if there are findings too.")] = False,
) -> int:
    """Check rule files: allowlists of agents, our own rules, workflows and board. Exit code: 0 clean, 1 findings."""
    from guard.cli import lint as verb

    wishes = verb.Wishes(
        form=format_,
        as_format=as_,
        select=_codes(select),
        ignore=_codes(ignore),
        fix=fix,
        unsafe=unsafe_fixes,
        diff=diff,
        statistics=statistics,
        exit_zero=exit_zero,
    )
    return verb.run(paths or [], wishes)


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.split(",") if code.strip())


@app.command()
def explain(
    name: Annotated[
        list[str], typer.Argument(metavar="CODE|PROGRAM", help="A check, or a program: `B107`, `git log`.")
    ],
) -> int:
    """Print the page of a check, or what the rule of a program says."""
    from guard.cli import explain as verb

    return verb.run(" ".join(name))


@app.command(name="import")
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A rule file of another tool.")],
    as_: Annotated[str | None, typer.Option("--as", metavar="FORMAT", help="Read the file as this format.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="The grant and the report as one JSON object.")] = False,
) -> int:
    """Turn another tool's allowlist into a grant, and say for each rule what became of it."""
    from guard.cli import import_ as verb

    return verb.run_(file, as_, as_json=json_)


@app.command()
def lsp() -> int:
    """Serve diagnostics, pages and fixes of rule files to an editor (needs the extra `lsp`)."""
    from guard.cli import lsp as verb

    return verb.run()


@app.command()
def prove(
    programs: Annotated[list[str] | None, typer.Argument(help="Programs; default: all that have a rule.")] = None,
    corpus: Annotated[str | None, typer.Option("--corpus", metavar="DIR", help="Allowed lines of a corpus.")] = None,
    rules: Annotated[str | None, typer.Option("--rules", metavar="DIR", help="Rules other than the shipped.")] = None,
    options: Annotated[
        bool, typer.Option("--options", help="Every option that rules allow, not the examples.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", metavar="SECONDS", help="For one command.")] = 10.0,
    record: Annotated[str | None, typer.Option("--record", metavar="FILE", help="Keep the results by rule.")] = None,
    changed: Annotated[bool, typer.Option("--changed", help="Only rules that are not those on record.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object for programs.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also what failed, and notes.")] = False,
) -> int:
    """Run the examples that rules allow in a sandbox, and say what they changed. Exit code: 1 refuted, 3 no sandbox."""
    from guard.cli import prove as verb

    return verb.run(
        programs or [],
        corpus,
        rules,
        options=options,
        timeout=timeout,
        as_json=json_,
        verbose=verbose,
        record=record,
        changed=changed,
    )


AgentsOption = Annotated[
    list[str] | None, typer.Option("--agent", metavar="NAME", help="A runtime; may be given again. Default: all found.")
]
ProjectOption = Annotated[
    bool, typer.Option("--project/--user", help="This repository's files, or your own (the default).")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show the changes as a diff and make none.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object for programs.")]


@app.command()
def init(
    agent: AgentsOption = None,
    project: ProjectOption = False,
    dry_run: DryRunOption = False,
    mode: Annotated[str | None, typer.Option("--mode", help="Write step, always or observe into the hook.")] = None,
    command: Annotated[str | None, typer.Option("--command", help="The program, if not this very one.")] = None,
) -> int:
    """Register the hook with agent runtimes; every other byte of their files stays. Exit code: 1 a file was refused."""
    from guard.cli import init as verb

    return verb.init(agent or [], project=project, dry_run=dry_run, mode=mode, command=command)


@app.command()
def uninit(agent: AgentsOption = None, project: ProjectOption = False, dry_run: DryRunOption = False) -> int:
    """Take the hook out again: byte for byte what was there, if nobody has changed the file since."""
    from guard.cli import init as verb

    return verb.uninit(agent or [], project=project, dry_run=dry_run)


@app.command()
def doctor(agent: AgentsOption = None, json_: JsonOption = False) -> int:
    """Prove for each runtime that its hook answers with a veto. Exit code: 1 something is wrong, or nothing guarded."""
    from guard.cli import doctor as verb

    return verb.run(agent or [], as_json=json_)


@app.command()
def status(json_: JsonOption = False) -> int:
    """Show what is enforced here and now, why, and the way out. Exit code: 1 something cannot be read or started."""
    from guard.cli import status as verb

    return verb.run(as_json=json_)


@app.command()
def log(
    verdict: Annotated[str | None, typer.Option("--verdict", help="allow, veto, ask, approve or pass.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="The runtime.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="The runtime's session.")] = None,
    tool: Annotated[str | None, typer.Option("--tool", help="The runtime's name of the tool.")] = None,
    effect: Annotated[str | None, typer.Option("--effect", help="Calls with this effect.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="Records that hold this text.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="4h", help="Not older than this.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="The last so many; 0: all.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with those that come.")] = False,
    counts: Annotated[bool, typer.Option("--counts", help="How many, by verdict, agent, tool and effect.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="JSON lines; with --counts one object.")] = False,
) -> int:
    """List the decisions that the hook has made."""
    from guard.cli import log as verb

    filters = {"verdict": verdict, "agent": agent, "session": session, "tool": tool, "effects": effect, "text": text}
    return verb.run({**filters, "since": since}, limit=limit, follow=follow, as_json=json_, counts=counts)


@app.command()
def why(
    decision: Annotated[str, typer.Argument(metavar="ID", help="Id in the log, or its beginning; or `last`.")],
    json_: JsonOption = False,
) -> int:
    """Explain one decision of the log; `last` is the newest veto. Exit code: 1 there is no such decision."""
    from guard.cli import log as verb

    return verb.why(decision, as_json=json_)


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: one that is free.")] = 8411,
    mode: Annotated[str | None, typer.Option("--mode", help="step, always or observe.")] = None,
) -> int:
    """Answer hooks over HTTP on this machine: POST /hook/NAME with the token that is printed."""
    from guard.cli import serve as verb

    return verb.run(port, mode)


@app.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def hook(context: typer.Context) -> Any:
    """Answer one tool call of an agent runtime: `hook --agent claude [--mode step|always|observe]`."""
    from guard.hooks.main import main

    return main(context.args)
