"""The hook's side of the board: what a held card allows, and which paths are the board's own.

On the hook path, so: standard library only, and nothing but a few `stat`s where there is no board or no card is held.

Which caller holds a card? The server knows the session of its connection, the hook that of the host, and no runtime
tells one of the other. So the gate reports each take and takeover that it lets pass (`saw`), and a claim belongs to the
host session that asked for that card at that revision. A claim that nobody was seen to ask for binds every caller in
the workspace; one whose session is the host's own id, or a person's, needs no sight.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from guard.model.call import ToolCall
from guard.model.grant import Grant, Step

FOLDER = ".devflow"
SEEN = "board-takes.jsonl"
_SEEN_LIMIT = 1 << 18
_TAKES = ("devflow_take", "devflow_takeover")


class Sight(NamedTuple):
    """A take or takeover that a host session asked for; `revision` is the call's `expectedRevision`."""

    session: str | None
    agent: str | None
    root: str
    card: str
    revision: int


def protected(path: str) -> bool:
    """Whether `path` (absolute) is a `.devflow` folder or under one, as written or through symbolic links.

    Letter case is ignored: on some file systems `.DevFlow` is the same folder.
    """
    return _has_folder(path) or _has_folder(os.path.realpath(path))


def steps_for(call: ToolCall, environ: Mapping[str, str] | None = None) -> tuple[Step, ...]:
    """A step for each card that the caller holds in a stage with a grant.

    A held card whose files say nothing certain is a step that only reads, so that a broken file frees nobody.
    """
    near = _workspace(call.cwd)
    sights = _sights(os.environ if environ is None else environ)
    roots = [near] if near else []
    # A caller that has left the workspace is still bound by the cards that it took there.
    roots += [seen.root for seen in sights if seen.session == call.session and seen.root not in roots]
    found = []
    for root in dict.fromkeys(roots):
        for card in _held(root):
            step = _step(root, card, call, sights, root == near)
            if step is not None:
                found.append(step)
    return tuple(found)


def saw(call: ToolCall, environ: Mapping[str, str] | None = None) -> None:
    """Remember who asked for a card. For the gate, once for each `devflow_*` call that it lets pass."""
    if call.tool.rpartition("__")[2] not in _TAKES:
        return
    card, revision, root = call.input.get("id"), call.input.get("expectedRevision"), _workspace(call.cwd)
    if not isinstance(card, str) or type(revision) is not int or root is None:
        return
    environ = os.environ if environ is None else environ
    folder = _state_folder(environ)
    if folder is None:
        return
    sight = Sight(call.session, call.agent, root, card, revision)
    path = os.path.join(folder, SEEN)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.path.exists(path) and os.stat(path).st_size > _SEEN_LIMIT:
            _forget(path, _sights(environ))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, (json.dumps(sight) + "\n").encode())
        finally:
            os.close(descriptor)
    except OSError:
        return  # then the claim binds every caller in the workspace


def _step(root: str, card: str, call: ToolCall, sights: list[Sight], inside: bool) -> Step | None:
    from guard.board import card as cards  # held cards are rare: the hook pays for these only then
    from guard.board import grants, journal

    folder = os.path.join(root, FOLDER, "tasks", card)
    try:
        records, problem = journal.parse_prefix(_content(os.path.join(folder, "journal.jsonl")))
        if problem is not None and not problem.torn:
            raise problem
        found = cards.replay(card, records) if records else None
    except (OSError, journal.JournalError):
        return _reads_only(root, card)
    if found is None or found.claim is None:
        return None
    asked = [
        seen
        for seen in sights
        # `claimed` is the first record of a take and the second of a takeover.
        if (seen.root, seen.card) == (root, card) and found.claim.revision - seen.revision in (1, 2)
    ]
    if not _is_holder(found.claim.by, call, asked, inside):
        return None
    try:
        held = json.loads(_content(os.path.join(folder, "claim.json")))
        stage = held["stages"].get(found.stage)
        if held["lease"] != found.claim.lease:
            return _reads_only(root, card, found.stage)
        if stage is None:
            return None
        grant, index, total, hard = grants.from_json(stage["guard"]), stage["index"], stage["total"], stage["hard"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _reads_only(root, card, found.stage)
    return Step(card, f"board card {card}", found.stage, index, total, bool(hard), grant, repository=root)


def _reads_only(root: str, card: str, stage: str = "unreadable") -> Step:
    return Step(card, f"board card {card}", stage, 1, 1, True, Grant(), repository=root)


def _is_holder(by: Mapping[str, Any], call: ToolCall, asked: list[Sight], inside: bool) -> bool:
    if by.get("kind") != "agent":
        return False
    if call.session is not None and by.get("session") == call.session:
        return True
    if not asked:
        return inside
    return any(
        call.session is None or (seen.session in (None, call.session) and seen.agent in (None, call.agent))
        for seen in asked
    )


def _workspace(cwd: str | None) -> str | None:
    """The nearest folder above (or at) `cwd` that holds a board."""
    if not cwd or not os.path.isabs(cwd):
        return None
    folder = os.path.realpath(cwd)
    while True:
        if os.path.isdir(os.path.join(folder, FOLDER)):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _held(root: str) -> list[str]:
    try:
        return sorted(os.listdir(os.path.join(root, FOLDER, "held")))
    except OSError:
        return []


def _state_folder(environ: Mapping[str, str]) -> str | None:
    from guard.store.location import folders

    return next(iter(folders(environ)), None)


def _sights(environ: Mapping[str, str]) -> list[Sight]:
    folder = _state_folder(environ)
    if folder is None:
        return []
    try:
        raw = _content(os.path.join(folder, SEEN))
    except OSError:
        return []
    return list(_decoded(raw))


def _decoded(raw: bytes) -> Iterator[Sight]:
    for line in raw.splitlines():
        try:
            session, agent, root, card, revision = json.loads(line)
        except (ValueError, TypeError):
            continue
        yield Sight(session, agent, root, card, revision)


def _forget(path: str, sights: list[Sight]) -> None:
    """Drop the sights of cards that nobody holds any more."""
    kept = [seen for seen in sights if os.path.exists(os.path.join(seen.root, FOLDER, "held", seen.card))]
    made = f"{path}.{os.getpid()}"
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, "".join(json.dumps(seen) + "\n" for seen in kept).encode())
    finally:
        os.close(descriptor)
    os.replace(made, path)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _has_folder(path: str) -> bool:
    return FOLDER in path.casefold().split(os.sep)
