"""What is known of hooks in rule files: events, units of timeouts, switches for failures."""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.policy import Hook, Policy

EVENTS = {
    "claude": (
        *(
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PermissionRequest",
            "PermissionDenied",
            "UserPromptSubmit",
        ),
        *("Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Setup"),
        *("SessionStart", "SessionEnd", "TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "CwdChanged"),
        *("FileChanged", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "Elicitation", "ElicitationResult"),
    ),
    "codex-hooks": (
        *("PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"),
        *("SubagentStart", "SubagentStop", "PreCompact", "PostCompact"),
    ),
    "gemini-settings": (
        *("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection"),
        *("SessionStart", "SessionEnd", "PreCompress", "Notification"),
    ),
    "cursor": (
        *("preToolUse", "postToolUse", "postToolUseFailure", "beforeShellExecution", "afterShellExecution"),
        *("beforeMCPExecution", "afterMCPExecution", "beforeReadFile", "afterFileEdit", "beforeSubmitPrompt", "stop"),
        *("sessionStart", "sessionEnd", "subagentStart", "subagentStop", "preCompact", "afterAgentResponse"),
        *("afterAgentThought", "beforeTabFileRead", "afterTabFileEdit"),
    ),
}
MILLISECONDS = ("gemini-settings", "qwen-settings")
SWITCHES: dict[str, tuple[str, object]] = {"claude": ("onFailure", "block"), "cursor": ("failClosed", True)}
"""The key and value that make a failing hook block, where the tool has one."""

BEFORE = ("PreToolUse", "BeforeTool", "preToolUse", "beforeShellExecution", "beforeMCPExecution", "PermissionRequest")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ,|")


def guarding(policy: Policy) -> Iterator[Hook]:
    """Hooks that could stop a call."""
    return (hook for hook in policy.hooks if hook.event in BEFORE)


def plain(matcher: str) -> bool:
    """Whether a matcher is a list of names; anything else is an expression."""
    return matcher not in ("", "*") and set(matcher) <= _PLAIN
