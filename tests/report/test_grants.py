"""Grants in words."""

from __future__ import annotations

from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.report.grants import beyond, grant_text


def test_what_a_command_did_more_than() -> None:
    grant = Grant(
        effects=READ_ONLY | {Kind.NET_READ},
        run=(("pytest", "*"), ("make", "test")),
        write=("src/**",),
        tools=("WebFetch",),
        subagents="none",
    )
    assert beyond(Grant()) == beyond(Grant(tools=("WebFetch",))) == "read"
    assert beyond(grant) == (
        "this step grants (read-only commands and file tools, shell effects net_read, commands `pytest *`, "
        "`make test`, writing src/**)"
    )
    assert grant_text(grant).endswith("writing src/**, tools WebFetch, no sub-agents")
    assert len(beyond(grant._replace(write=("long/" * 200,)))) == len("this step grants ()") + 300


def test_a_veto_lists_a_few_commands_and_counts_the_others() -> None:
    grant = Grant(run=tuple((f"p{number}", "*") for number in range(50)), write=("src/**",))
    few = ", ".join(f"`p{number} *`" for number in range(6))
    assert beyond(grant) == (
        f"this step grants (read-only commands and file tools, commands {few} and 44 more, writing src/**)"
    )
    assert grant_text(grant).count("`p") == 50
