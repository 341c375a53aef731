"""Properties of all rules: no spelling of an option that does more than read is ever allowed, and spellings agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guard.classify import Place, classify, doubts
from guard.model.grant import READ_ONLY
from guard.rulebook import Rulebook, schema
from tests.rules.spellings import Case, cases, clustered, dangerous, written

BOOK = Rulebook()
PLACE = Place("/nonexistent/project", "/home/user")
ALL = list(cases(BOOK))
SHARES = range(8)
WRAPPERS = (
    "timeout 5 {}", "env {}", "nice {}", "xargs {}", "xargs -n1 -- {}", "find . -exec {} \\;", "find . -execdir {} +",
    "sh -c '{}'", "bash -lc '{}'", "command {}", "ls | xargs -I% {} %", "true && {}", "echo $({})", "if {}; then :; fi",
)  # fmt: skip


def allowed(command: str) -> bool:
    """Whether it would pass without a grant."""
    found = classify(command, PLACE, BOOK)
    return {effect.kind for effect in found.effects} <= READ_ONLY and not doubts(found)


def dangerous_forms(case: Case) -> Iterator[str]:
    """The option alone, before and after operands, between options, and in clusters."""
    for form in (*written(case), *clustered(case)):
        yield f"{case.words} {form}"
        yield f"{case.words} {form} a.txt"
        yield f"{case.words} {form} a.txt b.txt"
        if case.node.syntax in ("gnu", "git"):
            yield f"{case.words} a.txt {form}"
            yield f"{case.words} a.txt {form} b.txt"


def needs_operands(case: Case) -> bool:
    """Whether the effect falls on operands, so that there is none without them."""
    return case.option.on_operands


@pytest.mark.parametrize("share", SHARES)
def test_dangerous_options_are_never_allowed(share: int) -> None:
    wrong = [
        command
        for case in ALL[share :: len(SHARES)]
        if dangerous(case.option)
        for command in dangerous_forms(case)
        if not (needs_operands(case) and "a.txt" not in command) and allowed(command)
    ]
    assert wrong == []


@pytest.mark.parametrize("share", SHARES)
def test_dangerous_options_are_never_allowed_behind_a_wrapper(share: int) -> None:
    wrong = [
        command
        for case in ALL[share :: len(SHARES)]
        if dangerous(case.option) and not case.node.builtin
        for form in (*list(written(case))[:1], *list(clustered(case))[:1])
        for command in (wrapper.replace("{}", f"{case.words} {form} a.txt") for wrapper in WRAPPERS)
        if allowed(command)
    ]
    assert wrong == []


@pytest.mark.parametrize("share", SHARES)
def test_spellings_of_an_option_agree(share: int) -> None:
    """Each full spelling gets the same verdict; an abbreviation the same, or a veto where it is ambiguous."""
    wrong: list[tuple[str, str, str]] = []
    for case in ALL[share :: len(SHARES)]:
        if any(one.optional and one.type not in schema.DATA_TYPES for one in case.option.takes):
            continue  # with its argument it may do more than without
        whole = case._replace(node=case.node._replace(abbreviate=False))
        verdicts = {allowed(f"{case.words} {form}") for form in written(whole)}
        if len(verdicts) > 1:
            wrong.append((case.words, case.option.name, "differ"))
        if verdicts == {False}:
            wrong += [
                (case.words, form, "looser") for form in set(written(case)) - set(written(whole))
                if allowed(f"{case.words} {form}")
            ]  # fmt: skip
    assert wrong == []


def test_there_is_something_to_test() -> None:
    assert len(ALL) > 10_000
    assert sum(1 for case in ALL if dangerous(case.option)) > 600
