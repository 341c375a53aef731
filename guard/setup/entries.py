"""What is written for each runtime: where in its file, and which words.

`Entry(path, value)` appends `value` to the list at `path`, or sets the key where `append` is false. Matchers are left
wide: a guard that is not asked cannot veto. Timeouts are in the unit that the runtime reads; all are ten seconds.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Entry(NamedTuple):
    """One addition to a JSON or TOML file. A key that is set (`append` false) is left alone where it has a value."""

    path: tuple[str, ...]
    value: Any
    append: bool = True


def claude(command: str) -> tuple[Entry, ...]:
    """Claude Code: fails closed from 2.1.295 on; older versions ignore `onFailure`."""
    return (
        _grouped("PreToolUse", _handler(command, 10, onFailure="block"), matcher="*"),
        *(_grouped(event, _handler(command, 10)) for event in ("Stop", "SubagentStop", "SessionStart")),
    )


def codex(command: str) -> tuple[Entry, ...]:
    """Codex CLI: no matcher is every tool."""
    events = ("PreToolUse", "PermissionRequest", "Stop", "SessionStart")
    return tuple(_grouped(event, _handler(command, 10)) for event in events)


def cursor(command: str) -> tuple[Entry, ...]:
    """Cursor: both the general event and those of single kinds, as versions leave out one or the other."""
    closed = {"command": command, "timeout": 10, "failClosed": True}
    events = ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
    return (
        Entry(("version",), 1, append=False),
        *(Entry(("hooks", event), closed) for event in events),
        Entry(("hooks", "stop"), {"command": command, "timeout": 10}),
    )


def copilot(command: str) -> tuple[Entry, ...]:
    """Copilot CLI; VS Code reads the same file."""
    handler = {"type": "command", "bash": command, "powershell": command, "timeoutSec": 10, "failClosed": True}
    return (Entry(("version",), 1, append=False), Entry(("hooks", "preToolUse"), handler))


def gemini(command: str) -> tuple[Entry, ...]:
    """Gemini CLI: milliseconds; last in the sequence, so that it judges what earlier hooks have made of a call."""
    handler = {"type": "command", "name": "devkit-guard", "command": command, "timeout": 10_000}
    return (
        Entry(("hooks", "BeforeTool"), {"matcher": ".*", "sequential": True, "hooks": [handler]}),
        Entry(("hooks", "AfterAgent"), {"hooks": [handler]}),
        Entry(("hooks", "SessionStart"), {"hooks": [handler]}),
    )


def qwen(command: str) -> tuple[Entry, ...]:
    """Qwen Code: Claude Code's names, milliseconds."""
    handler = {"type": "command", "name": "devkit-guard", "command": command, "timeout": 10_000}
    return (
        Entry(("hooks", "PreToolUse"), {"matcher": "*", "sequential": True, "hooks": [handler]}),
        *(Entry(("hooks", event), {"hooks": [handler]}) for event in ("Stop", "SessionStart")),
    )


def antigravity(command: str) -> tuple[Entry, ...]:
    """Antigravity: a named hook; strict JSON, whole seconds, no key that is not known; matchers are expressions."""
    handler = {"type": "command", "command": command, "timeout": 10}
    return (Entry(("devkit-guard",), {"PreToolUse": [{"matcher": ".*", "hooks": [handler]}]}, append=False),)


def devin(command: str) -> tuple[Entry, ...]:
    """Devin CLI, in its configuration file."""
    return tuple(_grouped(event, _handler(command, 10)) for event in ("PreToolUse", "PermissionRequest"))


def devin_project(command: str) -> tuple[Entry, ...]:
    """Devin CLI, in a file of hooks: events at the top."""
    return tuple(Entry(entry.path[1:], entry.value) for entry in devin(command))


def windsurf(command: str) -> tuple[Entry, ...]:
    """Windsurf: one list for each event; there is no matcher and no switch to fail closed."""
    events = ("pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use")
    return tuple(Entry(("hooks", event), {"command": command, "show_output": True}) for event in events)


def droid(command: str) -> tuple[Entry, ...]:
    """Factory Droid: Claude Code's form, seconds."""
    return (
        _grouped("PreToolUse", _handler(command, 10), matcher="*"),
        *(_grouped(event, _handler(command, 10)) for event in ("Stop", "SubagentStop", "SessionStart")),
    )


