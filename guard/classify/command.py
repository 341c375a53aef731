"""One command: program lookup, argv by its rule, languages, and the list of what it would run worked off."""

from __future__ import annotations

import os
import stat

from guard import languages
from guard.classify import builtins, environment, own, places, targets
from guard.classify import granted as patterns
from guard.classify.state import State, some_of
from guard.model.argument import (
    NOTHING,
    Argument,
    Assigns,
    Outcome,
    Printed,
    ReadsPath,
    RunsArgv,
    RunsShell,
    WritesPath,
    exact,
)
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.errors import RuleError
from guard.model.grant import READ_ONLY
from guard.model.record import NamedTuple
from guard.model.syntax import Span
from guard.rulebook import Rulebook, argv
from guard.rulebook.outcomes import declared

_INSTEAD = "`file FILE` tells what it is, `cat FILE` shows a script"
_LIMIT = 200
"""Most programs that one command may run through wrappers."""
_READINGS = 16
"""Most combinations of values for which a command is judged one by one."""


class Judged(NamedTuple):
    """`effects` are decided; `shells` are texts still to be read, each with the state its shell starts in.

    `program` is the name of the rule that decided (None: none).
    """

    effects: list[Effect]
    shells: list[tuple[RunsShell, State]]
    prints: Printed
    program: str | None


def judge(
    book: Rulebook,
    words: tuple[Argument, ...],
    state: State,
    stdin: Argument | None,
    piped: Printed,
    span: Span,
    granted: tuple[tuple[str, ...], ...] = (),
    assigned: tuple[tuple[str, Argument | None], ...] = (),
) -> Judged:
    """Judges a command whose words are expanded; functions were looked up before.

    `stdin` is its standard input where the text is known, `piped` what is known of it where a pipe gives it. Commands
    that fit a pattern of `granted` (see `Grant.run`), behind wrappers too, have no effect but on the guard's own files.
    `assigned` are the variables that are set for the command, which the caller judges.
    """
    effects: list[Effect] = []
    excused: list[Effect] = []
    shells: list[tuple[RunsShell, State]] = []
    pending: list[tuple[RunsArgv, State, bool]] = [(RunsArgv(words, builtin=True), state, False)]
    printed = NOTHING
    program = None
    for count in range(_LIMIT):
        if not pending:
            effects += own.named(book, words, stdin, state, effects + excused)
            return Judged(effects, shells, printed, program)
        run, inner, free = pending.pop()
        variables = (*run.assignments, *(assigned if count == 0 else ()))
        named = patterns.variables(run.words, variables, granted)
        free = free or named is not None
        given = (stdin, piped) if count == 0 else (None, NOTHING)
        outcomes, says, name = _one(book, run, inner, given, span)
        effects += _assigned(book, run, named or frozenset())
        child = _with(inner, variables)
        if count == 0 and not free:
            printed, program = says, name
        for outcome in outcomes:
            if isinstance(outcome, RunsArgv):
                pending.append((outcome, inner if outcome.builtin else child.copy(), free))
            elif isinstance(outcome, RunsShell):
                if free:
                    excused.append(opaque("granted", "a text that a granted command runs", outcome.text.span))
                else:
                    shells.append((outcome, child if outcome.shell == "child" else inner))
            else:
                effect = _effect(book, outcome, inner)
                if effect is not None:
                    (excused if free and effect.reason.code != targets.OWN_FILES else effects).append(effect)
    effects.append(opaque("bounds", f"runs more than {_LIMIT} commands through wrappers", span))
    return Judged(effects, shells, NOTHING, program)


def _with(state: State, assignments: tuple[tuple[str, Argument | None], ...]) -> State:
    """The state that a program is run in with these variables: what it hands on to a shell is not the environment's."""
    if not assignments:
        return state
    child = state.copy()
    for name, value in assignments:
        child.assign(name, some_of([value] if value else []))
    return child


def _effect(book: Rulebook, outcome: Effect | ReadsPath | WritesPath | Assigns, state: State) -> Effect | None:
    if isinstance(outcome, ReadsPath):
        return targets.read(book, outcome.path, state)
    if isinstance(outcome, WritesPath):
        return targets.write(book, outcome, state)
    if isinstance(outcome, Assigns):
        state.assign(outcome.name, outcome.value if state.depth == 0 or not outcome.value else some_of([outcome.value]))
        if outcome.name in state.arrays and outcome.value is not None and outcome.value.may_start_with("("):
            message = f"`{outcome.name}` is an array: bash expands a value that starts with a parenthesis"
            return opaque("array", message, outcome.span)
        return environment.assigned(book, outcome.name, outcome.value, outcome.exported, outcome.span)
    return outcome


