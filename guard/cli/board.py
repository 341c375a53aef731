"""`devkit-engine board`: the task board for people. Every verb has `--json`; a person needs no session.

Without `--revision` a change is made at the revision that the card has now.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any

import typer

from guard.board import definition, holding, page, view
from guard.board import doctor as checks
from guard.board.caller import Caller
from guard.board.card import Card, number_of
from guard.board.cards import Board, open_board
from guard.board.files import FileStore
from guard.board.rejections import BoardError
from guard.model.errors import UsageError

app = typer.Typer(
    help="The task board of this workspace: cards that move through stages.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
Json = Annotated[bool, typer.Option("--json", help="JSON for programs.")]
Revision = Annotated[int | None, typer.Option("--revision", min=1, help="Refuse unless the card is at this revision.")]
Id = Annotated[str, typer.Argument(help="Id of a card, or its number.")]
_VERBS = {
    "devflow_attach_artifact": "attach",
    "devflow_list": "list",
    "devflow_show": "show",
    "devflow_takeover": "takeover",
    "devflow_take": "take",
}
"""The verbs that stand for the tools that refusals name."""
_root = ""


@app.callback(invoke_without_command=True)
def board(
    context: typer.Context,
    root: Annotated[str, typer.Option("--root", metavar="DIR", help="Workspace; default: the nearest board.")] = "",
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Write the board as one HTML page.")] = "",
    watch: Annotated[bool, typer.Option("--watch", help="Show it again every second.")] = False,
    as_json: Json = False,
) -> None:
    """Show the board, or act on a card."""
    global _root
    _root = root
    if context.invoked_subcommand is not None:
        if html or watch or as_json:
            raise UsageError(f"--html, --watch and --json before '{context.invoked_subcommand}': put them behind it")
        return
    if html:
        found = view.overview(_board(), history=True)
        title = f"{os.path.basename(found['root']) or 'Board'}: task board"
        text = page.render(found, title, datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"))
        try:
            with open(html, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"--html: {html}: {error.strerror}") from error
        typer.echo(html)
    elif as_json:
        typer.echo(json.dumps(view.overview(_board())))
    else:
        _draw(watch)


@app.command("list")
def list_cards(
    stage: Annotated[str | None, typer.Option(help="Only this stage.")] = None,
    parent: Annotated[str | None, typer.Option(help="Only children of this card.")] = None,
    as_json: Json = False,
) -> None:
    """The cards, one a line."""
    found = view.listed(_board(), stage, parent)
    if as_json:
        typer.echo(json.dumps(found))
        return
    for card in found["cards"]:
        typer.echo(f"{card['id']}  {card['stage']}  {card['stageRevision']}  {card['title']}")
    for entry in found.get("broken", ()):
        typer.echo(entry["message"], err=True)


@app.command()
def show(card: Id, as_json: Json = False) -> None:
    """One card, with its gates, artifacts and history."""
    with _refusals(as_json):
        opened = _board()
        found = opened.card(_full(opened, card))
    data = {**view.shown(opened, found), "history": [view.event(record) for record in found.history]}
    if as_json:
        typer.echo(json.dumps(data))
        return
    typer.echo(_summary(data))
    for artifact in data["artifacts"]:
        typer.echo(f"  {artifact.get('kind', 'file')}: {artifact['path']} (revision {artifact['revision']})")
    for child in data["children"]:
        typer.echo(f"  child {child['id']}  {child['stage']}  {child['title']}")
    typer.echo(f"\n{data['body'].rstrip()}\n")
    for event in data["history"]:
        reason = f": {event['reason']}" if "reason" in event else ""
        typer.echo(f"{event['revision']:>4}  {event['at'][:19]}Z  {event['text']}{reason}  ({event['by']})")


@app.command()
def create(
    title: Annotated[str, typer.Argument(help="One line.")],
    body: Annotated[str, typer.Option(help="Markdown; - reads it from standard input.")] = "",
    slug: Annotated[str | None, typer.Option(help="Ending of the id.")] = None,
    parent: Annotated[str | None, typer.Option(help="The card that this one is part of.")] = None,
    as_json: Json = False,
) -> None:
    """A new card in the first stage."""
    with _refusals(as_json):
        opened = _board()
        above = _full(opened, parent) if parent else None
        text = sys.stdin.read() if body == "-" else body
        _print(opened, opened.create(_caller(), title, text, slug, above), as_json)


@app.command()
def move(
    card: Id,
    to: Annotated[str, typer.Argument(help="The stage to move to.")],
    reason: Annotated[str | None, typer.Option(help="Required for rework.")] = None,
    revision: Revision = None,
    as_json: Json = False,
) -> None:
    """Move a card along one edge."""
    _change(card, revision, as_json, lambda opened, name, at: opened.transition(_caller(), name, to, at, reason))


@app.command()
def take(card: Id, revision: Revision = None, as_json: Json = False) -> None:
    """Take a free card; it stays yours until you release it or it is done, and can be taken over when it is stale."""
    _change(card, revision, as_json, lambda opened, name, at: _remembered(opened).take(_caller(), name, at)[0])


@app.command()
def release(card: Id, revision: Revision = None, as_json: Json = False) -> None:
    """Give your lease back."""
    _change(card, revision, as_json, lambda opened, name, at: opened.release(_caller(), name, at))


@app.command()
def takeover(
    card: Id,
    force: Annotated[bool, typer.Option("--force", help="Also from a holder that still lives.")] = False,
    revision: Revision = None,
    as_json: Json = False,
) -> None:
    """Take a card from a holder that has not been heard of."""
    _change(
        card,
        revision,
        as_json,
        lambda opened, name, at: _remembered(opened).takeover(_caller(), name, at, force=force)[0],
    )


@app.command()
def attach(
    card: Id,
    file: Annotated[str, typer.Argument(help="A file; - reads standard input.")],
    kind: Annotated[
        str | None, typer.Option(help="Kind of artifact; left out: the file is under the card's folder.")
    ] = None,
    revision: Revision = None,
    as_json: Json = False,
) -> None:
    """Register a deliverable."""
    if kind is None:
        path = os.path.abspath(file)
        _change(card, revision, as_json, lambda opened, name, at: opened.attach(_caller(), name, at, path=path))
        return
    text = _read(file)
    _change(
        card, revision, as_json, lambda opened, name, at: opened.attach(_caller(), name, at, kind=kind, content=text)
    )


@app.command()
def archive(
    card: Id,
    reason: Annotated[str | None, typer.Option(help="Required for a card that is not settled.")] = None,
    revision: Revision = None,
    as_json: Json = False,
) -> None:
    """Set a settled card aside."""
    _change(card, revision, as_json, lambda opened, name, at: opened.archive(_caller(), name, at, reason))


@app.command()
def restore(card: Id, revision: Revision = None, as_json: Json = False) -> None:
    """Bring an archived card back."""
    _change(card, revision, as_json, lambda opened, name, at: opened.restore(_caller(), name, at))


@app.command()
def doctor(
    cards: Annotated[list[str] | None, typer.Argument(help="Cards; default: all that are not archived.")] = None,
    repair: Annotated[bool, typer.Option("--repair", help="Cut torn ends off journals, after saving them.")] = False,
    as_json: Json = False,
) -> None:
    """Explain what is wrong with the board's files."""
    mistakes = definition.check(definition.find(_workspace(), os.environ))[1]
    if mistakes:
        faults = [checks.Finding("", "fault", str(mistake)) for mistake in mistakes]
        _print_findings(faults, {}, as_json)
    opened, store = _board(), FileStore(_workspace())
    names = [_full(opened, card) for card in cards or ()]
    found = checks.examine(opened, store, names)
    saved = {entry.card: checks.repair(store, entry.card) for entry in found if repair and entry.repairable}
    if saved:
        found = checks.examine(opened, store, names)
    _print_findings(found, saved, as_json)


