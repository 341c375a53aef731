"""Whether git, run in a directory, would run a program that the user can hardly have meant: decided by reading files.

Configuration does not come with a clone, so the user's own and the repository's are trusted, with three exceptions
(safe.bareRepository and core.fsmonitor of git-config(1), git-clone(1) --filter):

1. a bare repository inside a work tree, whose configuration is then part of what was cloned;
2. a key that runs a program and whose value points into the work tree or into a folder that anybody may write;
3. a partial clone, where reading commands fetch what is missing.

git itself is never run: it would already do what is to be prevented. Nothing is cached.
"""

from __future__ import annotations

import os
import stat

from guard.classify import gitconfig
from guard.classify.gitconfig import Entry, Unreadable
from guard.model.record import NamedTuple

_HOOK = "post-index-change"
"""The one hook that reading commands run: `git status` and `git diff` when they refresh the index."""

_PROGRAM_KEYS = {
    "core": frozenset({"fsmonitor", "pager", "sshcommand", "gitproxy", "askpass", "alternaterefscommand", "hookspath"}),
    "diff": frozenset({"external", "command", "textconv"}),
    "filter": frozenset({"clean", "smudge", "process"}),
    "gpg": frozenset({"program", "defaultkeycommand"}),
    "trailer": frozenset({"command", "cmd"}),
    "remote": frozenset({"uploadpack", "vcs"}),
    "credential": frozenset({"helper"}),
    "merge": frozenset({"driver"}),
    "tar": frozenset({"command"}),
    "alias": frozenset({"whatchanged", "pack-redundant"}),
}
"""Keys whose value a command of ours could run. git takes an alias for a command of its own only if that is deprecated,
and a name that is not git's own is vetoed anyway. Editors and the like are not run by commands that only read."""
_OFF = frozenset({"false", "no", "off", "0"})
_BOOLEANS = frozenset({"true", "yes", "on", "false", "no", "off", ""})
_REDIRECTING = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"),
    "GIT_CONFIG_SYSTEM",
)
"""Variables that choose another repository or configuration than the one that is found here."""


class Layout(NamedTuple):
    """`directory` holds HEAD and the index, `common` the configuration and hooks; `tree` is the work tree, if any."""

    directory: str
    common: str
    tree: str | None


def check(directory: str, *, fetches: bool) -> str | None:
    """Why git must not run in `directory` (absolute), or None. `fetches`: the command may fetch missing objects.

    No repository, or no directory: git fails, which is harmless.
    """
    try:
        layout = _discover(os.path.realpath(directory))
        if isinstance(layout, str):
            return layout
        return _check_configuration(layout, fetches)
    except Unreadable as problem:
        return str(problem)
    except OSError as error:
        return f"the repository cannot be checked: {error.strerror or error}"


def top(directory: str) -> str | None:
    """The top of the work tree that git finds from `directory` (absolute), empty: none; None where it is not sure."""
    try:
        found = certain(directory)
    except (Unreadable, OSError):
        return None
    if found is None:
        return ""
    layout, entries = found
    if layout.tree is None:
        return None
    for entry in entries:
        moved = entry.key == ("core", "", "worktree")
        if moved and os.path.realpath(os.path.join(layout.directory, entry.value)) != os.path.realpath(layout.tree):
            return None
    return layout.tree


def shows_signatures(directory: str) -> bool:
    """Whether `git log` in `directory` (absolute) may print signatures by the setting log.showSignature."""
    try:
        found = certain(directory)
    except (Unreadable, OSError):
        return True
    shown = [entry.value.lower() for entry in found[1] if entry.key == ("log", "", "showsignature")] if found else []
    return any(value not in _OFF for value in shown)


def certain(directory: str) -> tuple[Layout, list[Entry]] | None:
    """The repository that git finds from `directory` (absolute) and its settings, None where there is none.

    Raises Unreadable or OSError where that is not certain.
    """
    if any(name in os.environ for name in _REDIRECTING):
        raise Unreadable("the environment chooses another repository or configuration")
    layout = _discover(os.path.realpath(directory))
    if isinstance(layout, str):
        raise Unreadable(layout)
    return None if layout is None else (layout, _entries(layout)[0])


def _discover(start: str) -> Layout | str | None:
    """The repository that git would find from `start` upwards, or the reason against it."""
    path = start
    while True:
        link = os.path.join(path, ".git")
        mode = _mode(link)
        if mode is not None:
            target = _follow(link) if stat.S_ISREG(mode) else link
            if _is_repository(target):
                return _layout(target, path)
            if stat.S_ISREG(mode):
                return None  # a `.git` file that leads nowhere: git stops here and fails
        if _is_repository(path):
            return _bare(path)
        parent = os.path.dirname(path)
        if parent == path:
            return None
        path = parent


def _bare(path: str) -> Layout | str:
    """A directory that is itself a repository: one's own `.git`, a submodule's, or a bare one."""
    parts = path.split("/")
    if ".git" in parts:
        top = "/".join(parts[: parts.index(".git")]) or "/"
        return _layout(path, top)
    parent = os.path.dirname(path)
    while True:
        if _mode(os.path.join(parent, ".git")) is not None:
            return f"{path} is a bare repository inside the work tree {parent}: its configuration may run programs"
        if os.path.dirname(parent) == parent:
            return Layout(path, path, None)
        parent = os.path.dirname(parent)


def _layout(directory: str, tree: str) -> Layout:
    common = _line(os.path.join(directory, "commondir"))
    found = directory if common is None else os.path.realpath(os.path.join(directory, common))
    return Layout(directory, found, tree)


