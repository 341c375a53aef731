"""What was seen, as kinds of effect: the calls of a trace and the changes of files together.

An effect is a change of state, or an attempt that failed only for lack of permission or of a target. Calls that change
nothing by themselves and cannot be judged by what they leave (a file opened for writing as it was, a word with a local
daemon) are notes: kind None.
"""

from __future__ import annotations

from guard.model.effect import Kind
from guard.prove import file_calls, other_calls
from guard.prove.seen import MARK, Reading, Seen, Surroundings, is_socket_folder, place_kind
from guard.prove.snapshot import Change
from guard.prove.trace import Trace

_GRACE = 1.0
_JUDGES = {**file_calls.JUDGES, **other_calls.JUDGES}
TRACED = tuple(_JUDGES)
"""The calls that a trace needs to have; process ends are in every trace."""


def of_changes(changes: list[Change], same_index: bool) -> list[Seen]:
    """Observations of a diff, whose paths are absolute here. `same_index`: the git index has the entries it had."""
    found: list[Seen] = []
    created = {change.path for change in changes if change.what == "created"}
    for change in changes:
        empty = change.kind == "folder" and not any(path.startswith(change.path + "/") for path in created)
        if change.path.startswith(MARK):
            found.append(Seen(Kind.EXEC, f"ran the project's {change.path.removeprefix(MARK)}"))
        elif same_index and _is_refresh(change):
            found.append(Seen(Kind.CACHE, "refreshed the stat data of the git index"))
        elif change.what == "created" and empty and is_socket_folder(change.path):
            found.append(Seen(Kind.CACHE, f"left the empty folder {change.path}"))
        else:
            usual = Kind.DELETE if change.what == "removed" else Kind.WRITE
            found.append(Seen(place_kind(change.path, usual), f"{change.what} {change.path}"))
    return found


def _is_refresh(change: Change) -> bool:
    """The index, or the folder in which its lock was made."""
    return (change.what != "removed" and change.path.endswith("/.git/index")) or (
        change.what == "touched" and change.path.endswith("/.git")
    )


def of_trace(trace: Trace, around: Surroundings, main: int) -> list[Seen]:
    """Observations of a trace, in its order, each once."""
    state = Reading(trace, around)
    found: dict[Seen, None] = {}
    for call in trace.calls:
        judge = _JUDGES.get(call.name)
        if judge is not None:
            found.update(dict.fromkeys(judge(state, call)))
    end = trace.ended.get(main)
    late = [process for process in trace.started if end is not None and trace.ended.get(process, 1e12) > end + _GRACE]
    if late:
        found[Seen(Kind.PROCESS, "left a process behind that outlived the command")] = None
    return list(found)
