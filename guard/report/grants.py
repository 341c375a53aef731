"""A grant in words."""

from __future__ import annotations

from guard.model.grant import READ_ONLY, Grant

MOST = 6
"""Most patterns of commands that a veto lists."""


def grant_text(grant: Grant, most: int | None = None) -> str:
    """`read-only commands and file tools, commands `pytest *`, writing src/**`; at `most` so many of the commands."""
    parts = ["read-only commands and file tools"]
    more = [kind.value for kind in sorted(grant.effects - READ_ONLY, key=lambda kind: kind.value)]
    parts += [f"shell effects {', '.join(more)}"] if more else []
    commands = ", ".join("`" + " ".join(words) + "`" for words in grant.run[:most])
    others = "" if most is None or len(grant.run) <= most else f" and {len(grant.run) - most} more"
    parts += [f"commands {commands}{others}"] if grant.run else []
    parts += [f"writing {', '.join(grant.write)}"] if grant.write else []
    parts += [f"tools {', '.join(grant.tools)}"] if grant.tools else []
    parts += ["sub-agents freely"] if grant.subagents == "free" else []
    parts += ["no sub-agents"] if grant.subagents == "none" else []
    return ", ".join(parts)


def beyond(grant: Grant) -> str:
    """What a shell command that is vetoed did more than: `read`, or what the step grants, at most 300 characters."""
    if not (grant.effects - READ_ONLY or grant.run or grant.write):
        return "read"
    text = grant_text(grant._replace(tools=(), subagents="same"), MOST)
    return f"this step grants ({text if len(text) <= 300 else text[:297] + '...'})"
