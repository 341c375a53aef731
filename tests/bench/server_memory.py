"""Memory of the MCP server, idle and after 10,000 calls; run by hand: python tests/bench/server_memory.py [CALLS]"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client

ENGINE = os.path.join(os.path.dirname(sys.executable), "devkit-engine")


def resident(parent: int) -> float:
    """MiB of the server, which is this process's child that runs the engine."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and f"\nPPid:\t{parent}\n" in (text := (entry / "status").read_text()):
            return int(text.split("VmRSS:")[1].split()[0]) / 1024
    raise ProcessLookupError


async def main(calls: int) -> None:
    """Prints the memory; half of the calls read, the others advance a session that stays at its step."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "loop.yaml").write_text(
            "name: loop\ndescription: L.\nsteps: [{id: a, prompt: x, require: {non_empty: true}}]\n"
        )
        environ = {**os.environ, "XDG_STATE_HOME": folder, "DEVKIT_WORKFLOWS": folder}
        server = StdioServerParameters(command=ENGINE, args=["mcp"], env=environ, cwd=folder)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            await client.list_tools()
            print(f"idle {resident(os.getpid()):.1f} MiB")
            started = await client.call_tool("devkit_start", {"workflow": "loop"})
            session = {"session": started.structured_content["session"]}
            for number in range(1, calls + 1):
                await client.call_tool("devkit_advance" if number % 2 else "devkit_status", session)
                if number in (100, 1000, calls):
                    print(f"after {number} calls {resident(os.getpid()):.1f} MiB")


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
