"""A tool call of any runtime → what it does: `rules/tools.yaml` knows the names and the fields."""

from __future__ import annotations

import os

from guard.languages import patch
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.rulebook import Rulebook

if TYPE_CHECKING:
    from typing import Any


FOLDERS = (
    *("cwd", "Cwd", "workdir", "working_dir", "working_directory", "workingDirectory"),
    *("directory", "dir_path", "directory_path", "exec_dir"),
)
"""Fields that hold a shell's working directory, in one runtime or another and in one version or another."""
_SHELLS = frozenset({"", "bash", "sh", "zsh", "dash"})


class ToolUse(NamedTuple):
    """`kind`: `shell`, `other` (a shell that is not read), `read`, `write`, `web`, `subagent`, `harmless`, `unknown`.

    `command` and `cwd` belong to `shell`, and a command to `unknown` where a tool is called like the runtime's shell;
    `paths` to `read` and `write` (as given, not resolved). `problem` is what is wrong with the arguments: the call
    cannot be judged by them.
    """

    kind: str
    command: str = ""
    cwd: str | None = None
    paths: tuple[str, ...] = ()
    problem: str = ""


def use(call: ToolCall, book: Rulebook) -> ToolUse:
    """What the call does. Raises RuleError if the table of tools is broken."""
    table = book.data("tools").get(call.runtime, {})
    if call.tool in table.get("shell", {}):
        return _shell(call, table)
    if call.tool in table.get("other", ()):
        return ToolUse("other")
    for kind in ("read", "write"):
        if call.tool in table.get(kind, {}):
            return _paths(kind, table[kind][call.tool], call)
    several = table.get("multiplex", {}).get(call.tool)
    if several is not None:
        verb = call.input.get(several["by"])
        kind = next((kind for kind in ("read", "write") if verb in several[kind]), "unknown")
        return ToolUse(kind) if kind == "unknown" else _paths(kind, several["path"], call)
    for kind in ("web", "subagent", "harmless"):
        if call.tool in table.get(kind, ()):
            return ToolUse(kind)
    return _unknown(call, table)


def _unknown(call: ToolCall, table: dict[str, Any]) -> ToolUse:
    """A tool in no list. What it is given where the runtime's shell has its command is held for a command: a new name
    of that shell, or another one that an MCP server brings, must not pass where shells are held to reading."""
    fields = [str(field).rpartition(":")[2] for field in table.get("shell", {"": "command"}).values()]
    command = next((call.input[field] for field in fields if isinstance(call.input.get(field), str)), "")
    return ToolUse("unknown", command)


def _shell(call: ToolCall, table: dict[str, Any]) -> ToolUse:
    form, _, field = str(table["shell"][call.tool]).rpartition(":")
    command = call.input.get(field)
    if form == "only" and isinstance(command, list) and len(command) == 1:
        command = command[0]  # each of several runs in a shell of its own, so they are no one script
    if not isinstance(command, str):
        return ToolUse("shell", problem=f"the call of {call.tool} has no text in '{field}'")
    problem = _how_it_runs(call)
    folders = [call.input[name] for name in FOLDERS if call.input.get(name) not in (None, "")]
    if not all(isinstance(folder, str) for folder in folders):
        problem = f"the call of {call.tool} has a working directory that is not text"
    elif len(set(folders)) > 1:
        problem = f"the call of {call.tool} has several working directories"
    return ToolUse("shell", problem=problem) if problem else ToolUse("shell", command, [*folders, call.cwd][0])


def _how_it_runs(call: ToolCall) -> str:
    """What else than a command line in bash the call asks for, empty where it is just that."""
    if call.input.get("is_input") is True:
        return f"what {call.tool} types into a running program cannot be judged"
    if any(call.input.get(name) for name in ("env", "environment")):
        return f"the call of {call.tool} sets variables of the environment"
    shell = call.input.get("shell", "bash")
    if not isinstance(shell, (str, bool)) or (isinstance(shell, str) and os.path.basename(shell) not in _SHELLS):
        return f"the call of {call.tool} names another shell than bash"
    return ""


def _paths(kind: str, field: Any, call: ToolCall) -> ToolUse:
    """The paths in a field: text, a list of texts, `each:LIST.KEY`, or `patch:FIELD`."""
    form, _, rest = str(field).rpartition(":")
    if form == "each":
        outer, key = rest.split(".", 1)
        entries = call.input.get(outer)
        values = [entry.get(key) if isinstance(entry, dict) else None for entry in entries or ()]
        values = values if isinstance(entries, list) and values else [None]
    else:
        value = call.input.get(rest) if isinstance(field, str) else None
        if form == "patch" and isinstance(value, str):
            value = patch.paths(value)
        values = list(value) if isinstance(value, list) and value else [value]
    if kind == "read":
        chosen = _chosen(call)
        if values == [None]:
            return ToolUse("read", paths=chosen)
        values += chosen
    if not all(isinstance(value, str) and value for value in values):
        return ToolUse(kind, problem=f"the call of {call.tool} names no path that can be judged in '{rest or field}'")
    return ToolUse(kind, paths=tuple(map(str, values)))


def _chosen(call: ToolCall) -> tuple[str, ...]:
    """Globs by which a search chooses the files that it reads (`glob: .env`), not those by which it leaves some out."""
    given = [call.input.get(name) for name in ("glob", "include")]
    texts = [text for value in given for text in (value if isinstance(value, list) else [value])]
    return tuple(text for text in texts if isinstance(text, str) and text and not text.startswith("!"))
