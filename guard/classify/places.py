"""What hangs on the place where a program runs: checks before it may, and what it prints.

A rule names them: `check: NAME` is a key of CHECKS, `prints_by: NAME` one of CLAIMS.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from guard.classify import builtins, database, keywords, repository, toolchain
from guard.classify.state import MOST_NAMES, State, names, pattern
from guard.model.argument import NOTHING, Argument, Hole, Outcome, Printed, ReadsPath, Text, WritesPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.rulebook import argv
from guard.rulebook.outcomes import PLACES, prints

_INSTEAD = {
    "go": "`cat go.mod`",
    "git": "`git archive HEAD^{tree}`, or `git ls-tree -r --name-only HEAD` for the names",
}
_WITH_FOLDER = ("repository", "toolchain")
"""Checks of programs whose global option -C is the folder that they work in."""
_MOST_VALUES = 16


def check(parsed: argv.Parsed, state: State) -> list[Outcome]:
    """The outcomes of the checks that the rule names. Raises KeyError for one that is not there."""
    return [outcome for node in parsed.nodes if node.check for outcome in CHECKS[node.check](parsed, state)]


def from_there(parsed: argv.Parsed, state: State, outcomes: list[Outcome]) -> list[Outcome]:
    """The outcomes with relative paths seen from the folder that a global -C names (`git -C ~ grep --no-index x`)."""
    folders = _folders(parsed, state) if any(node.check in _WITH_FOLDER for node in parsed.nodes) else state.directories
    if folders == state.directories:
        return outcomes
    found: list[Outcome] = []
    for outcome in outcomes:
        if isinstance(outcome, (ReadsPath, WritesPath)) and not outcome.path.start.startswith("/"):
            found += [outcome._replace(path=_below(folder, outcome.path)) for folder in folders]
        else:
            found.append(outcome)
    return found


def _below(folder: str | None, path: Argument) -> Argument:
    start = Hole("any", path.span) if folder is None else Text(f"{folder}/", [path.span.start] * (len(folder) + 1))
    return path._replace(pieces=(start, *path.pieces))


def printed(parsed: argv.Parsed, state: State) -> Printed:
    """What the standard output of the call is bound to."""
    found = _bound(parsed, state)
    if any(node.prints_names for node in parsed.nodes):
        operands = parsed.invocation.operands
        texts = [text for word in operands for text in (pattern(word), *names(word))]
        found = found._replace(names=tuple(text for text in texts if text.strip("*"))[:MOST_NAMES])
    return found


def _bound(parsed: argv.Parsed, state: State) -> Printed:
    claim = prints(parsed)
    if claim in PLACES:
        return _folder(claim, parsed, state)
    if claim or parsed.problems:
        return Printed(claim)
    by = next((node.prints_by for node in parsed.nodes if node.prints_by), "")
    return CLAIMS[by](parsed, state) if by in CLAIMS else NOTHING


def _folder(claim: str, parsed: argv.Parsed, state: State) -> Printed:
    """The working directory, or the top of the work tree there; nothing is printed where git fails."""
    found: list[str] = []
    for folder in _folders(parsed, state):
        if folder is None:
            return Printed("undashed")
        if claim == "directory":
            found += [folder, os.path.realpath(folder)]
            continue
        top = repository.top(folder)
        if top is None:
            return Printed("undashed")
        found += ["", top]
    values = tuple(dict.fromkeys(found))
    certain = len(values) <= _MOST_VALUES and not any("\n" in value for value in values)
    return Printed("undashed", values if certain else ())


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
        commit = git.archived_commit(parsed.invocation)
        if commit is not None and keywords.may_be_expanded(folder, commit, os.environ):
            message = "files of the commit can have keywords expanded, and git runs gpg for some"
            return [Effect(Kind.BUILD, Reason("git-keywords", message, span, instead=_INSTEAD["git"]))]
    return []


def _debug_files(parsed: argv.Parsed, _: State) -> list[Outcome]:
    """What is fetched and kept where debug information is missing and a server for it is set."""
    names = {used.option.name for used in parsed.used}
    if not os.environ.get("DEBUGINFOD_URLS", "").strip() or not names & _DEBUG_OPTIONS:
        return []
    message = "asks the servers of DEBUGINFOD_URLS for debug information, and keeps it in the home directory"
    return [Effect(kind, Reason("debuginfod", message, parsed.invocation.span)) for kind in (Kind.BUILD, Kind.NET_READ)]


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


_DEBUG_OPTIONS = frozenset(
    {"--debug-dump", "--process-links", "--debugging", "--dwarf", "--line-numbers", "--source", "--source-comment"}
)
"""Options by which tools for object files read debug information."""


def _by_git(parsed: argv.Parsed, state: State) -> Printed:
    """Counts and object names, where no setting lets `git log` print signatures between them."""
    from guard.languages import git

    call = parsed.invocation
    claim = git.prints(call)
    if claim.domain and git.may_print_signatures(call):
        for folder in _folders(parsed, state):
            if folder is None or repository.shows_signatures(folder):
                return NOTHING
    return claim


def _by_find(parsed: argv.Parsed, _: State) -> Printed:
    from guard.languages import find

    return find.prints(parsed.invocation)


CHECKS: dict[str, Callable[[argv.Parsed, State], list[Outcome]]] = {
    "repository": _repository,
    "toolchain": _toolchain,
    "database": _database,
    "debug_files": _debug_files,
}
CLAIMS: dict[str, Callable[[argv.Parsed, State], Printed]] = {"git": _by_git, "find": _by_find}
