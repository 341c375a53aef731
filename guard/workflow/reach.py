"""Whether a call reaches into a repository although its working directory is elsewhere. On the hook path.

A session that binds everybody in a repository binds whoever belongs to it by the project that the runtime is open on,
and whoever names a path in it: `cd /tmp` is no way out. Words are looked at, no shell text is read, so nothing is known
of a path that a command only works out.
"""

from __future__ import annotations

import os

from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING
from guard.workflow.repository import belongs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_QUOTES = str.maketrans("", "", "\"'\\")
_BREAKS = str.maketrans(dict.fromkeys(";|&<>()=,`\n\t\r", " "))
_ONE_NAME = "*?["
_ANY_NAMES = "${"
"""Begin what may stand for several folders (`$x`, `{a/b,c}`)."""
_ENTERING = frozenset({"cd", "pushd", "chdir", "-C"})
MOST = 200
"""Most relative words of one command whose places are looked up."""


def reaches(call: ToolCall, repository: str, environ: Mapping[str, str]) -> bool:
    """Whether the call comes from a runtime that is open on `repository`, or names something in it."""
    if any(belongs(folder, repository) for folder in _projects(call, environ)):
        return True
    return any(_concerns(path, repository) for path in _named(call))


def _projects(call: ToolCall, environ: Mapping[str, str]) -> Iterator[str]:
    """Folders that the runtime is open on, which a `cd` in its shell does not change, and that of this process."""
    yield from (folder for folder in (environ.get("CLAUDE_PROJECT_DIR", ""), *call.roots) if os.path.isabs(folder))
    try:
        yield os.getcwd()
    except OSError:
        return


def _named(call: ToolCall) -> Iterator[str]:
    """Absolute paths that the call names."""
    from guard.classify.tools import use  # costs more than all else here
    from guard.rulebook import Rulebook

    found = use(call, Rulebook())
    own = found.cwd if found.kind == "shell" else None
    base = next((folder for folder in (own, call.cwd) if folder is not None and os.path.isabs(folder)), os.sep)
    if base != call.cwd:
        yield os.path.join(base, ".git")  # in the repository if the folder is
    unread = found.kind == "other" or found.problem
    for command in call.texts() if unread else (found.command,):
        yield from _words(command, base)
    for path in call.texts() if found.kind == "unknown" else found.paths:
        if path and "\0" not in path and "\n" not in path:
            yield os.path.join(base, os.path.expanduser(path))


def _words(command: str, base: str) -> Iterator[str]:
    """Paths among the words of a command, however it is quoted. `/` and `~` alone count only where one goes there."""
    relative, before = 0, ""
    for word in command.translate(_QUOTES).translate(_BREAKS).split():
        for part in (word,) if "://" in word else word.split(":"):
            if part.startswith(("-", "@")) and "/" in part:
                part = part[part.index("/") :]  # `-C/folder`, `@/file`
            absolute = part.startswith(("/", "~", "$"))
            relative += not absolute
            lone = part in ("", "/", "~") and before not in _ENTERING
            if not lone and "\0" not in part and (absolute or relative <= MOST or ".." in part):
                yield os.path.join(base, os.path.expandvars(os.path.expanduser(part)))
        before = word


def _concerns(path: str, repository: str) -> bool:
    """Whether a path is in the repository or above it, as written or through links, or may be."""
    parts = path.split(os.sep)
    known = next((at for at, part in enumerate(parts) if _head(part) != part), len(parts))
    real = os.path.realpath(os.sep.join(parts[:known]) or os.sep)
    if belongs(real, repository):
        return True
    above = repository == real or repository.startswith(real.rstrip("/") + "/")
    if known == len(parts) or not above:
        return above
    # What is not known may be the next folders on the way into the repository.
    way = os.path.relpath(repository, real).split(os.sep)
    for part, name in zip(parts[known:], way, strict=False):
        head = _head(part)
        if not (name.startswith(head) if head != part else name == part):
            return False
        if any(char in part for char in _ANY_NAMES) or "**" in part:
            return True
    return len(parts) - known >= len(way)


def _head(part: str) -> str:
    """The known characters that one name of a path begins with."""
    return next((part[:at] for at, char in enumerate(part) if char in _ONE_NAME + _ANY_NAMES), part)
