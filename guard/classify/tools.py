"""A tool call of any runtime → what it does: `rules/tools.yaml` knows the names and the fields."""

from __future__ import annotations

import os

from guard.languages import patch
from guard.model.call import ToolCall, texts
from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SHELLS = frozenset({"", "bash", "sh", "zsh", "dash"})
_HOW = ("shell", "env", "environment")
"""Fields of a shell that are looked into: `_how_it_runs`."""
_SOUGHT = ("pattern", "query", "queries", "regex", "search_query_regex", "exclude", "ignore", "mode", "output_mode")
"""Beginnings of names of fields that say what is searched for, what is left out, or how: no names of files to read."""
_ALTERNATIVES = 200
"""Most alternatives in braces that are told apart; the further ones are one `*`."""
_LONGEST = 4096
"""Most characters of a glob."""


class ToolUse(NamedTuple):
    """`kind`: `shell`, `other` (a shell that is not read), `read`, `write`, `web`, `subagent`, `harmless`, `unknown`.

    `command` and `cwd` belong to `shell`, and a command to `unknown` where a tool is called like the runtime's shell;
    `paths` to `read` and `write` (as given, not resolved; globs among those that are read). `problem` is what is wrong
    with the arguments: the call cannot be judged by them. `assumed`: the command may run elsewhere than in `cwd`.
    `searches`: all files below the paths are read, below the working directory where there are none.
    """

    kind: str
    command: str = ""
    cwd: str | None = None
    paths: tuple[str, ...] = ()
    problem: str = ""
    assumed: bool = False
    searches: bool = False


def use(call: ToolCall, book: Rulebook) -> ToolUse:
    """What the call does. Raises RuleError if the table of tools is broken."""
    tools = book.data("tools")
    table, fields = tools.get(call.runtime, {}), tools["fields"]
    if call.tool in table.get("shell", {}):
        return _shell(call, table, fields)
    if call.tool in table.get("other", ()):
        return ToolUse("other")
    if call.tool in table.get("read", {}):
        found = _reading(table["read"][call.tool], call)
        return found._replace(searches=call.tool in table.get("search", ()))
    if call.tool in table.get("write", {}):
        return _writing(table["write"][call.tool], call, fields)
    several = table.get("multiplex", {}).get(call.tool)
    if several is not None:
        verb = call.input.get(several["by"])
        kind = next((kind for kind in ("read", "write") if verb in several[kind]), "unknown")
        if kind == "read":
            return _reading(several["path"], call)
        return _writing(several["path"], call, fields) if kind == "write" else ToolUse(kind)
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


def _shell(call: ToolCall, table: dict[str, Any], fields: dict[str, list[str]]) -> ToolUse:
    form, _, field = str(table["shell"][call.tool]).rpartition(":")
    command = call.input.get(field)
    if form == "only" and isinstance(command, list) and len(command) == 1:
        command = command[0]  # each of several runs in a shell of its own, so they are no one script
    if not isinstance(command, str):
        return ToolUse("shell", problem=f"the call of {call.tool} has no text in '{field}'")
    problem = _how_it_runs(call) or _unlisted(call, {field, *_HOW, *fields["folder"]}, fields["shell"])
    folders = [call.input[name] for name in fields["folder"] if call.input.get(name) not in (None, "")]
    if not all(isinstance(folder, str) for folder in folders):
        problem = f"the call of {call.tool} has a working directory that is not text"
    elif len(set(folders)) > 1:
        problem = f"the call of {call.tool} has several working directories"
    if problem:
        return ToolUse("shell", problem=problem)
    assumed = table.get("folder") == "assumed"
    if not folders:
        return ToolUse("shell", command, call.cwd, assumed=assumed)
    folder = str(folders[0])
    if call.cwd is not None and not assumed and not folder.startswith("~"):
        folder = os.path.join(call.cwd, folder)
    return ToolUse("shell", command, folder)


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


def _unlisted(call: ToolCall, known: set[str], harmless: list[str]) -> str:
    """What is wrong with a call: it has a text in a field that is neither `known` nor `harmless`. Empty if it has none.

    Some tools number the fields of several edits (`old_str_2`).
    """

    def unlisted(found: Any) -> Iterator[str]:
        for key, value in found.items() if isinstance(found, dict) else ():
            if key not in known and key.rstrip("0123456789").removesuffix("_") not in harmless and any(texts(value)):
                yield key
            else:
                yield from unlisted(value)
        for value in found if isinstance(found, list) else ():
            yield from unlisted(value)

    field = next(unlisted(call.input), None)
    if field is None:
        return ""
    return f"the call of {call.tool} has a field '{field}', of which is not known what it does: leave it out"


