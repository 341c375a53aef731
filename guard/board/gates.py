"""Gates: what an artifact must contain before its card may take an edge. Pure: text in, defects out.

An artifact is Markdown with YAML front matter:

    ---
    title: Cache the index
    ---
    ## Context
    …

Only ATX headings (`#` to `######`) outside code fences count. A section reaches to the next heading of the same or a
higher level; it is empty when only blank lines, comments and headings stand in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import yaml

from guard.board.card import Card, Registration
from guard.board.stages import Gate, Pipeline, Requirement

_FRONT_MATTER_LIMIT = 1 << 16


class Judged(NamedTuple):
    """`status` is `missing`, `malformed` or `satisfied`; `newest` the registration that was judged."""

    requirement: Requirement
    status: str
    newest: Registration | None
    defects: tuple[str, ...]


class Preflight(NamedTuple):
    """One gate as it stands."""

    gate: Gate
    judged: tuple[Judged, ...]

    @property
    def satisfied(self) -> bool:
        """Whether the card may take the edge."""
        return all(found.status == "satisfied" for found in self.judged)

    def described(self) -> str:
        """Every defect in one sentence each."""
        parts = []
        for found in self.judged:
            if found.status == "missing":
                parts.append(f"An artifact of kind '{found.requirement.kind}' is missing.")
            elif found.newest is not None and found.defects:
                parts.append(f"{found.newest.path}: {'; '.join(found.defects)}.")
        return " ".join(parts)


def preflight(pipeline: Pipeline, card: Card, read: Callable[[Registration], str]) -> tuple[Preflight, ...]:
    """The gates on the edges out of the card's stage. `read` gives an artifact's text or raises ValueError."""
    return tuple(judge_gate(gate, card, read) for gate in pipeline.gates if gate.stage == card.stage)


def judge_gate(gate: Gate, card: Card, read: Callable[[Registration], str]) -> Preflight:
    """The gate against the newest registration of each kind that it requires."""
    return Preflight(gate, tuple(_judge(needed, card.newest(needed.kind), read) for needed in gate.requirements))


def _judge(needed: Requirement, newest: Registration | None, read: Callable[[Registration], str]) -> Judged:
    if newest is None:
        return Judged(needed, "missing", None, ())
    try:
        found = defects(needed, read(newest))
    except ValueError as error:
        found = (f"unreadable: {error}",)
    return Judged(needed, "malformed" if found else "satisfied", newest, found)


def defects(needed: Requirement, text: str) -> tuple[str, ...]:
    """Everything that is wrong with an artifact, in the order of the requirement."""
    lines = text.removeprefix("\ufeff").splitlines()
    fields, body, found = _front_matter(lines, bool(needed.front_matter))
    if fields is not None:
        for name in needed.front_matter:
            if name not in fields:
                found.append(f"front matter: '{name}' is missing")
            elif fields[name] in (None, [], {}) or (isinstance(value := fields[name], str) and not value.strip()):
                found.append(f"front matter: '{name}' is empty")
    filled = _sections(body)
    for name in dict.fromkeys((*needed.sections, *needed.non_empty)):
        if name.casefold() not in filled:
            found.append(f"section '{name}' is missing")
        elif name in needed.non_empty and not filled[name.casefold()]:
            found.append(f"section '{name}' is empty")
    return tuple(found)


def _front_matter(lines: list[str], needed: bool) -> tuple[dict[str, object] | None, list[str], list[str]]:
    """(fields or None where they cannot be known, the lines after, defects)."""
    if not lines or lines[0].rstrip() != "---":
        return None, lines, ["front matter is missing: the first line must be ---"] if needed else []
    end = next((index for index, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
    if not end:
        return None, lines, ["front matter does not end: no second line ---"]
    text = "\n".join(lines[1:end])
    if len(text) > _FRONT_MATTER_LIMIT:
        return None, lines[end + 1 :], [f"front matter is longer than {_FRONT_MATTER_LIMIT} characters"]
    try:
        fields = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 2
        return None, lines[end + 1 :], [f"front matter is not valid YAML: line {line}: {error.problem}"]
    except (yaml.YAMLError, ValueError, RecursionError):
        return None, lines[end + 1 :], ["front matter is not valid YAML"]
    if fields is None:
        fields = {}
    if not isinstance(fields, dict):
        return None, lines[end + 1 :], ["front matter is not a mapping of names to values"]
    return fields, lines[end + 1 :], []


def _sections(lines: list[str]) -> dict[str, bool]:
    """Heading (case folded) → whether anything stands under it, in any section of that name."""
    found: dict[str, bool] = {}
    open_sections: list[tuple[int, str]] = []
    fence, comment = "", False
    for line in lines:
        stripped = line.strip()
        opener = _fence(line)
        if not comment and (fence or opener):
            if fence and opener and opener[0] == fence[0] and len(opener) >= len(fence) and stripped == opener:
                fence = ""
                continue
            if not fence:
                fence = opener
                continue
        heading = None if fence or comment else _heading(line)
        if heading is not None:
            level, name = heading
            open_sections = [entry for entry in open_sections if entry[0] < level]
            open_sections.append((level, name.casefold()))
            found.setdefault(name.casefold(), False)
            continue
        if not fence:
            stripped, comment = _without_comments(stripped, comment)
        if stripped:
            for _, name in open_sections:
                found[name] = True
    return found


def _fence(line: str) -> str:
    """The backticks or tildes that open or close a code fence, or nothing."""
    text = line[: len(line) - len(line.lstrip(" "))]
    rest = line.lstrip(" ")
    if len(text) > 3 or rest[:3] not in ("```", "~~~"):
        return ""
    run = rest[: len(rest) - len(rest.lstrip(rest[0]))]
    return "" if rest[0] == "`" and "`" in rest[len(run) :] else run


def _heading(line: str) -> tuple[int, str] | None:
    rest = line.lstrip(" ")
    if len(line) - len(rest) > 3:
        return None
    level = len(rest) - len(rest.lstrip("#"))
    if not 1 <= level <= 6 or (len(rest) > level and rest[level] not in " \t"):
        return None
    name = rest[level:].strip()
    closed = name.rstrip("#")
    if closed != name and (not closed or closed[-1] in " \t"):
        name = closed.strip()
    return level, name


def _without_comments(text: str, inside: bool) -> tuple[str, bool]:
    """`text` without the HTML comments in it; whether one is still open."""
    kept = ""
    while text:
        if inside:
            _, closing, text = text.partition("-->")
            inside = not closing
        else:
            before, opening, text = text.partition("<!--")
            kept += before
            inside = bool(opening)
    return kept.strip(), inside
