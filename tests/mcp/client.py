"""A real MCP client over stdio on the real server process."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

ENGINE = os.path.join(os.path.dirname(sys.executable), "devkit-engine")


@asynccontextmanager
async def connected(environ: Mapping[str, str], folder: str) -> AsyncIterator[ClientSession]:
    """A client whose server runs in `folder`."""
    parameters = StdioServerParameters(command=ENGINE, args=["mcp"], env=dict(environ), cwd=folder)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        yield client


async def called(client: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of a call that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return {**found, "text": result.content[0].text}  # type: ignore[union-attr]


async def refused(client: ClientSession, tool: str, **arguments: Any) -> str:
    """The message of a call that is refused."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]
