"""Codex: `.rules` files (Starlark) with `prefix_rule(pattern=[…], decision=…, match=[…], not_match=[…])`.

Matching (https://developers.openai.com/codex/rules): the first words of the argument vector, each place with its
alternatives; of several rules the strictest decides (forbidden, prompt, allow). `bash -lc` scripts of plain commands
are taken apart; a script with redirects, substitutions or variables is one command of `bash`. A file that cannot be
read is left out as a whole. A command without a rule runs in the sandbox, an allowed one outside of it. Starlark of
this kind is read with Python's grammar, of which it is a subset.
"""

from __future__ import annotations

import ast

from guard.lint import cuts
from guard.lint.patterns import Nothing, Pattern, Words, matches
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source

NAME = "codex-rules"
TITLE = "Codex rules"
PROJECT = (".codex/rules/*.rules",)
HOME = (".codex/rules/*.rules",)
MATCHING = Matching(True, "refused", "refused")
WITH_REDIRECTS = Matching(True, "kept", "kept", name="versions that match parts with their redirects")
DECISIONS = {"allow": ("allow", 0.0), "prompt": ("ask", 1.0), "forbidden": ("deny", 2.0)}
KEYS = ("pattern", "decision", "justification", "match", "not_match")
CALLS = {
    "prefix_rule": KEYS,
    "host_executable": ("name", "paths"),
    "network_rule": ("host", "protocol", "decision", "justification"),
}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files; other programs have `.rules` files too."""
    folders = path.split("/")[:-1]
    own = path.endswith(".rules") and folders[-1:] == ["rules"] and folders[-2:-1] in ([".codex"], ["codex"])
    return own or path.endswith(".codexpolicy")


def read(source: Source) -> Policy:
    """The prefix rules of a file."""
    marks: list[Mark] = []
    rules: list[Rule] = []
    try:
        module = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        at = source.offset(line, column)
        text = getattr(error, "msg", None) or "nested too deeply"
        marks.append(Mark("invalid-file", at, at + 1, f"{text}: the whole file is left out, its forbids too"))
        return Policy(source, NAME, MATCHING, marks=tuple(marks), older=(WITH_REDIRECTS,))
    for statement in module.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            _call(source, call, rules, marks)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), older=(WITH_REDIRECTS,), sandboxed=True)


def _call(source: Source, call: ast.Call, rules: list[Rule], marks: list[Mark]) -> None:
    from difflib import get_close_matches

    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in CALLS:
        near = get_close_matches(name, CALLS, 1)
        hint = f": did you mean '{near[0]}'?" if near else ""
        marks.append(Mark("invalid-file", *_span(source, call.func), f"there is no function '{name}'{hint}"))
        return
    given = {keyword.arg: keyword for keyword in call.keywords if keyword.arg}
    for key, keyword in given.items():
        if key not in CALLS[name]:
            near = get_close_matches(key, CALLS[name], 1)
            hint = f": did you mean '{near[0]}'?" if near else ""
            start = source.offset(keyword.lineno, _column(source, keyword.lineno, keyword.col_offset))
            detail = f"{name} has no argument '{key}'{hint}; the whole file is left out, its forbids too"
            marks.append(Mark("invalid-file", start, start + len(key), detail, witness="rm a"))
    if name != "prefix_rule" or "pattern" not in given:
        return
    node = given["pattern"].value
    pattern = _pattern(node)
    chosen = given["decision"].value if "decision" in given else None
    word = str(chosen.value) if isinstance(chosen, ast.Constant) else "allow"
    if word not in DECISIONS:
        start, end = _span(source, chosen) if chosen else _span(source, call)
        detail = f"unknown decision '{word}': expected allow, prompt or forbidden; the whole file is left out"
        marks.append(Mark("invalid-file", start, end, detail))
        return
    decision, rank = DECISIONS[word]
    start, end = _span(source, node)
    whole = _span(source, call)
    text = source.text[start:end]
    body = " ".join("|".join(choices) for choices in pattern.alternatives) if isinstance(pattern, Words) else ""
    cut = cuts.lines(source.text, *whole)
    rules.append(Rule(decision, "shell", text, body, pattern, start, end, cut, (rank,), decision, "prefix_rule"))
    for key, wanted in (("match", True), ("not_match", False)):
        listed = given[key].value if key in given else None
        for example in listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else []:
            _example(source, example, pattern, wanted, marks)


def _example(source: Source, node: ast.expr, pattern: Pattern, wanted: bool, marks: list[Mark]) -> None:
    words = _strings(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        words = tuple(node.value.split())
    if words is None or matches(pattern, " ".join(words), words) == wanted:
        return
    text = " ".join(words)
    detail = f"`{text}` does not match the pattern" if wanted else f"`{text}` matches the pattern"
    marks.append(Mark("failing-example", *_span(source, node), detail, witness=text))


def _pattern(node: ast.expr) -> Pattern:
    if not isinstance(node, (ast.List, ast.Tuple)) or not node.elts:
        return Nothing()
    places = []
    for element in node.elts:
        one = (
            (element.value,)
            if isinstance(element, ast.Constant) and isinstance(element.value, str)
            else _strings(element)
        )
        if one is None:
            return Nothing()
        places.append(one)
    return Words(tuple(places))


def _strings(node: ast.expr) -> tuple[str, ...] | None:
    if not isinstance(node, (ast.List, ast.Tuple)):
        return None
    found = [
        element.value for element in node.elts if isinstance(element, ast.Constant) and isinstance(element.value, str)
    ]
    return tuple(found) if len(found) == len(node.elts) else None


def _column(source: Source, line: int, column: int) -> int:
    """The column in characters, from 1, of one that Python counts in bytes."""
    start = source.offset(line, 1)
    stop = source.text.find("\n", start)
    text = source.text[start : len(source.text) if stop < 0 else stop]
    return len(text.encode()[:column].decode(errors="replace")) + 1


def _span(source: Source, node: ast.expr) -> tuple[int, int]:
    start = source.offset(node.lineno, _column(source, node.lineno, node.col_offset))
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return start, source.offset(end_line, _column(source, end_line, end_column))
