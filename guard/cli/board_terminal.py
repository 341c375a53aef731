"""The board on a terminal: columns by stage, sized to the window; one below the other where it is too narrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, Group, RenderableType
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


def _heading(stage: Data) -> Text:
    return Text(f"{stage['stage']} {len(stage['cards'])}", style="bold reverse" if not stage["final"] else "bold")


def _cards(stage: Data) -> Iterator[RenderableType]:
    for card, child in under_parents(stage["cards"]):
        number, _, _ = card["id"].partition("-")
        text = Text("└ " if child else "")
        text.append(number, style="cyan")
        text.append(f" {card['title']}")
        if "parent" in card and not child:
            text.append(f"\n  part of {card['parent'].partition('-')[0]}", style="dim")
        if card["children"]:
            states = ", ".join(f"{found['id'].partition('-')[0]} {found['stage']}" for found in card["children"])
            text.append(f"\n  with {states}", style="dim")
        if "lease" in card:
            lease = card["lease"]
            style = "red" if lease["stale"] else "green"
            text.append(f"\n  ● {lease['holder']}, {lease['age']}{' stale' if lease['stale'] else ''}", style=style)
        for entry in card["unmet"]:
            text.append(f"\n  ! gate to {entry.partition(':')[0]} not met", style="yellow")
        yield text
