"""Our own rule files: their form, every example proved by the classifier, and what a rule says beside them.

Each check is in `OWN` with its code; `guard/lint/own_pages.py` has the pages.
"""

from __future__ import annotations

import os
from collections import defaultdict
from difflib import get_close_matches
from typing import Any

from guard import languages
from guard.classify import Place, classify, doubts, places
from guard.lint import alternatives, unjudged
from guard.lint.own_pages import own
from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.model.grant import READ_ONLY
from guard.rulebook import Rulebook, build, schema
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.schema import Option
from guard.rulebook.yaml_source import Value

EXAMPLE_PLACE = Place("/nonexistent/project", "/home/user")
"""Where examples run: a folder that is not there, so that no repository's configuration plays in."""

DANGEROUS = schema.CHANGES | {"shell", "program"}


def check(folder: str, paths: list[str], book: Rulebook | None = None) -> list[Diagnostic]:
    """Findings in the given rule files (relative to the folder's `commands`), in their order."""
    book = book or book_of(folder)
    found: list[Diagnostic] = []
    for path in paths:
        try:
            value = build.read(folder, path)
            rows = build.compile_file(folder, path)
        except RuleError as error:
            found.append(own(error, "O801", error.message))
            continue
        for row in rows.values():
            if isinstance(row, list):
                found += _node(row)
                found += _weaker(row)
                found += _unlisted(row, value)
        found += unjudged.check(value)
        found += alternatives.check(value, EXAMPLE_PLACE, book)
        found += _examples(value, path, book, [name for name, row in rows.items()])
    return found


def book_of(folder: str) -> Rulebook:
    """The rules that examples of the folder are judged by: an overlay, which has no data files of its own, is laid over
    the shipped rules, as a repository's (which can add no program) or as a user's."""
    if os.path.exists(os.path.join(folder, "secrets.yaml")):
        return Rulebook(folder)
    shared = os.path.basename(os.path.abspath(folder)) == ".devkit-guard"
    return Rulebook(None, repository=folder) if shared else Rulebook(None, user=folder)


def _node(row: list[Any]) -> list[Diagnostic]:
    node = schema.node(row)
    found = []
    if node.language and node.language not in languages.COMMANDS:
        message = f"unknown command language '{node.language}': {_near(node.language, list(languages.COMMANDS))}"
        found.append(own(RuleError(node.file, node.line, 0, ""), "O802", message))
    for name, known in ((node.check, places.CHECKS), (node.prints_by, places.CLAIMS)):
        if name and name not in known:
            message = f"unknown code '{name}': {_near(name, list(known))}"
            found.append(own(RuleError(node.file, node.line, 0, ""), "O802", message))
    takes = [(takes, option.line) for option in set(node.options.values()) for takes in option.takes]
    takes += [(entry.takes, entry.line) for entry in node.operands]
    for entry, line in takes:
        if entry.type == "script" and entry.language not in languages.SCRIPTS:
            message = f"unknown script language '{entry.language}': {_near(entry.language, list(languages.SCRIPTS))}"
            found.append(own(RuleError(node.file, line, 0, ""), "O802", message))
    if node.inert:
        for option in set(node.options.values()):
            kinds = {option.effect} | {takes.type for takes in option.takes}
            if not kinds <= {"", "read", "glob", *schema.DATA_TYPES}:
                message = f"'{option.name}' does more than read, so the program is not inert"
                found.append(own(RuleError(node.file, option.line, 0, ""), "O805", message))
    for inner in [*node.subcommands.values(), node.bare, node.otherwise]:
        if isinstance(inner, list):
            found += _node(inner)
    return found


