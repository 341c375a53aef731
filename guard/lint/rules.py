"""Our own rule files: their form, and every example proved by the classifier.

Codes: `rule-schema` (not readable as a rule), `rule-language` (a language that does not exist), `rule-example` (an
example that does not get its verdict), `rule-examples` (not one example each way), `rule-inert` (an inert program with an
option that does more than read).
"""

from __future__ import annotations

import os
from typing import Any

from guard import languages
from guard.classify import Place, classify, doubts
from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.model.grant import READ_ONLY
from guard.rulebook import Rulebook, build, schema
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.yaml_source import Value

EXAMPLE_PLACE = Place("/nonexistent/project", "/home/user")
"""Where examples run: a folder that is not there, so that no repository's configuration plays in."""


def check(folder: str, paths: list[str]) -> list[Diagnostic]:
    """Findings in the given rule files (relative to the folder's `commands`), in their order."""
    book = Rulebook(folder)
    found: list[Diagnostic] = []
    for path in paths:
        try:
            value = build.read(folder, path)
            rows = build.compile_file(folder, path)
        except RuleError as error:
            found.append(Diagnostic(error.path, error.line, error.column, "rule-schema", error.message))
            continue
        for row in rows.values():
            if isinstance(row, list):
                found += _node(row)
        found += _examples(value, path, book)
    return found


def _node(row: list[Any]) -> list[Diagnostic]:
    node = schema.node(row)
    found = []
    if node.language and node.language not in languages.COMMANDS:
        message = f"unknown command language '{node.language}': expected one of {', '.join(languages.COMMANDS)}"
        found.append(Diagnostic(node.file, node.line, 0, "rule-language", message))
    takes = [(takes, option.line) for option in set(node.options.values()) for takes in option.takes]
    takes += [(entry.takes, entry.line) for entry in node.operands]
    for entry, line in takes:
        if entry.type == "script" and entry.language not in languages.SCRIPTS:
            message = f"unknown script language '{entry.language}': expected one of {', '.join(languages.SCRIPTS)}"
            found.append(Diagnostic(node.file, line, 0, "rule-language", message))
    if node.inert:
        for option in set(node.options.values()):
            kinds = {option.effect} | {takes.type for takes in option.takes}
            if not kinds <= {"", "read", *schema.DATA_TYPES}:
                message = f"'{option.name}' does more than read, so the program is not inert"
                found.append(Diagnostic(node.file, option.line, 0, "rule-inert", message))
    for inner in [*node.subcommands.values(), node.bare, node.otherwise]:
        if isinstance(inner, list):
            found += _node(inner)
    return found


def _examples(value: Value, path: str, book: Rulebook) -> list[Diagnostic]:
    try:
        examples = examples_of(value)
    except RuleError as error:
        return [Diagnostic(error.path, error.line, error.column, "rule-schema", error.message)]
    found = []
    if os.sep not in path:
        for verdict in ("allow", "veto"):
            needless = verdict == "allow" and _never_reads(value)
            if not needless and not any(wanted == verdict for wanted, _ in examples):
                message = f"no example of a call that gets {verdict}"
                found.append(Diagnostic(value.path, value.line, value.column, "rule-examples", message))
    for wanted, line in examples:
        command = str(line.data)
        classified = classify(command, EXAMPLE_PLACE, book)
        outside = [effect for effect in classified.effects if effect.kind not in READ_ONLY]
        if not outside:
            outside = list(doubts(classified))
        got = "veto" if outside else "allow"
        if got != wanted:
            why = f" ({outside[0].reason.code}: {outside[0].reason.message})" if outside else ""
            message = f"expected {wanted} (got {got}): {command}{why}"
            found.append(Diagnostic(line.path, line.line, line.column, "rule-example", message))
    return found


def _never_reads(value: Value) -> bool:
    """Whether the program as a whole has an effect that no example could be allowed with."""
    keys = value.mapping("rule")
    return "effect" in keys and str(keys["effect"].data).split(" ")[0] not in ("read", "cache")
