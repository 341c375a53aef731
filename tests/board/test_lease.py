from __future__ import annotations

import pytest

from guard.board.lease import Clock, Lease, age, decode, duration, encode

RENEWED = Clock(1000.0, 50.0, "boot-a")
HELD = Lease("l", "s", "c (s)", RENEWED, 7, {})

AGES = {
    "a minute later": (Clock(1060.0, 110.0, "boot-a"), 60.0),
    "the wall clock was set ten hours ahead": (Clock(37060.0, 110.0, "boot-a"), 60.0),
    "the wall clock was set back": (Clock(10.0, 110.0, "boot-a"), 60.0),
    "the laptop slept for a night: the monotonic clock stood still": (Clock(30000.0, 51.0, "boot-a"), 1.0),
    "after a reboot": (Clock(1600.0, 5.0, "boot-b"), 600.0),
    "after a reboot with the wall clock behind": (Clock(900.0, 5.0, "boot-b"), 0.0),
    "on another machine": (Clock(1030.0, 99999.0, "boot-c"), 30.0),
    "where boots are not known": (Clock(1030.0, 99999.0, ""), 30.0),
}


@pytest.mark.parametrize("name", AGES)
def test_age(name: str) -> None:
    now, expected = AGES[name]
    assert age(HELD, now) == expected


def test_boots_that_are_not_known_are_not_the_same() -> None:
    assert age(HELD._replace(renewed=Clock(1000.0, 50.0, "")), Clock(1030.0, 50.0, "")) == 30.0


def test_the_real_clock() -> None:
    first, second = Clock.read(), Clock.read()
    assert first.boot == second.boot
    assert second.monotonic >= first.monotonic


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b'{"lease": "l"}', encode(HELD).replace(b"{}", b"[]")])
def test_what_is_no_lease(raw: bytes) -> None:
    assert decode(raw) is None


def test_round_trip() -> None:
    assert decode(encode(HELD)) == HELD


def test_duration() -> None:
    found = [duration(seconds) for seconds in (0, 59.9, 60, 3599, 3600, 86399, 86400, 200000)]
    assert found == ["0 s", "59 s", "1 min", "59 min", "1 h", "23 h", "1 d", "2 d"]
