"""A server of the board's tools only, for the tests of `tests/mcp`; run as a script."""

from __future__ import annotations

import os

from guard.mcp.board_tools import board_tools
from guard.mcp.server import serve

if __name__ == "__main__":
    serve(board_tools(os.environ), "0", os.environ)
