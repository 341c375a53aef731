"""The Python interpreter: the forms that run no code of the directory."""

from __future__ import annotations

import pytest

from guard.languages import python
from tests.languages.calls import call, summary

RUNS = ["exec exec-interpreter"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((("-V", None),), []),
        ((("-I", None), ("-m", "json.tool")), []),
        ((("-m", "json.tool"),), RUNS),
        ((("-I", None), ("-m", "pip")), RUNS),
        ((("-I", None), ("-m", "$")), RUNS),
        ((("-c", "1"),), RUNS),
        ((("-c", "1"), ("-V", None)), RUNS),
        ((("-m", "json.tool"), ("-V", None)), RUNS),
        ((("-m", "json.tool"), ("-I", None)), RUNS),
        ((("-I", None), ("-c", "1"), ("-m", "json.tool")), RUNS),
        ((("-I", None), ("-m", "pip"), ("-m", "json.tool")), RUNS),
        ((("-I", None),), RUNS),
        ((), RUNS),
    ],
)
def test_effects(options: tuple[tuple[str, str | None], ...], expected: list[str]) -> None:
    assert summary(python.judge(call("python3", "", options))) == expected
