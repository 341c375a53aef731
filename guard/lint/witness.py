"""Commands that a rule lets through and that the classifier vetoes, found in the rulebook.

Nothing is invented: candidates are the veto examples of the program's rule, its options and operands that do more than
read, its subcommands, programs and subcommands whose names begin as the rule does, and then a redirect or another
command behind it. A candidate counts only if the rule passes it in the tool's own model and the classifier vetoes it
for something that it does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from guard import judge
from guard.classify import Place
from guard.lint import patterns
from guard.lint.pieces import Matching, shape_of
from guard.lint.policy import Rule, passes
from guard.lint.programs import SHELLS, carries
from guard.model.effect import Effect, Kind
from guard.model.errors import RuleError
from guard.model.grant import Grant
from guard.model.record import NamedTuple
from guard.model.verdict import Decision
from guard.rulebook import Rulebook, build, schema
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.schema import Node, Option, Takes

PLACE = Place("/nonexistent/project", "/home/user")
"""Where witnesses are judged: a folder that is not there, so that no repository's configuration plays in."""

HARM = {
    Kind.EXEC: "runs code that the rule does not name",
    Kind.DELETE: "deletes files",
    Kind.SYSTEM: "changes the machine",
    Kind.NET_WRITE: "sends data over the network",
    Kind.WRITE: "writes files",
    Kind.REPO: "changes the repository",
    Kind.PROCESS: "stops or leaves behind processes",
    Kind.BUILD: "installs, or writes what is run later",
}
"""Effects that make a witness, the gravest first."""

VISIBLE = (*(Kind.DELETE, Kind.NET_WRITE, Kind.SYSTEM, Kind.REPO, Kind.WRITE, Kind.PROCESS, Kind.EXEC, Kind.BUILD),)
"""The same, those first that need no explanation: for rules that let every program through."""

REACH = (*(Kind.SYSTEM, Kind.NET_WRITE, Kind.DELETE, Kind.REPO, Kind.WRITE, Kind.PROCESS, Kind.EXEC, Kind.BUILD),)
"""The same, those first that reach furthest (the machine, other machines, the files) and that the command itself does,
last what depends on code that is not in it: for rules that name a program."""

GENERIC = ("rm", "curl", "dd", "chmod", "git")
"""Programs whose examples are tried where a rule names no program."""

SAMPLES = {
    "write": "out.txt",
    "delete": "a.txt",
    "shell": "'rm a.txt'",
    "program": "./p",
    "argv": "rm -rf logs",
    "number": "1",
    "url": "https://x.example",
    "ref": "main",
    "pattern": "x",
    "read": "a.txt",
}
SCRIPTS = {"sed": "'w out.txt'", "awk": "'BEGIN{system(\"touch p\")}'", "sh": "'rm a.txt'", "sqlite": "'DROP TABLE a'"}


class Witness(NamedTuple):
    """`how` says which part lets it through: `example`, `option`, `operand`, `itself`, `subcommand`, `boundary`,
    `redirect`, `chain`. `matching` is the version of the tool in which it passes."""

    command: str
    kind: Kind
    effect: str
    how: str
    matching: Matching


