"""Plans of changes to the runtimes' files, applied with a backup and taken back byte for byte.

A note of every change (`registrations.json` in the user's state folder) holds what the file was and what it became: as
long as nobody has changed it since, `uninit` writes back exactly what was there. Otherwise it takes out what is ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from glob import glob
from typing import Any, NamedTuple

from guard.model.errors import UsageError
from guard.setup import jsonc, toml, yaml_text
from guard.setup.runtimes import Runtime
from guard.store.location import user_folder

MARK = "devkit-guard"


class Change(NamedTuple):
    """`before` is None for a file that is not there, `after` for one that goes. `problem`: nothing can be done."""

    agent: str
    path: str
    before: bytes | None
    after: bytes | None
    problem: str = ""

    @property
    def needed(self) -> bool:
        """Whether the file has to be written or removed."""
        return not self.problem and self.before != self.after


def paths(runtime: Runtime, root: str, *, project: bool) -> list[str]:
    """The files of a runtime below the home folder or a repository."""
    pattern = runtime.project if project else runtime.user
    if not pattern:
        return []
    if runtime.name == "codex" and _codex_keeps_hooks_in_toml(root):
        pattern = ".codex/config.toml"
    path = os.path.join(root, pattern)
    return sorted(glob(path)) if "*" in pattern else [path]


def registered(runtime: Runtime, path: str, command: str, *, project: bool) -> Change:
    """The change that registers the hook in one file; none where it is registered with this very command."""
    before = _content(path)
    try:
        text = "" if before is None else before.decode("utf-8")
        after = _with(runtime, path, text, command, project)
    except (jsonc.TextError, UnicodeDecodeError) as error:
        return Change(runtime.name, path, before, before, f"{path}: {error}")
    return Change(runtime.name, path, before, after.encode("utf-8"))


def unregistered(runtime: Runtime, path: str, environ: Mapping[str, str]) -> Change:
    """The change that takes the hook out of one file again."""
    now = _content(path)
    note = _notes(environ).get(path)
    if now is None:
        return Change(runtime.name, path, None, None)
    try:
        if note is not None and note["after"] == _sum(now):
            backup = note["backup"]
            if not backup or not commands_in(
                runtime, backup
            ):  # one with a hook that was put there by hand is no way out
                return Change(runtime.name, path, now, _content(backup) if backup else None)
        text = now.decode("utf-8")
        after = _without(runtime, path, text, note)
    except (jsonc.TextError, UnicodeDecodeError) as error:
        return Change(runtime.name, path, now, now, f"{path}: {error}")
    return Change(runtime.name, path, now, None if after is None else after.encode("utf-8"))


def apply(changes: list[Change], environ: Mapping[str, str], *, undo: bool) -> list[str]:
    """Writes the changes; for each its backup, or an empty text. Raises OSError."""
    notes = _notes(environ)
    backups = []
    for change in changes:
        backup = "" if change.before is None else _back_up(change, environ)
        backups.append(backup)
        if change.after is None:
            os.unlink(os.path.realpath(change.path))
        else:
            _write(change.path, change.after, executable=change.after.startswith(b"#!"))
        if undo:
            notes.pop(change.path, None)
            continue
        known = notes.get(change.path)
        if known is not None and change.before is not None and known["after"] == _sum(change.before):
            backup = known["backup"]  # what the file was before the first change of ours
        notes[change.path] = {"agent": change.agent, "backup": backup, "after": _sum(change.after or b"")}
    _write(_notes_path(environ), json.dumps(notes, indent=2).encode(), executable=False)
    return backups


def commands_in(runtime: Runtime, path: str) -> list[tuple[str, dict[str, Any], str]]:
    """(event, group or handler, command) of every hook of ours in a file. Raises TextError."""
    content = _content(path)
    text = "" if content is None else content.decode("utf-8", "replace")
    if MARK not in text:
        return []
    if runtime.form == "file":
        line = next((line for line in text.splitlines() if MARK in line and " hook " in line), "")
        return [("", {}, line.removeprefix("exec ").strip() if line.startswith("exec ") else _quoted(line))]
    data = _data(path, text)
    return [(event, group, command) for event, group, command in _handlers(data) if _ours(command)]


def _handlers(data: Any, event: str = "") -> Iterator[tuple[str, dict[str, Any], str]]:
    """Everything with a command below lists of hooks; the event is the nearest key above, or the table's own."""
    if isinstance(data, list):
        for inner in data:
            yield from _handlers(inner, event)
    elif isinstance(data, dict):
        command = data.get("command") or data.get("bash")
        if isinstance(command, str):
            yield str(data.get("event") or (data.get("type") if event == "hooks" else "") or event), data, command
        for key, inner in data.items():
            for found, group, text in _handlers(inner, event if key == "hooks" and event else key):
                yield found, (data if key == "hooks" and "matcher" in data else group), text


def _ours(command: str) -> bool:
    return MARK in command and " hook " in f"{command} "


def _with(runtime: Runtime, path: str, text: str, command: str, project: bool) -> str:
    build = runtime.build_project if project and runtime.build_project else runtime.build
    made = build(command)
    if runtime.form == "file":
        if text and MARK not in text:
            raise jsonc.TextError("there is a hook of another kind: call devkit-guard from it by hand")
        return str(made)
    present = [found for _, _, found in _handlers(_data(path, text)) if _ours(found)]
    if present and all(found == command for found in present):
        return text
    if not present:
        return _added(path, text, made)
    rebuilt = _added(path, _without(runtime, path, text, None) or "", made)
    if path.endswith(".json"):
        renamed = _renamed(text, command)
        if _unordered(_data(path, renamed)) == _unordered(_data(path, rebuilt)):
            return renamed  # not a byte more is changed than the command
    return rebuilt


