"""A slice of the fuzzer (`python -m tests.oracle.fuzz`), and properties of every reading."""

from __future__ import annotations

import collections

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard.model.syntax import Literal, Unreadable, Word
from guard.shell import parse, read
from tests.oracle import fuzz
from tests.oracle.jail import available
from tests.oracle.scripts import Scripts


@pytest.mark.skipif(not available(), reason="needs bash and bubblewrap")
def test_bash_runs_nothing_that_was_not_read() -> None:
    counts: collections.Counter[str] = collections.Counter()
    assert list(fuzz.run(800, 20240, ["m1 'a'$(m2)'b'", "((x=1<<2))\nm1\n2"], counts)) == []
    assert counts["accepted"] > 100


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_readings_keep_their_promises(seed: int) -> None:
    """Texts of literals stand where `at` says; words lie inside the text; reading twice gives the same."""
    text = Scripts(seed).script([])
    script = parse(text)
    assert script == parse(text)
    if isinstance(script, Unreadable):
        assert 0 <= script.span.start <= script.span.end <= len(text)
        assert script.code != "internal"
        return
    for node in fuzz.nodes(script.body, Literal):
        assert isinstance(node, Literal)
        assert len(node.at) == len(node.text)
        if isinstance(node.at, range) and node.text:
            assert text[node.at.start : node.at.stop] == node.text
    for node in fuzz.nodes(script.body, Word):
        assert isinstance(node, Word)
        assert 0 <= node.span.start <= node.span.end <= len(text)


@given(st.text(alphabet=list("m1 \n\t'\"\\$`(){}[]<>|&;#=!*?~:,-.aE\u00e9\u3000"), max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_has_a_reading_or_a_reason(text: str) -> None:
    found = read(text)
    assert not isinstance(found, Unreadable) or found.code in {"syntax", "character", "bounds", "disagreement"}
