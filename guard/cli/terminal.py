"""Styled lines on the terminal: colour only there, never with NO_COLOR or --plain."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

STYLES = {
    "allow": "bold green",
    "veto": "bold red",
    "source": "",
    "mark": "red",
    "reason": "",
    "hint": "cyan",
    "note": "dim",
}


def show(lines: list[tuple[str, str]], *, plain: bool) -> None:
    """Prints (style, text) lines; long ones are not wrapped, so that marks stay under what they mark."""
    console = Console(no_color=plain or None, highlight=False, soft_wrap=True)
    for style, text in lines:
        console.print(Text(text, style="" if plain else STYLES[style]), soft_wrap=True)
