"""Why the board refuses: stable codes, stable messages, and what to do next.

Agents branch on the code and follow the message, so both are part of the interface: tests/board pins every one.
"""

from __future__ import annotations

from guard.model.errors import RefusedError

MESSAGES: dict[str, str] = {
    "empty-title": "A card needs a title. Call again with a title of one line that says what is to be done.",
    "invalid-slug": (
        "'{slug}' is not a slug. Use 1 to 48 lower-case letters, digits and dashes, starting with a letter or digit,"
        " or leave slug out."
    ),
    "unknown-parent": (
        "There is no card '{parent}'. Call devflow_list and pass the id of an existing card, or leave parent out."
    ),
    "nested-parent": (
        "'{parent}' is itself a child of '{grandparent}', and parents are one level deep."
        " Call again with parent '{grandparent}', or leave parent out."
    ),
    "parent-settled": (
        "'{parent}' is {stage} and takes no more children. Call again with the id of an open card, or leave parent out."
    ),
    "unknown-card": "There is no card '{id}'. Call devflow_list for the ids of this board.",
    "revision-mismatch": (
        "'{id}' is at revision {actual}, not {expected}. Call devflow_show, decide again, and pass its stageRevision."
    ),
    "illegal-edge": "'{id}' cannot move from {stage} to {to}. From {stage} it can move to: {moves}.",
    "reason-required": (
        "Moving '{id}' back from {stage} to {to} needs a reason. Call again with a reason that says what has to change."
    ),
    "gate-unsatisfied": (
        "'{id}' stays in {stage}: the gate to {to} is not satisfied. {defects}"
        " Attach a corrected artifact with devflow_attach_artifact; do not move the card before that."
    ),
    "claimed": (
        "'{id}' is held by {holder}, renewed {age} ago. Take another card, or call devflow_takeover once the lease is"
        " older than {stale}."
    ),
    "not-owner": (
        "'{id}' is held by {holder}, not by this session. Leave it to its holder, or take a free card with"
        " devflow_take."
    ),
    "write-contended": (
        "'{id}' was being changed at the same moment and nothing was written. Call devflow_show and try again with its"
        " stageRevision."
    ),
    "no-artifact": (
        "'{id}' has no artifact of kind '{kind}'. Registered kinds: {kinds}. Attach one with devflow_attach_artifact."
    ),
    "artifact-form": (
        "{problem} Pass either path, a file that is already under the card's folder, or kind and content, never both."
    ),
    "invalid-kind": (
        "'{kind}' is not a kind of artifact. Use 1 to 32 lower-case letters, digits and dashes, starting with a letter."
    ),
    "invalid-journal": "{file}:{line}: {problem}. Run `devkit-engine board doctor {id}{repair}` in {root}.",
    "too-long": "The {what} is longer than {limit} characters. Shorten it, or attach the rest as further artifacts.",
    "no-session": (
        "This call changes the board but comes from no session. Connect with a client that names itself"
        " (clientInfo.name), or pass _meta['devkit/session']."
    ),
    "not-settled": "'{id}' is {stage}, not settled. Move it to a final stage, or archive it with a reason.",
    "storage-failed": "{file}: {problem}. The board is unchanged; free space or permission is needed, then call again.",
}


class BoardError(RefusedError):
    """The board's refusal, made of a code and the values of its message."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, MESSAGES[code].format(**values))
