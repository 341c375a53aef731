"""Inner languages: what a sed script, an awk program, a find expression or a wrapper's command line could do.

A rule names one by `language:` (whole command lines) or `{script: NAME}` (one argument). Modules never call the
classifier: what they would run is returned as RunsShell or RunsArgv and worked off by `guard.classify`.

A command language has `judge(call: Invocation) -> list[Outcome]`; a script language has
`judge(script: Argument, call: Invocation) -> list[Outcome]`. An empty list means: only reads what the rule says anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from guard.model.argument import Argument, Outcome
from guard.model.invocation import Invocation

COMMANDS: dict[str, str] = {
    "socket_address": "guard.languages.socket_address",
    "socket_filter": "guard.languages.socket_filter",
    "separate_arguments": "guard.languages.separate_arguments",
    "options_first": "guard.languages.options_first",
    "plain_words": "guard.languages.plain_words",
    "names_in_scripts": "guard.languages.names_in_scripts",
    "local_files": "guard.languages.local_files",
    "python": "guard.languages.python",
    "tmux": "guard.languages.tmux",
    "dd": "guard.languages.dd",
    "file_or_url": "guard.languages.file_or_url",
    "pager": "guard.languages.pager",
    "second_output": "guard.languages.second_output",
    "gh_api": "guard.languages.gh_api",
    "kubectl": "guard.languages.kubectl",
    "aws": "guard.languages.aws",
    "git": "guard.languages.git",
    "jq": "guard.languages.jq",
    "wget": "guard.languages.wget",
    "curl": "guard.languages.curl",
    "awk": "guard.languages.awk_command",
    "sed": "guard.languages.sed_command",
    "sqlite": "guard.languages.sqlite",
    "yq": "guard.languages.yq",
    "find": "guard.languages.find",
    "ar": "guard.languages.ar",
    "count": "guard.languages.count",
    "definitions": "guard.languages.definitions",
    "env": "guard.languages.env",
    "joined": "guard.languages.joined",
    "kill": "guard.languages.kill",
    "printf": "guard.languages.printf",
    "sh": "guard.languages.sh",
    "shell_options": "guard.languages.shell_options",
    "tar": "guard.languages.tar",
    "test": "guard.languages.test",
    "trap": "guard.languages.trap",
    "variables": "guard.languages.variables",
    "wrapper": "guard.languages.wrapper",
    "xargs": "guard.languages.xargs",
    "assignments": "guard.languages.assignments",
    "response_files": "guard.languages.response_files",
}
SCRIPTS: dict[str, str] = {
    "awk": "guard.languages.awk",
    "sed": "guard.languages.sed",
}


def command(name: str) -> Callable[[Invocation], list[Outcome]]:
    """The judge of a command language; KeyError where there is no such language."""
    judge: Callable[[Invocation], list[Outcome]] = import_module(COMMANDS[name]).judge
    return judge


def script(name: str) -> Callable[[Argument, Invocation], list[Outcome]]:
    """The judge of a script language; KeyError where there is no such language."""
    judge: Callable[[Argument, Invocation], list[Outcome]] = import_module(SCRIPTS[name]).judge
    return judge
