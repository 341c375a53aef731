from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.board.card import Card, is_slug, number_of, project, replay, slug_from
from guard.board.journal import JournalError, Record, encode, parse, parse_prefix

AT = "2026-01-31T12:00:00.000000Z"
AGENT = {"kind": "agent", "session": "s1", "client": "c"}


def record(rev: int, kind: str, /, **data: Any) -> Record:
    return Record(rev, AT, AGENT, kind, data)


CREATED = record(1, "created", title="A", body="b", stage="draft")
LIFE = [
    [CREATED],
    [record(2, "transition", **{"from": "draft", "to": "ready"})],
    [record(3, "claimed", lease="l"), record(4, "transition", **{"from": "ready", "to": "developing"})],
    [record(5, "artifact", path="artifacts/5-design.md", kind="design", stage="developing", sha256="0")],
    [record(6, "claim-expired"), record(7, "claimed", lease="m")],
    [record(8, "transition", **{"from": "developing", "to": "done"}), record(9, "released")],
    [record(10, "archived")],
    [record(11, "restored")],
]
RAW = b"".join(encode(append) for append in LIFE)


def test_replay() -> None:
    card = replay("0001-a", parse(RAW))
    assert card._replace(history=(), artifacts=()) == Card(
        "0001-a", "A", "b", None, "done", "developing", 11, AT, AT, None, (), False, ()
    )
    assert [tuple(found) for found in card.artifacts] == [("artifacts/5-design.md", "design", "developing", 5, AT, "0")]


@given(st.integers(0, len(RAW)))
def test_a_cut_off_append_never_counts(cut: int) -> None:
    """Whatever prefix a crash leaves, what is read is a whole number of appends, and `keep` ends the last of them."""
    ends = [0]
    for append in LIFE:
        ends.append(ends[-1] + len(encode(append)))
    whole = max(end for end in ends if end <= cut)
    records, problem = parse_prefix(RAW[:cut])
    assert encode_all(records) == RAW[:whole]
    if cut == 0:
        assert problem is not None
        assert not problem.torn
    elif cut == whole:
        assert problem is None
    else:
        assert problem is not None
        assert (problem.torn, problem.keep) == (True, whole)


def encode_all(records: list[Record]) -> bytes:
    found, count = b"", 0
    for append in LIFE:
        count += len(append)
        if count <= len(records):
            found += encode(append)
    return found


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(title: str, body: str) -> None:
    first = record(1, "created", title=title, body=body, stage="draft")
    raw = encode([first])
    assert raw.count(b"\n") == 1
    assert parse(raw) == [first]


def line(**changes: Any) -> bytes:
    fields = {"rev": 2, "at": AT, "by": AGENT, "type": "released", **changes}
    return json.dumps({key: value for key, value in fields.items() if value is not ...}).encode() + b"\n"


BAD_LINES = [
    (b"nonsense\n", "not a JSON object"),
    (b"[]\n", "not a JSON object"),
    (b"\n", "not a JSON object"),
    (b"[" * 100000 + b"\n", "not a JSON object"),
    (line(rev=3), "rev: expected 2 (got 3)"),
    (line(rev=True), "rev: expected 2 (got true)"),
    (line(rev=...), "rev: expected 2 (got null)"),
    (line(at="2026-01-31T12:00:00+01:00"), 'at: expected a UTC time such as 2026-01-31T12:00:00Z (got "2026-'),
    (line(at="yesterdayZ"), "at: expected a UTC time such as 2026-01-31T12:00:00Z (got"),
    (line(at=5), "at: expected a UTC time such as 2026-01-31T12:00:00Z (got 5)"),
    (line(by={"kind": "robot"}), "by: expected an object whose kind is agent, human or command (got"),
    (line(by="me"), "by: expected an object whose kind is agent, human or command (got"),
    (line(type="moved"), "type: expected one of archived, artifact, claim-expired, claimed, created, released"),
]


@pytest.mark.parametrize(("raw", "problem"), BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_is_located(raw: bytes, problem: str) -> None:
    with pytest.raises(JournalError) as caught:
        parse(encode([CREATED]) + raw + line(rev=3))
    assert (caught.value.line, caught.value.torn) == (2, False)
    assert caught.value.problem.startswith(problem)


def transition(rev: int, start: str, to: str) -> Record:
    return record(rev, "transition", **{"from": start, "to": to})


CONTRADICTIONS = [
    ([record(1, "released")], "line 1: type: expected created (got released)"),
    ([record(1, "created", title="A", body=1, stage="x")], "line 1: body: expected text (got 1)"),
    ([CREATED, CREATED._replace(rev=2)], "line 2: created: stands only on line 1"),
    ([CREATED, transition(2, "ready", "done")], "line 2: from: expected draft (got ready)"),
    ([CREATED, record(2, "transition", **{"from": "draft"})], "line 2: to: expected text (got null)"),
    ([CREATED, record(2, "released")], "line 2: released: nobody holds the card"),
    (
        [CREATED, record(2, "claimed", lease="a"), record(3, "claimed", lease="b")],
        "line 3: claimed: s1 holds the card since line 2",
    ),
    ([CREATED, record(2, "claimed")], "line 2: lease: expected text (got null)"),
    ([CREATED, record(2, "restored")], "line 2: restored: the card is not archived"),
    ([CREATED, record(2, "archived"), transition(3, "draft", "x")], "line 3: transition: the card was archived before"),
]


@pytest.mark.parametrize(("records", "problem"), CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_a_contradiction_is_located(records: list[Record], problem: str) -> None:
    with pytest.raises(JournalError) as caught:
        replay("0001-a", records)
    assert str(caught.value) == problem


SLUGS = {
    "Cache the index": "cache-the-index",
    "  Fix: `--json` (again)!  ": "fix-json-again",
    "Prüfung der Größe": "prufung-der-gro-e",
    "日本語": "card",
    "": "card",
    "x" * 60: "x" * 48,
    "a" * 40 + " " + "b" * 10: "a" * 40,
}


@pytest.mark.parametrize("title", SLUGS)
def test_slug_from(title: str) -> None:
    assert slug_from(title) == SLUGS[title]


@given(st.text())
def test_slug_is_always_one(title: str) -> None:
    slug = slug_from(title)
    assert is_slug(slug)
    assert number_of(f"0007-{slug}") == 7


def test_number_of() -> None:
    numbers = [
        "0001-a",
        "12345-b-c",
        "123-a",
        "0001",
        "0001-",
        "0001-A",
        "0001-a/..",
        "../0001-a",
        "\u0660\u0660\u0660\u0661-a",
        "0001-a\n",
    ]
    assert [number_of(card) for card in numbers] == [1, 12345, 0, 0, 0, 0, 0, 0, 0, 0]


def test_projection() -> None:
    records = [
        CREATED._replace(data={"title": 'A "b": c', "body": "Text\n", "stage": "draft", "parent": "0002-b"}),
        record(2, "artifact", path="artifacts/2-design.md", kind="design", stage="draft"),
    ]
    assert project(replay("0001-a", records)) == (
        '---\nid: "0001-a"\ntitle: "A \\"b\\": c"\nstage: "draft"\nrevision: 2\nparent: "0002-b"\n'
        f'created: "{AT}"\nupdated: "{AT}"\nartifacts:\n'
        '  - {kind: design, path: "artifacts/2-design.md", revision: 2, stage: draft}\n---\n\n'
        '# A "b": c\n\nText\n'
    )
