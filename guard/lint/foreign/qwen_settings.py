"""Qwen Code: `settings.json` with Gemini's lists and, since it has permissions, Claude Code's rules under its names.

Matching (https://qwenlm.github.io/qwen-code-docs): rules as in Claude Code, tools by their own name or an alias.
"""

from __future__ import annotations

from guard.lint.foreign import claude, gemini_settings
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source

NAME = "qwen-settings"
TITLE = "Qwen Code settings"
PROJECT = (".qwen/settings.json",)
HOME = (".qwen/settings.json",)
TOOLS = (
    *claude.TOOLS,
    *("Shell", "ReadFile", "EditFile", "WriteFile", "SearchFiles", "FindFiles", "ListFiles", "run_shell_command"),
    *("read_file", "edit", "write_file", "grep_search", "glob", "list_directory", "web_fetch", "task", "skill"),
)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith("/.qwen/settings.json")


def read(source: Source) -> Policy:
    """Both kinds of list."""
    policy = gemini_settings.read_lists(source, NAME)
    marks: list[Mark] = list(policy.marks)
    rules: list[Rule] = list(policy.rules)
    for decision in claude.RANKS:
        listed = policy.tree.get("permissions", decision) if policy.tree else None
        for text, node in listed.strings() if listed else []:
            same = text
            for name in ("Shell", "run_shell_command"):
                if text == name or text.startswith(name + "("):
                    same = "Bash" + text[len(name) :]
            rules.append(claude.rule(source, decision, same, node, listed.items() if listed else [], marks, TOOLS))
    return policy._replace(rules=tuple(rules), marks=tuple(marks), matching=claude.MATCHING)
