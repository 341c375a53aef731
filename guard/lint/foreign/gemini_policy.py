"""Gemini CLI: policies in `.gemini/policies/*.toml`.

Matching (https://geminicli.com/docs/reference/policy-engine): the rule with the highest priority decides; every part of
a compound line must pass; a prefix ends at a word; `commandRegex` is searched in the JSON of the arguments directly
behind `"command":"`, so it starts with the command and has no end; redirects ask unless `allowRedirection`.
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint import cuts
from guard.lint.foreign.json_file import element_removal, inner_span
from guard.lint.foreign.toml_file import load
from guard.lint.patterns import Everything, Nothing, Pattern, Prefix, Regex, leads
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "gemini-policy"
TITLE = "Gemini CLI policies"
PROJECT = (".gemini/policies/*.toml",)
HOME = (".gemini/policies/*.toml",)
MATCHING = Matching(True, "refused", "parts")
SHELL = "run_shell_command"
TOOLS = (
    *(
        SHELL,
        "read_file",
        "read_many_files",
        "write_file",
        "replace",
        "edit",
        "glob",
        "grep_search",
        "search_file_content",
    ),
    *("list_directory", "web_fetch", "google_web_search", "save_memory", "write_todos", "ask_user", "activate_skill"),
    *(
        "enter_plan_mode",
        "exit_plan_mode",
        "get_internal_docs",
        "complete_task",
        "read_mcp_resource",
        "list_mcp_resources",
    ),
)
DECISIONS = {"allow": "allow", "deny": "deny", "ask_user": "ask"}
KEYS = (
    *(
        "toolName",
        "mcpName",
        "argsPattern",
        "commandPrefix",
        "commandRegex",
        "decision",
        "priority",
        "modes",
        "subagent",
    ),
    *("allow_redirection", "allowRedirection", "interactive", "denyMessage", "deny_message", "toolAnnotations"),
)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return path.endswith(".toml") and ("/.gemini/policies/" in f"/{path}" or "/gemini-cli/policies/" in path)


def read(source: Source) -> Policy:
    """The rules of a policy file."""
    tree, marks = load(source)
    rules: list[Rule] = []
    listed = tree.get("rule")
    for index, table in enumerate(listed.items() if listed else []):
        _table(source, table, index, rules, marks)
    return Policy(source, NAME, MATCHING, tuple(rules), tuple(marks), tree=tree)


def _table(source: Source, table: Node, index: int, rules: list[Rule], marks: list[Mark]) -> None:
    for entry in table.entries():
        if entry.key not in KEYS:
            near = get_close_matches(entry.key, KEYS, 1)
            detail = f"'{entry.key}' is not read here" + (f": did you mean '{near[0]}'?" if near else "")
            marks.append(Mark("unknown-key", entry.start, entry.end, detail))
    names, server = table.get("toolName"), table.get("mcpName")
    tools = names.strings() if names else []
    for tool, node in tools:
        start, end = inner_span(source, node)
        if tool == "":
            marks.append(Mark("unknown-tool", node.start, node.end, "an empty tool name stops the start", witness="ls"))
        elif not (server or tool in TOOLS or "*" in tool or tool.startswith("mcp_") or "__" in tool):
            near = get_close_matches(tool, TOOLS, 1)
            hint = f": did you mean '{near[0]}'?" if near else ""
            edits = (Edit(start, end, near[0]),) if near else ()
            marks.append(Mark("unknown-tool", start, end, f"there is no tool '{tool}'{hint}", edits, False, "ls"))
    word = table.get("decision")
    if word is None or word.data not in DECISIONS:
        at = word or table
        marks.append(Mark("invalid-file", at.start, at.end, "decision: expected allow, deny or ask_user"))
        return
    decision, priority = DECISIONS[str(word.data)], table.get("priority")
    rank = (float(priority.data) if priority and isinstance(priority.data, (int, float)) else 0.0, -float(index))
    cut = cuts.lines(source.text, table.start, _last(table))
    shell = (
        any(tool in (SHELL, "*") for tool, _ in tools)
        or table.get(
            "commandPrefix",
        )
        is not None
    )
    for text, pattern, node in _patterns(source, table, marks):
        start, end = inner_span(source, node)
        own = element_removal(source, table.get("commandPrefix"), node, cut) if isinstance(pattern, Prefix) else cut
        rules.append(Rule(decision, "shell", text, text, pattern, start, end, own, rank, decision, SHELL))
    if shell and not any(table.get(key) for key in ("commandPrefix", "commandRegex", "argsPattern")):
        at = names or table
        start, end = inner_span(source, tools[0][1]) if tools else (at.start, at.end)
        rules.append(Rule(decision, "shell", SHELL, "*", Everything(), start, end, cut, rank, decision, SHELL))
    elif not shell and not table.get("commandRegex"):
        for tool, node in tools:
            start, end = inner_span(source, node)
            foreign = server is not None or tool.startswith("mcp_") or "__" in tool
            about = "mcp" if foreign else "read" if "read" in tool else "other"
            name = f"mcp_{server.data}_{tool}" if server is not None and not tool.startswith("mcp_") else tool
            rules.append(Rule(decision, about, tool, "", Nothing(), start, end, cut, rank, decision, name))


def _patterns(source: Source, table: Node, marks: list[Mark]) -> list[tuple[str, Pattern, Node]]:
    found: list[tuple[str, Pattern, Node]] = []
    prefixes = table.get("commandPrefix")
    for text, node in prefixes.strings() if prefixes else []:
        if text != text.rstrip():
            start, end = inner_span(source, node)
            edits = (Edit(start, end, text.rstrip()),) if source.text[start:end] == text else ()
            detail = "the blank at the end is part of the prefix: a command needs two blanks to match"
            marks.append(Mark("trailing-space", start, end, detail, edits, False, f"{text.strip()} status"))
        found.append((text, Prefix(text, True), node))
    for key, around in (("commandRegex", '{"command":"'), ("argsPattern", "")):
        written = table.get(key)
        if written is None or not isinstance(written.data, str):
            continue
        node = written
        if key == "commandRegex" and str(node.data).startswith("^"):
            start, end = inner_span(source, node)
            edits = (Edit(start, start + 1, ""),) if source.text[start : start + 1] == "^" else ()
            detail = "the expression is tested on the JSON of the arguments: behind its start `^` never fits"
            meant = leads(Regex(str(node.data), "match"))[0].strip() or "ls"
            marks.append(Mark("anchor-on-json", start, start + 1, detail, edits, False, meant))
            found.append((str(node.data), Nothing(), node))
        elif around or str(node.data).startswith('"command":"'):
            found.append((str(node.data), Regex(str(node.data).removeprefix('"command":"'), "match"), node))
        else:
            found.append((str(node.data), Regex(str(node.data), "search", around=('{"command":"', '"}')), node))
    return found


def _last(table: Node) -> int:
    return max([entry.value.end for entry in table.entries()], default=table.end)
