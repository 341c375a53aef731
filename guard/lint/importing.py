"""Another tool's allowlist → a grant of ours, and what became of each rule.

A grant allows reading by itself, so rules for commands that only read are not needed. What is left are exact commands
and project commands: they become `run` patterns, which a step of a workflow or a stage of the board can hold. A rule
with a witness that does more than its own command does is dropped, with the witness; where that is only a project's
command with anything behind it, the command itself is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard import judge
from guard.lint.broad import Grantee
from guard.lint.check import File
from guard.lint.patterns import Exact, Nothing, leads
from guard.lint.pieces import Matching, pieces
from guard.lint.policy import Policy, Rule
from guard.lint.witness import PLACE, Searcher
from guard.model.errors import RuleError
from guard.model.grant import Grant
from guard.model.record import NamedTuple
from guard.model.verdict import Decision
from guard.rulebook.grant_reader import guard_keys, read_grant
from guard.rulebook.yaml_source import read_text

WHOLE = Matching(True)


class Fate(NamedTuple):
    """What became of a rule: `kept`, `needless` or `dropped`, and why. `run` is the pattern that it became."""

    rule: Rule
    what: str
    why: str
    run: str = ""


def fates(policy: Policy, searcher: Searcher) -> list[Fate]:
    """One for each rule of the file, in their order."""
    broad = {id(one.rule): one for one in File(policy, searcher).grantees}
    return [_fate(rule, broad.get(id(rule)), searcher) for rule in policy.rules]


def _fate(rule: Rule, found: Grantee | None, searcher: Searcher) -> Fate:
    if rule.decision != "allow":
        return Fate(rule, "needless", "what is not granted is vetoed")
    if rule.about == "mcp":
        whole = "*" in rule.text or (rule.tool.startswith("mcp__") and rule.tool.count("__") < 2)
        if whole or rule.tool == "Mcp":
            return Fate(
                rule,
                "dropped",
                "tools are granted by exact name" if whole else "what its hooks call the tool is not known",
            )
        return Fate(rule, "kept", "a tool by exact name", f"tool {rule.tool}")
    if rule.about == "read":
        return Fate(rule, "needless", "reading is granted already, secrets apart")
    if rule.about != "shell":
        return Fate(rule, "dropped", "no rule about the shell: grant `write` globs or `tools` by hand")
    if isinstance(rule.pattern, Nothing):
        return Fate(rule, "dropped", "it matches nothing in its own tool")
    if found is None:
        return Fate(rule, "needless", "commands that only read are allowed already")
    witness = found.witness
    if isinstance(rule.pattern, Exact) and found.kind in ("project-code-exact", "destructive", "unknown-program"):
        run = as_pattern(rule.pattern.text, searcher)
        if run:
            return Fate(rule, "kept", f"one exact command ({witness.effect})", run)
    lead = leads(rule.pattern)[0].strip()
    if found.kind == "project-code" and witness.command == lead and " " in lead:
        run = as_pattern(lead, searcher)
        if run:
            return Fate(rule, "kept", f"narrowed to the exact command ({witness.effect})", run)
    return Fate(rule, "dropped", f"lets `{witness.command}` through: {witness.effect}")


def as_pattern(command: str, searcher: Searcher) -> str:
    """The entry of `run` that grants exactly this command; empty where none does, by the classifier's own word."""
    found = pieces(command, WHOLE)
    words = found[0].words if found and len(found) == 1 else None
    if not words or any("\0" in word or "*" in word for word in words):
        return ""
    run = "[" + ", ".join(_quoted(word) for word in words) + "]"
    grant = _grant(f"run: [{run}]")
    if grant is None or judge.command(command, PLACE, grant, searcher.book).decision is not Decision.ALLOW:
        return ""
    return run


def grant_text(found: list[Fate], title: str) -> str:
    """The grant as YAML: the `guard:` of a step or stage."""
    runs = list(dict.fromkeys(fate.run for fate in found if fate.what == "kept" and not fate.run.startswith("tool ")))
    tools = list(dict.fromkeys(fate.run[5:] for fate in found if fate.what == "kept" and fate.run.startswith("tool ")))
    lines = [f"# Imported from {title}. Reading is granted already; this is what is granted beyond it.", "guard:"]
    lines += ["  run:", *(f"    - {run}" for run in runs)] if runs else []
    lines += ["  tools:", *(f"    - {_quoted(tool)}" for tool in tools)] if tools else []
    if not runs and not tools:
        lines[-1] = "guard: {bash: [read]}"
    return "\n".join(lines) + "\n"


def report_lines(found: list[Fate], policy: Policy) -> Iterator[str]:
    """`path:line: what: rule: why` for each rule."""
    for fate in found:
        line, column = policy.source.place(fate.rule.start)
        text = fate.rule.text.replace("\n", "\\n")
        yield f"{policy.source.path}:{line}:{column}: {fate.what}: {fate.rule.decision} {text}: {fate.why}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _grant(text: str) -> Grant | None:
    try:
        return read_grant({}, guard_keys(read_text(text, "import")))
    except RuleError:
        return None
