"""The lease on a card: who holds it, and whether the holder still lives. Pure but for `Clock.read`.

`claim.json` holds the lease while there is one. It counts only together with the journal's `claimed` record of the
same lease id, so a process that dies between the two leaves nothing behind that anybody has to clean up.

Its age is measured on the clock that neither jumps nor runs while a laptop sleeps: the monotonic clock, which can be
compared within one boot of one machine. Only across boots or machines does the wall clock decide.
"""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple


class Clock(NamedTuple):
    """A moment: `wall` is seconds since 1970, `monotonic` seconds of the boot that `boot` names (empty: unknown)."""

    wall: float
    monotonic: float
    boot: str

    @classmethod
    def read(cls) -> Clock:
        """Now."""
        return cls(time.time(), time.monotonic(), _boot())


class Lease(NamedTuple):
    """`renewed` is the last heartbeat. `stages` is what the hook needs of the pipeline, by stage:
    `{"reviewing": {"number": 5, "total": 8, "hard": true, "guard": {…}}}`, taken when the card was taken."""

    id: str
    session: str
    holder: str
    renewed: Clock
    pid: int
    stages: dict[str, Any]


def age(lease: Lease, now: Clock) -> float:
    """Seconds since the last heartbeat, never below 0."""
    if lease.renewed.boot and lease.renewed.boot == now.boot:
        return max(0.0, now.monotonic - lease.renewed.monotonic)
    return max(0.0, now.wall - lease.renewed.wall)


def encode(lease: Lease) -> bytes:
    """The text of claim.json."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(lease.renewed.wall))
    fields = {
        "lease": lease.id, "session": lease.session, "holder": lease.holder, "renewedAt": at,
        "wall": lease.renewed.wall, "monotonic": lease.renewed.monotonic, "boot": lease.renewed.boot,
        "pid": lease.pid, "stages": lease.stages,
    }  # fmt: skip
    return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()


def decode(raw: bytes) -> Lease | None:
    """The lease in a claim.json, or None where it holds none: then only the journal's claim is known."""
    try:
        fields = json.loads(raw)
        renewed = Clock(float(fields["wall"]), float(fields["monotonic"]), str(fields["boot"]))
        stages = fields["stages"]
        if not isinstance(stages, dict):
            return None
        return Lease(
            str(fields["lease"]), str(fields["session"]), str(fields["holder"]), renewed, int(fields["pid"]), stages
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h`, `2 d`."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return file.read(64).decode("ascii").strip()
    except (OSError, ValueError):
        return ""
