"""The adapters by name. One more runtime is its module, a line here, and what `guard/setup` knows of its files."""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from guard.hooks.base import Adapter

AGENTS = {
    "auto": "guard.hooks.claude",  # until the payload says more
    "claude": "guard.hooks.claude",
    "codex": "guard.hooks.codex",
    "cursor": "guard.hooks.cursor",
    "copilot": "guard.hooks.copilot",
    "vscode": "guard.hooks.vscode",
    "gemini": "guard.hooks.gemini",
    "qwen": "guard.hooks.qwen",
    "antigravity": "guard.hooks.antigravity",
    "devin": "guard.hooks.devin",
    "opencode": "guard.hooks.opencode",
    "windsurf": "guard.hooks.windsurf",
    "droid": "guard.hooks.droid",
    "kiro": "guard.hooks.kiro",
    "vibe": "guard.hooks.vibe",
    "goose": "guard.hooks.goose",
    "crush": "guard.hooks.crush",
    "cline": "guard.hooks.cline",
    "augment": "guard.hooks.augment",
    "kimi": "guard.hooks.kimi",
    "grok": "guard.hooks.grok",
    "hermes": "guard.hooks.hermes",
    "openhands": "guard.hooks.openhands",
}
NAMES = tuple(name for name in AGENTS if name != "auto")
COPILOT_AS_CLAUDE = "guard.hooks.copilot_claude"


def adapter(agent: str) -> Adapter:
    """The adapter of a name in AGENTS."""
    return _load(AGENTS[agent])


def adapter_for(agent: str, payload: dict[str, Any]) -> Adapter | None:
    """The adapter that answers this payload; None where `auto` cannot tell whose it is."""
    if agent in ("claude", "cursor") and "hookEventName" in payload:
        return adapter("grok")  # which runs the hooks of both
    if agent not in ("auto", "claude", "copilot"):
        return adapter(agent)
    from guard.hooks import recognise

    found = recognise.agent_of(payload) if agent == "auto" else agent
    if found == "claude" and recognise.through_copilot(payload):
        return _load(COPILOT_AS_CLAUDE)
    if found == "copilot" and "hook_event_name" in payload:
        return _load(COPILOT_AS_CLAUDE)
    return None if found is None else adapter(found)


def _load(module: str) -> Adapter:
    from importlib import import_module

    found: Adapter = import_module(module).ADAPTER
    return found
