"""Diagnostics for people: the line of the source with the place underlined, the witness, the help and the fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from guard.model.diagnostic import Diagnostic
from guard.report.verdicts import visible

WIDTH = 110
"""Longest part of a source line that is shown."""


def as_excerpts(found: list[Diagnostic], texts: Mapping[str, str]) -> str:
    """One block for each finding; `texts` are the contents by path."""
    lines: dict[str, list[str]] = {path: text.split("\n") for path, text in texts.items()}
    return "\n".join(_block(one, lines.get(one.path)) for one in found)


def as_statistics(found: list[Diagnostic]) -> str:
    """How often each check was found, the most frequent first."""
    counts = Counter((one.code, one.name) for one in found)
    return "".join(f"{count:>6}  {code}  {name}\n" for (code, name), count in counts.most_common())


def _block(one: Diagnostic, lines: list[str] | None) -> str:
    head = f"{one.severity}[{one.code}] {one.name}: " if one.name else f"{one.severity}[{one.code}]: "
    out = [head + visible(one.message)]
    if not one.line:
        out.append(f"  --> {one.path}")
        return "\n".join(out + _notes(one, "  ")) + "\n"
    number = str(one.line)
    bar = " " * len(number) + " |"
    out.append(f"{' ' * len(number)}--> {one.path}:{one.line}:{max(one.column, 1)}")
    if lines is not None and one.line <= len(lines):
        out += [bar, *_marked(one, lines[one.line - 1].rstrip("\r"), number), bar]
    return "\n".join(out + _notes(one, " " * len(number) + " ")) + "\n"


def _marked(one: Diagnostic, line: str, number: str) -> list[str]:
    start = max(one.column, 1) - 1
    same = one.end_line in (0, one.line)
    end = min(max(one.end_column - 1, start + 1), len(line)) if same and one.end_column else len(line)
    end = max(end, start + 1) if one.column else len(line)
    left = max(0, start - WIDTH // 3)
    right = min(len(line), left + WIDTH)
    before, marked, after = visible(line[left:start]), visible(line[start : min(end, right)]), visible(line[end:right])
    dots = "..." if left else ""
    source = f"{number} | {dots}{before}{marked}{after}{'...' if right < len(line) else ''}"
    under = " " * (len(dots) + len(before)) + "^" * max(1, len(marked))
    return [source, " " * len(number) + " | " + under]


def _notes(one: Diagnostic, indent: str) -> list[str]:
    notes = []
    if one.witness:
        effect = f"  ({visible(one.effect)})" if one.effect else ""
        notes.append(f"{indent}= witness: {visible(one.witness)}{effect}")
    if one.help:
        notes.append(f"{indent}= help: {visible(one.help)}")
    if one.fix:
        notes.append(f"{indent}= fix: {visible(one.fix.message)}{'' if one.fix.safe else ' (--unsafe-fixes)'}")
    return notes
