"""Other spellings of what a deny or ask rule is meant to stop, and the first that the rule misses.

Spellings are the same act to the shell: an option before the subcommand, other orders of flags, a wrapper or a path in
front, a `cd` before it, other blanks or quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint import patterns
from guard.lint.patterns import Contains, Everything, Glob, Nothing, Regex
from guard.lint.policy import Policy, Rule, catches, passes
from guard.lint.witness import Searcher
from guard.model.record import NamedTuple

READERS = ("cat", "head", "grep", "less", "tail")
PATHS = {"git": "/usr/bin/git"}


class Evasion(NamedTuple):
    """`kind` is the name of a check; `command` is the spelling that the rule misses."""

    rule: Rule
    kind: str
    command: str
    version: str = ""


def evaded(policy: Policy, searcher: Searcher) -> list[Evasion]:
    """For each rule that stops shell commands the first spelling that it does not stop."""
    found = []
    for rule in policy.rules:
        stops = rule.decision == "deny" or (rule.decision == "ask" and _matters(policy, rule))
        if not stops or rule.about != "shell" or isinstance(rule.pattern, (Everything, Nothing)):
            continue
        one = _evaded(policy, rule, searcher)
        if one is not None:
            found.append(one)
    return found


def _matters(policy: Policy, rule: Rule) -> bool:
    """An ask rule takes something back only where asking is not what happens anyway; in Claude Code it also holds in
    modes that ask for nothing."""
    return policy.format == "claude" or policy.default == "allow"


def _evaded(policy: Policy, rule: Rule, searcher: Searcher) -> Evasion | None:
    base = act(rule, searcher)
    if not base:
        return None
    if rule.decision == "ask":
        for older in policy.older:
            command = f"cd x && {base}"
            if not older.parts and catches(rule, base, older) and not catches(rule, command, older):
                return Evasion(rule, "leading-cd", command, older.name)
    if not isinstance(rule.pattern, Regex) and not catches(rule, base, policy.matching):
        return None  # it stops nothing at all: other checks say so
    for kind, command in _spellings(base, rule, searcher):
        if not catches(rule, command, policy.matching):
            return Evasion(rule, kind, command)
    return None


def act(rule: Rule, searcher: Searcher) -> str:
    """A command that the rule is meant to stop."""
    pattern = rule.pattern
    if isinstance(pattern, Regex):
        return _act_of_regex(pattern, searcher)
    if isinstance(pattern, Contains):
        return f"cat {pattern.text}"
    if isinstance(pattern, Glob) and not pattern.text.endswith(" *"):
        text = pattern.text.replace("?", "a") if pattern.question else pattern.text
        if text.startswith("*"):
            return f"cat {text.strip('*').strip()}"
        words = [word if word != "*" else ("a" if index > 0 else "ls") for index, word in enumerate(text.split())]
        return " ".join(word.replace("*", "" if not word.endswith("/*") else "a") for word in words)
    words = patterns.leads(pattern)[0].split()
    if not words:
        return ""
    complete = len(words) > 1 and not words[-1].startswith("-") and searcher.harm(" ".join(words))
    operand = [] if complete or not patterns.open_ended(pattern) else ["a"]
    return " ".join([*words, *operand])


def _act_of_regex(pattern: Regex, searcher: Searcher) -> str:
    """The first program of the rulebook that the expression names, with the word behind it."""
    plain = "".join(
        char if char.isalnum() or char in "-_" else " "
        for char in pattern.source.replace("\\s", " ").replace("\\b", " ")
    )
    words = plain.split()
    names = set(searcher.names())
    at = next((index for index, word in enumerate(words) if word in names), None)
    if at is None:
        return ""
    node = searcher.node(words[at : at + 1])
    second = words[at + 1] if at + 1 < len(words) else ""
    if node is not None and second and searcher.node([words[at], second]) is not node:
        return f"{words[at]} {second}"
    return f"{words[at]} -rf ~" if words[at] == "rm" else f"{words[at]} a"


def _spellings(base: str, rule: Rule, searcher: Searcher) -> Iterator[tuple[str, str]]:
    words = base.split()
    if isinstance(rule.pattern, (Regex, Contains)) or (
        isinstance(rule.pattern, Glob) and "*" in rule.pattern.text[:-1].rstrip("*")
    ):
        yield from _of_text(base, words, rule, searcher)
    if (
        isinstance(rule.pattern, patterns.Exact)
        or (not patterns.open_ended(rule.pattern))
        or rule.group in ("excludeTools", "tools.exclude")
    ):
        yield "exact-text", base.replace(" ", "  ")
    yield from (("flag-order", command) for command in _flags(words))
    yield from (("option-before-subcommand", command) for command in _global_options(words, searcher))
    yield "wrapper", f"{PATHS.get(words[0], '/bin/' + words[0])} {' '.join(words[1:])}".strip()
    yield "wrapper", f"env {base}"
    yield "wrapper", f"({base})"


def _of_text(base: str, words: list[str], rule: Rule, searcher: Searcher) -> Iterator[tuple[str, str]]:
    """Where the text is what is matched: the same bytes in other clothes."""
    last = words[-1]
    node = searcher.node(words[:1])
    if isinstance(rule.pattern, Regex):
        if node is not None and len(words) > 1 and (node.subcommands or node.split):
            yield "text-pattern", f"{words[0]} {words[1]} -f"
        yield "text-pattern", f"({base})"
    if len(last) > 2 and len(words) > 1:
        yield "text-pattern", f"f={last[:-1]}; {' '.join(words[:-1])} ${{f}}{last[-1]}"
    if "/" in last:
        yield (
            "text-pattern",
            f"cd {last.rsplit('/', 1)[0] or '/'} && {' '.join(words[:-1])} {last.rsplit('/', 1)[1] or '.'}",
        )
        yield "text-pattern", f'{" ".join(words[:-1])} "{last}"'


def _flags(words: list[str]) -> Iterator[str]:
    """Other orders of the flags of a command."""
    for index, word in enumerate(words[1:], 1):
        before, after = words[:index], words[index + 1 :]
        if word.startswith("-") and not word.startswith("--") and len(word) > 2 and word[1:].isalpha():
            yield " ".join([*before, "-" + word[:0:-1], *after])
            yield " ".join([*before, *("-" + flag for flag in word[1:]), *after])
        elif word.startswith("-") and len(word) == 2 and index == len(words) - 1:
            yield " ".join([*before, "-v", word])


def _global_options(words: list[str], searcher: Searcher) -> Iterator[str]:
    """A harmless option of the program between it and its subcommand."""
    node = searcher.node(words[:1])
    if node is None or len(words) < 2 or words[1].startswith("-") or not (node.subcommands or node.split):
        return
    if words[0] == "git":
        yield " ".join(["git", "-C", ".", *words[1:]])
    for name, option in node.options.items():
        if name.startswith("--") and not option.takes and not option.effect and name not in ("--help", "--version"):
            yield " ".join([words[0], name, *words[1:]])
            return


def stopped(policy: Policy, searcher: Searcher) -> str:
    """A command that the deny rules of the file are meant to stop; empty where they stop none."""
    for rule in policy.rules:
        if rule.decision == "deny" and rule.about in ("shell", "read"):
            command = act(rule, searcher) if rule.about == "shell" else f"cat {path_of(rule)}".strip()
            if command not in ("", "cat"):
                return command
    return ""


def path_of(rule: Rule) -> str:
    """A path that a rule about files is meant for."""
    path = rule.body.removeprefix("./").replace("**/", "").replace("/**", "/x").replace("*", "")
    return path.removeprefix("/") if path.startswith("//") else path


def reading(policy: Policy, readers: list[Rule], path: str) -> tuple[str, Rule] | None:
    """A command that reads the path and that an allow rule of the file lets through."""
    for program in READERS:
        command = f"{program} x {path}" if program == "grep" else f"{program} {path}"
        for rule in readers:
            if passes(rule, command, policy.matching):
                return command, rule
    return None


def readers_of(policy: Policy) -> list[Rule]:
    """The allow rules that might let a program read any file."""
    allows = [rule for rule in policy.rules if rule.decision == "allow" and rule.about == "shell"]
    return [rule for rule in allows if patterns.leads(rule.pattern)[0].split(" ")[0] in ("", *READERS)][:50]
