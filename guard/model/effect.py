"""What a command could do, and why we say so.

Kinds and their meaning are the table of EFFECTS: `read` and `cache` are granted by default, `opaque` by no grant.
"""

from __future__ import annotations

from enum import Enum

from guard.model.record import NamedTuple
from guard.model.syntax import Span


class Kind(Enum):
    """Kinds of effect; the value is the spelling in rules, grants and output."""

    READ = "read"
    CACHE = "cache"
    READ_SECRET = "read_secret"
    NET_READ = "net_read"
    NET_WRITE = "net_write"
    WRITE = "write"
    DELETE = "delete"
    REPO = "repo"
    PROCESS = "process"
    SYSTEM = "system"
    BUILD = "build"
    EXEC = "exec"
    OPAQUE = "opaque"


class Reason(NamedTuple):
    """Why an effect is there: a stable `code`, a sentence, the smallest part of the command, and the rule's line.

    `rule` is `rules/commands/sed.yaml:9` or None where no rule file is behind it. `instead` is the read-only way to get
    the same evidence, where there is one.
    """

    code: str
    message: str
    span: Span
    rule: str | None = None
    instead: str | None = None


class Effect(NamedTuple):
    """One effect; `target` is the path or address it falls on, where that is known."""

    kind: Kind
    reason: Reason
    target: str | None = None


def opaque(code: str, message: str, span: Span, *, rule: str | None = None, instead: str | None = None) -> Effect:
    """The effect of what cannot be decided; no grant covers it."""
    return Effect(Kind.OPAQUE, Reason(code, message, span, rule, instead))
