"""Addresses of lsof and fuser: which hold a name that is looked up."""

from __future__ import annotations

import pytest

from guard.languages import socket_address
from tests.languages.calls import call, summary

INTERNET = (("-i", None),)
TCP = (("-n", "tcp"),)


@pytest.mark.parametrize(
    ("program", "line", "options", "looked_up"),
    [
        ("lsof", ":3000", INTERNET, False),
        ("lsof", "tcp:http,3000-3010", INTERNET, False),
        ("lsof", "TCP@192.0.2.1:80", INTERNET, False),
        ("lsof", "@[fe80::1]:22", INTERNET, False),
        ("lsof", ":$", INTERNET, False),
        ("lsof", "@host.example", INTERNET, True),
        ("lsof", "tcp@host.example:80", INTERNET, True),
        ("lsof", "tcp@$", INTERNET, True),
        ("lsof", "$", INTERNET, True),
        ("lsof", "", (("-i", "@host.example"),), True),
        ("lsof", "", (("-i", "TCP:3000"),), False),
        ("lsof", "a@b.txt", (), False),
        ("fuser", "3000/tcp", (), False),
        ("fuser", "3000,192.0.2.1/tcp", (), False),
        ("fuser", "3000,host.example/tcp", (), True),
        ("fuser", ",host.example,80", TCP, True),
        ("fuser", "a,b.txt", (), False),
        ("fuser", "$.txt", (), False),
        ("fuser", "$/tcp", (), True),
        ("fuser", "80", TCP, False),
    ],
)
def test_effects(program: str, line: str, options: tuple[tuple[str, str | None], ...], looked_up: bool) -> None:
    options = (*options, ("-t", None))  # lsof prints numbers of processes only
    found = summary(socket_address.judge(call(program, line, options)))
    assert [effect.startswith("net_read address-host") for effect in found] == [True] * looked_up


@pytest.mark.parametrize(
    ("line", "options", "looked_up"),
    [
        ("", (), True),
        (":3000", INTERNET, True),
        ("", (("-p", "1"),), True),
        ("a.txt", (("-u", "x"),), True),
        ("a.txt", (), False),
        ("+D src", (), False),
        ("", (("-U", None),), False),
        (":3000", (*INTERNET, ("-n", None)), False),
        (":3000", (*INTERNET, ("-t", None)), False),
        ("", (("-v", None),), False),
    ],
)
def test_lsof_names_peers(line: str, options: tuple[tuple[str, str | None], ...], looked_up: bool) -> None:
    found = summary(socket_address.judge(call("lsof", line, options)))
    assert [effect.startswith("net_read address-names") for effect in found] == [True] * looked_up
