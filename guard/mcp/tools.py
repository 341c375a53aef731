"""The tools of the server, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Mapping

from guard.mcp import workflow_tools
from guard.mcp.board_tools import board_tools
from guard.mcp.tool import Tool


def all_tools(environ: Mapping[str, str]) -> tuple[Tool, ...]:
    """Every tool that the server offers."""
    return (*workflow_tools.tools(environ), *board_tools(environ))
