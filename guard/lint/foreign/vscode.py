"""VS Code `settings.json`: `chat.tools.terminal.autoApprove`, and the lists of Roo Code, Kilo Code and older Copilot.

Matching (https://code.visualstudio.com/docs/copilot/chat/chat-tools): a key is the start of a command up to a word's
end, or `/expression/flags`, searched in it; every part of a line must be approved and none denied; with
`matchCommandLine` the whole line is tested instead. Substitutions are refused. Roo Code and Kilo Code: plain prefixes
without a word's end, case ignored; of two lists the longer prefix decides.
"""

from __future__ import annotations

from guard.lint.foreign.json_file import entry_removal, inner_span, load, removal
from guard.lint.patterns import Everything, Pattern, Prefix, Regex
from guard.lint.pieces import Matching
from guard.lint.policy import Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "vscode"
TITLE = "VS Code, Copilot, Roo Code and Kilo Code settings"
PROJECT = (".vscode/settings.json",)
HOME = (".config/Code/User/settings.json", "Library/Application Support/Code/User/settings.json")
MATCHING = Matching(True, "dropped", "refused")
APPROVALS = ("chat.tools.terminal.autoApprove", "chat.agent.terminal.autoApprove")
OLD_LISTS = {
    "github.copilot.chat.agent.terminal.allowList": True,
    "github.copilot.chat.agent.terminal.denyList": False,
    "chat.agent.terminal.allowList": True,
    "chat.agent.terminal.denyList": False,
}
PREFIXES = {
    "roo-cline.allowedCommands": "allow",
    "roo-cline.deniedCommands": "deny",
    "kilo-code.allowedCommands": "allow",
    "kilo-code.deniedCommands": "deny",
    "kilo-code.new.allowedCommands": "allow",
}
BYPASS = ("chat.tools.autoApprove", "chat.tools.global.autoApprove")


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith(("/.vscode/settings.json", "/Code/User/settings.json")) or path.endswith(
        ".code-workspace"
    )


def read(source: Source) -> Policy:
    """The lists of commands of a settings file."""
    tree, marks = load(source, trailing_commas=True)
    if source.path.endswith(".code-workspace"):
        tree = tree.get("settings") or tree
    rules: list[Rule] = []
    for name in (*APPROVALS, *OLD_LISTS):
        node = tree.get(name)
        entries = node.entries() if node else []
        for index, entry in enumerate(entries):
            approved = _approved(entry.value)
            if approved is None:
                continue
            if not OLD_LISTS.get(name, True):
                approved = not approved
            key = Node(entry.key, entry.start, entry.end)
            _add(
                source,
                rules,
                key,
                "allow" if approved else "ask",
                pattern(entry.key),
                entry_removal(source, entries, index),
                name,
            )
            whole = entry.value.get("matchCommandLine")
            if whole is not None and whole.data is True:
                rules[-1] = rules[-1]._replace(whole_line=True)
    for name, decision in PREFIXES.items():
        listed = tree.get(name)
        for text, item in listed.strings() if listed else []:
            matched: Pattern = Everything() if text == "*" else Prefix(text, False, ignore_case=True)
            cut = removal(source, listed.items() if listed else [], item)
            _add(source, rules, item, decision, matched, cut, name, float(len(text)))
    mode = ("", 0, 0)
    for name in BYPASS:
        node = tree.get(name)
        if node is not None and node.data is True:
            mode = ("bypass", node.start, node.end)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), tree=tree, mode=mode)


def pattern(key: str) -> Pattern:
    """What a key of the approval object matches."""
    if key.startswith("/") and key.rfind("/") > 0:
        source, flags = key[1 : key.rfind("/")], key[key.rfind("/") + 1 :]
        if set(flags) <= set("dgimsuvy"):
            return Everything() if source in (".*", "^.*$", ".", "") else Regex(source, "search", "i" in flags)
    return Prefix(key, True)


def _approved(node: Node) -> bool | None:
    if isinstance(node.data, bool):
        return node.data
    approve = node.get("approve")
    return approve.data if approve is not None and isinstance(approve.data, bool) else None


def _add(
    source: Source,
    rules: list[Rule],
    node: Node,
    decision: str,
    matched: Pattern,
    cut: tuple[Edit, ...],
    group: str,
    length: float = 0.0,
) -> None:
    start, end = inner_span(source, node)
    rank = (
        (length, 0.0 if decision == "allow" else 1.0)
        if group in PREFIXES
        else (0.0 if decision == "allow" else 1.0, 0.0)
    )
    text = str(node.data)
    rules.append(Rule(decision, "shell", text, text, matched, start, end, cut, rank, group, _tool(group)))


def _tool(group: str) -> str:
    """Whose list it is: rules of different extensions know nothing of each other."""
    return group.split(".")[0] if group in PREFIXES else "terminal"
