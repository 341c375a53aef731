"""env: options, then `NAME=VALUE` operands, then a command; without a command it prints the environment.

Source: https://www.gnu.org/software/coreutils/manual/html_node/env-invocation.html
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome, RunsArgv, without_start
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The command with its assignments and directory."""
    words = list(call.operands)
    empty = call.given("-i") is not None
    if words and words[0].text == "-" and call.separator is None:
        empty = True
        words.pop(0)
    assignments: list[tuple[str, Argument]] = []
    while words:
        name, equals, _ = words[0].start.partition("=")
        if not equals:
            break
        if words[0].many:
            message = "may become several words, and one of them the command"
            return [opaque("dynamic-command", message, words[0].span, rule=call.rule)]
        assignments.append((name, without_start(words[0], len(name) + 1)))
        words.pop(0)
    if not words:
        return []
    found: list[Outcome] = []
    for option in call.options:
        if option.name == "-u" and (option.value is None or option.value.text in (None, "PATH")):
            found.append(_without_path(call))
    if empty and not any(name == "PATH" for name, _ in assignments):
        found.append(_without_path(call))
    directory = call.given("-C")
    argv = RunsArgv(tuple(words), tuple(assignments), None if directory is None else directory.value)
    return [*found, argv]


def _without_path(call: Invocation) -> Effect:
    message = "without PATH the C library decides where programs are found, in older ones the working directory first"
    return Effect(Kind.EXEC, Reason("environment", message, call.span, call.rule), "PATH")
