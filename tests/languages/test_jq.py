"""jq: programs that name modules."""

from __future__ import annotations

import pytest

from guard.languages import jq
from tests.languages.calls import call, summary
from tests.languages.calls import word as as_word


@pytest.mark.parametrize(
    ("program", "reads_more"),
    [
        (".a", False),
        ("$", False),
        (".a·|·import", False),
        ("importance", False),
        ('import·"a"·as·$x;·.', True),
        ('··include"a";·b', True),
        ('#·a\nmodule·{};·import·"b"·as·b;·1', True),
        ("import$", True),
        ("$import·'a'·as·x;·.", True),
        ("#$·import·'a'·as·x;·.", True),
        ("im$·'a'·as·x;·.", True),
        (".a$", False),
        ("#·a\n.a$", False),
        ("", False),
    ],
)
def test_modules(program: str, reads_more: bool) -> None:
    found = call("jq")._replace(operands=(as_word(program),))
    assert summary(jq.judge(found)) == (["opaque jq-module"] if reads_more else [])


def test_files_of_a_program() -> None:
    assert jq.judge(call("jq", "import", (("-f", None),))) == []
