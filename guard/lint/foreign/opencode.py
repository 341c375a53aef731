"""opencode: `permission` (v1) and `permissions` (v2) in `opencode.json`.

Matching (https://opencode.ai/docs/permissions): `*` is any text, `?` one character, a last ` *` may be missing; each
command of a line is matched without its redirects; the last rule that matches decides.
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint.foreign.json_file import entry_removal, inner_span, load, removal
from guard.lint.patterns import Everything, Glob, Nothing, Pattern
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "opencode"
TITLE = "opencode configuration"
PROJECT = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
HOME = (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc")
MATCHING = Matching(True, "dropped", "parts")
ABOUT = {
    "bash": "shell",
    "shell": "shell",
    "read": "read",
    "edit": "write",
    "glob": "read",
    "grep": "read",
    "list": "read",
}
ACTIONS = ("allow", "ask", "deny")
PERMISSIONS = (
    *(
        "*",
        "bash",
        "shell",
        "read",
        "edit",
        "write",
        "glob",
        "grep",
        "list",
        "task",
        "subagent",
        "skill",
        "lsp",
        "question",
    ),
    *(
        "todoread",
        "todowrite",
        "webfetch",
        "websearch",
        "codesearch",
        "external_directory",
        "doom_loop",
        "todo",
        "patch",
    ),
)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return path.rsplit("/", 1)[-1] in ("opencode.json", "opencode.jsonc")


def read(source: Source) -> Policy:
    """The permissions, in their order; those of an agent are rules of a tool of their own (`agent.build.bash`)."""
    tree, marks = load(source, trailing_commas=True)
    rules: list[Rule] = []
    _permissions(source, tree.get("permission"), "", rules, marks)
    for key in ("agent", "mode"):
        agents = tree.get(key)
        for agent in agents.entries() if agents else []:
            _permissions(source, agent.value.get("permission"), f"{key}.{agent.key}.", rules, marks)
    listed = tree.get("permissions")
    for item in listed.items() if listed else []:
        action, resource, effect = item.get("action"), item.get("resource"), item.get("effect")
        if action and resource and effect:
            cut = removal(source, listed.items() if listed else [], item)
            _rule(source, rules, str(action.data), effect.data, str(resource.data), resource, cut, marks, effect)
    default = "ask" if listed else "allow"
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), tree=tree, default=default)


def _permissions(source: Source, node: Node | None, scope: str, rules: list[Rule], marks: list[Mark]) -> None:
    """One `permission` object, or the word that stands for all of it."""
    if node is not None and isinstance(node.data, str):
        _rule(source, rules, "*", node.data, "*", node, (), marks, scope=scope)
    for at, entry in enumerate(node.entries() if node else []):
        removed = entry_removal(source, node.entries() if node else [], at)
        plain = not entry.key.startswith("mcp") and "_" not in entry.key and "*" not in entry.key
        near = get_close_matches(entry.key, PERMISSIONS, 1) if plain and entry.key not in PERMISSIONS else []
        if near:
            detail = f"there is no permission '{entry.key}': did you mean '{near[0]}'?"
            marks.append(Mark("unknown-tool", entry.start, entry.end, detail))
        if isinstance(entry.value.data, str):
            _rule(source, rules, entry.key, entry.value.data, "*", entry.value, removed, marks, scope=scope)
        inner = entry.value.entries()
        for index, one in enumerate(inner):
            key = Node(one.key, one.start, one.end)
            cut = entry_removal(source, inner, index)
            _rule(source, rules, entry.key, one.value.data, one.key, key, cut, marks, one.value, scope)


def _rule(
    source: Source,
    rules: list[Rule],
    name: str,
    action: object,
    text: str,
    node: Node,
    cut: tuple[Edit, ...],
    marks: list[Mark],
    value: Node | None = None,
    scope: str = "",
) -> None:
    if action not in ACTIONS:
        at = value or node
        marks.append(Mark("unknown-key", at.start, at.end, f"expected allow, ask or deny (got '{action}')"))
        return
    about = ABOUT.get(name, "shell" if name == "*" and text == "*" else "other")
    pattern: Pattern = Nothing()
    if about == "shell":
        pattern = Everything() if text.strip("*") == "" else Glob(text, question=True)
    start, end = inner_span(source, node)
    tool = scope + name
    rules.append(Rule(str(action), about, text, text, pattern, start, end, cut, (float(len(rules)),), tool, tool))
