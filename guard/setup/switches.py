"""Settings of runtimes that keep a registered hook from being asked: off, overruled, not trusted, out of date."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import guard
from guard.setup import jsonc, toml
from guard.setup.runtimes import Runtime

Make = Callable[..., Any]


def switches(runtime: Runtime, path: str, home: str, make: Make) -> Iterator[Any]:
    """Findings about everything but the hook itself. `home` is the user's, whatever file is looked at."""
    check = CHECKS.get(runtime.name)
    if check is not None:
        yield from check(path, home, make)


def _claude(path: str, home: str, make: Make) -> Iterator[Any]:
    content = _json(path)
    if content.get("disableAllHooks") is True:
        yield make("hooks-off", "`disableAllHooks` is on: no hook runs", "set it to false")
    permissions = content.get("permissions")
    permissions = permissions if isinstance(permissions, dict) else {}
    for rule in permissions.get("allow") or ():
        if isinstance(rule, str) and rule.replace(" ", "") in ("Bash", "Bash(*)", "Bash(:*)", "*"):
            yield make(
                "allow-rule",
                f"the permission rule `{rule}` allows every command; versions have skipped the hook for such calls",
                "take the rule out: what only reads is not asked about anyway with `on_allow = approve`",
            )
    if permissions.get("defaultMode") == "bypassPermissions":
        yield make("bypass", "`defaultMode: bypassPermissions`: versions have run no hooks in it", "use another mode")
    yield from _claude_plugin(home, make)
    project = os.path.dirname(os.path.dirname(path))
    if os.path.realpath(project) != os.path.realpath(home):
        known = _json(os.path.join(home, ".claude.json")).get("projects")
        entry = known.get(project) if isinstance(known, dict) else None
        if isinstance(entry, dict) and entry.get("hasTrustDialogAccepted") is False:
            yield make("untrusted", f"{project} is not trusted: hooks of the project do not run", "open it in `claude`")


def _claude_plugin(home: str, make: Make) -> Iterator[Any]:
    """An installed copy of the plugin that is another version than this program."""
    installed = _json(os.path.join(home, ".claude", "plugins", "installed_plugins.json")).get("plugins")
    for name, copies in installed.items() if isinstance(installed, dict) else ():
        if name.partition("@")[0] != "devkit":
            continue
        for copy in copies if isinstance(copies, list) else [copies]:
            version = copy.get("version") if isinstance(copy, dict) else None
            place = copy.get("installPath", "") if isinstance(copy, dict) else ""
            if version != guard.__version__ or not os.path.isdir(place):
                what = f"the plugin {name} is version {version}" + (
                    "" if os.path.isdir(place) else f", and {place} is gone"
                )
                yield make("stale-plugin", f"{what}; this is {guard.__version__}", f"`claude plugin update {name}`")


def _codex(path: str, home: str, make: Make) -> Iterator[Any]:
    config = _toml(os.path.join(home, ".codex", "config.toml"))
    features = config.get("features")
    if isinstance(features, dict) and (features.get("hooks") is False or features.get("codex_hooks") is False):
        yield make("hooks-off", "`[features] hooks = false`: no hook runs", "take the line out")
    try:
        with open(path, "rb") as file:
            marked = file.read(3) == b"\xef\xbb\xbf"
    except OSError:
        marked = False
    if marked:
        yield make("bom", "the file begins with a byte order mark, which Codex refuses", "save it without one")
    project = os.path.dirname(os.path.dirname(path))
    if os.path.realpath(project) != os.path.realpath(home):
        trust = (config.get("projects") or {}).get(project)
        if not isinstance(trust, dict) or trust.get("trust_level") != "trusted":
            yield make("untrusted", f"{project} is not trusted in Codex: its hooks do not run", "open it in `codex`")


def _gemini(path: str, home: str, make: Make) -> Iterator[Any]:
    content = _json(path)
    switched = content.get("hooksConfig")
    tools = content.get("tools")
    off = isinstance(switched, dict) and switched.get("enabled") is False
    if off or (isinstance(tools, dict) and tools.get("enableHooks") is False):
        yield make("hooks-off", "hooks are switched off in this file", 'set `"hooksConfig": {"enabled": true}`')
    named = switched.get("disabled") if isinstance(switched, dict) else None
    if isinstance(named, list) and "devkit-guard" in named:
        yield make("hooks-off", "the hook is in the list `hooksConfig.disabled`", "take it out of the list")
    yield from _trusted_folders(path, home, ".gemini", make)


def _qwen(path: str, home: str, make: Make) -> Iterator[Any]:
    if _json(path).get("disableAllHooks") is True:
        yield make("hooks-off", "`disableAllHooks` is on: no hook runs", "set it to false")
    yield from _trusted_folders(path, home, ".qwen", make)


def _trusted_folders(path: str, home: str, folder: str, make: Make) -> Iterator[Any]:
    project = os.path.dirname(os.path.dirname(path))
    if os.path.realpath(project) == os.path.realpath(home):
        return
    known = _json(os.path.join(home, folder, "trustedFolders.json"))
    if known.get(project) == "DO_NOT_TRUST":
        yield make("untrusted", f"{project} is not trusted: its hooks do not run", "trust it with `/permissions`")


def _antigravity(path: str, home: str, make: Make) -> Iterator[Any]:
    entry = _json(path).get("devkit-guard")
    if isinstance(entry, dict) and entry.get("enabled") is False:
        yield make("hooks-off", '`"enabled": false` switches the hook off', "take the line out")


def _json(path: str) -> dict[str, Any]:
    """A file of settings; empty where there is none, or it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = jsonc.plain(jsonc.parse(file.read()))
    except (OSError, jsonc.TextError):
        return {}
    return found if isinstance(found, dict) else {}


def _toml(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return toml.read(file.read())
    except (OSError, jsonc.TextError):
        return {}


CHECKS: dict[str, Callable[[str, str, Make], Iterator[Any]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "qwen": _qwen,
    "antigravity": _antigravity,
}
