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

_OPENING = ("w", "W", "s/w")


def judge(script: Argument, call: Invocation) -> list[Outcome]:
    """The outcomes of one whole script."""
    return outcomes_of(script, call.rule)


def outcomes_of(script: Argument, rule: str, tolerant: bool = False) -> list[Outcome]:
    """As `judge`; `tolerant` passes over what every sed refuses (a reading in which a file's name is the script)."""
    texts = samples(script)
    if isinstance(texts, Effect):
        return [texts]
    found: list[Outcome] = []
    refusals: list[Effect] = []
    for sample in texts:
        outcomes, refused = _sample(sample, rule)
        found += outcomes
        if refused is not None and refused.certain:
            refusals.append(_opaque(refused, sample, rule))
        elif refused is not None:
            found.append(_opaque(refused, sample, rule))
    # A number that is empty can leave what every sed refuses, as long as another number makes a script.
    if len(refusals) == len(texts) and not tolerant:
        found.append(refusals[0])
    return union(found)


def _opaque(refused: Refused, sample: Sample, rule: str) -> Effect:
    span = sample.span(refused.place, refused.place + 1)
    return opaque("sed-syntax", f"sed script not understood: {refused.message}", span, rule=rule)


def _sample(sample: Sample, rule: str) -> tuple[list[Outcome], Refused | None]:
    strange = next((i for i, char in enumerate(sample.text) if char < " " and char not in "\t\n"), None)
    if strange is not None:  # busybox ends comments at a carriage return, others do not
        return [], Refused("a control character", strange, certain=False)
    scanner, refused = _read(sample.text, GNU)
    commands = _run(scanner, refused)
    if scanner.ambiguous:
        for reading in OTHERS:
            other, otherwise = _read(sample.text, reading)
            commands += _run(other, otherwise)
            if otherwise is not None and not otherwise.certain:
                refused = otherwise
    return [_outcome(command, sample, rule) for command in commands], refused


def _read(text: str, reading: Reading) -> tuple[Scanner, Refused | None]:
    scanner = Scanner(text, reading)
    try:
        scanner.run()
    except Refused as refused:
        return scanner, refused
    return scanner, None


def _run(scanner: Scanner, refused: Refused | None) -> list[Command]:
    """The commands that have an effect: where the script is refused, the files of those before are open by then."""
    if refused is None or not refused.certain:
        return scanner.commands
    return [command for command in scanner.commands if command.name in _OPENING]


def _outcome(command: Command, sample: Sample, rule: str) -> Outcome:
    span = sample.span(command.start, command.end)
    path = sample.part(command.argument, command.end)
    match command.name:
        case name if name in _OPENING:
            message = f"sed's {command.name[-1]} writes a file"
            return WritesPath(path._replace(span=span), message, rule=rule)
        case "r" | "R":
            return ReadsPath(path)
        case "e" if path.text and sample.exact and "\\" not in path.text:
            return RunsShell(path)
    message = "sed runs the command that stands in the line" if command.name == "s/e" else "sed's e runs a command"
    return Effect(Kind.EXEC, Reason("sed-exec", message, span, rule))
