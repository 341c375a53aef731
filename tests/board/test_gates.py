from __future__ import annotations

import pytest

from guard.board.card import Card, Registration
from guard.board.gates import defects, judge_gate
from guard.board.stages import Gate, Requirement

NEEDED = Requirement("design", None, ("title", "status"), ("Context", "Decision"), ("Decision",))
GOOD = "---\ntitle: A\nstatus: draft\n---\n\n## Context\n\n## Decision\n\nDo it.\n"

TABLE = {
    "good": (GOOD, ()),
    "byte order mark and CRLF": ("\ufeff" + GOOD.replace("\n", "\r\n"), ()),
    "deeper headings, closed, other case": (
        "---\ntitle: A\nstatus: 1\n---\n# Design\n### context ###\n#### DECISION\ntext\n",
        (),
    ),
    "nested section fills the outer one": (
        "---\ntitle: A\nstatus: b\n---\n## Context\n## Decision\n### Why\ntext\n",
        (),
    ),
    "empty text": (
        "",
        (
            "front matter is missing: the first line must be ---",
            "section 'Context' is missing",
            "section 'Decision' is missing",
        ),
    ),
    "everything at once": (
        "---\ntitle:\n---\n## Decision\n<!-- later\n more --> \n",
        (
            "front matter: 'title' is empty",
            "front matter: 'status' is missing",
            "section 'Context' is missing",
            "section 'Decision' is empty",
        ),
    ),
    "front matter never ends": (
        "---\ntitle: A\n## Context\n## Decision\nx\n",
        ("front matter does not end: no second line ---",),
    ),
    "front matter is a list": (
        "---\n- a\n---\n## Context\n## Decision\nx\n",
        ("front matter is not a mapping of names to values",),
    ),
    "front matter is not YAML": (
        "---\ntitle: A\nstatus: [\n---\n## Context\n## Decision\nx\n",
        ("front matter is not valid YAML: line 3: expected the node content, but found '<stream end>'",),
    ),
    "front matter names an object": (
        "---\ntitle: !!python/object/apply:os.system [id]\nstatus: b\n---\n## Context\n## Decision\nx\n",
        (
            "front matter is not valid YAML: line 2: could not determine a constructor for the tag"
            " 'tag:yaml.org,2002:python/object/apply:os.system'",
        ),
    ),
    "headings in a fence do not count": (
        "---\ntitle: A\nstatus: b\n---\n```\n## Context\n~~~\n## Decision\n```\n",
        ("section 'Context' is missing", "section 'Decision' is missing"),
    ),
    "a fence is content": ("---\ntitle: A\nstatus: b\n---\n## Context\n## Decision\n~~~~ py\nx\n~~~\n~~~~\n", ()),
    "no heading: no blank, too deep, indented": (
        "---\ntitle: A\nstatus: b\n---\n##Context\n####### Decision\n    ## Decision\n",
        ("section 'Context' is missing", "section 'Decision' is missing"),
    ),
    "a sibling ends a section": (
        "---\ntitle: A\nstatus: b\n---\n## Decision\n## Context\ntext\n",
        ("section 'Decision' is empty",),
    ),
    "text beside a comment": ("---\ntitle: A\nstatus: b\n---\n## Context\n## Decision\n<!-- a --> yes\n", ()),
    "an open comment hides all that follows": (
        "---\ntitle: A\nstatus: b\n---\n## Context\n## Decision\n<!-- a\n## Decision\ntext\n",
        ("section 'Decision' is empty",),
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_defects(name: str) -> None:
    text, expected = TABLE[name]
    found = defects(NEEDED, text)
    if "YAML" in name or "object" in name:
        assert len(found) == 1
        assert found[0].startswith("front matter is not valid YAML: line ")
    else:
        assert found == expected


def test_nothing_is_required() -> None:
    assert defects(Requirement("notes"), "") == ()


def test_a_front_matter_that_would_explode() -> None:
    """Aliases of aliases: nothing may write the value out."""
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40))]
    text = "---\n" + "\n".join(lines) + "\ntitle: *a39\nstatus: []\n---\n## Context\n## Decision\nx\n"
    assert defects(NEEDED, text) == ("front matter: 'status' is empty",)


def test_several_requirements_are_judged_at_once() -> None:
    needed = tuple(Requirement(kind, None, (), ("Context",)) for kind in ("design", "plan", "risks", "costs"))
    texts = {"1-design.md": "## Context", "2-plan.md": "", "3-plan.md": "# Other", "4-risks.md": None}
    artifacts = tuple(Registration(path, path[2:-3], "x", int(path[0]), "2026-01-31T12:00:00Z", None) for path in texts)
    card = Card("0001-a", "A", "", None, "x", None, 4, "", "", None, artifacts, False, ())

    def read(found: Registration) -> str:
        text = texts[found.path]
        if text is None:
            raise ValueError("permission denied")
        return text

    judged = judge_gate(Gate("x", "y", needed), card, read)
    assert [(found.status, found.newest and found.newest.revision, found.defects) for found in judged.judged] == [
        ("satisfied", 1, ()),
        ("malformed", 3, ("section 'Context' is missing",)),
        ("malformed", 4, ("unreadable: permission denied",)),
        ("missing", None, ()),
    ]
    assert not judged.satisfied
    assert judged.described() == (
        "3-plan.md: section 'Context' is missing. 4-risks.md: unreadable: permission denied."
        " An artifact of kind 'costs' is missing."
    )
