"""The pipeline's file: YAML → Pipeline, every mistake with its file, line and column.

A workspace's own `.devkit-guard/board.yaml` stands before the one that is shipped; `DEVKIT_BOARD` names another file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from guard.board import gates
from guard.board.card import is_slug
from guard.board.stages import Gate, Pipeline, Requirement, Stage, moves
from guard.model.errors import RuleError
from guard.rulebook.grant_reader import guard_keys, read_grant, shipped_sets
from guard.rulebook.load import data_folder
from guard.rulebook.yaml_source import Value, read_file

_KEYS = {
    "the pipeline": ("name", "description", "lease", "stages", "gates"),
    "stage": ("id", "next", "rework", "take", "final", "returns", "enforce", "guard"),
    "gate": ("from", "to", "requires"),
    "requirement": ("kind", "template", "front_matter", "sections", "non_empty"),
    "lease": ("heartbeat", "stale_after"),
}
_REQUIRED = {
    "the pipeline": ("name", "stages"),
    "stage": ("id",),
    "gate": ("from", "to", "requires"),
    "requirement": ("kind",),
    "lease": (),
}


def find(root: str, environ: Mapping[str, str]) -> str:
    """The file that holds the pipeline of the workspace `root`."""
    own = os.path.join(root, ".devkit-guard", "board.yaml")
    shipped = os.path.join(data_folder("workflows"), "board.yaml")
    return environ.get("DEVKIT_BOARD") or (own if os.path.exists(own) else shipped)


def load(path: str) -> Pipeline:
    """The pipeline in a file; the first mistake as RuleError."""
    pipeline, mistakes = check(path)
    if pipeline is None or mistakes:
        raise mistakes[0]
    return pipeline


def check(path: str, shown: str | None = None) -> tuple[Pipeline | None, list[RuleError]]:
    """(the pipeline, every mistake): for the linter. The pipeline is None where the file's form is wrong."""
    try:
        top = _mapping(read_file(path, shown), "the pipeline")
        listed = top["stages"].sequence("stages")
        stages = tuple(_stage(value) for value in listed)
        lease = _mapping(top["lease"], "lease") if "lease" in top else {}
        taken = [(stage.id, _mapping(value, "stage")) for stage, value in zip(stages, listed, strict=True)]
        gated = top["gates"].sequence("gates") if "gates" in top else []
        pipeline = Pipeline(
            name=top["name"].text("name"),
            stages=stages,
            take={name: keys["take"].text("take") for name, keys in taken if "take" in keys},
            gates=tuple(_gate(value) for value in gated),
            heartbeat=_seconds(lease, "heartbeat", 30),
            stale_after=_seconds(lease, "stale_after", 900),
            folder=os.path.dirname(os.path.abspath(path)),
        )
    except RuleError as error:
        return None, [error]
    mistakes = _lease_mistakes(pipeline, top)
    mistakes += _stage_mistakes(pipeline, listed, top["stages"])
    mistakes += _gate_mistakes(pipeline, gated)
    return pipeline, mistakes


