"""Which folders may hold a store.

The engine of a plugin keeps its state in the plugin's data folder, an engine that a person starts from a shell in the
user's state folder. Both may bind the same caller, so readers look into both.
"""

from __future__ import annotations

import os

from guard.model.record import TYPE_CHECKING
from guard.store.content import content

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "engine.db"
OPEN = "open"
"""Folder with one empty file for each session that is running: what the hook script looks at instead of SQLite. A
marker is made before the session's row is committed and removed after its end is, so a running session has one."""
KNOWN = "stores"
"""File in the user's state folder that lists, one a line, the folders of other stores: how a person at a shell finds
and ends a session that a plugin's engine started."""


def user_folder(environ: Mapping[str, str]) -> str | None:
    """`$XDG_STATE_HOME/devkit`, by default below the home folder; None where there is no home at all."""
    base = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(base):
        return os.path.join(base, "devkit")
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = _registered_home()
    return os.path.join(home, ".local", "state", "devkit") if os.path.isabs(home) else None


def _registered_home() -> str:
    """The home folder by the user data base, for a process that was started without HOME."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def folders(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Folders that may hold a store, the one to write to first; empty where no place is known."""
    plugin = environ.get("CLAUDE_PLUGIN_DATA", "")
    found = [plugin] if os.path.isabs(plugin) else []
    user = user_folder(environ)
    if user is not None and user not in found:
        found.append(user)
    return tuple(found)


def all_folders(environ: Mapping[str, str]) -> tuple[str, ...]:
    """`folders`, and those that engines have listed in the user's state folder: for people, not for the hook."""
    found = list(folders(environ))
    user = user_folder(environ)
    if user is not None:
        try:
            lines = content(os.path.join(user, KNOWN)).decode("utf-8", "surrogateescape").splitlines()
        except OSError:
            lines = []
        found += [line for line in dict.fromkeys(lines) if os.path.isabs(line) and line not in found]
    return tuple(found)


def repair_command(folder: str) -> str:
    """The command that mends the store in `folder`."""
    plain = all(char.isalnum() or char in "/._-+" for char in folder)
    return f"devkit-engine doctor --repair {folder if plain else chr(39) + folder + chr(39)}"
