"""The user's configuration of the hook, and a repository's, which can only make it stricter.

`~/.config/devkit-guard/config.toml` (or below `$XDG_CONFIG_HOME`) and `<repository>/.devkit-guard/config.toml`:

    mode = "always"       # step (default), always, observe; --mode and DEVKIT_GUARD_MODE come first
    on_veto = "ask"       # deny (default); ask: hands a veto of mode always to the user, where the runtime can
    on_allow = "approve"  # silent (default); approve: skips the runtime's prompt for commands that only read
    plan = "off"          # enforce (default): only reading while the runtime is in plan or read-only mode
    log = false           # true (default): keep the decision log

Nothing is imported to read them unless one of the files is there.
"""

from __future__ import annotations

import os

from guard.model.errors import RuleError
from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.store.content import content

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = "config.toml"
STRICTER = {
    "mode": ("observe", "step", "always"),
    "on_veto": ("ask", "deny"),
    "on_allow": ("approve", "silent"),
    "plan": ("off", "enforce"),
    "log": (False, True),
}
"""Values of every key, the strictest last."""


class Settings(NamedTuple):
    """How the hook answers; the defaults are those without any file."""

    mode: str = "step"
    on_veto: str = "deny"
    on_allow: str = "silent"
    plan: str = "enforce"
    log: bool = True


STRICTEST = Settings(mode="always")


def user_file(environ: Mapping[str, str]) -> str | None:
    """Where the user's own file is; None where there is no home."""
    base = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        home = environ.get("HOME", "")
        base = os.path.join(home, ".config") if os.path.isabs(home) else ""
    return os.path.join(base, "devkit-guard", FILE) if base else None


def user_folder(environ: Mapping[str, str]) -> str | None:
    """The folder of the user's own configuration; None where there is no home."""
    path = user_file(environ)
    return None if path is None else os.path.dirname(path)


def repository_file(cwd: str | None, name: str = FILE) -> str | None:
    """The nearest `.devkit-guard/<name>` at or above `cwd`, None where there is none."""
    if cwd is None or not os.path.isabs(cwd):
        return None
    here = os.path.realpath(cwd)
    while True:
        path = os.path.join(here, ".devkit-guard", name)
        if os.path.exists(path):
            return path
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def settings(environ: Mapping[str, str], cwd: str | None) -> Settings:
    """The settings that hold for a call in `cwd`. Raises RuleError if a file is there and wrong."""
    path = user_file(environ)
    found = Settings() if path is None or not os.path.exists(path) else Settings()._replace(**_read(path))
    local = repository_file(cwd)
    if local is not None and local != path:
        for key, value in _read(local).items():
            order = STRICTER[key]
            found = found._replace(**{key: max(getattr(found, key), value, key=order.index)})
    return found


def _read(path: str) -> dict[str, Any]:
    """The keys of a file, each with one of its values."""
    import tomllib

    try:
        keys = tomllib.loads(content(path).decode("utf-8"))
    except (OSError, ValueError) as error:
        raise RuleError(path, 0, 0, f"cannot be read: {error}") from error
    for key, value in keys.items():
        if key not in STRICTER:
            raise RuleError(path, 0, 0, f"unknown key '{key}': expected one of {', '.join(STRICTER)}")
        if value not in STRICTER[key] or isinstance(value, bool) != (key == "log"):
            expected = ", ".join(str(known).lower() for known in STRICTER[key])
            raise RuleError(path, 0, 0, f"{key}: expected one of {expected} (got '{value}')")
    return keys
