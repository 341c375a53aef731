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
        if (
            rule.about == "mcp"
            and rule.decision == "allow"
            and ("*" in rule.text or (rule.text.startswith("mcp__") and rule.text.count("__") == 1))
            and not rule.text.startswith("mcp__*_")
        ):
            server = rule.text.removeprefix("mcp__").removeprefix("mcp_")
            anywhere = "*" in server.split("__")[0]
            if anywhere and server == "*":
                continue
            witness = (
                rule.text.replace("*", "plugin_evil__", 1).replace("*", "_x")
                if anywhere
                else (rule.text if "*" in rule.text else f"{rule.text}__*").replace("*", "delete_all")
            )
            message = (
                f"`{rule.text}` allows tools by a part of their name"
                if anywhere
                else f"`{rule.text}` allows every tool of whatever server has this name"
            )
            yield Finding(
                rule.start, rule.end, message, witness, help="name the tools", severity="error" if anywhere else ""
            )