def _renamed(text: str, command: str) -> str:
    """The text with this command in the place of every one of ours."""
    for node in reversed(list(_scalars(jsonc.parse(text)))):
        if isinstance(node.value, str) and _ours(node.value):
            text = jsonc.replaced(text, node, command)
    return text


def _scalars(node: jsonc.Node) -> Iterator[jsonc.Node]:
    """Strings, numbers and the like, in the order of the text."""
    if node.kind == "scalar":
        yield node
    for _, _, inner in node.members:
        yield from _scalars(inner)


def _unordered(value: Any) -> Any:
    """The value with its lists in an order of their own: where ours stands among other hooks makes no difference."""
    if isinstance(value, dict):
        return {key: _unordered(inner) for key, inner in value.items()}
    return sorted(map(_unordered, value), key=repr) if isinstance(value, list) else value


def _added(path: str, text: str, made: Any) -> str:
    """The text with the entries of a runtime."""
    if path.endswith((".yaml", ".yml")):
        return yaml_text.put(text, "hooks", made)
    for entry in made:
        if path.endswith(".toml"):
            text = toml.put(text, entry.path, entry.value)
        elif entry.append or _missing(text, entry.path):
            text = jsonc.put(text, entry.path, entry.value, append=entry.append)
    return text


def _missing(text: str, path: tuple[str, ...]) -> bool:
    return not text.strip("\ufeff \t\r\n") or jsonc.parse(text).get(path[0]) is None


def _without(runtime: Runtime, path: str, text: str, note: Mapping[str, Any] | None) -> str | None:
    """The text without what is ours; None where nothing else was ever in it."""
    if runtime.form == "file" or (note is not None and not note["backup"] and os.path.basename(path).startswith(MARK)):
        return None if MARK in text else text
    if path.endswith((".toml", ".yaml", ".yml")):
        return toml.removed(text)
    while (found := _place(jsonc.parse(text))) is not None:
        text = jsonc.removed(text, *found)
    return text


def _place(node: jsonc.Node) -> tuple[jsonc.Node, int] | None:
    """The outermost member that holds nothing but hooks of ours, if any is left."""
    for index, (key, _, inner) in enumerate(node.members):
        value = jsonc.plain(inner)
        commands = [text for _, _, text in _handlers(value, key)]
        if commands and all(map(_ours, commands)) and (node.kind == "array" or _only_hooks(value)):
            return node, index
        deeper = _place(inner)
        if deeper is not None:
            return deeper
    return None


def _only_hooks(value: Any) -> bool:
    """Whether a value is a list of groups with a command each, or an object of such lists, with nothing else in it."""
    if isinstance(value, dict):
        return bool(value) and all(_only_hooks(inner) for inner in value.values())
    return isinstance(value, list) and bool(value) and all(any(_handlers([inner])) for inner in value)


def _data(path: str, text: str) -> Any:
    if path.endswith(".toml"):
        return toml.read(text)
    if path.endswith((".yaml", ".yml")):
        return yaml_text.read(text)
    return jsonc.plain(jsonc.parse(text)) if text.strip("\ufeff \t\r\n") else {}


def _quoted(line: str) -> str:
    """The command inside of the plugin's line: the one JSON text with our name in it."""
    for start in range(len(line)):
        if line[start] == '"':
            try:
                found, _ = json.JSONDecoder().raw_decode(line, start)
            except ValueError:
                continue
            if isinstance(found, str) and MARK in found:
                return found
    return ""


def _codex_keeps_hooks_in_toml(root: str) -> bool:
    """Whether hooks stand in Codex's configuration already: it warns where both files have some."""
    content = _content(os.path.join(root, ".codex/config.toml"))
    if content is None or os.path.exists(os.path.join(root, ".codex/hooks.json")):
        return False
    try:
        hooks = toml.read(content.decode("utf-8", "replace")).get("hooks")
    except jsonc.TextError:
        return False
    return isinstance(hooks, dict) and any(isinstance(value, list) for value in hooks.values())


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _write(path: str, content: bytes, *, executable: bool) -> None:
    """Replaces the file behind a path (a link stays a link) at once; its mode stays, a new one is the user's own."""
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, made = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".devkit-guard-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if os.path.exists(path):
            shutil.copymode(path, made)
        elif executable:
            os.chmod(made, 0o755)
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise


def _back_up(change: Change, environ: Mapping[str, str]) -> str:
    folder = os.path.join(_state(environ), "backups")
    os.makedirs(folder, 0o700, exist_ok=True)
    content = change.before or b""
    path = os.path.join(folder, f"{_sum(content)[:16]}-{os.path.basename(change.path)}")
    _write(path, content, executable=False)
    return path


def _state(environ: Mapping[str, str]) -> str:
    folder = user_folder(environ)
    if folder is None:
        raise UsageError("there is no home folder to keep backups in: set HOME")
    return folder


def _notes_path(environ: Mapping[str, str]) -> str:
    return os.path.join(_state(environ), "registrations.json")


def _notes(environ: Mapping[str, str]) -> dict[str, Any]:
    try:
        return dict(json.loads(_content(_notes_path(environ)) or b"{}"))
    except ValueError:
        return {}


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
