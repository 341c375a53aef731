"""sed scripts: what they write, read and run. https://www.gnu.org/software/sed/manual/sed.html

`w`, `W` and the flag `w` of `s` create a file even if the command is never reached (seds open it while they read the
script); `e` and the flag `e` run a shell (GNU); `r` and `R` read. `--sandbox` is GNU's alone and changes nothing here.
"""

from __future__ import annotations

from guard.languages.sed_grammar import GNU, OTHERS, Command, Reading, Refused, Scanner
from guard.languages.texts import Sample, samples, union
from guard.model.argument import Argument, Outcome, ReadsPath, RunsShell, WritesPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation


def judge(script: Argument, call: Invocation) -> list[Outcome]:
    """The outcomes of one whole script."""
    return outcomes_of(script, call.rule)


def outcomes_of(script: Argument, rule: str | None, tolerant: bool = False) -> list[Outcome]:
    """As `judge`; `tolerant` passes over what is no script (a reading in which it would be an operand anyway)."""
    texts = samples(script)
    if isinstance(texts, Effect):
        return [texts]
    return union(outcome for sample in texts for outcome in _sample(sample, rule, tolerant))


def _sample(sample: Sample, rule: str | None, tolerant: bool) -> list[Outcome]:
    strange = next((i for i, char in enumerate(sample.text) if char < " " and char not in "\t\n"), None)
    if strange is not None:  # busybox ends comments at a carriage return, others do not
        return [opaque("sed-control", "a control character in a sed script", sample.span(strange, strange + 1))]
    found, ambiguous = _read(sample, GNU, rule, tolerant)
    if ambiguous:
        for reading in OTHERS:
            # What this reading refuses, the seds that read so refuse before they do anything else.
            found += _read(sample, reading, rule, True)[0]
    return found


def _read(sample: Sample, reading: Reading, rule: str | None, tolerant: bool) -> tuple[list[Outcome], bool]:
    scanner = Scanner(sample.text, reading)
    refused: list[Outcome] = []
    try:
        scanner.run()
    except Refused as answer:
        if not tolerant:
            span = sample.span(answer.place, answer.place + 1)
            refused.append(opaque("sed-syntax", f"sed script not understood: {answer.message}", span, rule=rule))
    return [outcome for command in scanner.commands for outcome in _outcome(command, sample, rule)] + refused, (
        scanner.ambiguous
    )


def _outcome(command: Command, sample: Sample, rule: str | None) -> list[Outcome]:
    span = sample.span(command.start, command.end)
    path = sample.part(command.argument, command.end)
    match command.name:
        case "w" | "W" | "s/w":
            message = f"sed's {command.name[-1]} writes a file"
            return [WritesPath(path._replace(span=span), message, rule=rule, instead="use p: it prints the lines")]
        case "r" | "R":
            return [ReadsPath(path)] if path.text else []
        case "e" if path.text and sample.exact and "\\" not in path.text:
            return [RunsShell(path)]
    message = "sed runs the command that stands in the line" if command.name == "s/e" else "sed's e runs a command"
    return [Effect(Kind.EXEC, Reason("sed-exec", message, span, rule, "leave out the e"))]