def _writing(forms: Any, call: ToolCall, fields: dict[str, list[str]]) -> ToolUse:
    names = _each(forms)
    paths = [path for form in names for path in _paths(form, call)]
    if not paths or not all(isinstance(path, str) and path for path in paths):
        where = "' or '".join(form.rpartition(":")[2] for form in names)
        return ToolUse("write", problem=f"the call of {call.tool} names no path that can be judged in '{where}'")
    known = {part for form in names for part in form.rpartition(":")[2].split(".")}
    problem = _unlisted(call, known, fields["write"])
    return ToolUse("write", problem=problem) if problem else ToolUse("write", paths=tuple(map(str, paths)))


def _reading(forms: Any, call: ToolCall) -> ToolUse:
    """The paths of a reading tool, and what else may choose the files that it reads: a glob in any field."""
    names = _each(forms)
    paths = [path for form in names for path in _paths(form, call) if path is not None]
    if not all(isinstance(path, str) and path for path in paths):
        return ToolUse("read", problem=f"the call of {call.tool} names a path that is no text")
    listed = {part for form in names for part in form.rpartition(":")[2].split(".")[-1:]}
    given = [text for text in _choosing(call.input, listed) if not any(char.isspace() for char in text)]
    if any(len(text) > _LONGEST for text in given):
        return ToolUse("read", problem=f"the call of {call.tool} has a text that is too long to choose files by")
    chosen = [glob for text in given for glob in _globs(text)]
    below = [os.path.join(path, glob) for path in paths for glob in chosen]
    return ToolUse("read", paths=tuple(map(str, (*paths, *chosen, *below))))


def _choosing(found: Any, listed: set[str]) -> Iterator[str]:
    """Texts that may choose files: in all fields but those of the paths, and of what is sought or left out."""
    if isinstance(found, str):
        yield found.replace(", ", ",")
    elif isinstance(found, dict):
        for key, value in found.items():
            if key not in listed and not key.casefold().startswith(_SOUGHT):
                yield from _choosing(value, listed)
    elif isinstance(found, list):
        for value in found:
            yield from _choosing(value, listed)


def _each(forms: Any) -> list[str]:
    return [str(form) for form in forms] if isinstance(forms, list) else [str(forms)]


def _paths(form: str, call: ToolCall) -> list[Any]:
    """The paths in a field: text, a list of texts, `each:LIST.KEY`, or `patch:FIELD`. None for what is no path."""
    how, _, field = form.rpartition(":")
    outer, _, key = field.partition(".")
    value = call.input.get(outer)
    if value is None or value == "":
        return []
    if how == "patch":
        return (patch.paths(value) if isinstance(value, str) else None) or [None]
    values = value if isinstance(value, list) and value else [value]
    if how == "each":
        inner = [entry.get(key) if isinstance(entry, dict) else entry for entry in values]
        values = [one for value in inner for one in (value if isinstance(value, list) else [value])]
    return list(values)


def _globs(text: str) -> list[str]:
    """The globs in a text, of which `*` alone is left to be special; not those by which files are left out."""
    found, done = [text], []
    while found:
        glob = found.pop()
        end = glob.find("}")
        start = glob.rfind("{", 0, max(end, 0))
        if start < 0:
            done += glob.split(",")
        elif len(found) + len(done) < _ALTERNATIVES:
            found += [glob[:start] + inner + glob[end + 1 :] for inner in glob[start + 1 : end].split(",")]
        else:
            found.append(f"{glob[:start]}*{glob[end + 1 :]}")
    return [one for glob in done if glob.strip() and not glob.strip().startswith("!") for one in _of_any_char(glob)]


def _of_any_char(glob: str) -> tuple[str, ...]:
    """A glob with `*` for each `?` and each set of characters, and one with the dot that these may stand for."""
    pieces, rest = [""], glob.strip()
    while rest:
        end = rest.find("]", 2)
        if rest[0] == "?" or (rest[0] == "[" and end > 0):
            pieces.append("")
            rest = rest[1:] if rest[0] == "?" else rest[end + 1 :]
        else:
            pieces[-1] += rest[0]
            rest = rest[1:]
    return tuple(dict.fromkeys(("*".join(pieces), ".".join(pieces))))
