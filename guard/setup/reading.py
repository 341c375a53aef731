"""What a runtime does with the answer of a hook, by its own rules: the other side of `guard/hooks`.

Written from the runtimes' documents and sources, not from our encoders, so that the two can be held against each other.
"""

from __future__ import annotations

import json
from typing import Any

CLAUDE_LIKE = frozenset({"claude", "vscode", "qwen", "droid", "augment", "kimi"})
RUNS, REFUSED = "runs", "refused"


def effect(agent: str, stdout: bytes, stderr: bytes, code: int) -> str:
    """`runs` or `refused`: what becomes of a call that was answered like this."""
    found = _object(stdout)
    return REFUSED if _refuses(agent, found, stdout, stderr, code) else RUNS


def _refuses(agent: str, found: dict[str, Any] | None, stdout: bytes, stderr: bytes, code: int) -> bool:
    blocked = code == 2 and bool(stderr.strip())
    text = found if found is not None else {}
    if agent in CLAUDE_LIKE:
        # Claude Code obeys JSON at any code but 2, where it blocks anyway; Qwen reads it at 0 only
        return blocked or code == 2 or (code in (0, 1) and _claude(text) and (code == 0 or agent == "claude"))
    if agent == "codex":
        return (code == 0 and _claude(text)) or blocked
    if agent == "copilot":
        return code != 0 or (bool(text) and _copilot(text))
    if agent == "cursor":
        return code == 2 or (code == 0 and (text.get("permission") == "deny"))
    if agent == "gemini":
        return text.get("decision") in ("deny", "block") or (code >= 2 and bool(stdout.strip() or stderr.strip()))
    if agent == "antigravity":
        return text.get("decision") not in ("allow", "ask", "force_ask")
    if agent == "devin":
        return blocked or (code == 0 and text.get("decision") in ("block", "deny"))
    if agent == "opencode":
        return code != 0 or text.get("decision") != "allow"
    if agent in ("windsurf", "kiro"):
        return code == 2
    if agent == "vibe":
        return code == 0 and text.get("decision") == "deny" and bool(text.get("reason"))
    if agent == "goose":
        return blocked or text.get("decision") == "block"
    if agent == "crush":
        return code in (2, 49) or (code == 0 and text.get("decision") == "deny")
    if agent == "cline":
        return text.get("cancel") is True
    if agent in ("grok", "openhands"):
        return code == 2 or text.get("decision") == "deny"
    if agent == "hermes":
        return text.get("action") == "block" or text.get("decision") == "block" or blocked
    raise ValueError(agent)


def _claude(text: dict[str, Any]) -> bool:
    inner = text.get("hookSpecificOutput")
    if not isinstance(inner, dict) or inner.get("hookEventName") != "PreToolUse":
        return False
    return inner.get("permissionDecision") == "deny" and bool(inner.get("permissionDecisionReason"))


def _copilot(text: dict[str, Any]) -> bool:
    return _claude(text) or (text.get("permissionDecision") == "deny" and bool(text.get("permissionDecisionReason")))


def _object(stdout: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(stdout)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
