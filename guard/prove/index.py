"""The entries of a git index, without what git calls stat data: two indexes with equal entries say the same.

Format: `Documentation/gitformat-index.txt` of git. Versions 2, 3 and 4.
"""

from __future__ import annotations

from typing import NamedTuple

_ASSUME_VALID, _EXTENDED, _STAGE, _NAME = 0x8000, 0x4000, 0x3000, 0x0FFF


class Entry(NamedTuple):
    """`flags` are assume-valid, skip-worktree and intent-to-add as they stand."""

    path: bytes
    mode: int
    object_id: str
    stage: int
    flags: int


def entries(data: bytes) -> list[Entry] | None:
    """The entries of an index file with SHA-1 names; None where it is not one."""
    if data[:4] != b"DIRC" or len(data) < 32:
        return None
    version, count = (int.from_bytes(data[at : at + 4]) for at in (4, 8))
    if version not in (2, 3, 4):
        return None
    found: list[Entry] = []
    at, previous = 12, b""
    for _ in range(count):
        if at + 62 > len(data) - 20:
            return None
        mode = int.from_bytes(data[at + 24 : at + 28])
        flags = int.from_bytes(data[at + 60 : at + 62])
        name = at + 62
        extended = 0
        if flags & _EXTENDED:
            extended = int.from_bytes(data[name : name + 2])
            name += 2
        if version == 4:
            dropped, name = _varint(data, name)
            end = data.index(b"\0", name)
            path = previous[: len(previous) - dropped] + data[name:end]
            following = end + 1
        else:
            end = data.index(b"\0", name)
            path = data[name:end]
            following = at + (end - at + 8) // 8 * 8
        kept = (flags & _ASSUME_VALID) << 16 | extended
        found.append(Entry(path, mode, data[at + 40 : at + 60].hex(), (flags & _STAGE) >> 12, kept))
        at, previous = following, path
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The offset encoding of pack files: the value, and where it ends."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = (value + 1) << 7 | (byte & 0x7F)
    return value, at + 1


def only_refreshed(before: bytes, after: bytes) -> bool:
    """Whether an index was written anew with the same entries: a refresh of stat data, nothing else."""
    old = entries(before)
    return old is not None and old == entries(after)
