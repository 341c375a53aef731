from __future__ import annotations

from pathlib import Path

import pytest

from guard.board import definition
from guard.board.gates import defects
from guard.board.stages import Requirement

GOOD = """\
name: small
lease: {heartbeat: 10, stale_after: 60}
stages:
  - {id: todo, next: [doing], take: doing}
  - {id: doing, next: [over], rework: [todo], take: doing, guard: {bash: [read], run: ["make test"]}}
  - {id: over, final: true}
  - {id: waiting, returns: true}
gates:
  - from: todo
    to: doing
    requires: [{kind: plan, template: plan.md, sections: [Plan], non_empty: [Plan]}]
"""


def mistakes(folder: Path, text: str, template: str | None = "## Plan\n") -> list[str]:
    (folder / "board.yaml").write_text(text)
    if template is not None:
        (folder / "plan.md").write_text(template)
    return [str(error) for error in definition.check(str(folder / "board.yaml"), "board.yaml")[1]]


def test_the_shipped_pipeline_is_sound() -> None:
    pipeline, found = definition.check("workflows/board.yaml")
    assert found == []
    assert pipeline is not None
    assert pipeline.take == {
        "designing": "designing",
        "ready": "developing",
        "developing": "developing",
        "reviewing": "reviewing",
        "testing": "testing",
    }
    (gate,) = pipeline.gates
    text = definition.template(pipeline, gate.requirements[0])
    assert text is not None
    assert defects(gate.requirements[0], text) == (
        "front matter: 'title' is empty",
        "front matter: 'status' is empty",
        "section 'Context' is empty",
        "section 'Decision' is empty",
        "section 'Acceptance' is empty",
    )


def test_a_pipeline_of_another_team(tmp_path: Path) -> None:
    assert mistakes(tmp_path, GOOD) == []
    pipeline = definition.load(str(tmp_path / "board.yaml"))
    assert (pipeline.heartbeat, pipeline.stale_after) == (10, 60)
    assert pipeline.gates[0].requirements == (Requirement("plan", "plan.md", (), ("Plan",), ("Plan",)),)


CHANGES = {
    "stages:": ("steps:", "board.yaml:3:1: the pipeline: unknown key 'steps': expected one of name, description,"),
    "name: small\n": ("", "board.yaml:1:1: the pipeline: 'name' is missing"),
    "[doing]": ("[done]", "board.yaml:4:23: next: expected one of todo, doing, over, waiting (got 'done')"),
    "[todo]": ("[tudo]", "board.yaml:5:40: rework: expected one of todo, doing, over, waiting (got 'tudo')"),
    "take: doing}": ("take: over}", "board.yaml:4:31: take: expected 'todo' or one of its next stages (got 'over')"),
    "id: doing": ("id: Doing", "board.yaml:5:6: id: expected lower-case letters, digits and dashes (got 'Doing')"),
    "id: over": ("id: todo", "board.yaml:6:6: id: 'todo' stands twice"),
    "final: true": ("final: yes", "board.yaml:6:16: final: expected true or false (got 'yes')"),
    "final: true}": ("final: true, next: [todo]}", "board.yaml:6:5: stage 'over': is final, so it has no next,"),
    "returns: true}": (
        "returns: true, take: todo}",
        "board.yaml:7:5: stage 'waiting': is left only to where the card came from, so it has no next, rework or take",
    ),
    ", final: true": (", next: [todo]", "board.yaml:3:1: stages: expected at least one final stage (got none)"),
    "next: [over], ": ("", "board.yaml:4:5: stage 'todo': no way leads from here to a final stage"),
    "next: [doing], take: doing": (
        "next: [over]",
        "board.yaml:5:5: stage 'doing': no card can come here: it is in no next or rework",
    ),
    "bash: [read]": ("bash: [wirte]", "board.yaml:5:75: bash: unknown effect 'wirte': expected one of read, cache,"),
    "bash: [reed]": ("bash: [opaque]", "board.yaml:5:75: bash: unknown effect 'opaque': expected one of read, cache,"),
    "rework: [todo], ": ("enforce: no, ", "board.yaml:5:31: enforce: expected hard or soft (got 'no')"),
    "run: [": ("rum: [", "board.yaml:5:82: guard: unknown key 'rum': expected"),
    "from: todo": ("from: tudo", "board.yaml:9:5: from: there is no stage 'tudo'"),
    "to: doing": ("to: over", "board.yaml:10:5: to: expected a next stage of 'todo': doing (got 'over')"),
    "kind: plan": ("kind: a/b", "board.yaml:11:17: kind: expected lower-case letters, digits and dashes (got 'a/b')"),
    "[{kind: plan, template: plan.md, sections: [Plan], non_empty: [Plan]}]": (
        "[]",
        "board.yaml:11:5: requires: expected at least one requirement (got an empty list)",
    ),
    "template: plan.md": (
        "template: plan.txt",
        "board.yaml:11:29: template: 'plan.txt' cannot be read beside the pipeline's file",
    ),
    "sections: [Plan]": ("sections: [Way]", "board.yaml:11:29: template: plan.md: section 'Way' is missing"),
    "stale_after: 60": (
        "stale_after: 15",
        "board.yaml:2:1: lease: stale_after must be at least twice the heartbeat, or a living holder is robbed (got 15",
    ),
    "heartbeat: 10": ("heartbeat: 0", "board.yaml:2:9: heartbeat: expected at least 1 second (got 0)"),
    "- {id: todo": ("- {id: [todo]", "board.yaml:4:6: id: expected text (got a list)"),
}


@pytest.mark.parametrize("old", CHANGES)
def test_mistakes_are_located(tmp_path: Path, old: str) -> None:
    new, message = CHANGES[old]
    text = GOOD.replace("bash: [read]", "bash: [reed]") if old == "bash: [reed]" else GOOD
    assert old in text
    found = mistakes(tmp_path, text.replace(old, new, 1))
    assert found
    assert any(entry.startswith(message) for entry in found), found


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("[doing]", "[done]").replace("id: over", "id: todo").replace("to: doing", "to: over")
    assert len(mistakes(tmp_path, text)) > 3


def test_which_file(tmp_path: Path) -> None:
    shipped = definition.find(str(tmp_path), {})
    assert shipped.endswith(os_path("workflows", "board.yaml"))
    (tmp_path / ".devkit-guard").mkdir()
    (tmp_path / ".devkit-guard" / "board.yaml").write_text(GOOD)
    assert definition.find(str(tmp_path), {}) == str(tmp_path / ".devkit-guard" / "board.yaml")
    assert definition.find(str(tmp_path), {"DEVKIT_BOARD": "/x/y.yaml"}) == "/x/y.yaml"


def os_path(*parts: str) -> str:
    return str(Path(*parts))


def test_a_stage_takes_the_shipped_sets_by_name(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("## Plan\n")
    (tmp_path / "board.yaml").write_text(GOOD.replace('run: ["make test"]', 'run: ["@tests"]'))
    grant = definition.load(str(tmp_path / "board.yaml")).stages[1].guard
    assert grant is not None
    assert ("pytest", "*") in grant.run
