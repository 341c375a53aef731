"""Gemini CLI: `settings.json` with `coreTools`, `excludeTools`, `tools.core`, `tools.allowed`, `tools.exclude`.

Matching (https://geminicli.com/docs/tools/shell): `run_shell_command(x)` (`ShellTool(x)` in old files) is a prefix of a
command; in exclude lists it is a plain text comparison, so another blank avoids it. Old versions matched the whole
line.
"""

from __future__ import annotations

from guard.lint.foreign.claude import hooks
from guard.lint.foreign.json_file import in_project, inner_span, load, removal
from guard.lint.patterns import Everything, Nothing, Pattern, Prefix
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy, Rule
from guard.lint.source import Source

NAME = "gemini-settings"
TITLE = "Gemini CLI settings"
PROJECT = (".gemini/settings.json",)
HOME = (".gemini/settings.json",)
MATCHING = Matching(True, "refused", "parts")
WHOLE_LINE = Matching(False, name="versions that match the whole line")
SHELLS = ("run_shell_command", "ShellTool")
LISTS = {
    ("coreTools",): "allow",
    ("tools", "core"): "allow",
    ("allowedTools",): "allow",
    ("tools", "allowed"): "allow",
    ("excludeTools",): "deny",
    ("tools", "exclude"): "deny",
}


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith("/.gemini/settings.json")


def read(source: Source) -> Policy:
    """The lists of tools of a settings file."""
    return read_lists(source, NAME)


def read_lists(source: Source, name: str) -> Policy:
    """The same for tools that took the format over."""
    tree, marks = load(source, trailing_commas=False)
    rules: list[Rule] = []
    for path, decision in LISTS.items():
        listed = tree.get(*path)
        for text, node in listed.strings() if listed else []:
            start, end = inner_span(source, node)
            tool, opened, rest = text.partition("(")
            body = rest.removesuffix(")")
            pattern: Pattern = Nothing()
            if tool in SHELLS:
                pattern = Prefix(body, decision == "allow") if opened else Everything()
                if path == ("coreTools",) and tool == "ShellTool":
                    detail = "an old form of tools.core: versions that read it match only the start of a whole line"
                    marks.append(Mark("legacy-syntax", start, end, detail, witness=f"{body or 'ls'} x | cat > p"))
            rank = (1.0 if decision == "deny" else 0.0,)
            cut = removal(source, listed.items() if listed else [], node)
            about = "shell" if tool in SHELLS else "other"
            rules.append(Rule(decision, about, text, body, pattern, start, end, cut, rank, ".".join(path), tool))
    paths = tree.get("policyPaths")
    for text, node in paths.strings() if paths else []:
        if "/policies/" in f"/{text}":
            detail = "files of the policies folder are read by themselves; a path listed here may not be read at all"
            marks.append(Mark("file-not-loaded", *inner_span(source, node), detail, witness="ls"))
    yolo = tree.get("approvalMode") or tree.get("tools", "approvalMode") or tree.get("general", "defaultApprovalMode")
    mode = ("bypass", yolo.start, yolo.end) if yolo and yolo.data == "yolo" else ("", 0, 0)
    return Policy(
        source,
        name,
        MATCHING,
        tuple(rules),
        tuple(marks),
        hooks(tree.get("hooks")),
        tree,
        (WHOLE_LINE,),
        mode=mode,
        in_project=in_project(source),
    )
