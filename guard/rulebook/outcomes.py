"""What a parsed command line does, by the declarations of its rule; languages are named, not called."""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome, ReadsPath, RunsArgv, RunsShell, WritesPath, exact
from guard.model.effect import Effect, Kind, Reason
from guard.model.record import NamedTuple
from guard.model.syntax import Span
from guard.rulebook.argv import Parsed, Used
from guard.rulebook.schema import CHANGES, DATA_TYPES, Node, Operand, Takes

_ANEW = {"replace": "file", "move": "any"}
_SENTENCES = {
    Kind.READ_SECRET: "prints secrets",
    Kind.NET_READ: "reads over the network",
    Kind.NET_WRITE: "sends data over the network",
    Kind.WRITE: "writes files",
    Kind.DELETE: "deletes files",
    Kind.REPO: "changes the repository",
    Kind.PROCESS: "acts on processes",
    Kind.SYSTEM: "changes the system",
    Kind.BUILD: "builds, installs or writes caches that later runs use",
    Kind.EXEC: "runs code that is not part of the command",
    Kind.OPAQUE: "cannot be decided",
}


class Declared(NamedTuple):
    """`outcomes` by declaration; `scripts` and `languages` are still to be judged by `guard.languages`."""

    outcomes: tuple[Outcome, ...]
    scripts: tuple[tuple[str, Argument], ...]
    languages: tuple[str, ...]


def declared(parsed: Parsed) -> Declared:
    """All outcomes that the rule declares for this call."""
    found = _Collector(parsed)
    found.nodes()
    found.options()
    found.operands()
    languages = tuple(node.language for node in parsed.nodes if node.language)
    return Declared((*parsed.problems, *found.outcomes), tuple(found.scripts), languages)


def prints(parsed: Parsed) -> str:
    """The claim of the rule on the standard output of this call (`prints` in docs/rules-format.md), or empty."""
    node = parsed.nodes[-1]
    claims = [used.option.prints for used in parsed.used if used.option.prints]
    operands = parsed.invocation.operands
    values = [value for used in parsed.used for value in used.values]
    # What may be an option, or several words of which the second is one, may print something else.
    doubtful = any(word.may_start_with("-") for word in operands) or any(value.many for value in values)
    if doubtful or parsed.problems or "any" in claims or any(map(_shows_help, parsed.used)):
        return ""
    if len(operands) == 1 and operands[0].text in node.prints_for:
        return node.prints_for[operands[0].text]
    claim = next(iter(claims), node.prints)
    words = [*operands, *values]
    several = len(operands) + sum(word.many for word in operands)  # what may be several words may be two
    if not claim or 0 <= node.max_printed < several or (claim == "number" and len(claims) > 1):  # `wc -lw`: two numbers
        return ""
    if claim == "numbers" and any(entry.takes.type == "number" for entry in node.operands):
        return claim if all(map(_is_number, operands)) else ""  # `seq inf inf`
    others = [used for used in parsed.used if used.node is node and not used.option.prints]
    if claim in PLACES and (operands or others or len(claims) > 1):
        return ""
    if claim == "plain" and (parsed.invocation.separator is not None or not all(plain(word) for word in words)):
        return ""  # some print the `--` as well
    return claim


def _shows_help(used: Used) -> bool:
    """Whether the option prints something else than the program, whatever the rule says of it."""
    return any(used.node.options.get(name) is used.option for name in ("--help", "--version"))


def _is_number(word: Argument) -> bool:
    """Whether all that the word may become is nothing but decimal digits."""
    return all(
        piece.domain == "number" if isinstance(piece, Hole) else piece.text.isascii() and piece.text.isdigit()
        for piece in word.pieces
    )


