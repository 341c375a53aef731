"""xargs: the command it builds from its input.

Appended input words may be anything, options too; with `-I R` (GNU also `-i`) they stand where R stands, with `-J R` of
the BSDs in place of the first word that is R. GNU lets a later `-n`, `-L` or `-l` undo `-I`, the BSDs do not.
Sources: https://www.gnu.org/software/findutils/manual/html_node/find_html/Invoking-xargs.html, xargs(1) of FreeBSD.
"""

from __future__ import annotations

from guard.languages.arguments import replaced, unknown
from guard.model.argument import Argument, Hole, Outcome, RunsArgv, exact
from guard.model.effect import opaque
from guard.model.invocation import Given, Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The commands that are run; none is `echo`."""
    words = call.operands
    if not words:
        return []
    slot = call.given("--process-slot-var")
    assignments: tuple[tuple[str, Argument], ...] = ()
    if slot is not None and slot.value is not None:
        if slot.value.text is None:
            return [opaque("dynamic-variable", "the variable's name is decided at run time", slot.span, rule=call.rule)]
        assignments = ((slot.value.text, Argument((Hole("number", slot.span),), slot.span)),)
    item = Hole(_domain(call), call.span, (), call.piped.names or _words(call))
    appended = (*words, Argument((item,), call.span, many=True))
    mark, cancelled = _placeholder(call.options)
    joint = call.given("-J")
    if mark is None and joint is None:
        return [RunsArgv(appended, assignments)]
    if mark is not None and joint is not None:
        return [opaque("xargs-placeholder", "-I with -J: which one counts differs", call.span, rule=call.rule)]
    place = mark or (joint.value if joint else None)
    text = place.text if place else None
    if not text:
        return [opaque("xargs-placeholder", "the placeholder is not a known text", call.span, rule=call.rule)]
    if joint is not None:
        index = next((index for index, word in enumerate(words) if word.text == text), len(words))
        return [RunsArgv((*words[:index], unknown(call.span, many=True), *words[index + 1 :]), assignments)]
    found: list[Outcome] = [RunsArgv(tuple(_filled(word, text, item) for word in words), assignments)]
    if cancelled:
        found.append(RunsArgv(appended, assignments))
    return found


def _placeholder(options: tuple[Given, ...]) -> tuple[Argument | None, bool]:
    """The text that is replaced, None where the input is appended; and whether GNU appends it after all."""
    mark: Argument | None = None
    cancelled = False
    for option in options:
        if option.name in ("-I", "-i"):
            mark, cancelled = option.value or exact("{}", option.span), False
        elif option.name in ("-L", "-l") or (
            option.name == "-n" and (option.value is None or option.value.text != "1")
        ):
            cancelled = True
    return mark, cancelled


_MOST_WORDS = 64
_ITEMS_STAY = frozenset({"-0", "-I", "-i", "-n", "-P", "-r", "-s", "-t", "-x"})
"""Options beside which each item is what stands between two NUL characters of the standard input."""


def _domain(call: Invocation) -> str:
    """What is known of each item of the input."""
    names = {option.name for option in call.options}
    return call.piped.records or "any" if "-0" in names and names <= _ITEMS_STAY else "any"


def _words(call: Invocation) -> tuple[str, ...]:
    """The words of an input that is in the text."""
    text = None if call.stdin is None or call.given("-a") else call.stdin.text
    return tuple((text or "").split()[:_MOST_WORDS])


def _filled(word: Argument, mark: str, item: Hole) -> Argument:
    """The word with holes for the placeholder; one that is partly unknown may come to hold the placeholder anywhere."""
    if word.text is None:
        return unknown(word.span, many=word.many)
    return replaced(word, mark, (item._replace(span=word.span),))
