"""One command: program lookup, argv by its rule, languages, and the list of what it would run worked off."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from guard import languages
from guard.classify import builtins, database, environment, own, repository, targets, toolchain
from guard.classify.state import State
from guard.model.argument import Argument, Assigns, Outcome, ReadsPath, RunsArgv, RunsShell, WritesPath, exact
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.errors import RuleError
from guard.model.grant import READ_ONLY
from guard.model.record import NamedTuple
from guard.model.syntax import Span
from guard.rulebook import Rulebook, argv
from guard.rulebook.outcomes import declared, prints

_INSTEAD = {"go": "`cat go.mod`", "path": "`file FILE` tells what it is, `cat FILE` shows a script"}
_LIMIT = 200
"""Most programs that one command may run through wrappers."""
_READINGS = 16
"""Most combinations of values for which a command is judged one by one."""


class Judged(NamedTuple):
    """`effects` are decided; `shells` are texts still to be read, each with the state its shell starts in.

    `prints` is what the output is bound to; `program` the name of the rule that decided (None: none).
    """

    effects: list[Effect]
    shells: list[tuple[RunsShell, State]]
    prints: str
    program: str | None


def judge(book: Rulebook, words: tuple[Argument, ...], state: State, stdin: Argument | None, span: Span) -> Judged:
    """Judges a command whose words are expanded; functions were looked up before."""
    effects: list[Effect] = []
    shells: list[tuple[RunsShell, State]] = []
    pending: list[tuple[RunsArgv, State]] = [(RunsArgv(words, builtin=True), state)]
    printed = ""
    program = None
    for count in range(_LIMIT):
        if not pending:
            effects += own.named(book, words, stdin, state, effects)
            return Judged(effects, shells, printed, program)
        run, inner = pending.pop()
        outcomes, says, name = _one(book, run, inner, stdin if count == 0 else None, span)
        if count == 0:
            printed, program = says, name
        for outcome in outcomes:
            if isinstance(outcome, RunsArgv):
                pending.append((outcome, inner if outcome.builtin else inner.copy()))
            elif isinstance(outcome, RunsShell):
                shells.append((outcome, inner))
            else:
                effect = _effect(book, outcome, inner)
                if effect is not None:
                    effects.append(effect)
    effects.append(opaque("bounds", f"runs more than {_LIMIT} commands through wrappers", span))
    return Judged(effects, shells, "", program)


def _effect(book: Rulebook, outcome: Effect | ReadsPath | WritesPath | Assigns, state: State) -> Effect | None:
    if isinstance(outcome, ReadsPath):
        return targets.read(book, outcome.path, state)
    if isinstance(outcome, WritesPath):
        return targets.write(outcome, state)
    if isinstance(outcome, Assigns):
        state.assign(outcome.name, outcome.value if state.depth == 0 else None)
        if outcome.name in state.arrays and outcome.value is not None and outcome.value.may_start_with("("):
            message = f"`{outcome.name}` is an array: bash expands a value that starts with a parenthesis"
            return opaque("array", message, outcome.span)
        return environment.assigned(book, outcome.name, outcome.value, outcome.exported, outcome.span)
    return outcome


def _one(
    book: Rulebook, run: RunsArgv, state: State, stdin: Argument | None, span: Span
) -> tuple[list[Outcome], str, str | None]:
    """Outcomes of one program call, what it prints, and the name of its rule."""
    head, rest = run.words[0], run.words[1:]
    found: list[Outcome] = []
    for name, value in run.assignments:
        effect = environment.assigned(book, name, value, True, value.span)
        if effect is not None:
            found.append(effect)
    if run.directory is not None:
        state.directories = builtins.target(state, run.directory)
    names = head.alternatives()
    if not names:
        message = "the command is decided at run time"
        return [*found, opaque("dynamic-command", message, head.span)], "", None
    printed, program = "", None
    for name in names:
        outcomes, printed, program = _named(book, name, head, rest, state, stdin, span)
        found += outcomes
    return found, printed if len(names) == 1 else "", program if len(names) == 1 else None


def _named(
    book: Rulebook,
    name: str,
    head: Argument,
    rest: tuple[Argument, ...],
    state: State,
    stdin: Argument | None,
    span: Span,
) -> tuple[list[Outcome], str, str | None]:
    base = name
    if "/" in name:
        folder, base = os.path.split(name)
        if not _is_system_folder(folder):
            message = f"`{name}` is a program outside of the system's own folders"
            reason = Reason("path-qualified", message, head.span, instead=_INSTEAD["path"])
            return [Effect(Kind.EXEC, reason, name)], "", None
    try:
        rules = book.having_a_say(base)
        if not rules:
            message = f"no rule for the program `{base}`" if base else "the command is an empty word"
            return [Effect(Kind.EXEC, Reason("unknown-program", message, head.span), base)], "", None
        found: list[Outcome] = []
        claims: set[str] = set()
        for source, rule in rules:
            for words in (rest,) if rule.builtin else _readings(rest):
                parsed = argv.parse(source, rule, words, span, stdin)
                found += _by_rule(parsed, base, head, state, builtin="/" not in name)
                claims.add(prints(parsed) or _printed_by_git(parsed))
    except RuleError as error:
        return [opaque("broken-rule", f"the rule of `{base}` is broken: {error}", head.span)], "", None
    return found, claims.pop() if len(claims) == 1 else "", rule.name


def _readings(words: tuple[Argument, ...]) -> list[tuple[Argument, ...]]:
    """The words once for each combination of the values that their holes can have, or as they are where those are many.

    So whatever a rule or language asks of a word, it is asked of a text that is known. Not for builtins: what they
    change in the shell has to cover all values at once.
    """
    found: list[tuple[Argument, ...]] = [()]
    for word in words:
        texts = word.alternatives() if word.text is None else None
        choices = [word] if texts is None else [exact(text, word.span) for text in texts]
        if len(found) * len(choices) > _READINGS:
            return [words]
        found = [(*before, choice) for before in found for choice in choices]
    return found


def _by_rule(parsed: argv.Parsed, base: str, head: Argument, state: State, *, builtin: bool) -> list[Outcome]:
    """Outcomes of a parsed call: declared ones, those of languages, and of the place where it runs."""
    result = declared(parsed)
    outcomes = list(result.outcomes)
    try:
        for language in result.languages:
            outcomes += languages.command(language)(parsed.invocation)
        for language, script in result.scripts:
            outcomes += languages.script(language)(script, parsed.invocation)
    except KeyError as error:
        return [opaque("broken-rule", f"the rule of `{base}` names a language that is not there: {error}", head.span)]
    outcomes = _with_alternative(outcomes, parsed)
    if not any(isinstance(outcome, Effect) for outcome in outcomes):
        outcomes.append(Effect(Kind.READ, Reason("read", f"`{base}` only reads", head.span, parsed.nodes[-1].place())))
    name = parsed.nodes[0].name
    change = builtins.CHANGES.get(name) if builtin else None
    if change is not None:
        outcomes += change(parsed.invocation, state)
    check = CHECKS.get(name)
    if check is not None and not any(_is_unbounded(outcome) for outcome in outcomes):
        outcomes += check(parsed, state)
    return outcomes


def _with_alternative(outcomes: list[Outcome], parsed: argv.Parsed) -> list[Outcome]:
    """The outcomes, those with no alternative of their own with that of the innermost (sub)command that offers one.

    None for reading over the network: whatever it could be replaced by is not the same evidence.
    """
    offered = next((node.instead for node in reversed(parsed.nodes) if node.instead), None)
    if offered is None:
        return outcomes
    found: list[Outcome] = []
    for outcome in outcomes:
        if isinstance(outcome, WritesPath) and outcome.instead is None:
            outcome = outcome._replace(instead=offered)
        elif isinstance(outcome, Effect) and outcome.reason.instead is None and outcome.kind not in _KEPT:
            outcome = outcome._replace(reason=outcome.reason._replace(instead=offered))
        found.append(outcome)
    return found


_KEPT = READ_ONLY | {Kind.NET_READ}


def _is_unbounded(outcome: Outcome) -> bool:
    """Whether nothing that is found in addition could matter: a grant may cover all other kinds."""
    return isinstance(outcome, Effect) and outcome.kind in (Kind.EXEC, Kind.OPAQUE)


def _printed_by_git(parsed: argv.Parsed) -> str:
    """What a git command is bound to print where that hangs on several options together."""
    if parsed.nodes[0].name != "git" or parsed.problems:
        return ""
    from guard.languages import git

    return git.prints(parsed.invocation)


def _is_system_folder(folder: str) -> bool:
    """Whether a folder belongs to root and nobody else may write to it, all the way up."""
    if not folder.startswith("/") or ".." in folder.split("/"):
        return False
    path = folder
    while True:
        try:
            found = os.stat(path)
        except OSError:
            return False
        if found.st_uid != 0 or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return False
        if path == "/":
            return os.path.normpath(folder) in _SYSTEM_FOLDERS
        path = os.path.dirname(path)


_SYSTEM_FOLDERS = frozenset(
    {"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"}
)


def _repository(parsed: argv.Parsed, state: State) -> list[Outcome]:
    """What git would be made to run by the configuration it finds where it is called (`-C` followed)."""
    from guard.languages import git

    span = parsed.invocation.span
    for folder in _folders(parsed, state):
        if folder is None:
            return [opaque("repository", "git runs in a directory that is decided at run time", span)]
        reason = repository.check(folder, fetches=git.fetches(parsed.invocation))
        if reason is not None:
            return [Effect(Kind.EXEC, Reason("repository", reason, span))]
    return []


def _folders(parsed: argv.Parsed, state: State) -> tuple[str | None, ...]:
    """The directories that a program with the global option -C may work in."""
    where = state.copy()
    for used in parsed.used:
        if used.node is parsed.nodes[0] and used.option.name == "-C" and used.values:
            where.directories = builtins.target(where, used.values[0])
    return where.directories


def _toolchain(parsed: argv.Parsed, state: State) -> list[Outcome]:
    """What go would fetch and run where it is called."""
    span = parsed.invocation.span
    for folder in _folders(parsed, state):
        if folder is None:
            return [opaque("toolchain", "go runs in a directory that is decided at run time", span)]
        reason = toolchain.check(folder, dict(os.environ))
        if reason is not None:
            return [Effect(Kind.EXEC, Reason("toolchain", reason, span, instead=_INSTEAD["go"]))]
    return []


def _database(parsed: argv.Parsed, state: State) -> list[Outcome]:
    """What the database that sqlite3 opens would make it do."""
    call = parsed.invocation
    names = call.operands[0].alternatives() if call.operands else []
    for name in names if names is not None else [None]:
        for folder in state.directories if name is not None and not name.startswith("/") else ("/",):
            if name is None or folder is None:
                return [opaque("database", "which database it opens is decided at run time", call.span)]
            if name.casefold().startswith("file:"):
                return [opaque("database", "a URI has settings of its own; name the file", call.operands[0].span)]
            reason = database.check(os.path.join(folder, name))
            if reason is not None:
                return [Effect(Kind.EXEC, Reason("database", reason, call.operands[0].span))]
    return []


CHECKS: dict[str, Callable[[argv.Parsed, State], list[Outcome]]] = {
    "git": _repository,
    "go": _toolchain,
    "sqlite3": _database,
}
"""Checks of the place where a program runs, by the name of its rule."""
