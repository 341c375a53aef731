"""The names under which each runtime knows our own tools; anything else is a look-alike. On the hook path."""

from __future__ import annotations

SERVER = "devkit-engine"
WORKFLOW_TOOLS = ("devkit_list", "devkit_start", "devkit_advance", "devkit_status", "devkit_abort")
BOARD_TOOLS = (
    "devflow_list",
    "devflow_show",
    "devflow_create",
    "devflow_transition",
    "devflow_take",
    "devflow_attach_artifact",
    "devflow_read_artifact",
    "devflow_release",
    "devflow_takeover",
)
NAMES = frozenset((*WORKFLOW_TOOLS, *BOARD_TOOLS))

_CLAUDE = ("mcp__plugin_devkit_devkit-engine__", "mcp__devkit-engine__")
PREFIXES = {
    "claude": _CLAUDE,
    "codex": ("mcp__devkit-engine__", "mcp__devkit_engine__", "mcp__devkit__"),
    "gemini": ("mcp_devkit-engine_", "devkit-engine__"),
    "qwen": ("mcp__devkit-engine__",),
    "antigravity": ("mcp_devkit-engine_", "devkit-engine__"),
    "cursor": ("MCP:",),
    "copilot": ("devkit-engine-", *_CLAUDE),
    "vscode": ("mcp_devkit-engine_",),
    "devin": ("mcp__devkit-engine__",),
    "opencode": ("devkit-engine_",),
    "windsurf": ("devkit-engine/",),
    "cline": ("devkit-engine/",),
    "droid": _CLAUDE,
    "kiro": ("@devkit-engine/",),
    "goose": ("devkit-engine__",),
    "crush": ("mcp_devkit-engine_",),
    "vibe": ("devkit-engine_",),
    "openhands": ("mcp__devkit-engine__",),
    "grok": ("devkit-engine__",),
    "kimi": ("mcp__devkit-engine__",),
    "hermes": ("mcp_devkit_engine_",),
}
"""What each runtime puts before the tool's name. Cursor names no server (`MCP:devkit_advance`), so there another
server's tool of the very same name cannot be told apart. Windsurf and Cline send server and tool as two fields, which
their adapters join with `/`."""
SUFFIXES = {"augment": ("_devkit-engine",)}


def tool_name(name: str, runtime: str = "") -> str | None:
    """Our own name of the tool that a runtime calls `name` (`devkit_start`), None where it is none of ours.

    Without a runtime, or with one that is not in the table, every prefix that is in the table counts.
    """
    if runtime not in PREFIXES and runtime not in SUFFIXES:
        return next((found for other in (*PREFIXES, *SUFFIXES) if (found := tool_name(name, other))), None)
    for prefix in PREFIXES.get(runtime, ()):
        if name.startswith(prefix) and name[len(prefix) :] in NAMES:
            return name[len(prefix) :]
    for suffix in SUFFIXES.get(runtime, ()):
        if name.endswith(suffix) and name[: -len(suffix)] in NAMES:
            return name[: -len(suffix)]
    return None


def own_tool(name: str, runtime: str = "") -> bool:
    """Whether `name` is exactly one of our tools as `runtime` names them."""
    return tool_name(name, runtime) is not None
