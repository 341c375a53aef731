"""Rules of one file held against each other, in time that grows with the number of rules.

Rules with a plain start are found by the words of it; for the few other patterns a bounded number is compared.
"""

from __future__ import annotations

from collections import defaultdict

from guard.lint import patterns
from guard.lint.patterns import Everything, Exact, Glob, Nothing, Pattern, Prefix, Words
from guard.lint.policy import Policy, Rule

ORDERED = ("opencode", "gemini-policy", "amp")
"""Formats in which the place or number of a rule decides, not only its list."""

OTHERS = 50
"""How many patterns without a plain start each rule is compared with."""


def start_of(pattern: Pattern) -> str | None:
    """The words that a rule which ends at a word begins with, where that is all it says."""
    if isinstance(pattern, Everything):
        return ""
    if isinstance(pattern, Prefix) and pattern.boundary and not pattern.ignore_case:
        return " ".join(pattern.text.split())
    if isinstance(pattern, Glob) and pattern.text.endswith(" *") and pattern.bare_tail:
        head = pattern.text[:-2]
        return head if "*" not in head and not (pattern.question and "?" in head) else None
    if isinstance(pattern, Words) and all(len(choices) == 1 for choices in pattern.alternatives):
        return " ".join(choices[0] for choices in pattern.alternatives)
    return None


def same(one: Rule, other: Rule) -> bool:
    """Whether two rules match the same commands."""
    first, second = start_of(one.pattern), start_of(other.pattern)
    if first is not None or second is not None:
        return first == second
    return type(one.pattern) is type(other.pattern) and one.pattern == other.pattern and one.text == other.text


def covered(policy: Policy) -> list[tuple[Rule, Rule]]:
    """(rule, a rule that matches all that it does and decides the same)."""
    pairs = [(rule, wider) for rule, wider in _pairs(policy) if wider.decision == rule.decision]
    if policy.format not in ORDERED:
        return pairs
    changes = _changes(policy)
    return [(rule, wider) for rule, wider in pairs if changes[rule.rank] == changes[wider.rank]]


def overridden(policy: Policy) -> list[tuple[Rule, Rule]]:
    """(rule, a rule of another decision that matches all that it does and goes before it).

    Where the lists decide and not the order of rules, a rule that a stricter list takes back in part is what was meant;
    an allow of which nothing is left is not."""
    found = [pair for pair in _pairs(policy) if pair[0].decision != pair[1].decision and pair[1].rank > pair[0].rank]
    return found if policy.format in ORDERED else [pair for pair in found if pair[0].decision == "allow"]


def _changes(policy: Policy) -> dict[tuple[float, ...], int]:
    """How often the decision changes up to each rank: between two rules with the same number none of another decision
    stands, so the narrower one decides nothing of its own."""
    found: dict[tuple[float, ...], int] = {}
    count, last = 0, ""
    for rule in sorted(policy.rules, key=lambda rule: rule.rank):
        count += rule.decision != last
        last = rule.decision
        found[rule.rank] = count
    return found


def _pairs(policy: Policy) -> list[tuple[Rule, Rule]]:
    by_start: dict[tuple[str, str], list[Rule]] = defaultdict(list)
    by_text: dict[tuple[str, str], Rule] = {}
    found: list[tuple[Rule, Rule]] = []
    shell = [rule for rule in policy.rules if rule.about == "shell" and not isinstance(rule.pattern, Nothing)]
    for rule in shell:
        start = start_of(rule.pattern)
        if start is not None:
            by_start[(start, rule.tool)].append(rule)
    others = [rule for rule in shell if start_of(rule.pattern) is None and isinstance(rule.pattern, Glob)][:OTHERS]
    for rule in shell:
        found += [(rule, wider) for wider in _wider(rule, by_start, others)[:4]]
    for rule in policy.rules:
        key = (rule.decision, f"{rule.group}\0{rule.text}")
        if start_of(rule.pattern) is None and key in by_text:
            found.append((rule, by_text[key]))
        by_text.setdefault(key, rule)
    return found


def _wider(rule: Rule, by_start: dict[tuple[str, str], list[Rule]], others: list[Rule]) -> list[Rule]:
    lead = start_of(rule.pattern)
    if lead is None:
        lead = rule.pattern.text if isinstance(rule.pattern, Exact) else None
    if lead is None and isinstance(rule.pattern, Glob) and not rule.pattern.text.startswith("*"):
        lead = patterns.leads(rule.pattern)[0].rpartition(" ")[0]
    if lead is None:
        return []
    words = lead.split()
    found = []
    for size in range(len(words) + 1):
        for other in by_start.get((" ".join(words[:size]), rule.tool), ())[:2]:
            equal = same(rule, other)
            if other is not rule and (not equal or other.start < rule.start or other.rank > rule.rank):
                found.append(other)
    if isinstance(rule.pattern, Exact):
        found += [other for other in others if other is not rule and patterns.matches(other.pattern, lead)]
    return found
