"""Crush: `crush.json` with `permissions.allowed_tools` (tool names, `tool:action`), and its hooks.

Matching (the project's own source, `internal/permission`): an entry is the name of a tool, or `name:action`; `bash` in
the list is every command.
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint.foreign.claude import hooks
from guard.lint.foreign.json_file import inner_span, load, removal
from guard.lint.patterns import Everything, Nothing, Pattern
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source

NAME = "crush"
TITLE = "Crush configuration"
PROJECT = ("crush.json", ".crush.json")
HOME = (".config/crush/crush.json",)
TOOLS = (
    *("bash", "view", "ls", "grep", "glob", "edit", "multiedit", "write", "fetch", "download", "sourcegraph", "agent"),
    *("diagnostics", "references", "job_output", "job_kill", "agentic_fetch", "todos", "web_search", "web_fetch"),
)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return path.rsplit("/", 1)[-1] in ("crush.json", ".crush.json")


def read(source: Source) -> Policy:
    """The tools that run unasked."""
    tree, marks = load(source, trailing_commas=False)
    rules: list[Rule] = []
    listed = tree.get("permissions", "allowed_tools")
    for text, node in listed.strings() if listed else []:
        start, end = inner_span(source, node)
        tool = text.split(":")[0]
        if tool not in TOOLS and not tool.startswith("mcp_"):
            near = get_close_matches(tool.lower(), TOOLS, 1)
            hint = f": did you mean '{near[0]}'?" if near else ""
            marks.append(Mark("unknown-tool", start, end, f"there is no tool '{tool}'{hint}", witness="ls"))
        pattern: Pattern = Everything() if tool == "bash" else Nothing()
        about = "shell" if tool == "bash" else "mcp" if tool.startswith("mcp_") else "other"
        cut = removal(source, listed.items() if listed else [], node)
        rules.append(Rule("allow", about, text, "*", pattern, start, end, cut, (0.0,), "allowed_tools", tool))
    skip = tree.get("permissions", "skip_requests")
    mode = ("bypass", skip.start, skip.end) if skip is not None and skip.data is True else ("", 0, 0)
    return Policy(source, NAME, Matching(False), tuple(rules), tuple(marks), hooks(tree.get("hooks")), tree, mode=mode)
