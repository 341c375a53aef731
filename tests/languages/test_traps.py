"""Small languages of one trap each: `@FILE`, `NAME=VALUE`, `protocol:`."""

from __future__ import annotations

import pytest

from guard.languages import assignments, local_files, response_files
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ("a.o b.o", None, []),
        ("a@b", None, []),
        ("@options", None, ["exec response-file"]),
        ("$", None, ["exec response-file"]),
        ("./$", None, []),
        ("a.o", "@options", ["exec response-file"]),
    ],
)
def test_response_files(line: str, value: str | None, expected: list[str]) -> None:
    options = () if value is None else (("-e", value),)
    assert summary(response_files.judge(call("nm", line, options))) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kernel.hostname vm.swappiness", []),
        ("vm.swappiness=1", ["system assignment-operand"]),
        ("kernel.$", ["system assignment-operand"]),
    ],
)
def test_assignments(line: str, expected: list[str]) -> None:
    assert summary(assignments.judge(call("sysctl", line))) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.mp4", []),
        ("./a:b.mp4", []),
        ("src/$", []),
        ("https://host.example/a", ["net_write protocol-operand"]),
        ("tcp:host.example:80", ["net_write protocol-operand"]),
        ("a$", ["net_write protocol-operand"]),
        ("$", ["net_write protocol-operand"]),
    ],
)
def test_local_files(line: str, expected: list[str]) -> None:
    assert summary(local_files.judge(call("ffprobe", line))) == expected


def test_local_files_in_options() -> None:
    remote = call("openssl", options=(("-in", "http://host.example/a"), ("-noout", None)))
    assert summary(local_files.judge(remote)) == ["net_write protocol-operand"]
