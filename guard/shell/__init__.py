"""Reading bash: `read(text) -> Script | Unreadable`.

`parse` is our own strict reader alone: cheap, and enough for a veto. `witness` asks bashlex and tree-sitter-bash about
the same text; no text may be allowed before it has passed. `read` is both. Each of the two steps has half a second
of processor time, which a busy machine does not stretch, unless a `deadline` (a time of `time.thread_time()`) says when
to give up.
"""

from __future__ import annotations

from time import thread_time

from guard.model.syntax import Script, Span, Unreadable
from guard.shell.grammar import Grammar
from guard.shell.lexer import Refusal, Region, Trace, TracedScript, Unit

__all__ = ["parse", "read", "witness"]

MAX_BYTES = 64 * 1024
SECONDS = 0.5


def parse(text: str, *, deadline: float | None = None) -> Script | Unreadable:
    """What our own reader makes of `text`."""
    refused = _refused_characters(text)
    if refused is not None:
        return refused
    reader = Grammar(text, thread_time() + SECONDS if deadline is None else deadline)
    units: list[Unit] = []
    try:
        body = reader.commands("", units)
        if reader.pending:
            reader.refuse("here-document without its end", *reader.pending[0].span)
        if reader.bodies:
            body = reader.fill(body)
    except Refusal as refusal:
        return Unreadable(refusal.code, refusal.message, Span(refusal.start, refusal.end))
    except (RecursionError, MemoryError):
        return Unreadable("bounds", "too much nesting", Span(0, len(text)))
    except Exception as error:  # a fault of ours; what it was about to read is not known
        return Unreadable("internal", f"fault in the reader: {error!r}", Span(0, len(text)))
    region = Region(0, len(text), 0, len(reader.tokens), tuple(units))
    script = TracedScript(text, body)
    script.trace = Trace(
        reader.tokens, [*reader.regions, region], reader.joins, reader.data, frozenset(reader.features)
    )
    return script


def witness(script: Script, *, deadline: float | None = None) -> Unreadable | None:
    """None where the independent readers see the same commands as our own, else why not."""
    from guard.shell.agree import disagreement  # loads both of them

    if deadline is None:
        deadline = thread_time() + SECONDS
    if isinstance(script, TracedScript):
        return disagreement(script, deadline)
    again = parse(script.text, deadline=deadline)
    if isinstance(again, Unreadable):
        return again
    assert isinstance(again, TracedScript)
    return disagreement(again, deadline)


def read(text: str, *, deadline: float | None = None) -> Script | Unreadable:
    """What `text` says, if all readers agree on it."""
    script = parse(text, deadline=deadline)
    if isinstance(script, Unreadable):
        return script
    return witness(script, deadline=deadline) or script


def _refused_characters(text: str) -> Unreadable | None:
    """Characters that no reading allows anywhere, and texts that are too long."""
    if len(text) > MAX_BYTES or (not text.isascii() and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES):
        return Unreadable("bounds", f"longer than {MAX_BYTES // 1024} KiB", Span(0, len(text)))
    if text.isprintable():
        return None
    for i, c in enumerate(text):
        if (c < " " and c not in "\n\t") or c == "\x7f" or "\x80" <= c <= "\x9f" or c == "\ufeff":
            return Unreadable("character", "control character", Span(i, i + 1))
        if "\ud800" <= c <= "\udfff":
            return Unreadable("character", "half of a surrogate pair", Span(i, i + 1))
    return None
