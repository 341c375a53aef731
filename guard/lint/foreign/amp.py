"""Amp: `amp.permissions` in `settings.json` of Amp, and the older `amp.commands.allowlist`.

Matching (https://ampcode.com/manual#permissions): the first entry that matches decides; `matches.cmd` is a glob over
the whole line, or `/expression/`, or a list of them; without it the entry is for every call of the tool. That a line
is not taken apart is not said there: taken so, since the argument is compared as it is. `tool` is a glob.
"""

from __future__ import annotations

from guard.lint.foreign.json_file import element_removal, inner_span, load, removal
from guard.lint.patterns import Everything, Glob, Nothing, Pattern, Prefix, Regex, matches
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node

NAME = "amp"
TITLE = "Amp settings"
PROJECT = (".amp/settings.json", ".agents/settings.json")
HOME = (".config/amp/settings.json",)
MATCHING = Matching(False)
ACTIONS = {"allow": "allow", "ask": "ask", "reject": "deny", "deny": "deny", "delegate": "ask"}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith(("/amp/settings.json", "/.amp/settings.json", "/.agents/settings.json"))


def read(source: Source) -> Policy:
    """The permissions, in their order."""
    tree, marks = load(source, trailing_commas=True)
    rules: list[Rule] = []
    listed = tree.get("amp.permissions")
    for item in listed.items() if listed else []:
        tool, action = item.get("tool"), item.get("action")
        if tool is None or action is None:
            continue
        if action.data not in ACTIONS:
            detail = f"unknown action '{action.data}': expected allow, ask, reject or delegate"
            marks.append(Mark("unknown-key", action.start, action.end, detail))
            continue
        cut = removal(source, listed.items() if listed else [], item)
        shell = matches(Glob(str(tool.data), bare_tail=False), "Bash")
        commands = item.get("matches", "cmd")
        for text, node in commands.strings() if commands else [("*", tool)]:
            pattern = _pattern(text) if shell else Nothing()
            about = "shell" if shell else "mcp" if str(tool.data).startswith("mcp__") else "other"
            rank = (-float(len(rules)),)
            start, end = inner_span(source, node)
            shown = text if commands else str(tool.data)
            rules.append(
                Rule(
                    ACTIONS[str(action.data)],
                    about,
                    shown,
                    text,
                    pattern,
                    start,
                    end,
                    element_removal(source, commands, node, cut),
                    rank,
                    "amp.permissions",
                    str(tool.data),
                )
            )
    old = tree.get("amp.commands.allowlist")
    for text, node in old.strings() if old else []:
        start, end = inner_span(source, node)
        pattern = Everything() if text == "*" else Prefix(text, True)
        cut = removal(source, old.items() if old else [], node)
        rules.append(
            Rule("allow", "shell", text, text, pattern, start, end, cut, (1.0,), "amp.commands.allowlist", "Bash")
        )
    bypass = tree.get("amp.dangerouslyAllowAll")
    mode = _mode(bypass)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), tree=tree, mode=mode)


def _mode(node: Node | None) -> tuple[str, int, int]:
    return ("bypass", node.start, node.end) if node is not None and node.data is True else ("", 0, 0)


def _pattern(text: str) -> Pattern:
    if len(text) > 1 and text.startswith("/") and text.endswith("/"):
        return Regex(text[1:-1], "search")
    return Everything() if text.strip("*") == "" else Glob(text, bare_tail=False)
