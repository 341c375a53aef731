"""`devkit-guard log` and `why`: the decisions that the hook has made."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from guard.cli.terminal import show
from guard.hooks.base import REFUSALS
from guard.model.errors import UsageError
from guard.report import visible
from guard.store.decision_reader import newest_first, records

Record = dict[str, Any]


def run(filters: dict[str, str | None], *, limit: int, follow: bool, as_json: bool, counts: bool) -> int:
    """Prints records that fit, oldest first; `follow` goes on until it is interrupted."""
    wanted = _fits(filters)
    if counts:
        return _counts([record for record in records(os.environ) if wanted(record)], as_json)
    found = [record for record in records(os.environ) if wanted(record)]
    for record in found[-limit:] if limit else found:
        _print(record, as_json)
    if follow:
        sys.stdout.flush()
        for record in _new(wanted):
            _print(record, as_json)
            sys.stdout.flush()
    return 0


def why(wanted: str, *, as_json: bool) -> int:
    """One decision in full; 1 if there is none. An id may be cut short; `last` is the newest veto."""
    found = newest_first(os.environ)
    if wanted == "last":
        found = [record for record in found if record.get("verdict") in REFUSALS][:1]
    else:
        found = [record for record in found if str(record.get("id", "")).startswith(wanted)]
    if not found:
        known = "no veto" if wanted == "last" else f"no decision whose id begins with '{visible(wanted)}'"
        sys.stderr.write(f"devkit-guard: {known} in the log: devkit-guard log shows what is there\n")
        return 1
    if len(found) > 1:
        raise UsageError(f"'{wanted}' stands for several decisions: give more of the id")
    record = found[0]
    if as_json:
        print(json.dumps(record, indent=2))
        return 0
    style = "veto" if record.get("verdict") in REFUSALS else "allow"
    head = f"{record.get('verdict')}  {_time(record)}  {record.get('id')}"
    show([(style, f"{head}  {_force(record)}".rstrip())], plain=False)
    for key, value in record.items():
        if key not in ("id", "at", "verdict") and value not in (None, [], ""):
            text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
            show([("reason", f"{key:<9} {visible(text)}")], plain=False)
    if record.get("verdict") in REFUSALS and not record.get("steps"):
        show([("hint", "where the mode is set, and how to change it: devkit-guard status")], plain=False)
    if record.get("steps"):
        show([("hint", "what is open, and the way out of it: devkit-guard status")], plain=False)
    return 0


def _fits(filters: dict[str, str | None]) -> Callable[[Record], bool]:
    def fits(record: Record) -> bool:
        return all(_matches(record, key, value) for key, value in filters.items() if value is not None)

    since = filters.pop("since", None)
    if since is None:
        return fits
    unit = {"s": 1, "m": 60, "h": 3600, "d": 86400}.get(since[-1:], 0)
    if not unit or not since[:-1].isdecimal():
        raise UsageError(f"--since: expected a time like 90s, 30m, 4h or 2d (got '{since}')")
    start = time.time() - int(since[:-1]) * unit
    return lambda record: float(record.get("at", 0)) >= start and fits(record)


def _matches(record: Record, key: str, value: str) -> bool:
    if key == "text":
        return value in json.dumps(record, ensure_ascii=False)
    found = record.get(key)
    return value in found if isinstance(found, list) else str(found) == value


def _counts(found: list[Record], as_json: bool) -> int:
    keys = ("verdict", "mode", "enforced", "agent", "tool", "effects")
    tables = {key: Counter(str(value) for record in found for value in _values(record, key)) for key in keys}
    if as_json:
        print(json.dumps({"decisions": len(found), **{key: dict(table) for key, table in tables.items()}}, indent=2))
        return 0
    show([("reason", f"{len(found)} decisions")], plain=False)
    for key, table in tables.items():
        for value, number in table.most_common(20):
            show([("source", f"{key:<9} {visible(str(value)):<24} {number:>7}")], plain=False)
    return 0


def _values(record: Record, key: str) -> list[Any]:
    found = record.get(key)
    return found if isinstance(found, list) else [] if found is None else [found]


def _print(record: Record, as_json: bool) -> None:
    if as_json:
        print(json.dumps(record))
        return
    what = record.get("command") or ", ".join(record.get("paths", [])) or record.get("event") or ""
    line = f"{_time(record)} {record.get('id', ''):<17} {record.get('agent', ''):<10} {record.get('verdict', ''):<8} "
    line += f"{record.get('mode', ''):<8} {_force(record):<12} {record.get('tool', ''):<12} {visible(str(what))[:120]}"
    show([("veto" if record.get("verdict") in REFUSALS else "source", line)], plain=False)


def _force(record: Record) -> str:
    """Whether a refusal kept the call from running; empty where none was due."""
    if record.get("verdict") not in REFUSALS:
        return ""
    return "enforced" if record.get("enforced", record.get("mode") != "observe") else "not enforced"


def _time(record: Record) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(float(record.get("at", 0))))


def _new(wanted: Callable[[Record], bool]) -> Iterator[Record]:
    """Records that come from now on."""
    seen = {record.get("id") for record in newest_first(os.environ)}
    try:
        while True:
            time.sleep(0.5)
            for record in records(os.environ, newest_file=True):
                if record.get("id") not in seen:
                    seen.add(record.get("id"))
                    if wanted(record):
                        yield record
    except KeyboardInterrupt:
        return