def _is_repository(path: str) -> bool:
    """git's own test: a HEAD that can be one, and the folders `objects` and `refs` (of the common directory)."""
    head = os.path.join(path, "HEAD")
    try:
        text: str | None = os.readlink(head)
    except OSError:
        text = _line(head)
        if text is None or not (_is_ref(text) or _is_hash(text)):
            return False
    else:
        if text is None or not text.startswith("refs/"):
            return False
    common = _line(os.path.join(path, "commondir"))
    base = path if common is None else os.path.join(path, common)
    return os.access(os.path.join(base, "objects"), os.X_OK) and os.access(os.path.join(base, "refs"), os.X_OK)


def _is_ref(text: str) -> bool:
    return text.startswith("ref:") and text[4:].lstrip().startswith("refs/")


def _is_hash(text: str) -> bool:
    return len(text) >= 40 and all(char in "0123456789abcdefABCDEF" for char in text[:40])


def _follow(link: str) -> str:
    """Where a `.git` file leads: `gitdir: PATH`, relative to the file; an impossible path where it leads nowhere."""
    text = _line(link)
    if text is None or not text.startswith("gitdir: "):
        return os.path.join(link, "nowhere")
    return os.path.realpath(os.path.join(os.path.dirname(link), text[8:]))


def _mode(path: str) -> int | None:
    """The mode of what is at `path`, links followed; None where nothing is."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _line(path: str) -> str | None:
    """The text of a small file without its line end; None where there is no such file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return os.read(handle, 4096).decode("utf-8", "surrogateescape").rstrip("\r\n")
    except IsADirectoryError:
        return None
    finally:
        os.close(handle)


def _check_configuration(layout: Layout | None, fetches: bool) -> str | None:
    if layout is None:
        return None
    entries, trees = _entries(layout)
    for entry in entries:
        if entry.key == ("core", "", "worktree"):
            trees = (*trees, os.path.realpath(os.path.join(layout.directory, entry.value)))
    for entry in entries:
        reason = _check_entry(entry, layout, trees, fetches)
        if reason is not None:
            return f"{entry.path}: {reason}"
    return _check_hooks(os.path.join(layout.common, "hooks"), "the hooks folder", layout, trees)


def _entries(layout: Layout) -> tuple[list[Entry], tuple[str, ...]]:
    """The settings of all files of configuration in their order, and the work trees."""
    trees = _trees(layout)
    reading = gitconfig.Reading(layout.common, trees)
    for path in gitconfig.user_files():
        reading.file(path)
    own = os.path.join(layout.common, "config")
    linked = os.path.islink(own) and gitconfig.lies_in(os.path.realpath(own), trees, layout.common)
    reading.file(own, untrusted=linked)
    if any(entry.key == ("extensions", "", "worktreeconfig") for entry in reading.entries):
        reading.file(os.path.join(layout.directory, "config.worktree"))
    for path in _submodules(layout):
        reading.file(path)
    return reading.entries, trees


def _submodules(layout: Layout) -> list[str]:
    """Configuration files of the submodules, in which `git status` and `git diff` run git as well."""
    if layout.tree is None or not os.path.lexists(os.path.join(layout.tree, ".gitmodules")):
        return []
    found: list[str] = []
    for base, folders, files in os.walk(os.path.join(layout.common, "modules")):
        if "HEAD" in files and "config" in files:
            found.append(os.path.join(base, "config"))
            folders[:] = [folder for folder in folders if folder == "modules"]
    return found


def _trees(layout: Layout) -> tuple[str, ...]:
    """The work trees of the repository: where git stands, the main one, that of the repository around a submodule."""
    found = [] if layout.tree is None else [layout.tree]
    parts = layout.common.split("/")
    if ".git" in parts:
        found.append("/".join(parts[: parts.index(".git")]) or "/")
    return tuple(dict.fromkeys(found))


def _check_entry(entry: Entry, layout: Layout, trees: tuple[str, ...], fetches: bool) -> str | None:
    section, subsection, name = entry.key
    if fetches and _is_promise(entry):
        return "this is a partial clone, and git would fetch what is missing"
    if (section, name, entry.value) == ("hook", "event", _HOOK):
        return f"hook.{subsection} runs a program when the index is refreshed"
    if section == "pager" or name in _PROGRAM_KEYS.get(section, ()):
        shown = ".".join(part for part in entry.key if part)
        if name == "hookspath":
            return _check_hooks(os.path.expanduser(entry.value), shown, layout, trees)
        if entry.value.lower() in _BOOLEANS or entry.value.isdigit():
            return None
        if entry.untrusted or (layout.tree is None and entry.path.startswith(layout.common + "/")):
            return f"{shown} names a program, and this file is not the user's own"
        if gitconfig.points_into(entry.value, trees, layout.common):
            return f"{shown} runs a program of the work tree or of a folder that anybody may write"
    return None


def _is_promise(entry: Entry) -> bool:
    section, _, name = entry.key
    if section == "extensions":
        return name == "partialclone"
    return section == "remote" and (
        name == "partialclonefilter" or (name == "promisor" and entry.value.lower() not in ("false", "no", "off", "0"))
    )


def _check_hooks(folder: str, shown: str, layout: Layout, trees: tuple[str, ...]) -> str | None:
    """A hooks folder matters only where it holds the hook that reading commands run, and not one of the user's own."""
    hooks = (os.path.join(base, folder, _HOOK) for base in (*trees, layout.directory))
    for hook in dict.fromkeys(hooks):
        if os.path.lexists(hook):
            real = os.path.realpath(hook)
            if layout.tree is None or gitconfig.lies_in(real, trees, layout.common):
                return f"{shown} holds a {_HOOK} hook, which reading commands run"
    return None
