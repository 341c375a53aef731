"""The five `devkit_*` tools: translated into calls of `workflow.service`, and its answers into text and data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from guard.mcp.tool import Answer, Caller, Progress, Tool
from guard.workflow import catalog, service, text
from guard.workflow.definition import Workflow
from guard.workflow.sessions import Session

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_STEP = {
    "type": ["object", "null"],
    "properties": {
        "index": {"type": "integer"},
        "total": {"type": "integer"},
        "id": _TEXT,
        "kind": {"enum": ["prompt", "command", "parallel"]},
        "enforce": {"enum": ["hard", "soft"]},
    },
    "required": ["index", "total", "id", "kind", "enforce"],
}
SESSION_SCHEMA = {
    "type": "object",
    "properties": {
        "session": _TEXT,
        "workflow": _TEXT,
        "status": {"enum": ["starting", "running", "done", "failed", "aborted"]},
        "header": {"type": "string", "description": "`step 2/6: review-tests`, or how the session ended."},
        "notice": {"type": "string", "description": "Why a step is still open, or how the session ended."},
        "step": _STEP,
        "loop": {
            "type": ["object", "null"],
            "properties": {"iteration": {"type": "integer"}, "max": {"type": "integer"}},
            "required": ["iteration", "max"],
        },
        "prompt": {"type": ["string", "null"]},
        "principles": _TEXTS,
        "requirements": _TEXTS,
        "allowed": {"type": "string", "description": "What may be done while the step is open."},
        "guard": {"type": ["object", "null"]},
        "next": {"type": "string", "description": "What to do next."},
    },
    "required": ["session", "workflow", "status", "header", "notice", "step", "prompt", "allowed", "next"],
}
LIST_SCHEMA = {
    "type": "object",
    "properties": {
        "workflows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": _TEXT, "description": _TEXT, "steps": _TEXTS},
                "required": ["name", "description", "steps"],
            },
        },
        "faulty": _TEXTS,
    },
    "required": ["workflows", "faulty"],
}
STATUS_SCHEMA = {
    "type": "object",
    "properties": {"sessions": {"type": "array", "items": SESSION_SCHEMA}},
    "required": ["sessions"],
}


def _arguments(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_SESSION = {"type": "string", "description": "The session's id, as devkit_start returned it."}


def tools(environ: Mapping[str, str]) -> list[Tool]:
    """The table of tools. `environ` says where workflows and sessions are."""
    return [
        Tool(
            "devkit_list",
            "List workflows",
            "Lists the workflows that devkit_start can open, each with what it is for and its steps.",
            _arguments({}),
            LIST_SCHEMA,
            True,
            False,
            partial(_list, environ),
        ),
        Tool(
            "devkit_start",
            "Start a workflow",
            "Opens a workflow and returns its first step: what to do, what the output must be like, and what may be "
            "done while the step is open. Until the last step is advanced, other tool calls than those the open step "
            "allows are vetoed.",
            _arguments(
                {
                    "workflow": {"type": "string", "description": "Its name, as devkit_list shows it."},
                    "input": {"type": "string", "description": "What it is about: a task, a path, a question."},
                },
                "workflow",
            ),
            SESSION_SCHEMA,
            False,
            True,
            partial(_start, environ),
        ),
        Tool(
            "devkit_advance",
            "Finish the open step",
            "Reports that the open step is done, with its output, and returns the next step or what is still missing. "
            "Gates and command steps are run by the engine and may take minutes.",
            _arguments(
                {
                    "session": _SESSION,
                    "output": {"type": "string", "description": "The result of the step; later steps may quote it."},
                    "spent": {"type": "number", "minimum": 0, "description": "What it used of the workflow's budget."},
                },
                "session",
            ),
            SESSION_SCHEMA,
            False,
            False,
            partial(_advance, environ),
        ),
        Tool(
            "devkit_status",
            "Show open workflows",
            "Shows which sessions are open, or of one session all that devkit_advance returned. Changes nothing.",
            _arguments({"session": _SESSION}),
            STATUS_SCHEMA,
            True,
            False,
            partial(_status, environ),
        ),
        Tool(
            "devkit_abort",
            "Abort a workflow",
            "Ends a session that cannot or need not be completed. What its steps held back is free again.",
            _arguments(
                {"session": _SESSION, "reason": {"type": "string", "minLength": 1, "description": "Why it ends."}},
                "session",
                "reason",
            ),
            SESSION_SCHEMA,
            False,
            False,
            partial(_abort, environ),
            destructive=True,
        ),
    ]


def _list(environ: Mapping[str, str], _: Caller, __: Mapping[str, Any], ___: Progress) -> Answer:
    found = catalog.listing(environ)
    workflows = [entry for entry in found if isinstance(entry, Workflow)]
    faulty = [str(entry) for entry in found if not isinstance(entry, Workflow)]
    lines = [f"{entry.name} ({len(entry.steps)} steps): {entry.description}" for entry in workflows]
    written = "\n".join([*lines, *(f"faulty: {fault}" for fault in faulty)]) or "There are no workflows."
    entries = [
        {"name": entry.name, "description": entry.description, "steps": [step.id for step in entry.steps]}
        for entry in workflows
    ]
    return Answer(written, {"workflows": entries, "faulty": faulty})


def _start(environ: Mapping[str, str], caller: Caller, arguments: Mapping[str, Any], progress: Progress) -> Answer:
    owner = service.Owner(caller.home, caller.host, caller.host_session, caller.agent)
    return _answer(service.start(arguments["workflow"], arguments.get("input", ""), owner, environ, progress))


def _advance(environ: Mapping[str, str], _: Caller, arguments: Mapping[str, Any], progress: Progress) -> Answer:
    session = service.named(arguments["session"], environ)
    output, spent = arguments.get("output", ""), arguments.get("spent", 0)
    return _answer(service.proceed(session, output, environ, progress, spent))


def _status(environ: Mapping[str, str], _: Caller, arguments: Mapping[str, Any], __: Progress) -> Answer:
    if chosen := arguments.get("session"):
        session = service.named(chosen, environ)
        return Answer(text.page(session), {"sessions": [text.data(session)]})
    found = service.listed(environ)
    lines = [
        "\n".join((f"{one.workflow.name} {one.id} in {one.repository}: {text.header(one)}", text.following(one)))
        for one in found
    ]
    written = "\n\n".join(lines) or "No workflow is open."
    return Answer(written, {"sessions": [text.data(one, whole=False) for one in found]})


def _abort(environ: Mapping[str, str], _: Caller, arguments: Mapping[str, Any], __: Progress) -> Answer:
    return _answer(service.abort(service.named(arguments["session"], environ), arguments["reason"]))


def _answer(session: Session) -> Answer:
    return Answer(text.page(session), text.data(session))
