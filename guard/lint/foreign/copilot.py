"""GitHub Copilot CLI: saved approvals (`permissions-config.json`) and hooks (`.github/hooks/*.json`, `settings.json`).

Matching (https://docs.github.com/copilot/reference/copilot-cli-reference/cli-config-dir-reference): a command
identifier is the text of a command, or with `:*` at its end a prefix that ends at a word; a `*` elsewhere is only a
character; there are no deny rules. Not said there, and taken as the stricter: each command of a line must be approved,
redirects to files and substitutions are asked about. `--allow-tool` and `--deny-tool` are options of one session and
stand in no file.
"""

from __future__ import annotations

from guard.lint.foreign.json_file import element_removal, inner_span, load, removal
from guard.lint.patterns import Exact, Nothing, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Hook, Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node

NAME = "copilot"
TITLE = "GitHub Copilot CLI approvals and hooks"
PROJECT = (".github/copilot/settings.json", ".github/copilot/settings.local.json", ".github/hooks/*.json")
HOME = (".copilot/permissions-config.json", ".copilot/settings.json", ".copilot/hooks/*.json")
MATCHING = Matching(True, "refused", "refused")
KINDS = (
    *("commands", "read", "write", "mcp", "mcp-sampling", "memory", "custom-tool", "extension-management"),
    "extension-permission-access",
)
ABOUT = {"read": "read", "write": "write", "mcp": "mcp"}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    folders = f"/{path}".rpartition("/")[0]
    own = f"/{path}".endswith(("/.copilot/permissions-config.json", "/.copilot/settings.json"))
    own |= folders.endswith("/.github/copilot") and path.endswith(("/settings.json", "/settings.local.json"))
    return own or (folders.endswith(("/.github/hooks", "/.copilot/hooks")) and path.endswith(".json"))


def read(source: Source) -> Policy:
    """The approvals of every location, and the hooks."""
    tree, marks = load(source, trailing_commas=True)
    rules: list[Rule] = []
    locations = tree.get("locations")
    for location in locations.entries() if locations else []:
        approvals = location.value.get("tool_approvals")
        nodes = approvals.items() if approvals else []
        for node in nodes:
            _approval(source, node, nodes, rules, marks)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), _hooks(tree.get("hooks")), tree)


def _approval(source: Source, node: Node, nodes: list[Node], rules: list[Rule], marks: list[Mark]) -> None:
    kind = node.get("kind")
    if kind is None:
        return
    if kind.data not in KINDS:
        detail = f"unknown kind '{kind.data}': expected one of {', '.join(KINDS)}"
        marks.append(Mark("unknown-key", *inner_span(source, kind), detail))
        return
    if kind.data != "commands":
        server, tool = node.get("serverName"), node.get("toolName")
        name = str(kind.data)
        if kind.data == "mcp" and server is not None:
            name = f"{server.data}__{tool.data if tool is not None and tool.data is not None else '*'}"
        cut = removal(source, nodes, node)
        about = ABOUT.get(str(kind.data), "other")
        start, end = inner_span(source, server or kind)
        own = name.replace("__", "-", 1)  # as its hooks call it
        rules.append(Rule("allow", about, name, "", Nothing(), start, end, cut, (0.0,), "tool_approvals", own))
        return
    listed = node.get("commandIdentifiers")
    for text, one in listed.strings() if listed else []:
        cut = element_removal(source, listed, one, removal(source, nodes, node))
        start, end = inner_span(source, one)
        if "*" in text.removesuffix(":*"):
            detail = "a `*` is only a character here: a prefix ends with `:*`"
            marks.append(
                Mark("colon-in-the-middle", start, end, detail, witness=text.replace("*", " ").strip() or "ls")
            )
        pattern: Pattern = Prefix(text[:-2], True) if text.endswith(":*") and text != ":*" else Exact(text)
        rules.append(Rule("allow", "shell", text, text, pattern, start, end, cut, (0.0,), "tool_approvals", "shell"))


def _hooks(node: Node | None) -> tuple[Hook, ...]:
    found = []
    for event in node.entries() if node else []:
        for handler in event.value.items():
            command, matcher = handler.get("bash") or handler.get("command"), handler.get("matcher")
            if command is not None and isinstance(command.data, str):
                text = str(matcher.data) if matcher else ""
                found.append(Hook(event.key, text, command.data, handler, command, event.start, event.end))
    return tuple(found)
