"""Plain lists of commands, one on a line, as scripts, sudoers-like files and home-made guards keep them.

    [allow|ask|deny] [prefix|words|exact|glob|regex|contains|tool] [ignore-case] TEXT

Without the words in front a line is `allow prefix`. `prefix` is the start of the text, without a word's end; `words`
has one. The whole line of the command is matched; deny goes first. `#` starts a comment. Since any list of anything may
have such a name, these files are read where they are named, not where a folder is searched.
"""

from __future__ import annotations

from guard.lint import cuts
from guard.lint.patterns import Contains, Everything, Exact, Glob, Nothing, Pattern, Prefix, Regex
from guard.lint.pieces import Matching
from guard.lint.policy import Policy, Rule
from guard.lint.source import Source

NAME = "list"
TITLE = "plain lists of commands"
PROJECT = ()
HOME = ()
MATCHING = Matching(False)
RANKS = {"allow": 0.0, "ask": 1.0, "deny": 2.0}
KINDS = ("prefix", "words", "exact", "glob", "regex", "contains", "tool")


def recognises(path: str) -> bool:
    """Whether this is such a list by its name."""
    return path.rsplit("/", 1)[-1] in ("allowlist.txt", ".allowlist", "denylist.txt") or path.endswith(".allowlist")


def read(source: Source) -> Policy:
    """The rules of a list."""
    rules: list[Rule] = []
    at = 0
    default = "deny" if source.path.endswith("denylist.txt") else "allow"
    for line in source.text.split("\n"):
        start, end = at + len(line) - len(line.lstrip()), at + len(line.rstrip())
        at += len(line) + 1
        if start >= end or source.text[start] == "#":
            continue
        decision, kind, ignore_case = default, "prefix", False
        while True:
            word, _, rest = source.text[start:end].partition(" ")
            if not rest or not (word in RANKS or word in KINDS or word == "ignore-case"):
                break
            decision = word if word in RANKS else decision
            kind = word if word in KINDS else kind
            ignore_case |= word == "ignore-case"
            start += len(word) + len(rest) - len(rest.lstrip()) + 1
        text = source.text[start:end]
        cut = cuts.lines(source.text, start, end)
        about = "mcp" if kind == "tool" or text.startswith("mcp__") else "shell"
        pattern = _pattern(kind, text, ignore_case) if about == "shell" else Nothing()
        rules.append(Rule(decision, about, text, text, pattern, start, end, cut, (RANKS[decision],), decision, kind))
    return Policy(source, NAME, MATCHING, tuple(rules))


def _pattern(kind: str, text: str, ignore_case: bool) -> Pattern:
    if text in ("*", "ALL"):
        return Everything()
    if kind == "glob":
        return Glob(text, bare_tail=False)
    if kind == "regex":
        return Regex(text, "search", ignore_case)
    if kind == "contains":
        return Contains(text)
    return Exact(text, ignore_case) if kind == "exact" else Prefix(text, kind == "words", ignore_case)
