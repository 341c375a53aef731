"""Rules by program name, lazily: a call that names two programs reads two rules.

A rule is YAML; what is read on the hook path is its compiled form (`rules/.compiled/<name>.json`), which carries the
size and checksum of the source it was made from. A compiled file that is missing, stale or not trusted is made anew
from the YAML, in memory, and written back where that is possible. The checksum finds stale files, it is no protection:
whoever can write the compiled file can write the rule beside it.
"""

from __future__ import annotations

import json
import os
from zlib import crc32

import guard
from guard.model.errors import RuleError
from guard.model.record import TYPE_CHECKING
from guard.rulebook import schema
from guard.rulebook.schema import Node

if TYPE_CHECKING:
    from typing import Any

_LARGEST = (1 << 20) + 1
"""What is read of a source at most: a larger one is no rule (`yaml_source.LIMIT`)."""
_PACKAGE = os.path.dirname(os.path.abspath(guard.__file__))


def data_folder(name: str) -> str:
    """The folder of shipped data: `rules` or `workflows`, in the package or in the checkout it stands in."""
    installed = os.path.join(_PACKAGE, "data", name)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(_PACKAGE), name)


class Rulebook:
    """Rules of one folder. `rule(name)` is None where no rule has this name; a broken rule file raises RuleError.

    `user` and `repository` are further folders of rules. The user's can add programs and tighten the shipped ones, or
    replace them where they say `override: true`; a repository's can only tighten, since cloning is not consent.
    """

    def __init__(self, folder: str | None = None, user: str | None = None, repository: str | None = None) -> None:
        self.folder = folder or data_folder("rules")
        self.user = None if user is None else Rulebook(user)
        self.repository = None if repository is None else Rulebook(repository)
        self._nodes: dict[tuple[str, ...], Node | None] = {}
        self.memo: dict[str, Any] = {}
        """What others derive from the data files, by a name of theirs."""

    def rule(self, name: str) -> Node | None:
        """The rule of the program `name` (aliases included)."""
        key = (name,)
        if key not in self._nodes:
            row = self._row(name)
            if isinstance(row, str):
                row = self._row(row)
            self._nodes[key] = None if row is None else schema.node(row)
        return self._nodes[key]

    def having_a_say(self, name: str) -> list[tuple[Rulebook, Node]]:
        """Every rule of the program `name` with the folder it is from; what any of them vetoes is vetoed."""
        found = [(self, rule)] if (rule := self.rule(name)) is not None else []
        for extra in (self.user, self.repository):
            rule = None if extra is None else extra.rule(name)
            if extra is None or rule is None or (extra is self.repository and not found):
                continue
            found = [(extra, rule)] if rule.override and extra is self.user else [*found, (extra, rule)]
        return found

    def subcommand(self, parent: Node, path: tuple[str, ...], name: str) -> Node | None:
        """The subcommand `name` of `parent`, whose own path of names is `path`."""
        key = (*path, name)
        if key not in self._nodes:
            row = parent.subcommands.get(name)
            if isinstance(row, str):
                row = parent.subcommands[row]
            if row is None and parent.split:
                row = self._row("/".join(key))
            self._nodes[key] = None if row is None else schema.node(row)
        return self._nodes[key]

    def data(self, name: str) -> Any:
        """The compiled content of a data file beside the commands (`environment`, `secrets`, `tools`)."""
        if name not in self.memo:
            row = self._row("../" + name)
            if row is None:
                raise RuleError(f"rules/{name}.yaml", 0, 0, "missing: install devkit-guard again")
            self.memo[name] = row
        return self.memo[name]

    def _row(self, name: str) -> Any:
        """The compiled row under a name: a list, the name of the rule it is an alias of, or None."""
        if not valid(name):
            return None
        compiled = _read_compiled(self.folder, name)
        if compiled is not None and not (isinstance(compiled, str) and self._has_own_file(name)):
            return compiled
        source = _source(self.folder, name)
        if source is None:
            return None
        from guard.rulebook import build  # needs a YAML reader, which costs more than the hook itself

        return build.row(self.folder, name, source)

    def _has_own_file(self, name: str) -> bool:
        """A file of that name wins over an alias, which may have been compiled before it was there."""
        return os.path.exists(os.path.join(self.folder, "commands", f"{name}.yaml"))


def valid(name: str) -> bool:
    """Whether this could be the name of a rule file; everything else has no rule."""
    stem = name.removeprefix("../")
    return name == "." or (
        0 < len(stem) <= 100
        and not stem.startswith((".", "/"))
        and all(char.isalnum() or char in "-_+./[:" for char in stem)
        and ".." not in stem
    )


def compiled_path(folder: str, name: str) -> str:
    """Where the compiled form of a rule is kept."""
    return os.path.join(folder, ".compiled", name.replace("../", "@").replace("/", "@") + ".json")


def _source(folder: str, name: str) -> str | None:
    """The file, relative to `commands`, that may define this name: its own, or one that has it as name or alias.

    `name:` and `aliases:` must stand on a line of their own; a name that is found in no such line has no rule.
    """
    root = os.path.join(folder, "commands")
    if not os.path.isdir(root):
        return None
    if os.path.exists(os.path.join(root, f"{name}.yaml")):
        return f"{name}.yaml"
    wanted = name.encode()
    for entry in sorted(os.listdir(root)) if "/" not in name else ():
        if entry.endswith(".yaml") and _names(os.path.join(root, entry), wanted):
            return entry
    return None


def _names(path: str, wanted: bytes) -> bool:
    """Whether the file has this name on its line of names; one that cannot be read is reported for its own name."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return any(line.startswith((b"aliases:", b"name:")) and _has_word(line, wanted) for line in file)
    except OSError:
        return False


def _has_word(line: bytes, wanted: bytes) -> bool:
    for mark in b"[],\"'":
        line = line.replace(bytes([mark]), b" ") if bytes([mark]) not in wanted else line
    return wanted in line.split() or b'"' + wanted + b'"' in line


def _read(path: str) -> bytes:
    """The beginning of a plain file. Raises OSError for all others: reading a pipe or a terminal would never end."""
    if not os.path.isfile(path):
        raise FileNotFoundError(path)
    with open(path, "rb") as file:
        return file.read(_LARGEST)


def stamps(folder: str, paths: list[str]) -> list[str]:
    """For each source its path and `size:checksum`, one after the other."""
    found = []
    for path in paths:
        raw = _read(os.path.join(folder, "commands", path))
        found += [path, f"{len(raw)}:{crc32(raw)}"]
    return found


def _read_compiled(folder: str, name: str) -> Any:
    """The compiled row if it is there, of this version and made from the source as it is now; None otherwise.

    A file that others can write, or that belongs to somebody else, is not believed.
    """
    path = compiled_path(folder, name)
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_mode & 0o022 or status.st_uid not in (0, os.geteuid()):
                return None
            head, _, body = file.read().partition(b"\n")
        version, *made_from = head.decode().split("\t")
        if int(version) != schema.VERSION or not made_from or made_from != stamps(folder, made_from[::2]):
            return None
        return json.loads(body)
    except (OSError, ValueError):
        return None
