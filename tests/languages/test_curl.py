"""curl: URLs, data, headers and outputs."""

from __future__ import annotations

import pytest

from guard.languages import curl
from tests.languages.calls import call, summary

SENDS = ["net_write net-write-argument"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://host.example/a", []),
        ("HTTPS://host.example/a", []),
        ("https://$/a", []),
        ("host.example", []),
        ("localhost:8000/health", []),
        ("localhost:$/health", []),
        ("192.0.2.1:80/a", []),
        ("$", SENDS),
        ("$/a", SENDS),
        ("ho$", SENDS),
        ("gopher://host.example/a", SENDS),
        ("gopher:/host.example/a", SENDS),
        ("dict://host.example/a", SENDS),
        ("telnet://host.example", SENDS),
        ("{file,http}:///etc/shadow", SENDS),
        ("[f-f]ile:///etc/shadow", SENDS),
        ("fi[l-l]e:/etc/shadow", SENDS),
        ("file:///etc/passwd", []),
        ("file:///home/u/%2essh/id_rsa", ["opaque file-url"]),
        ("file://$", ["opaque file-url"]),
    ],
)
def test_urls(url: str, expected: list[str]) -> None:
    assert summary(curl.judge(call("curl", url))) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((("-o", "-"),), []),
        ((("-o", "a"),), ["write a"]),
        ((("-o", "$"),), ["write output"]),
        ((("-D", "-"),), []),
        ((("-D", "a"),), ["write a"]),
        ((("--trace", "a"),), ["write a"]),
        ((("-c", "a"),), ["write a"]),
        ((("-H", "Accept:x"),), []),
        ((("-H", "Authorization:$"),), []),
        ((("-H", "@a.txt"),), SENDS),
        ((("-H", "$"),), SENDS),
        ((("-b", "a=b"),), []),
        ((("-b", "cookies"),), SENDS),
        ((("-d", "a=b"),), SENDS),
        ((("-G", None), ("-d", "a=b")), []),
        ((("-G", None), ("-d", "@a.txt")), SENDS),
        ((("-G", None), ("-d", "$")), SENDS),
        ((("-G", None), ("--data-urlencode", "q=a@b")), []),
        ((("-G", None), ("--data-urlencode", "q@a.txt")), SENDS),
        ((("-G", None), ("--data-urlencode", "q=$")), []),
        ((("-G", None), ("--data-urlencode", "q$")), SENDS),
        ((("-G", None), ("--data-raw", "@a")), []),
        ((("--url-query", "f@.env"),), SENDS),
        ((("--url-query", "f=x"),), []),
        ((("-w", "%{http_code}"),), []),
        ((("-w", "%output{a}x"),), ["write write-format"]),
        ((("-w", "@a.txt"),), ["write write-format"]),
        ((("-w", "$"),), ["write write-format"]),
        ((("-E", "a.pem"),), []),
        ((("-E", "pem"),), []),
        ((("--key", "PKCS11:x?module-path=./p.so"),), ["exec key-module"]),
        ((("--key", "$"),), ["exec key-module"]),
        ((("--key", "~/$"),), []),
        ((("--url", "file:///a%62"),), ["opaque file-url"]),
    ],
)
def test_options(options: tuple[tuple[str, str | None], ...], expected: list[str]) -> None:
    assert summary(curl.judge(call("curl", "https://host.example/", options))) == expected