def _print_findings(found: list[checks.Finding], saved: Mapping[str, str | None], as_json: bool) -> None:
    """What the doctor found; ends with exit code 1 where it keeps somebody from working."""
    if as_json:
        typer.echo(json.dumps({"findings": [entry._asdict() for entry in found], "repaired": saved}))
    else:
        for card, path in saved.items():
            typer.echo(f"{card}: repaired; what was cut off is in {path}")
        for entry in found:
            typer.echo(f"{entry.level}: {entry.card or 'board'}: {entry.message}")
        if not found:
            typer.echo("the board is sound")
    if any(entry.level == "fault" for entry in found):
        raise typer.Exit(1)


def _change(card: str, revision: int | None, as_json: bool, change: Callable[[Board, str, int], Card]) -> None:
    with _refusals(as_json):
        opened = _board()
        name = _full(opened, card)
        after, caller = change(opened, name, revision or opened.card(name).revision), _caller()
        if after.claim is not None and after.claim.session == caller.session:
            # No server renews the lease of somebody at a shell: each of his commands does.
            opened.renew(name, opened.lease(caller, after.claim))
        _print(opened, after, as_json)


def at_a_shell(message: str) -> str:
    """A refusal of the board with a person's commands in place of the tools."""
    for tool, verb in _VERBS.items():
        command = f"`devkit-engine board {verb}`"
        for said, told in ((f"Call {tool}", f"Run {command}"), (f"call {tool}", f"run {command}"), (tool, command)):
            message = message.replace(said, told)
    return message.replace("stageRevision", "revision")


