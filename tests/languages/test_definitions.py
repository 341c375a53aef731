"""alias: showing and defining."""

from __future__ import annotations

import pytest

from guard.languages import definitions
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("ls", []),
        ("ls=rm", ["opaque redefinition"]),
        ("$", ["opaque redefinition"]),
        ("l$", ["opaque redefinition"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(definitions.judge(call("alias", line))) == expected