def kiro(command: str) -> tuple[Entry, ...]:
    """Kiro CLI, in an agent's file. No answer is ever cached."""
    handler = {"matcher": "*", "command": command, "timeout_ms": 10_000, "cache_ttl_seconds": 0}
    return (Entry(("hooks", "preToolUse"), handler),)


def crush(command: str) -> tuple[Entry, ...]:
    """Crush: a flat list, seconds."""
    return (Entry(("hooks", "PreToolUse"), {"name": "devkit-guard", "command": command, "timeout": 10}),)


def augment(command: str) -> tuple[Entry, ...]:
    """Augment: Claude Code's form, milliseconds."""
    return (
        _grouped("PreToolUse", _handler(command, 10_000), matcher=".*"),
        _grouped("SessionStart", _handler(command, 10_000)),
    )


def openhands(command: str) -> tuple[Entry, ...]:
    """OpenHands: Claude Code's form, one event."""
    return (_grouped("PreToolUse", _handler(command, 10), matcher="*"),)


def goose(command: str) -> tuple[Entry, ...]:
    """Goose: no matcher is every tool, `*` is an invalid expression whose rule is left out."""
    return (_grouped("PreToolUse", _handler(command, 10, on_failure="block")),)


def grok(command: str) -> tuple[Entry, ...]:
    """Grok Build: no matcher is every tool."""
    return (_grouped("PreToolUse", _handler(command, 10)),)


def vibe(command: str) -> tuple[Entry, ...]:
    """Mistral Vibe 3: `strict` makes a broken hook deny."""
    table = {"name": "devkit-guard", "type": "pre_tool", "match": "*", "command": command, "timeout": 10.0}
    return (Entry(("hooks",), {**table, "strict": True}),)


def kimi(command: str) -> tuple[Entry, ...]:
    """Kimi: no matcher is every tool; seconds."""
    return tuple(
        Entry(("hooks",), {"event": event, "command": command, "timeout": 10}) for event in ("PreToolUse", "Stop")
    )


def hermes(command: str) -> tuple[str, ...]:
    """Lines of YAML below `hooks:`. Hermes splits the command into words and starts no shell."""
    quoted = command.replace("'", "''")
    return ("  pre_tool_call:", f"    - command: '{quoted}'", "      timeout: 10", "      fail_closed: true")


def cline(command: str) -> str:
    """The script that Cline starts by its name."""
    return f"#!/bin/sh\n# Written by `devkit-guard init`.\nexec {command}\n"


def opencode(command: str) -> str:
    """The plugin of OpenCode: whatever is not exactly an allow is thrown, and a thrown error is a veto."""
    from json import dumps

    return OPENCODE.replace("COMMAND", dumps(command))


OPENCODE = """// Written by `devkit-guard init`: asks devkit-guard before every tool call.
// Only an answer that is exactly allow lets a call through; anything else is thrown, and OpenCode then runs nothing.
import { spawn } from "node:child_process"

const ask = (payload) =>
  new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "pipe"] })
    let out = ""
    let err = ""
    const timer = setTimeout(() => child.kill("SIGKILL"), 10000)
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (err += chunk))
    child.stdin.on("error", () => {})
    child.on("error", (error) => (clearTimeout(timer), reject(error)))
    child.on("close", (code) => (clearTimeout(timer), resolve({ code, out, err })))
    child.stdin.end(payload)
  })

const judge = async (payload) => {
  let found
  try {
    const { code, out, err } = await ask(payload)
    if (code !== 0) return `devkit-guard ended with ${code}: ${err.slice(0, 500)}`
    found = JSON.parse(out)
  } catch (error) {
    return `devkit-guard gave no answer: ${error}`
  }
  return found && found.decision === "allow" ? null : (found && found.reason) || "devkit-guard vetoed this call"
}

export const DevkitGuard = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const payload = JSON.stringify({
      event: "tool.execute.before",
      input: { tool: input.tool, sessionID: input.sessionID, callID: input.callID },
      output: { args: output.args ?? {} },
      cwd: directory,
    })
    const reason = await judge(payload)
    if (reason !== null) throw new Error(reason)
  },
})
"""


def _handler(command: str, timeout: int, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": timeout, **more}


def _grouped(event: str, handler: dict[str, Any], matcher: str | None = None) -> Entry:
    group = {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}
    return Entry(("hooks", event), group)
