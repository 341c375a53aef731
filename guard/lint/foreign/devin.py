"""Devin CLI: `permissions` in `.devin/config.json` and `~/.config/devin/config.json`, and its hooks.

Matching (https://docs.devin.ai/cli/reference/permissions): `Exec(words)` is a prefix of words; `Read(glob)` and
`Write(glob)` are paths; deny goes before ask before allow. How compound lines, redirects and substitutions are matched
is not said in what could be read of it: taken as apart, left out and part by part.
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint.foreign.claude import RANKS, hooks
from guard.lint.foreign.json_file import inner_span, load, removal, unknown_keys
from guard.lint.patterns import Everything, Glob, Nothing, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Hook, Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "devin"
TITLE = "Devin CLI configuration and hooks"
PROJECT = (".devin/config.json", ".devin/config.local.json", ".devin/hooks.v1.json")
HOME = (".config/devin/config.json",)
MATCHING = Matching(True, "dropped", "parts")
TOOLS = (
    "Exec",
    "Read",
    "Write",
    "Fetch",
    "exec",
    "read",
    "edit",
    "write",
    "grep",
    "glob",
    "web_search",
    "run_subagent",
)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith(
        ("/.devin/config.json", "/.devin/config.local.json", "/.config/devin/config.json", "/.devin/hooks.v1.json")
    )


def read(source: Source) -> Policy:
    """The three lists of a configuration."""
    tree, marks = load(source, trailing_commas=False)
    permissions = tree.get("permissions")
    marks += unknown_keys(permissions, tuple(RANKS), "in permissions")
    rules: list[Rule] = []
    for decision, rank in RANKS.items():
        listed = permissions.get(decision) if permissions else None
        for text, node in listed.strings() if listed else []:
            start, end = inner_span(source, node)
            tool, opened, rest = text.partition("(")
            body = rest.removesuffix(")")
            if tool not in TOOLS and not tool.startswith("mcp__"):
                near = get_close_matches(tool.capitalize(), TOOLS, 1)
                hint = f": did you mean '{near[0]}'?" if near else ""
                edits = (Edit(start, end, near[0] + opened + rest),) if near and source.text[start:end] == text else ()
                marks.append(
                    Mark(
                        "unknown-tool",
                        start,
                        end,
                        f"there is no scope '{tool}'{hint}",
                        edits,
                        decision != "allow",
                        body or "ls",
                    )
                )
            pattern: Pattern = Nothing()
            if tool in ("Exec", "exec"):
                pattern = (
                    Everything()
                    if not opened or body.strip("*") == ""
                    else Glob(body)
                    if "*" in body
                    else Prefix(body, True)
                )
            about = {"Exec": "shell", "exec": "shell", "Read": "read", "Write": "write"}.get(tool, "other")
            cut = removal(source, listed.items() if listed else [], node)
            rules.append(Rule(decision, about, text, body, pattern, start, end, cut, (rank,), decision, tool))
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), _hooks(source, tree), tree)


def _hooks(source: Source, tree: Node) -> tuple[Hook, ...]:
    """A file of hooks has the events at its top."""
    return hooks(tree if source.path.endswith("hooks.v1.json") else tree.get("hooks"))
