"""kubectl: output formats that print what secrets hold."""

from __future__ import annotations

import pytest

from guard.languages import kubectl
from tests.languages.calls import call, summary

SECRET = ["read_secret prints-secret"]


@pytest.mark.parametrize(
    ("path", "line", "output", "expected"),
    [
        ("get", "secrets", None, []),
        ("get", "secrets", "wide", []),
        ("get", "secrets", "yaml", SECRET),
        ("get", "Secret/a", "json", SECRET),
        ("get", "pods,secrets", "yaml", SECRET),
        ("get", "secrets.v1. a", "jsonpath={.data}", SECRET),
        ("get", "all", "yaml", SECRET),
        ("get", "$", "yaml", SECRET),
        ("get", "pods", "yaml", []),
        ("get", "pod/$", "yaml", []),
        ("describe", "secret a", "yaml", []),
    ],
)
def test_effects(path: str, line: str, output: str | None, expected: list[str]) -> None:
    options = () if output is None else (("-o", output),)
    assert summary(kubectl.judge(call("kubectl", line, options)._replace(path=(path,)))) == expected
