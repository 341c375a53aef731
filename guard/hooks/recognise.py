"""Which runtime sent a payload, by marks that only its payloads have; for files that several runtimes read."""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_EVENTS = {
    "BeforeTool": "gemini",
    "AfterAgent": "gemini",
    "before_tool": "vibe",
    "pre_tool": "vibe",
    "post_agent": "vibe",
    "pre_tool_call": "hermes",
    "preToolUse": "kiro",
    "agentSpawn": "kiro",
}
_TOOLS = {
    "run_shell_command": "qwen",
    "run_in_terminal": "vscode",
    "exec": "devin",
    "run_subagent": "devin",
    "Execute": "droid",
    "Create": "droid",
    "launch-process": "augment",
    "terminal": "openhands",
    "file_editor": "openhands",
    "Shell": "kimi",
}
"""Names of tools that tell apart runtimes with Claude Code's payload."""


def agent_of(payload: dict[str, Any]) -> str | None:
    """The name of the adapter for a payload, None where its marks are those of no runtime, or of several."""
    name = payload.get("hook_event_name")
    if "cursor_version" in payload:
        return "cursor"
    for key, agent in (
        ("toolCall", "antigravity"),
        ("hookName", "cline"),
        ("agent_action_name", "windsurf"),
        ("is_mcp_tool", "augment"),
        ("hookEventName", "grok"),
        ("toolName", "copilot"),
        ("event_type", "openhands"),
        ("turn_id", "codex"),
    ):
        if key in payload:
            return agent
    if "sessionId" in payload and isinstance(payload.get("timestamp"), int):
        return "copilot"
    if "event" in payload:
        return "goose" if "working_dir" in payload else "crush"
    if "input" in payload and "output" in payload:
        return "opencode"
    if isinstance(name, str) and name in _EVENTS:
        return "cursor" if name == "preToolUse" and "conversation_id" in payload else _EVENTS[name]
    if not isinstance(name, str):
        return None
    if through_copilot(payload):
        return "copilot"
    other = reader_of_claude_settings(payload)
    if other is not None:
        return other
    if isinstance(payload.get("timestamp"), str):
        return "qwen" if "permission_mode" in payload else "vscode"
    return "kimi" if "tool_call_id" in payload else "claude"


def through_copilot(payload: dict[str, Any]) -> bool:
    """Copilot CLI running a hook of `.claude/settings.json`: Claude Code's payload, a time, no transcript."""
    return isinstance(payload.get("timestamp"), str) and "transcript_path" not in payload


def reader_of_claude_settings(payload: dict[str, Any]) -> str | None:
    """The runtime behind a payload in Claude Code's form, by its names of tools; None for Claude Code's own."""
    if "cursor_version" in payload:
        return "cursor"
    tool = payload.get("tool_name")
    return _TOOLS.get(tool) if isinstance(tool, str) else None
