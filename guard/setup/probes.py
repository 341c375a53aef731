"""A call that must be vetoed, as each runtime would send it; harmless even if it were run."""

from __future__ import annotations

import json
from typing import Any

COMMAND = "rm -f devkit-guard-probe"
_CLAUDE_TOOLS = {
    "claude": "Bash",
    "codex": "Bash",
    "vscode": "run_in_terminal",
    "qwen": "run_shell_command",
    "droid": "Execute",
    "augment": "launch-process",
    "kimi": "Shell",
    "devin": "exec",
}


def probe(agent: str, cwd: str, command: str = COMMAND) -> bytes:
    """The payload of a shell call, in the runtime's own form."""
    return json.dumps(_payload(agent, cwd, {"command": command})).encode()


def _payload(agent: str, cwd: str, given: dict[str, Any]) -> dict[str, Any]:
    session = {"session_id": "probe", "cwd": cwd}
    if agent in _CLAUDE_TOOLS:
        found = {**session, "hook_event_name": "PreToolUse", "tool_name": _CLAUDE_TOOLS[agent], "tool_input": given}
        more: dict[str, dict[str, Any]] = {
            "claude": {"transcript_path": "/dev/null", "permission_mode": "default", "tool_use_id": "probe"},
            "codex": {"turn_id": "probe", "permission_mode": "default", "model": "probe", "tool_use_id": "probe"},
            "vscode": {"timestamp": "2026-01-01T00:00:00.000Z", "transcript_path": "/dev/null"},
            "qwen": {"timestamp": "2026-01-01T00:00:00.000Z", "permission_mode": "default", "transcript_path": "/x"},
            "droid": {"permission_mode": "off", "transcript_path": "/dev/null"},
            "augment": {"conversation_id": "probe", "workspace_roots": [cwd], "is_mcp_tool": False},
            "kimi": {"tool_call_id": "probe"},
            "devin": {"prompt_id": "probe", "tool_use_id": "probe"},
        }
        return found | more[agent]
    if agent in ("gemini", "vibe", "kiro", "hermes"):
        event, tool = {
            "gemini": ("BeforeTool", "run_shell_command"),
            "vibe": ("pre_tool", "file_system.bash"),
            "kiro": ("preToolUse", "execute_bash"),
            "hermes": ("pre_tool_call", "terminal"),
        }[agent]
        return {**session, "hook_event_name": event, "tool_name": tool, "tool_input": given}
    forms: dict[str, dict[str, Any]] = {
        "cursor": {
            "conversation_id": "probe",
            "hook_event_name": "preToolUse",
            "cursor_version": "3.11.25",
            "workspace_roots": [cwd],
            "tool_name": "Shell",
            "tool_input": given,
            "cwd": cwd,
        },
        "copilot": {"sessionId": "probe", "timestamp": 1, "cwd": cwd, "toolName": "bash", "toolArgs": given},
        "antigravity": {
            "conversationId": "probe",
            "workspacePaths": [cwd],
            "toolCall": {"name": "run_command", "args": {"CommandLine": given["command"], "Cwd": cwd}},
        },
        "opencode": {
            "event": "tool.execute.before",
            "input": {"tool": "bash", "sessionID": "probe", "callID": "probe"},
            "output": {"args": given},
            "cwd": cwd,
        },
        "windsurf": {
            "agent_action_name": "pre_run_command",
            "trajectory_id": "probe",
            "tool_info": {"command_line": given["command"], "cwd": cwd},
        },
        "goose": {
            "event": "PreToolUse",
            "session_id": "probe",
            "tool_name": "shell",
            "tool_input": given,
            "working_dir": cwd,
        },
        "crush": {"event": "PreToolUse", **session, "tool_name": "bash", "tool_input": given},
        "cline": {
            "hookName": "PreToolUse",
            "taskId": "probe",
            "workspaceRoots": [cwd],
            "preToolUse": {"toolName": "execute_command", "parameters": given},
        },
        "grok": {
            "hookEventName": "pre_tool_use",
            "sessionId": "probe",
            "cwd": cwd,
            "toolName": "run_terminal_command",
            "toolInput": given,
        },
        "openhands": {
            "event_type": "PreToolUse",
            "tool_name": "terminal",
            "tool_input": given,
            "session_id": "probe",
            "working_dir": cwd,
        },
    }
    return forms[agent]
