"""Which allow rules let too much through, and in what way: each gets one class and one witness.

The class is the first that holds of a list that goes from the rule's form to the program's nature, so that one rule is
reported once.
"""

from __future__ import annotations

from guard.lint import patterns
from guard.lint.patterns import Contains, Everything, Exact, Glob, Nothing, Prefix, Regex
from guard.lint.policy import Policy, Rule
from guard.lint.programs import (
    CONTAINERS,
    FRAGMENTS,
    INTERPRETERS,
    PROJECT,
    RUNNERS,
    WRITERS,
    carries,
    inner,
    names_script,
)
from guard.lint.witness import REACH, VISIBLE, Searcher, Witness, best
from guard.model.effect import Kind
from guard.model.record import NamedTuple


class Grantee(NamedTuple):
    """An allow rule, its class (the name of a check), and the witness. `subcommand`: the rule names one."""

    rule: Rule
    kind: str
    witness: Witness
    subcommand: bool = False


def judged(policy: Policy, searcher: Searcher) -> list[Grantee]:
    """One Grantee for each allow rule that is too broad."""
    found = []
    for rule in policy.rules:
        if rule.decision == "allow" and rule.about == "shell" and not isinstance(rule.pattern, Nothing):
            one = _judged(policy, rule, searcher)
            if one is not None:
                found.append(one)
    return found


def _judged(policy: Policy, rule: Rule, searcher: Searcher) -> Grantee | None:
    if rule.body.removesuffix(":*").strip().split(" ")[0] in FRAGMENTS or rule.body.isdigit():
        return None
    witnesses = searcher.search(rule, policy.matching)
    lead = patterns.leads(rule.pattern)[0]
    words = _called(lead.split())
    program = words[0] if words else ""
    plain = [one for one in witnesses if one.how not in ("redirect", "chain")]
    form = _by_form(rule, lead, witnesses)
    if form is not None:
        return Grantee(rule, *form)
    if isinstance(rule.pattern, Exact):
        one = _exact(rule, inner(words, searcher.known()) if program in RUNNERS else words, plain)
        return one and one._replace(subcommand=searcher.node(words) is not searcher.node(words[:1]))
    boundary = _boundary(plain, lead)
    if boundary is not None and (len(words) > 1 or best([one for one in plain if one.how != "boundary"]) is None):
        return Grantee(rule, "no-boundary", boundary)
    if plain:
        kind, witness = _by_program(words, plain, searcher)
        return Grantee(rule, kind, witness, searcher.node(words) is not searcher.node(words[:1]))
    return _by_operators(policy, rule, program, witnesses, searcher)


def _boundary(plain: list[Witness], lead: str) -> Witness | None:
    """Another name that begins as the rule does; one that does harm by itself before one that needs an option."""
    found = [one for one in plain if one.how == "boundary"]
    return best([one for one in found if " " not in one.command[len(lead) :]], REACH) or best(found, REACH)


def _called(words: list[str]) -> list[str]:
    """The words without assignments in front."""
    while len(words) > 1 and "=" in words[0]:
        words = words[1:]
    return words


def _by_form(rule: Rule, lead: str, witnesses: list[Witness]) -> tuple[str, Witness] | None:
    """The classes that a look at the pattern gives."""
    pattern = rule.pattern
    witness = best(witnesses, VISIBLE, ("example", "itself"))
    if witness is None:
        return None
    if isinstance(pattern, Everything):
        return "allow-all", witness
    if isinstance(pattern, Contains):
        return "substring", witness
    if isinstance(pattern, Regex) and pattern.how == "search" and not pattern.source.startswith("^") and lead == "":
        return "unanchored-regex", witness
    if isinstance(pattern, Glob) and not lead.strip():
        return ("question-mark", witness) if pattern.text.startswith("?") else ("leading-wildcard", witness)
    if isinstance(pattern, (Prefix, Exact)) and pattern.ignore_case:
        strict = pattern._replace(ignore_case=False)
        case = best([one for one in witnesses if one.how == "option" and not patterns.matches(strict, one.command)])
        if case is not None:
            return "ignore-case", case
    if "/" in lead.split(" ")[0] and not lead.startswith(("/bin/", "/usr/bin/", "/usr/sbin/", "/sbin/")):
        return "writable-path", witness
    return None


