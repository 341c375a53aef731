"""mistral-vibe: `config.toml` with `[tools.bash] allowlist, denylist, denylist_standalone, permission`.

Matching (the project's own source): a line is taken apart; a part is allowed if it starts with an entry, without a
word's end; denied if it starts with a denied entry; `denylist_standalone` entries are whole commands.
"""

from __future__ import annotations

from guard.lint.foreign.json_file import inner_span, removal
from guard.lint.foreign.toml_file import load
from guard.lint.patterns import Everything, Exact, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Policy, Rule
from guard.lint.source import Source

NAME = "vibe"
TITLE = "mistral-vibe configuration"
PROJECT = (".vibe/config.toml",)
HOME = (".vibe/config.toml",)
MATCHING = Matching(True, "dropped", "parts")
LISTS = {"allowlist": "allow", "denylist": "deny", "denylist_standalone": "deny"}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith("/.vibe/config.toml")


def read(source: Source) -> Policy:
    """The lists of the shell tool."""
    tree, marks = load(source)
    rules: list[Rule] = []
    for name, decision in LISTS.items():
        listed = tree.get("tools", "bash", name)
        for text, node in listed.strings() if listed else []:
            start, end = inner_span(source, node)
            pattern: Pattern = Exact(text) if name == "denylist_standalone" else Prefix(text, False)
            cut = removal(source, listed.items() if listed else [], node)
            rank = (1.0 if decision == "deny" else 0.0,)
            rules.append(Rule(decision, "shell", text, text, pattern, start, end, cut, rank, name, "bash"))
    permission = tree.get("tools", "bash", "permission")
    if permission is not None and permission.data == "always":
        start, end = inner_span(source, permission)
        rules.append(Rule("allow", "shell", "always", "*", Everything(), start, end, (), (0.0,), "permission", "bash"))
    auto = tree.get("auto_approve")
    mode = ("bypass", auto.start, auto.end) if auto is not None and auto.data is True else ("", 0, 0)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), tree=tree, mode=mode)
