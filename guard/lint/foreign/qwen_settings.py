"""Qwen Code: `settings.json` with Gemini's lists and, since it has permissions, Claude Code's rules under its names.

Matching (the project's own source, `packages/core/src/permissions/rule-parser.ts`): tools by their name or an alias;
`Bash(x)` without a star is a prefix that ends at a word, ` *` and `:*` are the same, a `*` elsewhere is any text; each
part of a compound line is matched with its redirects; substitutions are refused; no wrappers are taken off.
"""

from __future__ import annotations

from guard.lint.foreign import claude, gemini_settings
from guard.lint.patterns import Exact, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source

NAME = "qwen-settings"
TITLE = "Qwen Code settings"
PROJECT = (".qwen/settings.json",)
HOME = (".qwen/settings.json",)
MATCHING = Matching(True, "kept", "refused")
SHELLS = ("Shell", "ShellTool", "run_shell_command")
TOOLS = (
    *claude.TOOLS,
    *("SaveMemory", "TodoWriteTool", "Lsp", "EditTool", "WriteFileTool", "ReadFileTool", "GrepTool", "GlobTool"),
    *(
        "ListFilesTool",
        "ReadFolder",
        "WebFetchTool",
        "WebSearchTool",
        "AgentTool",
        "SkillTool",
        "TaskTool",
        "ShellTool",
    ),
    *("search_file_content", "save_memory", "todo_write", "web_search", "agent", "exit_plan_mode", "lsp", "replace"),
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
            for name in SHELLS:
                if text == name or text.startswith(name + "("):
                    same = "Bash" + text[len(name) :]
            rule = claude.rule(source, decision, same, node, listed.items() if listed else [], marks, TOOLS)
            if isinstance(rule.pattern, Exact):
                rule = rule._replace(pattern=Prefix(rule.pattern.text, True))
            rules.append(rule._replace(text=text))
    return policy._replace(rules=tuple(rules), marks=tuple(marks), matching=MATCHING, older=())
