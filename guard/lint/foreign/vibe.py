"""mistral-vibe: `config.toml` with `[tools.bash] allowlist, denylist, denylist_standalone, permission`; `hooks.toml`.

Matching (the project's own source, `vibe/core/tools/builtins`): a line is taken apart; a part is allowed if it starts
with an entry, without a word's end; denied if it starts with a denied entry; `denylist_standalone` entries are whole
commands without arguments. Redirects, substitutions, and some options of a few programs are asked about; versions
before that only left the redirects out.
"""

from __future__ import annotations

from guard.lint.foreign.json_file import inner_span, removal
from guard.lint.foreign.toml_file import load
from guard.lint.patterns import Everything, Exact, Pattern, Prefix
from guard.lint.pieces import Asks, Matching
from guard.lint.policy import Hook, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node

NAME = "vibe"
TITLE = "mistral-vibe configuration and hooks"
PROJECT = (".vibe/config.toml", ".vibe/hooks.toml")
HOME = (".vibe/config.toml", ".vibe/hooks.toml")
ASKS = (
    Asks("find", ("-delete", "-exec", "-execdir", "-fls", "-fprint", "-fprintf", "-fprint0", "-ok", "-okdir")),
    Asks("sort", ("--compress-program", "--output", "--temporary-directory"), "oT"),
    Asks("less", ("--log-file", "--LOG-FILE"), "oO"),
    Asks("tree", ("--output",), "o"),
    Asks("git diff", ("--output", "--ext-diff", "--textconv")),
    Asks("git log", ("--output", "--ext-diff", "--textconv")),
)
MATCHING = Matching(True, "refused", "refused", asks=ASKS)
BEFORE_ANALYSIS = Matching(True, "dropped", "parts", name="versions that leave redirects out")
LISTS = {"allowlist": "allow", "denylist": "deny", "denylist_standalone": "deny"}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith(("/.vibe/config.toml", "/.vibe/hooks.toml"))


def read(source: Source) -> Policy:
    """The lists of the shell tool, and the hooks of a hooks file."""
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
    found = _hooks(tree.get("hooks"))
    older = (BEFORE_ANALYSIS,)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), found, tree, older, mode=mode)


def _hooks(node: Node | None) -> tuple[Hook, ...]:
    found = []
    for handler in node.items() if node else []:
        event, command, matcher = handler.get("type"), handler.get("command"), handler.get("match")
        if event is not None and command is not None and isinstance(command.data, str):
            text = str(matcher.data) if matcher else ""
            found.append(Hook(str(event.data), text, command.data, handler, command, event.start, event.end))
    return tuple(found)
