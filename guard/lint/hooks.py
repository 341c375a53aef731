"""What is known of hooks in rule files: events, units of timeouts, switches for failures."""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.policy import Hook, Policy

_CLAUDE = (
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "UserPromptSubmit"),
    *("Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Setup"),
    *("SessionStart", "SessionEnd", "TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "CwdChanged"),
    *("FileChanged", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "Elicitation", "ElicitationResult"),
)
_CODEX = (
    *("PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"),
    *("StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"),
)
EVENTS = {
    "claude": _CLAUDE,
    "qwen-settings": _CLAUDE,
    "codex-hooks": _CODEX,
    "codex-config": (*_CODEX, "state"),
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
    "copilot": (
        *("preToolUse", "postToolUse", "postToolUseFailure", "permissionRequest", "userPromptSubmitted", "agentStop"),
        *("errorOccurred", "notification", "preCompact", "sessionStart", "sessionEnd", "subagentStart", "subagentStop"),
        *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "UserPromptSubmit", "Stop"),
        *("ErrorOccurred", "Notification", "PreCompact", "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop"),
    ),
    "devin": (
        *("PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SessionStart", "SessionEnd"),
        "PostCompaction",
    ),
}
"""Where the name of a hook's event is not checked, the tool is not listed."""
MILLISECONDS = ("gemini-settings", "qwen-settings")
TIMEOUTS = ("timeout", "timeoutSec")
SWITCHES: dict[str, tuple[str, object]] = {
    "claude": ("onFailure", "block"),
    "cursor": ("failClosed", True),
    "vibe": ("strict", True),
}
"""The key and value that make a failing hook block, where the tool has one."""

BEFORE = (
    *("PreToolUse", "BeforeTool", "preToolUse", "beforeShellExecution", "beforeMCPExecution", "PermissionRequest"),
    *("permissionRequest", "before_tool", "pre_tool"),
)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ,|")


def guarding(policy: Policy) -> Iterator[Hook]:
    """Hooks that could stop a call."""
    return (hook for hook in policy.hooks if hook.event in BEFORE)


def runs_guard(command: str) -> bool:
    """Whether a hook's command runs this guard, its path quoted or not."""
    return "guard hook" in command.replace("'", "").replace('"', "")


def plain(matcher: str) -> bool:
    """Whether a matcher is a list of names; anything else is an expression."""
    return matcher not in ("", "*") and set(matcher) <= _PLAIN
