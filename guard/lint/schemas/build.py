"""Writes the schemas: `python -m guard.lint.schemas.build`. A test compares them with the files."""

from __future__ import annotations

import json
import os
from typing import Any

from guard.lint.config import KEYS as CONFIG_KEYS
from guard.model.effect import Kind
from guard.rulebook.compile import PRINTS
from guard.rulebook.schema import COUNTS, SYNTAXES, TYPES
from guard.workflow.schema import SCHEMA as WORKFLOW

DRAFT = "https://json-schema.org/draft/2020-12/schema"
KINDS = [kind.value for kind in Kind]
TEXT: dict[str, Any] = {"type": ["string", "integer"]}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
FLAG: dict[str, Any] = {"type": "boolean"}
EFFECT: dict[str, Any] = {"enum": [*KINDS, *(f"{kind} operands" for kind in KINDS)]}
PLAIN_TYPES = sorted(TYPES - {"script", "values"})


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**found, "required": list(required)} if required else found


def rule() -> dict[str, Any]:
    """The schema of `rules/commands/*.yaml`; docs/rules-format.md says what the keys mean."""
    values = {"values": TEXTS, "else": EFFECT}
    one_takes = {
        "anyOf": [
            {"enum": [*PLAIN_TYPES, *(f"{name}?" for name in PLAIN_TYPES)]},
            _object({"script": TEXT}, "script"),
            _object({"script?": TEXT}, "script?"),
            _object(values, "values"),
            _object({"values?": TEXTS, "else": EFFECT}, "values?"),
        ]
    }
    takes = {"anyOf": [one_takes, {"type": "array", "items": one_takes}]}
    prints = {"enum": list(PRINTS)}
    option = _object(
        {
            "takes": takes,
            "effect": EFFECT,
            "message": TEXT,
            "instead": TEXT,
            "prints": {"enum": [*PRINTS, "any"]},
        }
    )
    options = {"type": "object", "additionalProperties": option}
    operand = _object(
        {
            **{name: {"enum": list(COUNTS)} for name in PLAIN_TYPES},
            "script": TEXT,
            "values": TEXTS,
            "with": TEXTS,
            "unless": TEXTS,
            "effect": EFFECT,
            "message": TEXT,
            "instead": TEXT,
            "starts": TEXT,
            "default": TEXT,
            "else": EFFECT,
        }
    )
    requires = _object({"one_of": TEXTS, "else": EFFECT, "message": TEXT, "instead": TEXT}, "one_of", "else")
    node: dict[str, Any] = {
        "summary": TEXT,
        "source": TEXT,
        "syntax": {"enum": list(SYNTAXES)},
        **dict.fromkeys(("abbreviate", "numeric", "any", "inert"), FLAG),
        "effect": EFFECT,
        "message": TEXT,
        "instead": TEXT,
        "prints": prints,
        "prints_max_operands": {"type": "integer"},
        "prints_for": {"type": "object", "additionalProperties": prints},
        "prints_by": TEXT,
        "prints_names": FLAG,
        "check": TEXT,
        "refuses_numbers": FLAG,
        "language": TEXT,
        "requires": requires,
        "include": TEXTS,
        "options": options,
        "operands": {"type": "array", "items": operand},
        "subcommands": {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
        "bare": {"$ref": "#/$defs/node"},
        "otherwise": {"$ref": "#/$defs/node"},
        "examples": _object({"allow": TEXTS, "veto": TEXTS}),
    }
    top = {
        **node,
        "aliases": TEXTS,
        "name": TEXT,
        "builtin": FLAG,
        "split": FLAG,
        "groups": {"type": "object", "additionalProperties": options},
    }
    return {"$schema": DRAFT, "title": "devkit-guard rule", **_object(top), "$defs": {"node": _object(node)}}


def board() -> dict[str, Any]:
    """The schema of the board's pipeline; docs/board.md says what the keys mean."""
    slug = {"type": "string", "pattern": "^[a-z0-9-]+$"}
    seconds = {"type": "integer", "minimum": 1}
    guard = WORKFLOW["properties"]["guard"]
    stage = _object(
        {
            "id": slug,
            "next": {"type": "array", "items": slug},
            "rework": {"type": "array", "items": slug},
            "take": slug,
            "final": FLAG,
            "returns": FLAG,
            "enforce": {"enum": ["hard", "soft"]},
            "guard": guard,
        },
        "id",
    )
    needed = _object(
        {"kind": slug, "template": TEXT, "front_matter": TEXTS, "sections": TEXTS, "non_empty": TEXTS}, "kind"
    )
    gate = _object(
        {"from": slug, "to": slug, "requires": {"type": "array", "items": needed, "minItems": 1}},
        "from",
        "to",
        "requires",
    )
    top = {
        "name": TEXT,
        "description": TEXT,
        "lease": _object({"heartbeat": seconds, "stale_after": seconds}),
        "stages": {"type": "array", "items": stage},
        "gates": {"type": "array", "items": gate},
    }
    return {"$schema": DRAFT, "title": "devkit board", **_object(top, "name", "stages")}


def config() -> dict[str, Any]:
    """The schema of `.devkit-guard.toml`."""
    texts = {"type": "array", "items": {"type": "string"}}
    lint = {key: texts for key in CONFIG_KEYS if key != "per-file-ignores"}
    lint["per-file-ignores"] = {"type": "object", "additionalProperties": texts}
    return {"$schema": DRAFT, "title": "devkit-guard lint configuration", **_object({"lint": _object(lint)})}


SCHEMAS = {"rule": rule(), "workflow": WORKFLOW, "board": board(), "config": config()}


def text(name: str) -> str:
    """What the file of a schema holds."""
    return json.dumps(SCHEMAS[name], indent=1, ensure_ascii=False) + "\n"


def path(name: str) -> str:
    """Where the file of a schema is."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.schema.json")


if __name__ == "__main__":
    for schema in SCHEMAS:
        with open(path(schema), "w", encoding="utf-8") as file:
            file.write(text(schema))
