"""Claude Code: `settings.json`, `settings.local.json`, managed settings, and hooks of plugins.

Matching (https://code.claude.com/docs/en/permissions): a compound line is taken apart and every part must match; deny
goes before ask before allow; `Bash(x:*)` is the same as `Bash(x *)`, a prefix with a word boundary; a `*` elsewhere is
any text; `timeout`, `time`, `nice`, `nohup` and `stdbuf` are taken off the front; redirects to files and substitutions
are asked about. Versions before that matched the whole line.
"""

from __future__ import annotations

from difflib import get_close_matches

from guard.lint.foreign.json_file import in_project, inner_span, load, removal, sample, unknown_keys
from guard.lint.patterns import Everything, Exact, Glob, Nothing, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Hook, Mark, Policy, Rule
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit

NAME = "claude"
TITLE = "Claude Code settings"
PROJECT = (".claude/settings.json", ".claude/settings.local.json", "hooks/hooks.json")
HOME = (".claude/settings.json", ".claude/settings.local.json")

WRAPPERS = frozenset({"timeout", "time", "nice", "nohup", "stdbuf"})
MATCHING = Matching(True, "refused", "refused", WRAPPERS, True)
WHOLE_LINE = Matching(False, name="versions that match the whole line")

SHELLS = ("Bash",)
READS = ("Read", "Glob", "Grep", "LS", "NotebookRead")
WRITES = ("Edit", "Write", "MultiEdit", "NotebookEdit")
TOOLS = (
    *(*SHELLS, *READS, *WRITES),
    *("PowerShell", "Monitor", "WebFetch", "WebSearch", "Task", "Agent", "Skill", "SlashCommand", "LSP", "Config"),
    *("TodoRead", "TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskOutput", "TaskStop"),
    *("BashOutput", "KillShell", "KillBash", "AgentOutputTool", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"),
    *("ToolSearch", "ListMcpResourcesTool", "ReadMcpResourceTool", "WaitForMcpServers", "Sleep", "Artifact", "Cd"),
)
KEYS = (
    *("permissions", "hooks", "env", "model", "$schema", "sandbox", "statusLine", "outputStyle", "includeCoAuthoredBy"),
    *("apiKeyHelper", "cleanupPeriodDays", "enableAllProjectMcpServers", "enabledMcpjsonServers", "disableAllHooks"),
    *(
        "disabledMcpjsonServers",
        "enabledPlugins",
        "extraKnownMarketplaces",
        "forceLoginMethod",
        "language",
        "description",
    ),
    *("allowManagedPermissionRulesOnly", "allowManagedHooksOnly", "skipDangerousModePermissionPrompt", "attribution"),
)
PERMISSION_KEYS = (
    *("allow", "ask", "deny", "additionalDirectories", "defaultMode", "disableBypassPermissionsMode"),
    *("disableAutoMode", "skipDangerousModePermissionPrompt"),
)
ELSEWHERE = {
    "allow": "permissions.allow",
    "deny": "permissions.deny",
    "ask": "permissions.ask",
    "allowedTools": "permissions.allow",
    "autoApprovedTools": "permissions.allow",
    "autoApprove": "permissions.allow",
    "disallowedTools": "permissions.deny",
    "defaultMode": "permissions.defaultMode",
    "additionalDirectories": "permissions.additionalDirectories",
}
RANKS = {"allow": 0.0, "ask": 1.0, "deny": 2.0}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    name = path.rsplit("/", 1)[-1]
    return (
        (f"/{path}".endswith(("/.claude/settings.json", "/.claude/settings.local.json")))
        or name in ("managed-settings.json", "managed-settings.local.json")
        or "/managed-settings.d/" in path
        or f"/{path}".endswith("/hooks/hooks.json")
    )


def read(source: Source) -> Policy:
    """The rules, hooks and mode of a settings file."""
    tree, marks = load(source, trailing_commas=False)
    permissions = tree.get("permissions")
    marks += unknown_keys(tree, KEYS, "at the top level", ELSEWHERE)
    marks += unknown_keys(permissions, PERMISSION_KEYS, "in permissions", {"hooks": "the top level"})
    rules: list[Rule] = []
    for decision in RANKS:
        found = permissions.get(decision) if permissions else None
        if found is not None and not isinstance(found.data, list):
            marks.append(Mark("unknown-key", found.start, found.end, f"permissions.{decision} must be a list"))
        for text, node in found.strings() if found else []:
            rules.append(rule(source, decision, text, node, found.items() if found else [], marks))
    mode = tree.get("permissions", "defaultMode")
    return Policy(
        source,
        NAME,
        MATCHING,
        tuple(rules),
        tuple(marks),
        hooks(tree.get("hooks")),
        tree,
        (WHOLE_LINE,),
        mode=(str(mode.data), mode.start, mode.end) if mode else ("", 0, 0),
        in_project=in_project(source),
    )


def rule(
    source: Source,
    decision: str,
    text: str,
    node: Node,
    nodes: list[Node],
    marks: list[Mark],
    tools: tuple[str, ...] = TOOLS,
) -> Rule:
    """One entry of a list; what is wrong with its form is added to the marks."""
    start, end = inner_span(source, node)
    pattern, about, tool, body = _parse(source, decision, text, start, end, marks, tools)
    cut = removal(source, nodes, node) if nodes else ()
    return Rule(decision, about, text, body, pattern, start, end, cut, (RANKS[decision],), decision, tool)


def _parse(
    source: Source, decision: str, text: str, start: int, end: int, marks: list[Mark], tools: tuple[str, ...]
) -> tuple[Pattern, str, str, str]:
    def mark(kind: str, detail: str, better: str | None = None, safe: bool = True, witness: str = "") -> None:
        verbatim = source.text[start:end] == text
        edits = (Edit(start, end, better),) if better is not None and verbatim else ()
        # A fix that brings an allow rule to life is never a safe one.
        marks.append(Mark(kind, start, end, detail, edits, safe and decision != "allow", witness))

    tool, opened, rest = text.partition("(")
    body = rest[:-1] if rest.endswith(")") else rest
    if tool.startswith("mcp__"):
        if opened:
            mark("mcp-parentheses", "MCP tools take no parentheses", tool, safe=False, witness=tool)
            return Nothing(), "other", tool, body
        if "*" in tool and decision == "allow" and "*" in tool.split("__")[1]:
            detail = "a pattern over server names is skipped in allow"
            mark("tool-glob-skipped", detail, witness="mcp__x__y")
            return Nothing(), "mcp", tool, ""
        return Nothing(), "mcp", tool, ""
    if tool != tool.strip() or text != text.strip():
        better = tool.strip() + opened + rest.strip()
        mark("blank-before-parenthesis", "a blank makes this the name of no tool", better)
        return Nothing(), "other", tool.strip(), body
    if opened and not rest.endswith(")"):
        cut = rest.rfind(")")
        detail = "text after the closing parenthesis" if cut >= 0 else "the parenthesis is not closed"
        better = f"{tool}({rest[:cut]})" if cut >= 0 else text + ")"
        mark(
            "malformed", f"{detail}: the rule is dropped", better, safe=False, witness=rest[:cut] if cut >= 0 else body
        )
        return Nothing(), "shell" if tool == "Bash" else "other", tool, body
    if tool == "*" and opened:
        return Nothing(), "other", tool, body
    if tool not in tools:
        near = next((name for name in tools if name.lower() == tool.lower()), None)
        near = near or next(iter(get_close_matches(tool, tools, 1, 0.7)), None)
        hint = f": did you mean '{near}'?" if near else ""
        spelled = near + opened + rest if near else None
        mark("unknown-tool", f"there is no tool '{tool}'{hint}", spelled, witness=sample(body))
        return Nothing(), "other", tool, body
    if tool in SHELLS:
        return _shell(body if opened else "*", text, mark), "shell", tool, body if opened else "*"
    about = "read" if tool in READS else "write" if tool in WRITES else "other"
    if opened:
        _path(decision, tool, body, mark)
    return Nothing(), about, tool, body


def _shell(body: str, text: str, mark) -> Pattern:  # type: ignore[no-untyped-def]
    if body in ("*", "") or body.strip() == "**":
        return Everything()
    if body == ":*":
        mark("empty-prefix", "a prefix may not be empty: the rule is skipped", witness="ls")
        return Nothing()
    if body.endswith(":*"):
        prefix = body[:-2]
        if "*" in prefix:
            return Glob(prefix + " *")
        return Prefix(prefix, not prefix.endswith("/"))
    if ":*" in body or "*:" in body:
        at = body.index("*:") if "*:" in body else body.index(":*")
        detail = "a colon is only the end of a prefix as the last `:*`; here it is text that commands do not have"
        words = body.replace("*", " ").replace(":", " ").split()
        act = f"cat {words[0]}" if at == 0 and words else sample(body)
        mark("colon-in-the-middle", detail, witness=act)
        return Glob(body)
    name, colon, word = body.split()[0].partition(":")
    if colon and word and name.replace("-", "").isalnum() and "*" not in body:
        detail = f"there is no program '{name}:{word}': a colon is only the end of a prefix as the last `:*`"
        mark("colon-in-the-middle", detail, f"Bash({body.replace(':', ' ', 1)})", False, f"{name} {word}")
        return Nothing()
    return Glob(body) if "*" in body else Exact(body)


ROOTS = (
    "etc",
    "home",
    "Users",
    "root",
    "var",
    "usr",
    "opt",
    "tmp",
    "private",
    "proc",
    "sys",
    "dev",
    "mnt",
    "boot",
    "srv",
)


def _path(decision: str, tool: str, body: str, mark) -> None:  # type: ignore[no-untyped-def]
    if tool in ("Write", "MultiEdit", "NotebookEdit"):
        detail = f"{tool}(path) is never looked at: only Edit(path) holds for tools that write"
        better = f"Edit({body})" if decision != "allow" else None
        mark("wrong-tool", detail, better, False, f"(write to {_example_path(body)} goes through)")
    elif tool in ("Glob", "Grep", "LS", "NotebookRead"):
        detail = f"{tool}(path) is never looked at: only Read(path) holds for tools that read"
        better = f"Read({body})" if decision != "allow" else None
        mark("wrong-tool", detail, better, False, f"(search in {_example_path(body)} goes through)")
    if body.startswith("/") and not body.startswith("//") and body[1:].split("/")[0] in ROOTS:
        detail = "one slash means the folder of the settings file; an absolute path starts with two"
        mark("path-form", detail, f"{tool}(/{body})", False, f"cat {body}")
    if decision == "deny" and body in ("~/**", "//**", "~/*", "/**"):
        mark(
            "path-glob",
            "a root and nothing but `/**` is an empty pattern in some versions: name the folders below",
            witness="(read of ~/.ssh/id_rsa)",
        )
    elif (
        decision == "deny"
        and body.startswith("**/")
        and "/" in body[3:]
        and body.count("*") > 2
        and "**" not in body[3:]
    ):
        folder = body[3:].split("/")[0]
        mark(
            "path-glob",
            f"some versions do not match a folder after `**/` in this form: write `**/{folder}/**`",
            f"{tool}(**/{folder}/**)",
            False,
            f"(write to {folder}/x)",
        )


def _example_path(body: str) -> str:
    return body.replace("**/", "").replace("/**", "/a.md").replace("*", "x").lstrip("/") or "x"


def hooks(node: Node | None) -> tuple[Hook, ...]:
    """All command handlers of a `hooks` object of this shape."""
    found = []
    for event in node.entries() if node else []:
        for group in event.value.items():
            matcher = group.get("matcher")
            for handler in group.get("hooks").items() if group.get("hooks") else []:  # type: ignore[union-attr]
                command = handler.get("command")
                if command is not None and isinstance(command.data, str):
                    text = str(matcher.data) if matcher else ""
                    found.append(Hook(event.key, text, command.data, handler, command, event.start, event.end))
    return tuple(found)
