"""awk programs: what they write, read and run. https://www.gnu.org/software/gawk/manual/gawk.html

`print >`, `>>` and `|` outside parentheses redirect, `cmd | getline` and `system()` run a shell, `getline <` reads.
gawk adds `|&`, sockets under `/inet`, `@include`, `@load` and indirect calls.
"""

from __future__ import annotations

from guard.languages.awk_grammar import BUILTINS, Known, Parser, Use
from guard.languages.awk_lexer import Lexer, SyntaxDoubt
from guard.languages.texts import Sample, samples, union
from guard.model.argument import Argument, Hole, Outcome, ReadsPath, RunsShell, WritesPath, exact
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation
from guard.model.syntax import Span

_READINGS = ("escape", "posix", "plain")
_EXEC = {
    "system": ("awk-system", "system() runs a command that the program computes"),
    "pipe": ("awk-pipe", "a pipe to or from a command that the program computes"),
    "two-way": ("awk-pipe", "a two-way pipe to a command that the program computes"),
    "indirect": ("awk-indirect", "gawk's @ loads code or calls a function by its name"),
}


def judge(script: Argument, call: Invocation) -> list[Outcome]:
    """The outcomes of one whole program."""
    texts = samples(script)
    if isinstance(texts, Effect):
        return [texts]
    found: list[Outcome] = []
    doubts: list[Effect] = []
    certain = 0
    for sample in texts:
        outcomes, doubt, refused = _sample(sample, call.rule)
        found += outcomes
        if doubt is not None:
            doubts.append(doubt)
            certain += refused
    # An empty number can leave a hole that every awk refuses (`NR==`), as long as another number makes a program.
    if doubts and not (certain == len(doubts) < len(texts)):
        found.append(doubts[0])
    return union(found)


def _sample(sample: Sample, rule: str) -> tuple[list[Outcome], Effect | None, bool]:
    """Outcomes, what is not understood, and whether every awk refuses that."""
    strange = next((i for i, char in enumerate(sample.text) if char < " " and char not in "\t\n"), None)
    if strange is not None:
        span = sample.span(strange, strange + 1)
        return [], opaque("awk-control", "a control character in an awk program", span, rule=rule), False
    lexer = Lexer(sample.text)
    found, doubt = _parse(lexer, sample, rule)
    if lexer.ambiguous:
        for reading in _READINGS[1:]:
            others, other = _parse(Lexer(sample.text, reading), sample, rule)
            found += others
            if other is not None and not other.certain:
                doubt = other
    if doubt is None:
        return found, None, False
    span = sample.span(doubt.place, doubt.place + 1)
    return found, opaque("awk-syntax", f"awk program not understood: {doubt.message}", span, rule=rule), doubt.certain


def _parse(lexer: Lexer, sample: Sample, rule: str) -> tuple[list[Outcome], SyntaxDoubt | None]:
    parser = Parser(lexer)
    doubt: SyntaxDoubt | None = None
    try:
        parser.run()
        unknown = next((token for name, token in parser.calls.items() if name not in parser.functions), None)
        if unknown is not None:
            doubt = SyntaxDoubt(f"unknown function {unknown.value}", unknown.start)
    except SyntaxDoubt as answer:
        doubt = answer
    except RecursionError:
        doubt = SyntaxDoubt("too deeply nested", 0)
    # gawk hands changes of ENVIRON on to the commands that it runs: PATH would choose another program.
    plain = sample.exact and not parser.names & {"ENVIRON", "SYMTAB"} and not parser.functions & BUILTINS
    return [_outcome(use, sample, plain, rule) for use in parser.uses], doubt


def _outcome(use: Use, sample: Sample, plain: bool, rule: str) -> Outcome:
    span = sample.span(use.start, use.end)
    if use.kind == "read":
        return _read(use.target, sample, span, rule)
    constant = _constant(use.target, sample) if use.target is not None and use.target.whole else None
    if use.kind == "string" or (constant is not None and constant.start.startswith("/inet")):
        return Effect(Kind.NET_WRITE, Reason("awk-socket", "gawk opens /inet/… names as connections", span, rule))
    if use.kind == "argv":
        message = "a computed file name, and gawk opens /inet/…: name the files on the command line"
        return Effect(Kind.NET_READ, Reason("awk-argv", message, span, rule))
    if use.kind == "write":
        message = "awk's redirection writes a file"
        if constant is None or not sample.exact:
            return Effect(Kind.WRITE, Reason("awk-output", message, span, rule))
        return WritesPath(constant._replace(span=span), message, rule=rule)
    if constant is not None and plain:
        return RunsShell(constant)
    code, message = _EXEC[use.kind]
    return Effect(Kind.EXEC, Reason(code, message, span, rule))


def _read(target: Known | None, sample: Sample, span: Span, rule: str) -> Outcome:
    known = None if target is None else _constant(target, sample)
    if target is None or known is None or (not target.whole and "/inet".startswith(known.start[:5])):
        message = "getline from a computed name, and gawk opens /inet/…: write the name in the program"
        return Effect(Kind.NET_READ, Reason("awk-getline", message, span, rule))
    return ReadsPath(known if target.whole else Argument((*known.pieces, Hole("any", span)), span))


def _constant(known: Known, sample: Sample) -> Argument | None:
    """The string, character by character where it has no escapes; None where awks differ in its value."""
    token = known.token
    if token.value is None:
        return None
    inside = sample.part(token.start + 1, token.end - 1)
    return inside if inside.text == token.value else exact(token.value, inside.span)