class Searcher:
    """Searches witnesses; remembers what it judged, so a file of many rules costs each program once."""

    def __init__(self, book: Rulebook | None = None) -> None:
        self.book = book or Rulebook()
        self._harm: dict[str, tuple[Kind, str] | None] = {}
        self._examples: dict[str, list[str]] = {}
        self._candidates: dict[tuple[str, bool], list[tuple[str, str]]] = {}
        self._names: list[str] | None = None
        self._known: frozenset[str] | None = None

    def harm(self, command: str) -> tuple[Kind, str] | None:
        """The gravest effect that the classifier vetoes the command for, in words; None if it allows it, or vetoes it
        only because something in it cannot be decided, is read, or is asked over the network."""
        if command not in self._harm:
            verdict = judge.command(command, PLACE, Grant(), self.book)
            found = None
            if verdict.decision is Decision.VETO:
                found = next((_worded(kind, verdict.effects) for kind in HARM if _has(kind, verdict.effects)), None)
            self._harm[command] = found
        return self._harm[command]

    def names(self) -> list[str]:
        """All programs that have a rule."""
        if self._names is None:
            self._names = sorted(
                path.removesuffix(".yaml") for path in build.sources(self.book.folder) if os.sep not in path
            )
        return self._names

    def known(self) -> frozenset[str]:
        """The same as a set."""
        if self._known is None:
            self._known = frozenset(self.names())
        return self._known

    def search(self, rule: Rule, matching: Matching) -> list[Witness]:
        """Every witness among the candidates for a rule, as the tool matches."""
        found = []
        for how, command in self.candidates(rule):
            if "--help" not in command and passes(rule, command, matching):
                harm = self.harm(command)
                if harm is not None:
                    found.append(Witness(command, *harm, _how(how, command), matching))
        return found

    def candidates(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """(how, command) pairs that might pass."""
        pattern = rule.pattern
        ended = patterns.open_ended(pattern)
        loose = isinstance(pattern, patterns.Prefix) and not pattern.boundary
        loose |= isinstance(pattern, patterns.Glob) and not pattern.text.endswith(" *")
        loose |= isinstance(pattern, patterns.Regex)
        for lead in patterns.leads(pattern):
            if not ended:
                yield "itself", lead
                continue
            key = (lead, loose)
            if key not in self._candidates:
                self._candidates[key] = list(dict.fromkeys(self._for_lead(lead, loose)))
            yield from self._candidates[key]
            if isinstance(pattern, patterns.Glob):
                yield from _filled(pattern)
            if isinstance(pattern, patterns.Contains):
                yield "chain", f"rm -rf logs # {pattern.text}"
            if isinstance(pattern, patterns.Regex) and lead == "":
                for word in _literal_words(pattern.source):
                    yield from (("chain", f"rm a; {word}"), ("chain", f"rm a # {word}"), ("example", f"rm -rf {word}"))

    def _for_lead(self, lead: str, loose: bool) -> Iterator[tuple[str, str]]:
        words = lead.split()
        if not words:
            for name in GENERIC:
                yield from (("example", text) for text in self.examples(name))
            return
        program = words[0]
        start = lead.rstrip()
        if "/" in program:
            yield "itself", start + ("new.sh" if lead.endswith("/") else " x")
        if not lead.endswith("/"):
            yield "itself", start
        if loose and not lead.endswith(" "):
            yield from self._longer(words)
        node, rest = self._node(words)
        for name in (program, f"{program}/{words[1]}" if len(words) > 1 else ""):
            yield from (("example", text) for text in self.examples(name) if text.startswith(program))
        if node is not None:
            yield from self._of_node(start, node, program, words, rest)
        elif not lead.endswith("/"):
            yield "itself", start + " x"
        if carries(words, self.known()):
            yield "operand", start + " rm -rf logs"
            yield "operand", start + " -- rm -rf logs"
        if program in SHELLS:
            takes_text = words[-1].startswith("-") and "c" in words[-1]
            yield "operand", start + (" 'rm -rf logs'" if takes_text else " -c 'rm -rf logs'")
        yield "redirect", start + " > out.txt"
        yield "redirect", start + " x > out.txt"
        yield "chain", start + " && rm -rf logs"
        yield "chain", start + " x | sh"

    def _of_node(
        self, start: str, node: Node, program: str, words: list[str], rest: list[str]
    ) -> Iterator[tuple[str, str]]:
        required = "" if rest else " ".join(_sample(entry.takes) for entry in node.operands if entry.many == "one")
        tail = f" {required}" if required else ""
        yield "itself", start + tail
        given = [entry.takes for entry in node.operands if entry.many != "optional"]
        if not rest and any(takes.type in schema.CHANGES for takes in given):
            yield "itself", " ".join([start, *map(_sample, given)])
        yield "operand", start + " a.txt"
        for spelling in node.options:
            if any(spelling != word and spelling.lower() == word.lower() for word in rest):
                changed = [spelling if spelling.lower() == word.lower() else word for word in words]
                yield "option", " ".join(changed) + " a.txt"
                yield "option", " ".join(changed) + " -m a"
        if rest and rest[-1] in node.options and node.options[rest[-1]].takes:
            start += " x"  # the value of the option that the rule ends with
        for option in {option.name: option for option in node.options.values()}.values():
            if option.effect in _HARMFUL or any(_dangerous(takes) for takes in option.takes):
                yield "option", start + " " + _given(option) + tail
                yield "option", start + " " + _given(option) + " a.txt"
        if any(_dangerous(entry.takes) or entry.effect in _HARMFUL for entry in node.operands):
            yield "operand", start + " " + " ".join(_sample(entry.takes) for entry in node.operands)
            yield (
                "operand",
                start + " " + " ".join(_sample(entry.takes) for entry in node.operands if entry.many == "one"),
            )
        for name in node.subcommands:
            yield "subcommand", f"{start} {name}"
            yield "subcommand", f"{start} {name} x"
        if node.split and len(words) == 1:
            folder = os.path.join(self.book.folder, "commands", program)
            for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                yield "subcommand", f"{start} {file.removesuffix('.yaml')}"
                yield from (
                    ("example", text)
                    for text in self.examples(f"{program}/{file.removesuffix('.yaml')}")[:3]
                    if file in _TELLING
                )

    def _longer(self, words: list[str]) -> Iterator[tuple[str, str]]:
        """Other programs, or other subcommands, whose names begin as the rule's last word does."""
        if len(words) == 1:
            for name in self.names():
                if name.startswith(words[0]) and name != words[0]:
                    yield "boundary", name
                    yield from (("boundary", text) for text in self.examples(name))
        elif len(words) == 2:
            folder = os.path.join(self.book.folder, "commands", words[0])
            node = self.book.rule(words[0])
            names = [*(node.subcommands if node else ())]
            names += (
                [file.removesuffix(".yaml") for file in sorted(os.listdir(folder))] if os.path.isdir(folder) else []
            )
            for name in names:
                if name.startswith(words[1]) and name != words[1]:
                    yield "boundary", f"{words[0]} {name}"
                    yield from (("boundary", text) for text in self.examples(f"{words[0]}/{name}"))

    def node(self, words: list[str]) -> Node | None:
        """The rule of the (sub)command that the words name."""
        return self._node(words)[0] if words else None

    def _node(self, words: list[str]) -> tuple[Node | None, list[str]]:
        """The node and the words behind its name."""
        try:
            node = self.book.rule(words[0])
            at = 1
            while node is not None and at < len(words):
                inner = self.book.subcommand(node, tuple(words[:at]), words[at])
                if inner is None:
                    break
                node, at = inner, at + 1
            return node, words[at:]
        except RuleError:
            return None, words[1:]

    def examples(self, name: str) -> list[str]:
        """The veto examples of a rule file: `sed`, `git/log`."""
        if name not in self._examples:
            found: list[str] = []
            path = f"{name}.yaml"
            if name and os.path.exists(os.path.join(self.book.folder, "commands", path)):
                try:
                    value = build.read(self.book.folder, path)
                    found = [str(line.data) for wanted, line in examples_of(value) if wanted == "veto"]
                except RuleError:
                    found = []
            self._examples[name] = found
        return self._examples[name]


def best(found: list[Witness], order: tuple[Kind, ...] = tuple(HARM), first: tuple[str, ...] = ()) -> Witness | None:
    """The shortest of the gravest: plain ones before those that need a redirect or a second command; of the plain ones
    those that came about by one of `first` before the others. Short is said of words, then of characters."""

    def key(one: Witness) -> tuple[bool, bool, int, int, int, str]:
        grave = order.index(one.kind) if one.kind in order else len(order)
        words = len(one.command.split()) + 3 * (" -- " in one.command) + 9 * ("$" in one.command)
        return one.how in ("redirect", "chain"), one.how not in first, grave, words, len(one.command), one.command

    return min(found, key=key, default=None)


def _how(how: str, command: str) -> str:
    """An example that needs a redirect or a second command is of that kind."""
    if how in ("chain", "redirect"):
        return how
    shape = shape_of(command)
    return "chain" if shape.commands > 1 else "redirect" if shape.writes else how


_HARMFUL = frozenset(kind.value for kind in HARM)
_TELLING = ("push.yaml", "clean.yaml", "reset.yaml", "rm.yaml", "stash.yaml", "branch.yaml", "checkout.yaml")


def _has(kind: Kind, effects: tuple[Effect, ...]) -> bool:
    return any(effect.kind is kind for effect in effects)


def _worded(kind: Kind, effects: tuple[Effect, ...]) -> tuple[Kind, str]:
    reason = next(effect.reason for effect in effects if effect.kind is kind)
    return kind, f"{HARM[kind]}: {reason.message.rstrip('.')}"


def _dangerous(takes: Takes) -> bool:
    return takes.type in schema.CHANGES | {"shell", "program", "argv", "script"} or takes.otherwise in _HARMFUL


def _sample(takes: Takes) -> str:
    if takes.type == "script":
        return SCRIPTS.get(takes.language, "x")
    if takes.type == "values":
        return "x"
    return SAMPLES.get(takes.type, "x")


def _given(option: Option) -> str:
    if not option.takes:
        return option.name
    values = " ".join(_sample(takes) for takes in option.takes)
    if option.takes[0].optional:
        return f"{option.name}={values}" if option.name.startswith("--") else option.name + values
    return f"{option.name} {values}"


def _filled(pattern: patterns.Glob) -> Iterator[tuple[str, str]]:
    """The pattern itself with something in place of its stars."""
    for filler in ("", "x", "-delete", "rm -rf logs;", "push", "x; rm -rf logs;"):
        yield (
            "chain",
            " ".join(pattern.text.replace("?", "a" if pattern.question else "?").replace("*", filler).split()),
        )
    for command in ("rm -rf logs", "python3"):
        if pattern.text.startswith("*"):
            yield "chain", command + pattern.text.lstrip("*")


def _literal_words(source: str) -> list[str]:
    """Longest runs of plain characters of an expression."""
    text = source.replace("\\s+", " ").replace("\\s", " ")
    for escape in "bBdDwWAZ":
        text = text.replace(f"\\{escape}", "\n")
    runs = "".join(char if char.isalnum() or char in " _-./" else "\n" for char in text)
    return sorted((run.strip() for run in runs.split("\n") if run.strip()), key=len, reverse=True)[:4]
