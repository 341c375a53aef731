"""Cursor: `cli-config.json`, `.cursor/cli.json`, and `permissions.json` with `terminalAllowlist`.

Matching (https://cursor.com/docs/cli/reference/permissions): `Shell(base)` is the first word or words of a command,
with globs; `Shell(base:args)` has a glob for the rest; deny goes first. `terminalAllowlist` holds plain prefixes and
has no deny list. Compound lines are taken apart. A command without a rule may run in the sandbox, an allowed one
outside of it (https://cursor.com/docs/agent/security/run-modes).
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint.foreign.json_file import inner_span, load, removal, unknown_keys
from guard.lint.patterns import Everything, Glob, Nothing, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Hook, Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "cursor"
TITLE = "Cursor permissions"
PROJECT = (".cursor/cli.json", ".cursor/permissions.json", ".cursor/hooks.json")
HOME = (".cursor/cli-config.json", ".cursor/permissions.json", ".cursor/hooks.json")
MATCHING = Matching(True, "dropped", "parts")
TOOLS = ("Shell", "Read", "Write", "WebFetch", "Mcp")


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return path.rsplit("/", 1)[-1] == "cli-config.json" or f"/{path}".endswith(
        ("/.cursor/cli.json", "/.cursor/permissions.json", "/.cursor/hooks.json")
    )


def read(source: Source) -> Policy:
    """The rules of a permissions file, or the hooks of a hooks file."""
    tree, marks = load(source, trailing_commas=False)
    rules: list[Rule] = []
    permissions = tree.get("permissions")
    marks += unknown_keys(
        permissions, ("allow", "deny"), "in permissions", {"ask": "no list: what is not allowed is asked"}
    )
    elsewhere = {"allow": "permissions.allow", "deny": "permissions.deny"}
    marks += unknown_keys(tree, ("permissions", "terminalAllowlist", "mcpAllowlist"), "at the top level", elsewhere)
    for decision in ("allow", "deny"):
        listed = permissions.get(decision) if permissions else None
        for text, node in listed.strings() if listed else []:
            _rule(source, decision, text, node, listed.items() if listed else [], rules, marks)
    listed = tree.get("terminalAllowlist")
    for text, node in listed.strings() if listed else []:
        start, end = inner_span(source, node)
        cut = removal(source, listed.items() if listed else [], node)
        pattern: Pattern = Everything() if text == "*" else Prefix(text, True)
        rules.append(Rule("allow", "shell", text, text, pattern, start, end, cut, (0.0,), "terminalAllowlist", "Shell"))
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), _hooks(tree.get("hooks")), tree, sandboxed=True)


def _rule(
    source: Source, decision: str, text: str, node: Node, nodes: list[Node], rules: list[Rule], marks: list[Mark]
) -> None:
    start, end = inner_span(source, node)
    tool, opened, rest = text.partition("(")
    body = rest.removesuffix(")")
    if tool not in TOOLS:
        near = next((name for name in TOOLS if name.lower() == tool.lower()), None) or next(
            iter(get_close_matches(tool, TOOLS, 1)), None
        )
        hint = f": did you mean '{near}'?" if near else ""
        edits = (Edit(start, end, near + opened + rest),) if near and source.text[start:end] == text else ()
        marks.append(
            Mark(
                "unknown-tool", start, end, f"there is no tool '{tool}'{hint}", edits, decision != "allow", body or "ls"
            )
        )
    pattern: Pattern = Nothing()
    if tool == "Shell":
        base, colon, arguments = body.partition(":")
        if not opened or body.strip("*") == "":
            pattern = Everything()
        elif colon:
            pattern = Prefix(base, True) if arguments in ("*", "**") else Glob(f"{base} {arguments}")
        else:
            pattern = Glob(body) if "*" in body else Prefix(body, True)
    about = {"Shell": "shell", "Read": "read", "Write": "write", "Mcp": "mcp"}.get(tool, "other")
    cut = removal(source, nodes, node)
    rank = (1.0 if decision == "deny" else 0.0,)
    rules.append(Rule(decision, about, text, body, pattern, start, end, cut, rank, decision, tool))


def _hooks(node: Node | None) -> tuple[Hook, ...]:
    found = []
    for event in node.entries() if node else []:
        for handler in event.value.items():
            command, matcher = handler.get("command"), handler.get("matcher")
            if command is not None and isinstance(command.data, str):
                text = str(matcher.data) if matcher else ""
                found.append(Hook(event.key, text, command.data, handler, command, event.start, event.end))
    return tuple(found)
