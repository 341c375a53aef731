"""yq expressions: which files they load."""

from __future__ import annotations

import pytest

from guard.languages import yq
from guard.model.argument import ReadsPath
from tests.languages.scripts import call, script, shown


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (".a.b", []),
        ('.a = "load(x)"', []),
        ('.load_me == "a"', []),
        ("load_me", ["read "]),
        ('load("b.yaml")', ["read b.yaml"]),
        ('. * load_str( "k\\ey" )', ["read "]),
        ('load("a" + .b)', ["read "]),
        ("load(.file)", ["read "]),
    ],
)
def test_loads(expression: str, expected: list[str]) -> None:
    assert shown(yq.judge(call("yq", expression)), expression) == expected


def test_strings_beside_what_is_not_known() -> None:
    found = yq.judge(call("yq")._replace(operands=(script('.a | ¤(".env")', "any"),)))
    assert [read.path.text for read in found if isinstance(read, ReadsPath)] == [".a | ", "(", ".env", ")"]
