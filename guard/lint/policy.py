"""A rule file that was read: its rules, and what the file says beside them."""

from __future__ import annotations

from guard.lint import patterns
from guard.lint.patterns import Pattern
from guard.lint.pieces import Matching, Piece, pieces
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.model.diagnostic import Edit
from guard.model.record import NamedTuple


class Rule(NamedTuple):
    """One entry of a list.

    `decision` is `allow`, `ask` or `deny`. `about` is `shell`, `read`, `write`, `mcp` or `other`. `text` is the rule as
    written, `body` the command pattern in it. `start` and `end` are the offsets of the text in the file. `cut` removes
    the rule from the file. `rank` orders decisions: of the rules that match, the one with the highest rank decides.
    `group` names the list it stands in; `tool` the tool as the rule
    spells it. `whole_line`: it is held against the whole line, whatever the tool does with other rules.
    """

    decision: str
    about: str
    text: str
    body: str
    pattern: Pattern
    start: int
    end: int
    cut: tuple[Edit, ...]
    rank: tuple[float, ...]
    group: str
    tool: str = ""
    whole_line: bool = False


class Mark(NamedTuple):
    """Something a reader saw that one check reports. `detail` fills its message; `edits` would mend it."""

    kind: str
    start: int
    end: int
    detail: str
    edits: tuple[Edit, ...] = ()
    safe: bool = True
    witness: str = ""


class Hook(NamedTuple):
    """One hook handler: the event it is for, its matcher, its command and the node that holds all of it."""

    event: str
    matcher: str
    command: str
    node: Node
    command_node: Node
    event_start: int
    event_end: int


class Policy(NamedTuple):
    """`matching` is how the tool matches today; `older` are versions of it that people still run.

    `default` is what happens to a shell command that no rule matches. `sandboxed`: such a command may run unasked in a
    sandbox, and one that is allowed runs outside of it.
    """

    source: Source
    format: str
    matching: Matching
    rules: tuple[Rule, ...] = ()
    marks: tuple[Mark, ...] = ()
    hooks: tuple[Hook, ...] = ()
    tree: Node | None = None
    older: tuple[Matching, ...] = ()
    default: str = "ask"
    mode: tuple[str, int, int] = ("", 0, 0)
    in_project: bool = False
    sandboxed: bool = False


def fits(pattern: Pattern, piece: Piece) -> bool:
    """Whether the pattern matches the command, with or without the wrappers that the tool takes off."""
    return patterns.matches(pattern, piece.text, piece.words) or (piece.bare is not None and fits(pattern, piece.bare))


def passes(rule: Rule, command: str, matching: Matching) -> bool:
    """Whether this allow rule, in that tool, lets the whole command line through."""
    found = pieces(command, matching._replace(parts=False) if rule.whole_line else matching)
    return bool(found) and all(fits(rule.pattern, piece) for piece in found or ())


def catches(rule: Rule, command: str, matching: Matching) -> bool:
    """Whether this deny or ask rule stops the command line: one part that it matches is enough."""
    found = pieces(command, matching)
    return found is None or any(fits(rule.pattern, piece) for piece in found)


def _holds_for(rules_tool: str, tool: str) -> bool:
    """Whether rules of `rules_tool` decide over `tool`: those of an agent (`agent.build.bash`) only over its own calls,
    the general ones over these too."""
    if not tool:
        return "." not in rules_tool
    return rules_tool == tool or ("." in tool and "." not in rules_tool)


def decision(policy: Policy, command: str, tool: str = "") -> tuple[str, Rule | None]:
    """What the tool does with a command line by all rules of the file, and the rule that decides. Where several tools
    read one file, `tool` says by whose rules.

    Part by part the rule of the highest rank decides; over the parts the strictest decision holds.
    """
    found = pieces(command, policy.matching)
    if found is None:
        return "ask", None
    order = ("allow", "ask", "deny")
    worst: tuple[str, Rule | None] = ("allow", None)
    for piece in found:
        best: Rule | None = None
        for rule in policy.rules:
            if rule.about == "shell" and _holds_for(rule.tool, tool) and fits(rule.pattern, piece):
                best = rule if best is None or rule.rank > best.rank else best
        one = (best.decision, best) if best else (policy.default, None)
        if order.index(one[0]) > order.index(worst[0]) or worst[1] is None:
            worst = one
    return worst
