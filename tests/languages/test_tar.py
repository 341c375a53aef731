"""tar: operations of both styles, archives on other machines."""

from __future__ import annotations

import pytest

from guard.languages import tar
from guard.model.syntax import Span
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ["opaque tar-mode"]),
        ("tf a", []),
        ("tzvf a x", []),
        ("xOf a x", []),
        ("tfC a d", []),
        ("tbf 20 a", []),
        ("xf a", ["write tar-extract"]),
        ("cf a b", ["write a"]),
        ("cf - b", []),
        ("c b", ["write tar-create"]),
        ("rf a b", ["write tar-change"]),
        ("df a", []),
        ("tf", ["opaque tar-options"]),
        ("tFf x a", ["opaque tar-options"]),
        ("$ a", ["opaque tar-options"]),
        ("tf *$", ["opaque tar-options"]),
        ("vf a", ["opaque tar-mode"]),
        ("tf host:a", ["exec tar-remote"]),
        ("tf ./host:a", []),
        ("tf :a", ["exec tar-remote"]),
        ("tf $", ["exec tar-remote"]),
        ("tf a$", ["exec tar-remote"]),
        ("tf ./$", []),
        ("tf a/$", []),
    ],
)
def test_first_word(line: str, expected: list[str]) -> None:
    assert summary(tar.judge(call("tar", line))) == expected


@pytest.mark.parametrize(
    ("options", "line", "expected"),
    [
        ((("-t", None), ("-f", "a")), "", []),
        ((("-x", None), ("-f", "a")), "", ["write tar-extract"]),
        ((("-x", None), ("-O", None), ("-f", "a")), "", []),
        ((("-c", None), ("-f", "-")), "", []),
        ((("-t", None), ("-x", None), ("-f", "a")), "", ["write tar-extract"]),
        ((("--delete", None), ("-f", "a")), "", ["write tar-change"]),
        ((("-t", None), ("-f", "h:a")), "", ["exec tar-remote"]),
        ((("-t", None), ("-f", "h:a"), ("--force-local", None)), "", []),
        ((("--version", None),), "", []),
    ],
)
def test_options(options: Options, line: str, expected: list[str]) -> None:
    assert summary(tar.judge(call("tar", line, options))) == expected


def test_an_option_between_the_first_word_and_its_argument_is_not_understood() -> None:
    """`tar tf -C x a`: to tar the archive is called `-C`."""
    found = call("tar", "tf a", (("-C", "x"),))
    words = (found.operands[0]._replace(span=Span(4, 6)), found.operands[1]._replace(span=Span(12, 13)))
    option = found.options[0]._replace(span=Span(7, 11))
    assert summary(tar.judge(found._replace(operands=words, options=(option,)))) == ["opaque tar-options"]
