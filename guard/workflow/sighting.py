"""Who calls one of our tools: the hook sees the caller, the server sees the call, a small file joins the two.

The hook writes what it saw of a call (`observe_call`), the server claims it when the same call reaches it (`claim`).
No SQLite: the hook never writes to the store. A host whose hook does not fire leaves nothing to claim, and then what
is started binds every caller in the repository.
"""

from __future__ import annotations

import json
import os
import time

from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.store.content import content
from guard.store.location import folders
from guard.workflow.own_tools import tool_name
from guard.workflow.repository import home_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER = "sightings"
FRESH = 120.0
"""Seconds within which a call must reach the server: the person may be asked for permission in between."""
OBSERVED = frozenset(
    {
        "devkit_start",
        *("devflow_create", "devflow_transition", "devflow_take", "devflow_attach_artifact"),
        *("devflow_release", "devflow_takeover"),
    }
)
"""Calls whose caller matters to the server: those that open a session or change the board."""


class Sighting(NamedTuple):
    """A caller as the hook saw it. `home` is the repository (or folder) that the caller works in."""

    runtime: str
    session: str | None
    agent: str | None
    home: str | None
    parents: tuple[int, ...]
    at: float
    call_id: str | None


def observe_call(call: ToolCall, environ: Mapping[str, str] = os.environ) -> bool:
    """Notes the caller of one of our tools for the server. Cheap and silent for every other call.

    True where it was noted. A note that cannot be written only means that more callers are bound.
    """
    name = tool_name(call.tool, call.runtime)
    places = folders(environ)
    if name not in OBSERVED or not places:
        return False
    home = None if call.cwd is None else home_of(call.cwd)
    seen = Sighting(call.runtime, call.session, call.agent, home, ancestors(os.getpid()), time.time(), call.call_id)
    folder = os.path.join(places[0], FOLDER)
    stem = f"{name}.{digest(call.input)}.{digest([call.runtime, call.session, call.agent, call.call_id])}"
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        temporary = os.path.join(folder, f".{stem}.{os.getpid()}")
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(seen._asdict(), file)
        os.replace(temporary, os.path.join(folder, stem))
    except (OSError, ValueError):
        return False
    return True


def claim(
    tool: str, arguments: Mapping[str, Any], home: str, call_id: str | None, environ: Mapping[str, str]
) -> Sighting | None:
    """Takes the sighting of this call; None where the hook did not see it.

    The runtime's own id of the call decides where both sides have it. Otherwise the sighting must come from the host
    process that runs this server, or from this repository. Where those of several callers fit equally well (one may be
    of a call that was refused since), none is taken: what is started then binds them all. Whoever removes the file has
    it, so no sighting serves two starts.
    """
    fitting = [(path, seen) for path, seen in _seen(tool, arguments, call_id, environ) if _fits(seen, home, call_id)]
    ranks = [_rank(seen, home, call_id) for _, seen in fitting]
    found = [entry for entry, rank in zip(fitting, ranks, strict=True) if rank == min(ranks)]
    if len({(seen.runtime, seen.session, seen.agent) for _, seen in found}) > 1:
        return None
    for path, seen in sorted(found, key=lambda entry: entry[1].at):
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue  # another server was quicker
        except OSError:
            pass  # not removable, so it will be found again until it is old
        return seen
    return None


def digest(value: Any) -> str:
    """A short name for JSON data; keys that are null count as left out, as hosts differ in that."""
    import hashlib

    if isinstance(value, dict):
        value = {key: inner for key, inner in value.items() if inner is not None}
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def ancestors(pid: int) -> tuple[int, ...]:
    """The processes above `pid`, nearest first; only the parent where there is no /proc."""
    found: list[int] = []
    while len(found) < 8:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        if pid <= 1:
            break
        found.append(pid)
    return tuple(found or [os.getppid()])


def _seen(
    tool: str, arguments: Mapping[str, Any], call_id: str | None, environ: Mapping[str, str]
) -> list[tuple[str, Sighting]]:
    found = []
    for place in folders(environ):
        folder = os.path.join(place, FOLDER)
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if not name.startswith(f"{tool}.") or (call_id is None and f".{digest(arguments)}." not in name):
                continue
            path = os.path.join(folder, name)
            seen = _read(path)
            if seen is None or time.time() - seen.at > FRESH:
                _forget(path)
            elif call_id in (seen.call_id, None) or (seen.call_id is None and f".{digest(arguments)}." in name):
                found.append((path, seen))
    return found


def _rank(seen: Sighting, home: str, call_id: str | None) -> tuple[bool, bool, bool]:
    """How well a sighting fits a call, the smaller the better."""
    exact = call_id is not None and seen.call_id == call_id
    return (not exact, not _same_host(seen), seen.home != home)


def _fits(seen: Sighting, home: str, call_id: str | None) -> bool:
    exact = call_id is not None and seen.call_id == call_id
    return exact or _same_host(seen) or seen.home == home


def _same_host(seen: Sighting) -> bool:
    return os.getppid() in seen.parents


def _read(path: str) -> Sighting | None:
    try:
        data = json.loads(content(path))
        return Sighting(**{**data, "parents": tuple(data["parents"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
