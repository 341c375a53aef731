"""The JSON Schema of workflow files, for editors: `devkit-engine validate --schema` prints it.

It says what the shapes are; `reader` checks in addition what one part of a file says about another. A test runs both
over the same files.
"""

from __future__ import annotations

from typing import Any

from guard.rulebook.grant_reader import EFFECTS, SUBAGENTS
from guard.workflow.definition import GATE_SECONDS, MAX_VISITS

_TEXT: dict[str, Any] = {"type": ["string", "integer"], "minLength": 1}
_ID: dict[str, Any] = {"type": "string", "pattern": "^[a-z][a-z0-9_-]*$"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 1}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_AMOUNT: dict[str, Any] = {"type": ["number", "string"], "exclusiveMinimum": 0}


def _mapping(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    found = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return {**found, "required": list(required)} if required else found


_GUARD = _mapping(
    {
        "bash": {"type": "array", "items": {"enum": list(EFFECTS)}, "description": "effects allowed in the shell"},
        "run": {
            "type": "array",
            "items": {"anyOf": [_TEXT, _TEXTS]},
            "description": "commands allowed whatever they do; a last word * stands for any further words, @NAME for a"
            " list in sets.yaml",
        },
        "write": {"type": "array", "items": _TEXT, "description": "globs of paths that may be written; or @NAME"},
        "tools": {"type": "array", "items": _TEXT, "description": "further tools by exact name"},
        "subagents": {"enum": list(SUBAGENTS), "default": "same"},
    }
)
_LOOP = _mapping(
    {"max": _COUNT, "until": _TEXT, "gate": _TEXT, "timeout": {**_COUNT, "default": GATE_SECONDS}},
    "max",
    anyOf=[{"required": ["until"]}, {"required": ["gate"]}],
)
_STEP = _mapping(
    {
        "id": _ID,
        "prompt": _TEXT,
        "command": _TEXT,
        "parallel": {"type": "array", "items": _ID, "minItems": 2},
        "enforce": {"enum": ["hard", "soft"]},
        "principles": _TEXTS,
        "guard": _GUARD,
        "expect": {"enum": ["success", "failure"], "default": "success"},
        "timeout": {**_COUNT, "default": GATE_SECONDS},
        "require": _mapping({"non_empty": {"type": "boolean"}, "contains": _TEXTS, "last_line_regex": _TEXT}),
        "loop": _LOOP,
        "goto": {
            "type": "array",
            "items": _mapping(
                {"when": _TEXT, "step": _ID, "max_visits": {**_COUNT, "default": MAX_VISITS}}, "when", "step"
            ),
        },
    },
    "id",
    oneOf=[{"required": ["prompt"]}, {"required": ["command"]}, {"required": ["parallel"]}],
    dependentRequired={"loop": ["prompt"], "expect": ["command"], "timeout": ["command"]},
    dependentSchemas={key: {"not": {"required": ["command"]}} for key in ("require", "enforce")},
)
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "devkit workflow",
    **_mapping(
        {
            "name": _ID,
            "description": _TEXT,
            "enforce": {"enum": ["hard", "soft"], "default": "hard"},
            "principles": _TEXTS,
            "branch_name": _TEXT,
            "budget": _mapping({"limit": _AMOUNT, "warn_at": _AMOUNT}, "limit"),
            "max_visits": {**_COUNT, "default": MAX_VISITS},
            "guard": _GUARD,
            "steps": {"type": "array", "items": _STEP, "minItems": 1},
        },
        "name",
        "description",
        "steps",
    ),
}
