"""The hook's side of the board: what a held card allows, and which paths are the board's own.

On the hook path, so: standard library only, and nothing but a few `stat`s where there is no board or no card is held.

Which caller holds a card? The claim names the host session and the sub-agent that the hook saw ask for the card. A
claim that the hook did not see binds every caller in the workspace; a person's claim binds no agent.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from guard.model.call import ToolCall
from guard.model.grant import Grant, Step
from guard.model.record import TYPE_CHECKING
from guard.store.content import content
from guard.store.location import folders

if TYPE_CHECKING:
    from typing import Any

FOLDER = ".devflow"
HELD = "held"
"""Folder of the board with one empty file for each lease; made before a lease counts, removed after it has ended."""
BOARDS = "boards"
"""Folder of the state folder with one file for each workspace where a card was taken; it holds the workspace's path."""


def protected(path: str) -> bool:
    """Whether `path` (absolute, `*` for unknown characters) may be a `.devflow` folder or under one, as written or
    through symbolic links.

    Letter case is ignored: on some file systems `.DevFlow` is the same folder.
    """
    return _has_folder(path) or _has_folder(os.path.realpath(path))


def holds(path: str, cwd: str) -> bool:
    """Whether a folder (absolute) is a workspace with a board, or above the workspace that `cwd` is in."""
    real, near = os.path.realpath(path), workspace_of(cwd)
    return os.path.isdir(os.path.join(real, FOLDER)) or (near is not None and os.path.commonpath([real, near]) == real)


def concerns(call: ToolCall) -> bool:
    """Whether a call may reach a board's files: it runs in a workspace that has one, or its input names one."""
    if workspace_of(call.cwd) is not None:
        return True
    return any(
        FOLDER in text.casefold() or (text.startswith(os.sep) and "\0" not in text and protected(text))
        for text in call.texts()
    )


def workspace_of(folder: str | None) -> str | None:
    """The nearest folder above (or at) `folder` that holds a board."""
    if not folder or not os.path.isabs(folder):
        return None
    here = os.path.realpath(folder)
    while not os.path.isdir(os.path.join(here, FOLDER)):
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above
    return here


def steps_for(call: ToolCall, environ: Mapping[str, str] = os.environ) -> tuple[Step, ...]:
    """A step for each card that the caller holds in a stage with a grant.

    A held card whose files say nothing certain is a step that only reads, so that a broken file frees nobody.
    """
    near = workspace_of(call.cwd)
    found = [_step(near, card, call, inside=True) for card in _names(near, FOLDER, HELD)] if near else []
    # Whoever has left the workspace is still bound by the cards that it took there.
    for root in _remembered(environ):
        if root != near:
            found += [_step(root, card, call, inside=False) for card in _names(root, FOLDER, HELD)]
    return tuple(step for step in found if step is not None)


def remember(root: str, environ: Mapping[str, str]) -> None:
    """Note that a card of this workspace is about to be taken. OSError where that cannot be noted."""
    import hashlib  # not on the hook path

    places = folders(environ)
    if not places:
        return
    folder = os.path.join(places[0], BOARDS)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, hashlib.sha256(os.fsencode(root)).hexdigest()[:16])
    if not os.path.exists(path):
        for name in _names(folder):
            gone = os.path.join(folder, name)
            if not os.path.isdir(os.path.join(os.fsdecode(content(gone)), FOLDER)):
                os.unlink(gone)
        made = os.path.join(folder, f".{os.getpid()}")
        with open(made, "wb") as file:
            file.write(os.fsencode(root))
        os.replace(made, path)


def _step(root: str, card: str, call: ToolCall, *, inside: bool) -> Step | None:
    from guard.board import card as cards  # held cards are rare: the hook pays for these only then
    from guard.board import journal
    from guard.model.grant_json import grant_from_json

    folder = os.path.join(root, FOLDER, "tasks", card)
    try:
        records, problem = journal.parse_prefix(content(os.path.join(folder, "journal.jsonl")))
        if problem is not None and not problem.torn:
            raise problem
        found = cards.replay(card, records) if records else None
    except (OSError, journal.JournalError):
        return _reads_only(root, card) if inside and os.path.isdir(folder) else None
    if found is None or found.claim is None or not _is_holder(found.claim.by, call, inside):
        return None
    try:
        held = json.loads(content(os.path.join(folder, "claim.json")))
        if held["lease"] != found.claim.lease:
            return _reads_only(root, card, found.stage)
        stage = held["stages"].get(found.stage)
        if stage is None:
            return None
        grant, number, total, hard = grant_from_json(stage["guard"]), stage["number"], stage["total"], stage["hard"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _reads_only(root, card, found.stage)
    delegate = call.agent is not None and found.claim.by.get("agent") != call.agent
    return Step(
        card, _title(card), found.stage, number, total, bool(hard), grant, repository=root, delegate=delegate
    )  # fmt: skip


def _reads_only(root: str, card: str, stage: str = "unreadable") -> Step:
    note = f"Its files cannot be read: run `devkit-engine board doctor {card}` in {root}."
    return Step(card, _title(card), stage, 1, 1, True, Grant(), repository=root, note=note)


def _title(card: str) -> str:
    return f"board card {card}"


def _is_holder(by: Mapping[str, Any], call: ToolCall, inside: bool) -> bool:
    host = by.get("host")
    if by.get("kind") != "agent":
        return False
    if host is None:
        return inside or (call.session is not None and by.get("session") == call.session)
    if call.session is None:
        return inside
    return host == call.session and by.get("agent") in (None, call.agent)


def _remembered(environ: Mapping[str, str]) -> Iterator[str]:
    for place in folders(environ):
        folder = os.path.join(place, BOARDS)
        for name in _names(folder):
            try:
                yield os.fsdecode(content(os.path.join(folder, name)))
            except OSError:
                continue


def _names(*path: str) -> list[str]:
    try:
        return sorted(os.listdir(os.path.join(*path)))
    except OSError:
        return []


def _has_folder(path: str) -> bool:
    parts = path.casefold().split(os.sep)
    return FOLDER in parts or ("*" in path and any(_may_be_folder(part) for part in parts if "*" in part))


def _may_be_folder(pattern: str) -> bool:
    from guard.classify.globs import fits  # rare

    return pattern.strip("*") != "" and fits((FOLDER,), (pattern,))