def _exact(rule: Rule, words: list[str], plain: list[Witness]) -> Grantee | None:
    """The classes of a rule for one command; `words` are those of the program that is run in the end."""
    witness, program = best(plain), words[0] if words else ""
    if witness is None:
        return None
    if witness.kind in (Kind.EXEC, Kind.BUILD) and program in PROJECT:
        return Grantee(rule, "project-code-exact", witness)
    if program in INTERPRETERS and names_script(words):
        return Grantee(rule, "project-code-exact", witness)
    if "no rule for the program" in witness.effect:
        return Grantee(rule, "unknown-program", witness)
    return Grantee(rule, "destructive", witness)


def _by_program(words: list[str], plain: list[Witness], searcher: Searcher) -> tuple[str, Witness]:
    """The classes that the program's nature gives. `plain` is not empty."""
    program = words[0].rsplit("/", 1)[-1]
    carried = [one for one in plain if " rm " in f" {one.command} "]
    if program in INTERPRETERS and not names_script(words):
        return "interpreter", best(plain, VISIBLE) or plain[0]
    if program in CONTAINERS and carries(words, searcher.known()):
        return "container", best(carried or plain, REACH, ("example",)) or plain[0]
    named = inner(words, searcher.known()) if program in RUNNERS else []
    if named:
        return _by_program(named, plain, searcher)
    node = searcher.node(words)
    if program in RUNNERS or (node is not None and any(entry.takes.type == "argv" for entry in node.operands)):
        return "runner", best(carried, VISIBLE) or _least(plain)
    if "no rule for the program" in _least(plain).effect:
        return "unknown-program", _least(plain)
    itself = [one for one in plain if one.how == "itself"]
    if program in INTERPRETERS or (program in PROJECT and (itself or len(words) == 1)):
        return "project-code", best(plain) or plain[0]
    nested = node is not None and bool(node.subcommands or node.split)
    if nested:
        verbs = [one for one in plain if one.how in ("subcommand", "example")]
        return "multi-verb", best(verbs, REACH, ("example",)) or _least(plain)
    telling = [one for one in plain if one.how in ("option", "example", "operand")]
    if itself:
        return "destructive", _destructive(plain)
    return "unsafe-option", best(telling, REACH, ("example",)) or _least(plain)


def _destructive(plain: list[Witness]) -> Witness:
    """The shortest that names something to destroy."""
    longer = [one for one in plain if len(one.command.split()) > 2 and one.kind is _least(plain).kind]
    return best(longer, REACH) or _least(plain)


def _least(plain: list[Witness]) -> Witness:
    return best(plain, REACH, ("example",)) or plain[0]


def _by_operators(
    policy: Policy, rule: Rule, program: str, witnesses: list[Witness], searcher: Searcher
) -> Grantee | None:
    """What is let through only with a redirect or another command behind a program that only reads."""
    chained = best([one for one in witnesses if one.how == "chain"])
    if chained is not None:
        return Grantee(rule, "compound", chained)
    redirected = best([one for one in witnesses if one.how == "redirect"])
    if redirected is None and program in WRITERS:
        for older in policy.older:
            redirected = redirected or best([one for one in searcher.search(rule, older) if one.how == "redirect"])
    if redirected is not None and program in WRITERS and policy.format != "claude":
        return Grantee(rule, "redirect", redirected)
    if program == "cd" and patterns.open_ended(rule.pattern):
        for older in policy.older:
            found = best([one for one in searcher.search(rule, older) if one.how == "chain"])
            if found is not None:
                return Grantee(rule, "compound", found)
    return None