@contextlib.contextmanager
def _refusals(as_json: bool) -> Iterator[None]:
    """With `--json` a refusal is JSON, too."""
    try:
        yield
    except BoardError as error:
        if not as_json:
            raise
        typer.echo(json.dumps({"error": view.problem(error)}))
        raise typer.Exit(1) from None


def _print(opened: Board, card: Card, as_json: bool) -> None:
    data = view.changed(opened, card)
    typer.echo(json.dumps(data) if as_json else _summary(data))


def _summary(data: Mapping[str, Any]) -> str:
    lines = [f"{data['id']}  {data['stage']}  revision {data['stageRevision']}  {data['title']}"]
    if "parent" in data:
        lines.append(f"  part of {data['parent']}")
    if "lease" in data:
        lease = data["lease"]
        lines.append(f"  held by {lease['holder']}, renewed {lease['age']} ago{', stale' if lease['stale'] else ''}")
    moves = [f"{move['to']} (with --reason)" if move["reasonRequired"] else move["to"] for move in data["moves"]]
    lines.append(f"  can move to: {', '.join(moves) or 'nothing, it is settled'}")
    for gate in data.get("artifactGates", ()):
        for needed in gate["requires"]:
            lines.append(f"  gate to {gate['to']}: {needed['kind']} {needed['status']}")
            lines += [f"    {defect}" for defect in needed["defects"]]
    return "\n".join(lines)


def _draw(watch: bool) -> None:
    from rich.console import Console
    from rich.live import Live

    from guard.cli import board_terminal as terminal

    # COLUMNS and LINES are what a shell once knew; in a window only the window itself counts.
    fixed = ("COLUMNS", "LINES") if sys.stdout.isatty() else ()
    environ = {key: value for key, value in os.environ.items() if key not in fixed}
    console = Console(highlight=False, _environ=environ)
    if not watch:
        terminal.show(view.overview(_board()), console)
        return
    with Live(console=console, auto_refresh=False, screen=console.is_terminal, vertical_overflow="crop") as live:
        while True:
            live.update(terminal.board(view.overview(_board()), console.width), refresh=True)
            time.sleep(1)


def _board() -> Board:
    return open_board(_workspace(), os.environ)


def _workspace() -> str:
    if _root:
        if not os.path.isdir(_root):
            raise UsageError(f"--root: there is no folder '{_root}'")
        return os.path.realpath(_root)
    return holding.workspace_of(os.getcwd()) or os.getcwd()


def _remembered(opened: Board) -> Board:
    """The board, after the hook was told to look at it from outside of the workspace, too."""
    if _caller().kind == "agent":
        holding.remember(opened.store.root, os.environ)
    return opened


def _caller() -> Caller:
    session = os.environ.get("DEVKIT_SESSION", "").strip()
    if session:
        return Caller("agent", session, "devkit-engine", session)
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container's user that no data base knows
        name = f"uid {os.getuid()}"
    return Caller("human", f"human:{name}@{os.uname().nodename}", name)


def _full(opened: Board, card: str) -> str:
    """The id of a card that is named by its number alone."""
    if not (card.isascii() and card.isdecimal()):
        return card
    wanted = [name for name in opened.store.ids() if number_of(name) == int(card)]
    if not wanted:
        raise BoardError("unknown-card", id=card)
    if len(wanted) > 1:
        raise UsageError(f"number {card} stands for {' and '.join(wanted)}: give the full id")
    return wanted[0]


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from error
