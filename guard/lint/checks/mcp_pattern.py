"""A rule for MCP tools of every server that takes the name.

Server names are chosen by whoever registers the server: a pattern over them allows tools that do not exist yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B120"
NAME = "mcp-pattern"
SEVERITY = "warning"
BAD = Example("list", "allow tool mcp__devkit__*\n")
GOOD = Example("list", "allow tool mcp__devkit__status\n")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if rule.about != "mcp" or rule.decision != "allow" or rule.text.startswith("mcp__*_"):
            continue
        server, split, tool = _parts(rule.text)
        if "*" in server and server.strip("*") + tool:
            message = f"`{rule.text}` allows tools by a part of their name"
            witness = rule.text.replace("*", "plugin_evil" if split == ":" else "plugin_evil__", 1).replace("*", "_x")
            yield Finding(rule.start, rule.end, message, witness, help="name the tools", severity="error")
        elif "*" in tool or (rule.text.startswith("mcp__") and not tool):
            message = f"`{rule.text}` allows every tool of whatever server has this name"
            witness = (rule.text if "*" in tool else f"{rule.text}__*").replace("*", "delete_all")
            yield Finding(rule.start, rule.end, message, witness, help="name the tools")


def _parts(text: str) -> tuple[str, str, str]:
    """(server, what stands between, tool): `mcp__server__tool`, `Mcp(server:tool)`."""
    if text.startswith("Mcp("):
        server, _, tool = text[4:].removesuffix(")").partition(":")
        return server, ":", tool
    server, _, tool = text.removeprefix("mcp__").removeprefix("mcp_").partition("__")
    return server, "__", tool