def _assigned(book: Rulebook, run: RunsArgv, named: frozenset[str]) -> list[Effect]:
    """What the environment variables could do that a program gets (`env A=1 …`), but for those that a grant names."""
    others = [(name, value) for name, value in run.assignments if name not in named]
    found = (environment.assigned(book, name, value, True, value.span) for name, value in others)
    return [effect for effect in found if effect is not None]


def _one(
    book: Rulebook, run: RunsArgv, state: State, given: tuple[Argument | None, Printed], span: Span
) -> tuple[list[Outcome], Printed, str | None]:
    """Outcomes of one program call, what it prints, and the name of its rule."""
    head, rest = run.words[0], run.words[1:]
    found: list[Outcome] = []
    if run.directory is not None:
        state.directories = builtins.target(state, run.directory)
    names = head.alternatives()
    if not names:
        message = "the command is decided at run time"
        return [*found, opaque("dynamic-command", message, head.span)], NOTHING, None
    printed, program = NOTHING, None
    for name in names:
        outcomes, printed, program = _named(book, name, head, rest, state, given, span)
        found += outcomes
    return found, printed if len(names) == 1 else NOTHING, program if len(names) == 1 else None


def _named(
    book: Rulebook,
    name: str,
    head: Argument,
    rest: tuple[Argument, ...],
    state: State,
    given: tuple[Argument | None, Printed],
    span: Span,
) -> tuple[list[Outcome], Printed, str | None]:
    base = name
    if "/" in name:
        folder, base = os.path.split(name)
        if not _is_system_folder(folder):
            message = f"`{name}` is a program outside of the system's own folders"
            reason = Reason("path-qualified", message, head.span, instead=_INSTEAD)
            return [Effect(Kind.EXEC, reason, name)], NOTHING, None
    try:
        rules = book.having_a_say(base)
        if not rules:
            message = f"no rule for the program `{base}`" if base else "the command is an empty word"
            return [Effect(Kind.EXEC, Reason("unknown-program", message, head.span), base)], NOTHING, None
        found: list[Outcome] = []
        claims: set[Printed] = set()
        for source, rule in rules:
            for words in (rest,) if rule.builtin else _readings(rest):
                parsed = argv.parse(source, rule, words, span, *given)
                found += _by_rule(parsed, base, head, state, builtin="/" not in name)
                claims.add(places.printed(parsed, state))
    except RuleError as error:
        return [opaque("broken-rule", f"the rule of `{base}` is broken: {error}", head.span)], NOTHING, None
    return found, claims.pop() if len(claims) == 1 else NOTHING, rule.name


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
    outcomes = _with_alternative(places.from_there(parsed, state, outcomes), parsed)
    if not any(isinstance(outcome, Effect) for outcome in outcomes):
        outcomes.append(Effect(Kind.READ, Reason("read", f"`{base}` only reads", head.span, parsed.nodes[-1].place())))
    name = parsed.nodes[0].name
    change = builtins.CHANGES.get(name) if builtin else None
    if change is not None:
        outcomes += change(parsed.invocation, state)
    if not any(_is_unbounded(outcome) for outcome in outcomes):
        try:
            outcomes += places.check(parsed, state)
        except KeyError as error:
            outcomes.append(
                opaque("broken-rule", f"the rule of `{base}` names a check that is not there: {error}", head.span)
            )
    return outcomes


def _with_alternative(outcomes: list[Outcome], parsed: argv.Parsed) -> list[Outcome]:
    """The outcomes, those with no alternative of their own with that of the innermost (sub)command that offers one.

    For reading over the network none that reads over the network too.
    """
    offered = next((node.instead for node in reversed(parsed.nodes) if node.instead), None)
    if offered is None:
        return outcomes
    kept = READ_ONLY | {Kind.NET_READ} if "net_read" in offered else READ_ONLY
    found: list[Outcome] = []
    for outcome in outcomes:
        if isinstance(outcome, WritesPath) and outcome.instead is None:
            outcome = outcome._replace(instead=offered)
        elif isinstance(outcome, Effect) and outcome.reason.instead is None and outcome.kind not in kept:
            outcome = outcome._replace(reason=outcome.reason._replace(instead=offered))
        found.append(outcome)
    return found


def _is_unbounded(outcome: Outcome) -> bool:
    """Whether nothing that is found in addition could matter: a grant may cover all other kinds."""
    return isinstance(outcome, Effect) and outcome.kind in (Kind.EXEC, Kind.OPAQUE)


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
