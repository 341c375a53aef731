"""The words of the board's tools: descriptions and JSON Schemas.

They stand in front of a model's cached prompt, so they are constants: nothing here depends on a workspace, the
environment or the run, and a test pins every byte.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

PIPELINE = (
    "Pipeline: draft → designing → ready → developing → reviewing → testing → done; no stage is skipped and done is"
    " final. Rework, with a reason: reviewing or testing → developing or designing. Every stage but done → blocked, and"
    " from there only back to where the card came from. A workspace may define other stages; `moves` in every result"
    " lists what is possible now."
)
REVISION = (
    "Pass the stageRevision that you last saw as expectedRevision. If somebody changed the card since, nothing is"
    " written and the answer says so: call devflow_show and decide again."
)
PARENTS = "Parents are one level deep: a card with a parent takes no children, nor does a settled one."
GATES = (
    "While artifactGates holds a gate that is not satisfied, do not move the card along that edge: attach what it asks"
    " for first."
)

DESCRIPTIONS = {
    "devflow_list": (
        "Lists the cards of this workspace's board, one line each, by id. Filter by stage or by parent. Call"
        f" devflow_show before moving a card. {PIPELINE}"
    ),
    "devflow_show": (
        "Shows one card: its stage and stageRevision, parent and children, artifacts, what its gates still ask for, the"
        f" moves that are possible, who holds it, and the full Markdown body. {GATES}"
    ),
    "devflow_create": (
        f"Creates a card in the first stage (draft) and returns its id and first revision. {PARENTS} Put what is to be"
        " done and how anybody sees that it is done into the body."
    ),
    "devflow_transition": f"Moves a card along one edge of the pipeline. {PIPELINE} {REVISION} {GATES}",
    "devflow_take": (
        "Takes a free card for this session, with an exclusive lease: nobody else can change it until it is released or"
        " done. A card in ready moves to developing; one in designing, developing, reviewing or testing stays there."
        f" If the move fails nothing is taken. {REVISION}"
    ),
    "devflow_attach_artifact": (
        "Registers a deliverable: either kind and content (written as a new, immutable artifacts/<revision>-<kind>.md;"
        " readers take the newest of a kind), or path, a file that is already under the card's folder; never both. A"
        f" malformed artifact is recorded too, and its defects are in artifactGates. {REVISION}"
    ),
    "devflow_read_artifact": "Reads the newest artifact of a kind: its path, revision, stage and content.",
    "devflow_release": f"Gives this session's lease on a card back; the card stays in its stage. {REVISION}",
    "devflow_takeover": (
        "Takes over the lease of a session that has not been heard of for longer than the board's stale_after. It is"
        f" recorded in the card's journal. A living holder is never robbed. {REVISION}"
    ),
}

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 1}
_ID: Schema = {"type": "string", "description": "The card's id, such as 0007-cache-index."}
_EXPECTED: Schema = {"type": "integer", "minimum": 1, "description": "The stageRevision that you last saw."}
_KIND: Schema = {
    "type": "string",
    "description": "Kind of artifact, such as design: lower-case letters, digits, dashes.",
}


def _object(properties: Schema, *optional: str) -> Schema:
    """A closed object; everything is required but `optional`."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


INPUTS: dict[str, Schema] = {
    "devflow_list": _object(
        {
            "stage": {"type": "string", "description": "Only cards in this stage."},
            "parent": {"type": "string", "description": "Only children of this card."},
        },
        "stage",
        "parent",
    ),
    "devflow_show": _object({"id": _ID}),
    "devflow_create": _object(
        {
            "title": {"type": "string", "description": "One line: what is to be done."},
            "body": {"type": "string", "description": "Markdown."},
            "slug": {"type": "string", "description": "Ending of the id; made from the title where it is left out."},
            "parent": {"type": "string", "description": "Id of the card that this one is part of."},
        },
        "slug",
        "parent",
    ),
    "devflow_transition": _object(
        {
            "id": _ID,
            "to": {"type": "string", "description": "The stage to move to."},
            "expectedRevision": _EXPECTED,
            "reason": {"type": "string", "description": "What has to change; required for rework."},
        },
        "reason",
    ),
    "devflow_take": _object({"id": _ID, "expectedRevision": _EXPECTED}),
    "devflow_attach_artifact": _object(
        {
            "id": _ID,
            "expectedRevision": _EXPECTED,
            "path": {"type": "string", "description": "A file under the card's folder; instead of kind and content."},
            "kind": _KIND,
            "content": {"type": "string", "description": "The artifact's text; together with kind."},
        },
        "path",
        "kind",
        "content",
    ),
    "devflow_read_artifact": _object({"id": _ID, "kind": _KIND}),
    "devflow_release": _object({"id": _ID, "expectedRevision": _EXPECTED}),
    "devflow_takeover": _object({"id": _ID, "expectedRevision": _EXPECTED}),
}

_SUMMARY: Schema = {"id": _TEXT, "title": _TEXT, "stage": _TEXT, "stageRevision": _COUNT, "parent": _TEXT}
_REGISTERED = _object({"kind": _TEXT, "path": _TEXT, "revision": _COUNT, "stage": _TEXT}, "kind")
_REQUIREMENT = _object(
    {
        "kind": _TEXT,
        "status": {"enum": ["missing", "malformed", "satisfied"]},
        "defects": _list(_TEXT),
        "newest": _REGISTERED,
        "template": _TEXT,
        "templateText": _TEXT,
    },
    "newest",
    "template",
    "templateText",
)
_GATE = _object(
    {"from": _TEXT, "to": _TEXT, "satisfied": _FLAG, "instruction": _TEXT, "requires": _list(_REQUIREMENT)},
    "instruction",
)
_CHANGED: Schema = {
    **_SUMMARY,
    "blockedFrom": _TEXT,
    "moves": _list(_object({"to": _TEXT, "reasonRequired": _FLAG})),
    "lease": _object({"holder": _TEXT, "session": _TEXT, "age": _TEXT, "stale": _FLAG}),
    "artifactGates": _list(_GATE),
}
_SOMETIMES = ("parent", "blockedFrom", "lease", "artifactGates")
_AFTER = _object(_CHANGED, *_SOMETIMES)

OUTPUTS: dict[str, Schema] = {
    "devflow_list": _object(
        {
            "cards": _list(_object(_SUMMARY, "parent")),
            "hint": _TEXT,
            "broken": _list(_object({"code": _TEXT, "message": _TEXT})),
        },
        "broken",
    ),
    "devflow_show": _object(
        {
            **_CHANGED,
            "parentTitle": _TEXT,
            "children": _list(_object(_SUMMARY, "parent")),
            "path": _TEXT,
            "artifacts": _list(_REGISTERED),
            "archived": _FLAG,
            "body": _TEXT,
        },
        *_SOMETIMES,
        "parentTitle",
    ),
    "devflow_create": _AFTER,
    "devflow_transition": _AFTER,
    "devflow_take": _AFTER,
    "devflow_attach_artifact": _AFTER,
    "devflow_read_artifact": _object(
        {"kind": _TEXT, "path": _TEXT, "revision": _COUNT, "stage": _TEXT, "content": _TEXT}
    ),
    "devflow_release": _AFTER,
    "devflow_takeover": _AFTER,
}
