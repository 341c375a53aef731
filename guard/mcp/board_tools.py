"""The board's nine tools: each opens the board of the calling session's workspace, acts, and shows the card."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from guard.board import caller as callers
from guard.board import holding, view
from guard.board.card import Card
from guard.board.cards import Board, open_board
from guard.board.heartbeat import Heartbeat
from guard.board.lease import Lease
from guard.board.rejections import BoardError
from guard.mcp.board_schemas import DESCRIPTIONS, INPUTS, OUTPUTS
from guard.mcp.tool import Answer, Caller, Progress, Tool
from guard.model.errors import UsageError
from guard.store.location import folders

Arguments = Mapping[str, Any]
Action = Callable[[Board, callers.Caller, Arguments], Card | tuple[Card, Lease]]

TITLES = {
    "devflow_list": "List cards",
    "devflow_show": "Show a card",
    "devflow_create": "Create a card",
    "devflow_transition": "Move a card",
    "devflow_take": "Take a card",
    "devflow_attach_artifact": "Attach an artifact",
    "devflow_read_artifact": "Read an artifact",
    "devflow_release": "Release a card",
    "devflow_takeover": "Take a card over",
}
_SALIENT = {
    "devflow_list": ("stage", "parent"),
    "devflow_show": ("id",),
    "devflow_create": ("title", "parent"),
    "devflow_transition": ("id", "to", "reason"),
    "devflow_take": ("id",),
    "devflow_attach_artifact": ("id", "kind", "path"),
    "devflow_read_artifact": ("id", "kind"),
    "devflow_release": ("id",),
    "devflow_takeover": ("id",),
}
_READS = frozenset({"devflow_list", "devflow_show", "devflow_read_artifact"})


def board_tools(environ: Mapping[str, str]) -> tuple[Tool, ...]:
    """The tools, with one heartbeat for the leases of this process."""
    beat = Heartbeat()
    reads = {"devflow_list": _list, "devflow_show": _show, "devflow_read_artifact": _read_artifact}
    changes: dict[str, Action] = {
        "devflow_create": _create,
        "devflow_transition": _transition,
        "devflow_take": lambda board, caller, given: board.take(caller, given["id"], given["expectedRevision"]),
        "devflow_attach_artifact": _attach,
        "devflow_release": lambda board, caller, given: board.release(caller, given["id"], given["expectedRevision"]),
        "devflow_takeover": lambda board, caller, given: board.takeover(caller, given["id"], given["expectedRevision"]),
    }
    runs: dict[str, Callable[[Caller, Arguments], Answer]] = {
        **{name: partial(_reading, read, environ) for name, read in reads.items()},
        **{name: partial(_changing, action, beat, environ) for name, action in changes.items()},
    }
    return tuple(
        Tool(
            name=name,
            title=TITLES[name],
            description=DESCRIPTIONS[name],
            input=INPUTS[name],
            output=OUTPUTS[name],
            read_only=name in _READS,
            observed=name not in _READS,
            run=partial(_told, name, runs[name]),
        )
        for name in TITLES
    )


def presentation(tool: str, arguments: Arguments) -> dict[str, Any]:
    """How a call is shown to a person: `title`, `kind` (`read` or `edit`), and the arguments that say what it does."""
    salient = {key: arguments[key] for key in _SALIENT[tool] if arguments.get(key) is not None}
    words = [TITLES[tool], *(str(value) for value in salient.values())]
    return {"title": " · ".join(words)[:120], "kind": "read" if tool in _READS else "edit", "arguments": salient}


def workspace(folder: str, environ: Mapping[str, str]) -> str:
    """The folder whose board a caller in `folder` uses: that one; for a caller without one the configured root."""
    if folder != os.sep:
        return folder
    root = environ.get("DEVKIT_BOARD_ROOT", "")
    if not os.path.isabs(root):
        places = folders(environ)
        if not places:
            raise UsageError("this call comes from no folder: set DEVKIT_BOARD_ROOT to the folder that holds the board")
        root = os.path.join(places[0], "workspace")
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise BoardError("storage-failed", file=root, problem=error.strerror or error) from error
    return root


def _told(
    name: str, run: Callable[[Caller, Arguments], Answer], caller: Caller, given: Arguments, say: Progress
) -> Answer:
    say(presentation(name, given)["title"])
    return run(caller, given)


def _reading(
    read: Callable[[Board, Arguments], Answer], environ: Mapping[str, str], caller: Caller, given: Arguments
) -> Answer:
    return read(open_board(workspace(caller.folder, environ), environ), given)


def _changing(action: Action, beat: Heartbeat, environ: Mapping[str, str], caller: Caller, given: Arguments) -> Answer:
    if caller.session is None:
        raise BoardError("no-session")
    board = open_board(workspace(caller.folder, environ), environ)
    agent = callers.Caller("agent", caller.session, caller.host, caller.host_session, caller.agent)
    if action not in (_create, _attach):
        _remember(board, environ)
    done = action(board, agent, given)
    card, lease = done if isinstance(done, tuple) and not isinstance(done, Card) else (done, None)
    assert isinstance(card, Card)
    if card.claim is None:
        beat.drop(board, card.id)
    elif lease is not None or not beat.holds(board, card.id):
        beat.hold(board, card.id, lease or board.lease(agent, card.claim))
    return _changed(board, card)


def _remember(board: Board, environ: Mapping[str, str]) -> None:
    try:
        holding.remember(board.store.root, environ)
    except OSError:
        return  # the hook then finds the held card only from inside the workspace


def _create(board: Board, caller: callers.Caller, given: Arguments) -> Card:
    return board.create(caller, given["title"], given["body"], given.get("slug"), given.get("parent"))


def _transition(board: Board, caller: callers.Caller, given: Arguments) -> Card:
    return board.transition(caller, given["id"], given["to"], given["expectedRevision"], given.get("reason"))


def _attach(board: Board, caller: callers.Caller, given: Arguments) -> Card:
    forms = {key: given.get(key) for key in ("path", "kind", "content")}
    return board.attach(caller, given["id"], given["expectedRevision"], **forms)


def _list(board: Board, given: Arguments) -> Answer:
    data = view.listed(board, given.get("stage"), given.get("parent"))
    lines = [_line(card) for card in data["cards"]] or ["no cards"]
    lines += [f"cannot be read: {broken['message']}" for broken in data.get("broken", ())]
    return Answer("\n".join([*lines, "", data["hint"]]), data)


def _show(board: Board, given: Arguments) -> Answer:
    data = view.shown(board, board.card(given["id"]))
    lines = [_line(data)]
    if "parent" in data:
        lines.append(f"parent: {data['parent']} {data['parentTitle']}")
    lines += [f"child: {_line(child)}" for child in data["children"]]
    lines += [f"artifact: {_artifact(found)}" for found in data["artifacts"]]
    lines.append(f"file: {data['path']}")
    return Answer("\n".join([*lines, *_state(data), "", data["body"]]), data)


def _read_artifact(board: Board, given: Arguments) -> Answer:
    found, text = board.artifact(given["id"], given["kind"])
    data = {**view.registered(found), "content": text}
    return Answer(f"{_artifact(data)}\n\n{text}", data)


def _changed(board: Board, card: Card) -> Answer:
    data = view.changed(board, card)
    return Answer("\n".join([_line(data), *_state(data)]), data)


def _line(card: Arguments) -> str:
    under = f" (part of {card['parent']})" if "parent" in card else ""
    return f"{card['id']} · {card['stage']} · revision {card['stageRevision']} · {card['title']}{under}"


def _artifact(found: Arguments) -> str:
    return f"{found.get('kind', 'file')} {found['path']} (revision {found['revision']}, {found['stage']})"


def _state(data: Arguments) -> list[str]:
    """Moves, lease and gates in words."""
    moves = [f"{move['to']} (with a reason)" if move["reasonRequired"] else move["to"] for move in data["moves"]]
    lines = [f"moves: {', '.join(moves) or 'none, this stage is final'}"]
    if "lease" in data:
        lease = data["lease"]
        lines.append(f"held by {lease['holder']}, renewed {lease['age']} ago{', stale' if lease['stale'] else ''}")
    for gate in data.get("artifactGates", ()):
        lines.append(f"gate {gate['from']} → {gate['to']}: {'satisfied' if gate['satisfied'] else 'NOT satisfied'}")
        for needed in gate["requires"]:
            lines.append(f"  {needed['kind']}: {needed['status']}")
            lines += [f"    {defect}" for defect in needed["defects"]]
            if "templateText" in needed:
                lines += [f"  template {needed['template']}:", needed["templateText"].rstrip()]
        if "instruction" in gate:
            lines.append(gate["instruction"])
    return lines
