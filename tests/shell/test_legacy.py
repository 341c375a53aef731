"""The end of `$(…)` as shells see it that only count parentheses and skip quotes."""

from __future__ import annotations

import pytest

from guard.shell.legacy import closing_parenthesis

_ENDS = [
    # text behind `$(`, the part up to the end they see (None: they see none)
    ("m1)", "m1"),
    ("m1 (a) b) c)", "m1 (a) b"),
    ("m1 ')' )", "m1 ')' "),
    ('m1 ")" )', 'm1 ")" '),
    ('m1 "$(m2 ")")" )', 'm1 "$(m2 ")")" '),
    ("m1 \\) )", "m1 \\) "),
    ("m1 `m2 )` )", "m1 `m2 )` "),
    ("m1 # )\n)", "m1 # "),
    ("m1 # it's\n)", None),
    ("case x in x) m1;; esac)", "case x in x"),
    ("case x in (x) m1;; esac)", "case x in (x) m1;; esac"),
    ("m1 <<E\n)\nE\n)", "m1 <<E\n"),
    ('m1 "', None),
    ("m1 `", None),
    ("m1", None),
]


@pytest.mark.parametrize(("text", "expected"), _ENDS)
def test_closing_parenthesis(text: str, expected: str | None) -> None:
    end = closing_parenthesis(f"$({text}", 2)
    assert end == (-1 if expected is None else 2 + len(expected))
