"""`devkit-guard new`: files made from scaffolds."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Make a new file from a scaffold.", no_args_is_help=True)


@app.callback()
def _several() -> None:
    """Keeps `rule` a command of its own while there is no other."""


@app.command()
def rule(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="The program, as it is called.")],
    user: Annotated[bool, typer.Option("--user", help="Into your own rules, not this checkout's.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Another file; `-`: print.")
    ] = None,
    run_help: Annotated[
        bool, typer.Option("--run-help", help="Run the program with --help where it has no manual page.")
    ] = False,
) -> int:
    """Make a rule file with every option vetoed and every judgement left to you. Exit code: 2 nothing was made."""
    from guard.cli import new_rule as verb

    return verb.run(program, user=user, output=output, run_help=run_help)