def _weaker(row: list[Any]) -> list[Diagnostic]:
    """Long options that are harmless in one subcommand and dangerous in another of the same program."""
    by_name: dict[str, list[tuple[str, str, Option]]] = defaultdict(list)
    pending = [(row, "")]
    while pending:
        current, path = pending.pop()
        node = schema.node(current)
        for spelling, option in node.options.items():
            if spelling.startswith("--"):
                by_name[spelling].append((node.file, path or node.name, option))
        pending += [
            (inner, f"{path} {name}".strip()) for name, inner in node.subcommands.items() if isinstance(inner, list)
        ]
    found = []
    for spelling, uses in by_name.items():
        strong = next((path for _, path, option in uses if _danger(option)), None)
        for file, path, option in uses if strong else ():
            if not option.effect and all(takes.type in schema.DATA_TYPES for takes in option.takes):
                message = f"'{spelling}' of '{path}' has no effect, that of '{strong}' writes, deletes or runs"
                found.append(own(RuleError(file, option.line, 0, ""), "O809", message))
    return found


def _danger(option: Option) -> bool:
    return option.effect in ("write", "delete", "exec") or any(takes.type in DANGEROUS for takes in option.takes)


def _unlisted(row: list[Any], value: Value) -> list[Diagnostic]:
    """Options that the summary warns of, and the rule neither lists nor shows in an example to be vetoed."""
    node = schema.node(row)
    try:
        shown = {word for wanted, line in examples_of(value) if wanted == "veto" for word in str(line.data).split()}
    except RuleError:
        return []
    if node.language or node.accepts_any or node.split or node.subcommands or node.syntax == "words":
        return []
    found = []
    for word in node.summary.replace("/", " ").split():
        name = word.strip(".,;:()`'\"")
        if (name.startswith("-") and len(name) > 1 and name[1:2].isalpha()) or name.startswith("--"):
            name = name.split("=")[0]
            if name not in {*node.options, *shown} and not all("-" + char in node.options for char in name[1:]):
                message = f"the summary names {name}, which is not among the options: {_near(name, list(node.options))}"
                found.append(own(RuleError(node.file, node.line, 0, ""), "O808", message))
    return found


def _examples(value: Value, path: str, book: Rulebook, names: list[str]) -> list[Diagnostic]:
    try:
        examples = examples_of(value)
    except RuleError as error:
        return [own(error, "O801", error.message)]
    found = []
    if os.sep not in path:
        for verdict in ("allow", "veto"):
            needless = verdict == "allow" and _never_reads(value)
            if not needless and not any(wanted == verdict for wanted, _ in examples):
                message = f"no example of a call that gets {verdict}"
                found.append(own(value.fail(""), "O804", message))
    seen: dict[str, int] = {}
    for wanted, line in examples:
        command = str(line.data)
        if command in seen:
            found.append(own(line.fail(""), "O807", f"the same example stands in line {seen[command]}: {command}"))
        seen.setdefault(command, line.line)
        if wanted == "veto":  # an allowed example may show what to run instead
            found += _called(command, line, names)
        classified = classify(command, EXAMPLE_PLACE, book)
        outside = [effect for effect in classified.effects if effect.kind not in READ_ONLY]
        if not outside:
            outside = list(doubts(classified))
        got = "veto" if outside else "allow"
        if got != wanted:
            why = f" ({outside[0].reason.code}: {outside[0].reason.message})" if outside else ""
            found.append(own(line.fail(""), "O803", f"expected {wanted} (got {got}): {command}{why}"))
    return found


def _called(command: str, line: Value, names: list[str]) -> list[Diagnostic]:
    """Whether an example has anything to do with the program of the file."""
    programs = [name.split(os.sep)[0].removeprefix("_") for name in names]
    if any(program in command for program in programs) or any(name in (":", ".", "[") for name in names):
        return []
    words = command.split()
    near = get_close_matches(words[0], programs, 1) if words else []
    hint = f": did you mean '{near[0]}'?" if near else ""
    return [own(line.fail(""), "O806", f"the example does not call '{programs[0]}'{hint}")]


def _near(got: str, choices: list[str]) -> str:
    near = get_close_matches(got, choices, 1)
    return f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(choices)}"


def _never_reads(value: Value) -> bool:
    """Whether the program as a whole has an effect that no example could be allowed with."""
    keys = value.mapping("rule")
    return "effect" in keys and str(keys["effect"].data).split(" ")[0] not in ("read", "cache")