def template(pipeline: Pipeline, requirement: Requirement) -> str | None:
    """The text of a requirement's template; None where it has none that can be read."""
    if requirement.template is None:
        return None
    try:
        with open(os.path.join(pipeline.folder, requirement.template), encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def _stage(value: Value) -> Stage:
    keys = _mapping(value, "stage")
    name = keys["id"].text("id")
    if not is_slug(name):
        raise keys["id"].fail(f"id: expected lower-case letters, digits and dashes (got '{name}')")
    guard = read_grant({}, guard_keys(keys["guard"]), shipped_sets()) if "guard" in keys else None
    enforce = keys["enforce"].text("enforce") if "enforce" in keys else "hard"
    if enforce not in ("hard", "soft"):
        raise keys["enforce"].fail(f"enforce: expected hard or soft (got '{enforce}')")
    final = keys["final"].flag("final") if "final" in keys else False
    returns = keys["returns"].flag("returns") if "returns" in keys else False
    return Stage(name, _texts(keys, "next"), _texts(keys, "rework"), final, returns, guard, enforce == "hard")


def _gate(value: Value) -> Gate:
    keys = _mapping(value, "gate")
    needed = tuple(_requirement(entry) for entry in keys["requires"].sequence("requires"))
    if not needed:
        raise keys["requires"].fail("requires: expected at least one requirement (got an empty list)")
    return Gate(keys["from"].text("from"), keys["to"].text("to"), needed)


def _requirement(value: Value) -> Requirement:
    keys = _mapping(value, "requirement")
    kind = keys["kind"].text("kind")
    if not is_kind(kind):
        raise keys["kind"].fail(f"kind: expected lower-case letters, digits and dashes (got '{kind}')")
    path = keys["template"].text("template") if "template" in keys else None
    return Requirement(kind, path, *(_texts(keys, key) for key in ("front_matter", "sections", "non_empty")))


def is_kind(text: str) -> bool:
    """Whether `text` can be a kind of artifact: it becomes part of a file's name."""
    return is_slug(text) and len(text) <= 32 and text[0].isalpha()


def _stage_mistakes(pipeline: Pipeline, listed: list[Value], at: Value) -> list[RuleError]:
    found = []
    names = [stage.id for stage in pipeline.stages]
    for index, (stage, value) in enumerate(zip(pipeline.stages, listed, strict=True)):
        keys = _mapping(value, "stage")
        if stage.id in names[:index]:
            found.append(keys["id"].fail(f"id: '{stage.id}' stands twice"))
        for key in ("next", "rework", "take"):
            for entry in _listed(keys, key):
                if entry.text(key) not in names:
                    found.append(entry.fail(f"{key}: expected one of {', '.join(names)} (got '{entry.data}')"))
        if (stage.final or stage.returns) and (stage.next or stage.rework or stage.id in pipeline.take):
            kind = "final" if stage.final else "left only to where the card came from"
            found.append(value.fail(f"stage '{stage.id}': is {kind}, so it has no next, rework or take"))
        take = keys["take"].text("take") if "take" in keys else stage.id
        if take in names and take != stage.id and take not in stage.next:
            found.append(keys["take"].fail(f"take: expected '{stage.id}' or one of its next stages (got '{take}')"))
    if not names or pipeline.stages[0].final or pipeline.stages[0].returns:
        found.append(at.fail("stages: expected the stage of new cards first (got none that can be left)"))
    if not any(stage.final for stage in pipeline.stages):
        found.append(at.fail("stages: expected at least one final stage (got none)"))
    return found or _reach_mistakes(pipeline, listed)


def _reach_mistakes(pipeline: Pipeline, listed: list[Value]) -> list[RuleError]:
    """Stages that no card can come to, or from which none can come to an end; the way back from a stage that returns
    adds nothing, so it is left out."""
    reached = {pipeline.stages[0].id}
    ends = {stage.id for stage in pipeline.stages if stage.final}
    for _ in pipeline.stages:
        for stage in pipeline.stages:
            targets = {move.to for move in moves(pipeline, stage.id, None)}
            if stage.id in reached:
                reached |= targets
            if targets & ends:
                ends.add(stage.id)
    found = []
    for stage, value in zip(pipeline.stages, listed, strict=True):
        if stage.id not in reached:
            found.append(value.fail(f"stage '{stage.id}': no card can come here: it is in no next or rework"))
        if stage.id not in ends and not stage.returns:
            found.append(value.fail(f"stage '{stage.id}': no way leads from here to a final stage"))
    return found


def _gate_mistakes(pipeline: Pipeline, listed: list[Value]) -> list[RuleError]:
    found = []
    for gate, value in zip(pipeline.gates, listed, strict=True):
        keys = _mapping(value, "gate")
        stage = pipeline.stage(gate.stage)
        if stage is None:
            found.append(keys["from"].fail(f"from: there is no stage '{gate.stage}'"))
        elif gate.to not in stage.next:
            nexts = ", ".join(stage.next) or "none"
            found.append(keys["to"].fail(f"to: expected a next stage of '{gate.stage}': {nexts} (got '{gate.to}')"))
        for needed, entry in zip(gate.requirements, keys["requires"].sequence("requires"), strict=True):
            if needed.template is None:
                continue
            text = template(pipeline, needed)
            at = _mapping(entry, "requirement")["template"]
            if text is None:
                found.append(at.fail(f"template: '{needed.template}' cannot be read beside the pipeline's file"))
            else:
                missing = [defect for defect in gates.defects(needed, text) if not defect.endswith(" is empty")]
                found += [at.fail(f"template: {needed.template}: {defect}") for defect in missing]
    return found


def _lease_mistakes(pipeline: Pipeline, top: dict[str, Value]) -> list[RuleError]:
    if pipeline.stale_after >= 2 * pipeline.heartbeat:
        return []
    message = "lease: stale_after must be at least twice the heartbeat, or a living holder is robbed"
    return [top["lease"].fail(f"{message} (got {pipeline.stale_after} and {pipeline.heartbeat})")]


def _mapping(value: Value, what: str) -> dict[str, Value]:
    keys = value.mapping(what)
    for key, entry in keys.items():
        if key not in _KEYS[what]:
            raise entry.fail(f"{what}: unknown key '{key}': expected one of {', '.join(_KEYS[what])}")
    for key in _REQUIRED[what]:
        if key not in keys:
            raise value.fail(f"{what}: '{key}' is missing")
    return keys


def _seconds(keys: dict[str, Value], key: str, default: int) -> int:
    if key not in keys:
        return default
    seconds = keys[key].number(key)
    if seconds < 1:
        raise keys[key].fail(f"{key}: expected at least 1 second (got {seconds})")
    return seconds


def _listed(keys: dict[str, Value], key: str) -> list[Value]:
    if key not in keys:
        return []
    return [keys[key]] if key == "take" else keys[key].sequence(key)


def _texts(keys: dict[str, Value], key: str) -> tuple[str, ...]:
    return tuple(entry.text(key) for entry in _listed(keys, key))
