"""The server: lists the tools, checks arguments, runs calls in threads, and turns errors into answers."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
import mcp_types as types
from anyio.from_thread import run as run_in_loop
from anyio.to_thread import run_sync
from jsonschema import Draft202012Validator
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from guard.mcp.tool import Answer, Caller, Tool
from guard.model.errors import GuardError, RefusedError
from guard.workflow.own_tools import SERVER
from guard.workflow.repository import home_of
from guard.workflow.sighting import claim

Context = ServerRequestContext[Any, Any]
INSTRUCTIONS = (
    "Workflows are gone through step by step: devkit_list names them, devkit_start opens one and returns the prompt of "
    "its first step. While a step is open only what it grants may be done; when it is done, call devkit_advance with "
    "the step's output. devkit_abort ends a workflow early."
)
CONNECTION = uuid.uuid4().hex
"""Names the connection: over stdio a process serves one client, from start to end."""
TICK = 5.0
"""Seconds between two signs of life of a long call, so that a client does not take it for dead."""


def serve(tools: Sequence[Tool], version: str, environ: Mapping[str, str]) -> None:
    """Serves `tools` on stdin and stdout until the client hangs up."""
    anyio.run(partial(_serve, make_server(tools, version, environ)))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def make_server(tools: Sequence[Tool], version: str, environ: Mapping[str, str]) -> Server[Any]:
    """An MCP server of `tools`."""
    table = {tool.name: tool for tool in tools}
    validators = {tool.name: Draft202012Validator(dict(tool.input)) for tool in tools}
    listing = types.ListToolsResult(tools=[_described(tool) for tool in tools])

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listing

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = table.get(params.name)
        if tool is None:
            return _failed(f"unknown tool '{params.name}': expected one of {', '.join(table)}")
        arguments = {key: value for key, value in (params.arguments or {}).items() if value is not None}
        for error in validators[tool.name].iter_errors(arguments):
            where = ".".join(str(part) for part in error.absolute_path) or "arguments"
            return _failed(f"{tool.name}: {where}: {error.message}")
        if _has_roots(context) and not context.session.can_send_request and params.input_responses is None:
            # The protocol of 2026-07-28 has no requests to the client: it calls again and brings its roots along.
            return types.InputRequiredResult(input_requests={"roots": types.ListRootsRequest()})
        folder = await _folder(context, params.input_responses, environ)
        return await _run(tool, context, folder, arguments, environ)

    return Server(SERVER, version=version, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)


async def _run(
    tool: Tool, context: Context, folder: str, arguments: Mapping[str, Any], environ: Mapping[str, str]
) -> types.CallToolResult:
    session = _session(context)
    caller = partial(_caller, tool, folder, _client(context), session, arguments, _call_id(context), environ)
    news: list[str] = []

    def progress(message: str) -> None:
        news.append(message)
        run_in_loop(_report, context, float(len(news)), message)

    def call() -> Answer | str:
        try:
            return tool.run(caller(), arguments, progress)
        except RefusedError as error:
            return f"{error.code}: {error}"
        except GuardError as error:
            return str(error)
        except Exception as error:
            return f"internal error in {tool.name}: {type(error).__name__}: {error}"

    async with anyio.create_task_group() as group:
        group.start_soon(_alive, context, news)
        answer = await run_sync(call)
        group.cancel_scope.cancel()
    if isinstance(answer, str):
        return _failed(answer)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)], structured_content=dict(answer.data)
    )


async def _alive(context: Context, news: list[str]) -> None:
    """Repeats the last message with the time it has been running, until the call is over."""
    began = time.monotonic()
    while True:
        await anyio.sleep(TICK)
        if news:
            seconds = time.monotonic() - began
            news.append(news[-1])
            await _report(context, float(len(news)), f"{news[0]} ({seconds:.0f} s)")


async def _report(context: Context, step: float, message: str) -> None:
    await context.session.report_progress(step, None, message)


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input),
        output_schema=dict(tool.output),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.read_only,
            open_world_hint=False,
        ),
    )


def _caller(
    tool: Tool,
    folder: str,
    host: str,
    session: str | None,
    arguments: Mapping[str, Any],
    call_id: str | None,
    environ: Mapping[str, str],
) -> Caller:
    home = home_of(folder)
    seen = claim(tool.name, arguments, home, call_id, environ) if tool.observed else None
    if seen is None:
        return Caller(folder, home, host, None, None, False, session)
    return Caller(folder, seen.home or home, seen.runtime, seen.session, seen.agent, True, session)


async def _folder(context: Context, brought: types.InputResponses | None, environ: Mapping[str, str]) -> str:
    """The caller's working directory: the first root that the client names, else where the server was started."""
    for root in await _roots(context, brought):
        parts = urlsplit(str(root.uri))
        if parts.scheme == "file" and os.path.isdir(unquote(parts.path)):
            return unquote(parts.path)
    project = environ.get("CLAUDE_PROJECT_DIR", "")
    if os.path.isabs(project) and os.path.isdir(project):
        return project
    try:
        return os.getcwd()
    except FileNotFoundError:  # started in a folder that is gone
        return os.sep


async def _roots(context: Context, brought: types.InputResponses | None) -> list[types.Root]:
    found = (brought or {}).get("roots")
    if isinstance(found, types.ListRootsResult):
        return found.roots
    if _has_roots(context) and context.session.can_send_request:
        try:
            with anyio.move_on_after(2):
                return (await context.session.list_roots()).roots
        except Exception:
            return []
    return []


def _has_roots(context: Context) -> bool:
    able = context.session.client_capabilities
    return able is not None and able.roots is not None


def _client(context: Context) -> str:
    params = context.session.client_params
    return params.client_info.name if params is not None else "mcp"


def _session(context: Context) -> str | None:
    given = (context.meta or {}).get("devkit/session")
    if isinstance(given, str) and given.strip():
        return given.strip()
    params = context.session.client_params
    return CONNECTION if params is not None and params.client_info.name.strip() else None


def _call_id(context: Context) -> str | None:
    """Claude Code's own id of the tool call; the hook gets the same one as `tool_use_id`."""
    found = (context.meta or {}).get("claudecode/toolUseId")
    return found if isinstance(found, str) else None
