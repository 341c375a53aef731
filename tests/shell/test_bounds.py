"""Limits of size and time, which no text may pass."""

from __future__ import annotations

import time

import pytest

from guard.model.syntax import Unreadable
from guard.shell import parse, read

_LARGE = {
    "plain words": "m1 " + "a " * 32_000,
    "one word": "m1 " + "a" * 65_000,
    "quotes": "m1 " + "'a'" * 21_000,
    "escapes": "m1 " + "\\a" * 32_000,
    "parameters": "m1 " + "$a" * 32_000,
    "braces": "m1 " + "{a,b}" * 13_000,
    "open braces": "m1 " + "{" * 65_000,
    "globs": "m1 " + "[" * 65_000,
    "stars": "m1 " + "*" * 65_000,
    "opened substitutions": "m1 " + "$(" * 32_000,
    "opened backquotes": "`" * 65_000,
    "opened parameters": "${x:-" * 13_000,
    "opened quotes": '"$(' * 21_000,
    "subshells": "(" * 65_000,
    "arithmetic": "((" + "(" * 65_000,
    "newlines": "\n" * 65_000,
    "comments": "#\n" * 32_000,
    "commands": "m1;" * 21_000,
    "pipeline": "m1" + "|m1" * 20_000,
    "and": "m1" + "&&m1" * 16_000,
    "here-documents": "m1 <<E\nE\n" * 7_000,
    "waiting here-documents": "m1 " + "<<E " * 16_000 + "\n" + "E\n" * 100,
    "quoted here-document": "m1 <<'E'\n" + "$(`\n" * 13_000 + "E\n",
    "here-document": "m1 <<E\n" + "$x `m2`\n" * 7_000 + "E\n",
    "joins": "m1 " + "\\\n " * 21_000,
    "redirects": "m1 " + ">w " * 21_000,
    "digits": "m1 " + "1" * 65_000 + ">w",
    "wide": "m1 " + "\u65e5" * 21_000,
    "deep and long": "m1 $(" * 45 + "a" * 60_000 + ")" * 45,
    "deep quotes": 'm1 "$(' * 45 + "a" * 60_000 + ')"' * 45,
    "substitutions": "m1 " + "$(m2)" * 249,
    "dashes": "m1 " + "- " * 30_000,
}


@pytest.mark.parametrize("text", _LARGE.values(), ids=_LARGE)
def test_no_text_takes_long(text: str) -> None:
    assert len(text.encode()) < 66_000
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 1  # half a second, with room for a slow machine


_BOUNDS = [
    ("m1 " + "a" * 70_000, "longer than 64 KiB"),
    ("( " * 51 + "m1" + " )" * 51, "nested more than 50 deep"),
    ("m1 " + "$(m2 " * 51 + ")" * 51, "nested more than 50 deep"),
    ("m1;" * 501, "more than 500 commands"),
    ("m1" + "|m1" * 500, "more than 500 commands"),
]


@pytest.mark.parametrize(("text", "message"), _BOUNDS)
def test_bounds(text: str, message: str) -> None:
    found = read(text)
    assert isinstance(found, Unreadable)
    assert (found.code, found.message) == ("bounds", message)


_WITHIN = ["( " * 49 + "m1" + " )" * 49, "m1 " + "$(m2 " * 20 + ")" * 20, "m1;" * 499, "m1" + "|m1" * 499]


@pytest.mark.parametrize("text", _WITHIN, ids=["subshells", "substitutions", "commands", "pipeline"])
def test_within_bounds(text: str) -> None:
    assert not isinstance(read(text), Unreadable)


def test_a_deadline_that_has_passed_is_a_bound() -> None:
    for reader in (parse, read):
        found = reader("m1", deadline=time.thread_time() - 1)
        assert isinstance(found, Unreadable)
        assert found.code == "bounds"


def test_a_deep_stack_is_a_bound() -> None:
    def deeper(levels: int) -> object:
        return deeper(levels - 1) if levels else read("( " * 40 + "m1" + " )" * 40)

    found = deeper(900)
    assert isinstance(found, Unreadable)
    assert found.code in ("bounds", "disagreement")
