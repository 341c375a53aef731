"""The board on a terminal: columns by stage, sized to the window; one below the other where it is too narrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from guard.board.page import under_parents

Data = dict[str, Any]
NARROWEST = 22
"""Characters that a column needs; with fewer the stages stand one below the other."""


def board(overview: Data, width: int) -> RenderableType:
    """The whole board for a window of `width` characters."""
    stages = [stage for stage in overview["stages"] if stage["cards"]]
    empty = [stage["stage"] for stage in overview["stages"] if not stage["cards"]]
    parts: list[RenderableType] = [Text(overview["root"], style="dim", overflow="ellipsis", no_wrap=True)]
    parts += [Panel(Text(entry["message"]), style="red", title="cannot be read") for entry in overview["broken"]]
    if not stages:
        parts.append(Text("no cards"))
    elif width // len(stages) >= NARROWEST:
        grid = Table.grid(expand=True, padding=(0, 1))
        for _ in stages:
            grid.add_column(ratio=1, overflow="fold")
        grid.add_row(*(_heading(stage) for stage in stages))
        grid.add_row(*(Group(*_cards(stage)) for stage in stages))
        parts.append(grid)
    else:
        for stage in stages:
            parts += [_heading(stage), *_cards(stage)]
    if empty:
        parts.append(Text(f"empty: {', '.join(empty)}", style="dim"))
    return Group(*parts)


def show(overview: Data, console: Console) -> None:
    """Print the board once."""
    console.print(board(overview, console.width))


def _heading(stage: Data) -> RenderableType:
    return Padding(Text(f"{stage['stage']} {len(stage['cards'])}"), style="bold reverse")


def _cards(stage: Data) -> Iterator[RenderableType]:
    for card, child in under_parents(stage["cards"]):
        indent = 2 if child else 0
        row = Table.grid(padding=(0, 1, 0, 0))
        row.add_column(width=4 + indent)
        row.add_column(overflow="fold")
        row.add_row(
            Text(f"{'└ ' if child else ''}{_number(card['id'])}", style="cyan"), Text("\n").join(_lines(card, child))
        )
        yield Padding(row, (0, 0, 1, 0))


def _lines(card: Data, child: bool) -> Iterator[Text]:
    yield Text(card["title"])
    if "parent" in card and not child:
        yield Text(f"part of {_number(card['parent'])}", style="dim")
    if card["children"]:
        states = ", ".join(f"{_number(found['id'])} {found['stage']}" for found in card["children"])
        yield Text(f"with {states}", style="dim")
    if "blockedFrom" in card:
        yield Text(f"came from {card['blockedFrom']}", style="dim")
    if "lease" in card:
        lease, stale = card["lease"], card["lease"]["stale"]
        since = f"not heard of for {lease['age']}" if stale else f"renewed {lease['age']} ago"
        yield Text(f"● {lease['holder']}: {since}", style="red" if stale else "green")
    for entry in card["unmet"]:
        yield Text(f"! gate to {entry.partition(':')[0]} not met", style="yellow")


def _number(card: str) -> str:
    return card.partition("-")[0]
