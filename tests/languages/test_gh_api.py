"""gh api: which requests only read."""

from __future__ import annotations

import pytest

from guard.languages import gh_api, graphql
from tests.languages.calls import call, summary

READS, WRITES = ["net_read http-read"], ["net_write http-write"]


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("repos/o/r", (), READS),
        ("repos/o/r", (("--jq", ".name"), ("--paginate", None)), READS),
        ("repos/o/r", (("--method", "GET"),), READS),
        ("repos/o/r", (("--method", "get"),), READS),
        ("repos/o/r", (("--method", "DELETE"),), WRITES),
        ("repos/o/r", (("--method", "$"),), WRITES),
        ("repos/o/r", (("--method", "GET"), ("--method", "PUT")), WRITES),
        ("repos/o/r", (("--method", "PUT"), ("--method", "GET")), READS),
        ("repos/o/r", (("--raw-field", "a=b"),), WRITES),
        ("repos/o/r", (("--raw-field", "a=b"), ("--method", "GET")), READS),
        ("repos/o/r", (("--field", "a=@f"), ("--method", "GET")), WRITES),
        ("repos/o/r", (("--field", "a=$"), ("--method", "GET")), WRITES),
        ("repos/o/r", (("--input", "f"),), WRITES),
        ("repos/o/r", (("--input", "f"), ("--method", "GET")), WRITES),
        ("repos/o/r", (("--header", "Accept:x"),), READS),
        ("repos/o/r", (("--header", "X-HTTP-Method-Override:DELETE"),), WRITES),
        ("repos/o/r", (("--header", "$"),), WRITES),
        ("graphql", (("--raw-field", "query={x}"),), READS),
        ("graphql", (("--field", "query={x}"), ("--field", "owner=o")), READS),
        ("graphql", (("--field", "query=@q"),), WRITES),
        ("graphql", (("--raw-field", "query=$"),), WRITES),
        ("graphql", (("--raw-field", "$=x"),), WRITES),
        ("graphql", (("--raw-field", "owner=o"),), WRITES),
        ("graphql", (("--raw-field", "query={x}"), ("--raw-field", "query=mutation{x}")), WRITES),
        ("graphql", (("--raw-field", "query=mutation{x}"),), WRITES),
    ],
)
def test_requests(line: str, options: tuple[tuple[str, str | None], ...], expected: list[str]) -> None:
    assert summary(gh_api.judge(call("gh", line, options))) == expected


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("{viewer{login}}", True),
        ("query{viewer{login}}", True),
        ("query Q($a: Int = 1, $b: [String!]) @live {viewer(first: 2){login}}", True),
        ("# mutation\nquery{x}", True),
        ('{x(text: "} mutation {y}")}', True),
        ('{x(text: """ "} mutation{""" )}', True),
        ("query A{x} query B{y} fragment F on U{z}", True),
        ("{mutation}", True),
        ("query A{x} mutation B{y}", False),
        ("{x}mutation{y}", False),
        ("mutation{y}", False),
        ("subscription{y}", False),
        ('"}" mutation{y}', False),
        ("#\rmutation{y}", False),
        ("{x", False),
        ("{x}}mutation{y}", False),
        ("", False),
        ("query", False),
        ("\0{x}", False),
        ("{x(id: \0)}", True),
        ("{x} extend type Q{y}", False),
    ],
)
def test_documents(text: str, reads: bool) -> None:
    assert graphql.only_queries(text) is reads
