"""The checks of our own rule, workflow and board files: code → name, severity, page and a bad example."""

from __future__ import annotations

from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.model.record import NamedTuple


class OwnCheck(NamedTuple):
    """`page` begins with one sentence; `bad` and `good` are pieces of a file."""

    name: str
    severity: str
    page: str
    bad: str
    good: str


OWN = {
    "F001": OwnCheck(
        "unreadable",
        "error",
        "A file that cannot be read.\n\nIt is missing rights, no text, too large, or a link that leads to itself. What "
        "it would have said does not hold.",
        "(a binary file)",
        "(a UTF-8 text)",
    ),
    "S001": OwnCheck(
        "no-reason",
        "error",
        "A comment that accepts findings without a reason.\n\nIt does not count until a reason stands behind it.",
        "// devkit-guard: ignore[B107]",
        "// devkit-guard: ignore[B107] the machine is thrown away",
    ),
    "O801": OwnCheck(
        "rule-schema",
        "error",
        "A rule file that is not a rule.\n\nAn unknown key, type or effect, with the nearest one that exists. The "
        "program has no rule until it is mended, so all its calls are vetoed.",
        'options: {"-i": {efect: write}}',
        'options: {"-i": {effect: write}}',
    ),
    "O802": OwnCheck(
        "rule-language",
        "error",
        "A language that does not exist.\n\nThe names are the modules of guard/languages; those of `check` and "
        "`prints_by` are in guard/classify/places.py.",
        "language: fnd",
        "language: find",
    ),
    "O803": OwnCheck(
        "rule-example",
        "error",
        "An example that does not get its verdict.\n\nEither the rule or the example is wrong.",
        "allow: [sed -i s/a/b/ f]",
        "veto: [sed -i s/a/b/ f]",
    ),
    "O804": OwnCheck(
        "rule-examples",
        "error",
        "A rule without an example each way.\n\nOne that is allowed and one that is vetoed, unless no call is allowed.",
        "examples: {allow: [ls]}",
        "examples: {allow: [ls], veto: [ls > a]}",
    ),
    "O805": OwnCheck(
        "rule-inert",
        "error",
        "An inert program with an option that does more than read.\n\n`inert` says that no option does.",
        'inert: true with options: {"-o": {takes: write}}',
        'options: {"-o": {takes: write}}',
    ),
    "O806": OwnCheck(
        "foreign-example",
        "error",
        "An example that does not call the program of its file.\n\nIt proves nothing of this rule.",
        "sort.yaml: allow: [srot a]",
        "sort.yaml: allow: [sort a]",
    ),
    "O807": OwnCheck(
        "needless-example",
        "warning",
        "An example that stands twice.\n\nThe second proves nothing: no option of the rule needs it.",
        "veto: [rm a, rm a]",
        "veto: [rm a, rm -r b]",
    ),
    "O808": OwnCheck(
        "unlisted-option",
        "warning",
        "An option that the summary warns of and the rule does not list.\n\nIt is vetoed, but the veto cannot say what "
        "it does.",
        "summary: Sorts; -o writes a file, without -o among the options",
        'options: {"-o, --output": {takes: write}}',
    ),
    "O809": OwnCheck(
        "weaker-effect",
        "error",
        "An option with less effect than the same option of a sibling.\n\nSubcommands of one program "
        "share their options "
        "far more often than not: one of the two is wrong.",
        'log: {"--output": {}}, diff: {"--output": {takes: write}}',
        'log: {"--output": {takes: write}}',
    ),
    "O810": OwnCheck(
        "unjudged",
        "error",
        "A judgement that is still to be made.\n\n`devkit-guard new rule` marks with TODO what a person has to decide "
        "by the manual: what the program is, where its manual is, and what each option does. Until then all of it is "
        "vetoed.",
        'options: {"-i": {effect: opaque, message: "TODO: edit files in place"}}',
        'options: {"-i": {effect: write operands}}',
    ),
    "O811": OwnCheck(
        "alternative",
        "error",
        "An alternative that is vetoed too, or names no command.\n\n`instead` is a sentence with its command in "
        "backquotes, written so that it can be judged (`cat FILE`). What a veto offers must be allowed; a command that "
        "reads over the network is offered with the words net_read.",
        'instead: "leave -o out"',
        'instead: "`sort FILE` without -o"',
    ),
    "W901": OwnCheck(
        "workflow-schema",
        "error",
        "A workflow file that is not a workflow.\n\nAn unknown key, a wrong type, or a name that refers to nothing.",
        "steps: [{id: a, promt: x}]",
        "steps: [{id: a, prompt: x}]",
    ),
    "W902": OwnCheck(
        "unreachable-step",
        "warning",
        "A step that no run comes to.\n\nThe step before it always jumps elsewhere, and nothing jumps here.",
        "a step that requires the word AGAIN and jumps on AGAIN, before it",
        "require either word: last_line_regex: (AGAIN|DONE)",
    ),
    "W903": OwnCheck(
        "wide-grant",
        "warning",
        "A grant that no prompt of its steps has a use for.\n\nA program to run that no prompt names, writing where "
        "nothing is said of writing, the network where nothing is sent or fetched: leave it out.",
        "guard: {bash: [net_write]} with the prompt 'Read the code.'",
        "guard: {bash: [read]}",
    ),
    "W904": OwnCheck(
        "gate-cannot-pass",
        "error",
        "A gate that no output or state can pass.\n\nA command that always fails, or an expression "
        "that no line matches.",
        "gate: 'false'",
        "gate: test -s report.md",
    ),
    "W905": OwnCheck(
        "endless-loop",
        "warning",
        "A loop that nothing ends but its count.\n\nThe word that ends it does not stand in the "
        "prompt, so nobody knows "
        "to say it, and there is no gate; or a step requires the word that sends it back to itself.",
        "loop: {max: 5, until: FIXED} with the prompt 'Mend it.'",
        "prompt: Mend it. Say FIXED when the test passes.",
    ),
    "W906": OwnCheck(
        "board-schema",
        "error",
        "A pipeline of the board that cannot work.\n\nAn unknown key or stage, a stage that is not "
        "reached or not left, "
        "a gate between stages that do not follow each other, a template that its own gate rejects.",
        "gates: [{from: draft, to: nowhere, requires: [{kind: design}]}]",
        "gates: [{from: designing, to: ready, requires: [{kind: design}]}]",
    ),
}


def own(at: RuleError, code: str, message: str) -> Diagnostic:
    """A finding in one of our own files at the place of an error."""
    check = OWN[code]
    return Diagnostic(at.path, at.line, at.column, code, message, check.severity, check.name)