PLACES = ("worktree", "directory")
"""Claims that name a folder: nothing else is printed, so no other option and no operand may be there."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@^~+,=-")


def plain(word: Argument) -> bool:
    """Whether the word is known to be made of plain characters and not to start with a dash."""
    text = word.text
    return text is not None and not text.startswith("-") and set(text) <= _PLAIN


class _Collector:
    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.call = parsed.invocation
        self.outcomes: list[Outcome] = []
        self.scripts: list[tuple[str, Argument]] = []
        self.names = {used.option.name for used in parsed.used}

    def nodes(self) -> None:
        """Effects of running the program or subcommand at all."""
        for node in self.parsed.nodes:
            where = " ".join((self.call.program, *self.call.path))
            if node.effect:
                message = node.message or f"`{where}` {_SENTENCES.get(Kind(node.effect), 'reads')}"
                self.effect(
                    node.effect, node.on_operands, f"{node.effect}", message, node, 0, self.call.span, node.instead
                )
            needs = node.requires
            if needs and not self.names.intersection(needs.one_of):
                options = ", ".join(needs.one_of)
                message = needs.message or f"`{where}` {_SENTENCES[Kind(needs.otherwise)]} without one of {options}"
                code = f"{needs.otherwise}-without-option"
                self.effect(needs.otherwise, False, code, message, node, needs.line, self.call.span, needs.instead)

    def options(self) -> None:
        for option, values, node, span in self.parsed.used:
            for takes, value in zip(option.takes, values, strict=False):
                self.value(takes, value, node, option.line, f"`{option.name}`", option.message, option.instead)
            if option.effect:
                message = option.message or f"`{option.name}` {_SENTENCES.get(Kind(option.effect), 'reads')}"
                code = f"{option.effect}-option"
                self.effect(option.effect, option.on_operands, code, message, node, option.line, span, option.instead)

    def effect(
        self, kind: str, on_operands: bool, code: str, message: str, node: Node, line: int, span: Span, instead: str
    ) -> None:
        place = node.place(line)
        if on_operands and kind in ("write", "delete"):
            for operand in self.call.operands:
                self.outcomes.append(WritesPath(operand, message, kind == "delete", place, instead or None))
            return
        reason = Reason(code, message, span, place, instead or None)
        if on_operands:
            self.outcomes += [
                Effect(Kind(kind), reason._replace(span=word.span), word.text) for word in self.call.operands
            ]
        else:
            self.outcomes.append(Effect(Kind(kind), reason))

    def operands(self) -> None:
        node = self.parsed.nodes[-1]
        entries = [entry for entry in node.operands if self.exists(entry)]
        if not entries and (node.accepts_any or node.language):
            return
        words = self.call.operands
        assigned = _assign(words, entries)
        for wanted in entries:
            if wanted.default and not any(entry is wanted and not word.many for word, entry in assigned):
                self.operand(exact(wanted.default, self.call.span), wanted, node)
        for word, entry in assigned:
            if entry is None:
                if not (node.inert or node.accepts_any):
                    message = f"`{node.name}` has no rule for this operand"
                    self.outcomes.append(
                        Effect(Kind.OPAQUE, Reason("unknown-operand", message, word.span, node.place()))
                    )
            elif entry.takes.type == "argv":
                rest = words[next(index for index, other in enumerate(words) if other is word) :]
                self.outcomes.append(RunsArgv(rest))
                return
            else:
                self.operand(word, entry, node)

    def exists(self, entry: Operand) -> bool:
        if entry.only_with and not self.names.intersection(entry.only_with):
            return False
        return not self.names.intersection(entry.unless)

    def operand(self, word: Argument, entry: Operand, node: Node) -> None:
        self.value(entry.takes, word, node, entry.line, "this operand", entry.message, entry.instead)
        place, instead = node.place(entry.line), entry.instead or None
        if entry.starts and not word.start.startswith(entry.starts):
            kind = Kind(entry.otherwise or "opaque")
            message = entry.message or f"this operand {_SENTENCES.get(kind, 'reads')}"
            self.outcomes.append(Effect(kind, Reason(f"{kind.value}-operand", message, word.span, place, instead)))
        if entry.effect:
            kind = Kind(entry.effect)
            message = entry.message or f"`{node.name}` with this operand {_SENTENCES.get(kind, 'reads')}"
            # An operand that leads to a write is not by itself what is written.
            target = None if kind in (Kind.WRITE, Kind.DELETE) else word.text
            reason = Reason(f"{kind.value}-operand", message, word.span, place, instead)
            self.outcomes.append(Effect(kind, reason, target))

    def value(self, takes: Takes, word: Argument, node: Node, line: int, what: str, message: str, instead: str) -> None:
        place, hint = node.place(line), instead or None
        kind = takes.type
        if kind in DATA_TYPES:
            return
        if kind == "read":
            self.outcomes.append(ReadsPath(word))
        elif kind == "glob":
            self.outcomes += map(ReadsPath, _chosen(word))
        elif kind in CHANGES:
            verb = "removes" if kind == "delete" else "writes"
            written = WritesPath(word, message or f"{what} {verb} this file", kind == "delete", place, hint)
            self.outcomes.append(written._replace(anew=_ANEW.get(kind, "")))
        elif kind == "shell":
            self.outcomes.append(RunsShell(word))
        elif kind == "script":
            self.scripts.append((takes.language, word))
        elif kind == "program":
            reason = Reason("runs-program", message or f"{what} names a program that is run", word.span, place, hint)
            self.outcomes.append(Effect(Kind.EXEC, reason, word.text))
        elif kind == "values":
            choices = word.alternatives()
            if choices is None or not set(choices) <= set(takes.values):
                effect = Kind(takes.otherwise or "opaque")
                text = message or f"this argument of {what} {_SENTENCES.get(effect, 'reads')}"
                self.outcomes.append(Effect(effect, Reason(f"{effect.value}-argument", text, word.span, place, hint)))
        else:
            reason = Reason("rule", f"type {kind} of {what} has no meaning here", word.span, place)
            self.outcomes.append(Effect(Kind.OPAQUE, reason))


def _chosen(glob: Argument) -> list[Argument]:
    """The names that a glob chooses, `*` for what is not known of them; none if it leaves names out (`!*.lock`)."""
    text = glob.text
    if text is None:
        return [] if glob.start.startswith("!") else [glob]
    head, brace, rest = text.lstrip("/").replace("**", "*").partition("{")
    inner, _, tail = rest.partition("}")
    texts = [head + one + tail for one in inner.split(",")] if brace else [head]
    plain = [one.partition("[")[0] + "*" if "[" in one else one.replace("?", "*") for one in texts]
    return [] if text.startswith("!") else [exact(one, glob.span) for one in plain]


def _assign(words: tuple[Argument, ...], entries: list[Operand]) -> list[tuple[Argument, Operand | None]]:
    """Which entry each operand falls under; None for one too many.

    From the first word on that may become several (or none), every word is judged under every entry that is left.
    """
    middle = next((index for index, entry in enumerate(entries) if entry.many == "many"), len(entries))
    head, tail = entries[:middle], entries[middle + 1 :]
    loose = next((index for index, word in enumerate(words) if word.many), len(words))
    found: list[tuple[Argument, Operand | None]] = []
    for index, word in enumerate(words):
        if index >= loose:
            left = entries[min(loose, middle) :]
            found += [(word, entry) for entry in left]
            if middle == len(entries):
                found.append((word, None))
        elif index < len(head):
            found.append((word, head[index]))
        elif middle == len(entries):
            found.append((word, None))
        elif len(words) - index <= len(tail) and loose == len(words):
            found.append((word, tail[len(tail) - (len(words) - index)]))
        else:
            found.append((word, entries[middle]))
            if loose < len(words):
                found += [(word, entry) for entry in tail]
    return found
