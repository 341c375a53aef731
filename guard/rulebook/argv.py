"""The one argv parser: words of a command, read by the program's rule into options and operands.

It knows getopt's ways (clusters, attached and separate option-arguments, abbreviations, `--`, options after operands)
and what a word that is decided at run time could become. What the rule does not list is opaque.
"""

from __future__ import annotations

from guard.model.argument import NOTHING, Argument, Hole, Printed, without_start
from guard.model.effect import Effect, opaque
from guard.model.invocation import Given, Invocation
from guard.model.record import NamedTuple
from guard.model.syntax import Span
from guard.rulebook.load import Rulebook
from guard.rulebook.schema import Node, Option
from guard.rulebook.schema import node as make_node

_DYNAMIC = "decided at run time, and could be read as an option: write it out, or put `--` before it"


class Used(NamedTuple):
    """An option as it was used: its rule, its arguments, the node it belongs to and where it stands."""

    option: Option
    values: tuple[Argument, ...]
    node: Node
    span: Span


class Parsed(NamedTuple):
    """A command line after parsing. `nodes` leads from the program to the subcommand; `problems` are opaque effects."""

    invocation: Invocation
    nodes: tuple[Node, ...]
    used: tuple[Used, ...]
    problems: tuple[Effect, ...]


def parse(
    book: Rulebook,
    root: Node,
    words: tuple[Argument, ...],
    span: Span,
    stdin: Argument | None,
    piped: Printed = NOTHING,
) -> Parsed:
    """Reads `words`, those after the program's name, by the rule `root`."""
    reader = _Reader(words, span)
    path: tuple[str, ...] = ()
    nodes = [root]
    index = 0
    while True:
        node = nodes[-1]
        branching = bool(node.subcommands or node.split)
        index = reader.level(node, index, branching)
        if not branching:
            break
        if index == len(words):
            if node.bare is None:
                reader.problem(
                    "subcommand-missing", f"`{_name(root, path)}` without a subcommand is not known", span, node
                )
            else:
                nodes.append(make_node(node.bare))
            break
        name = words[index].text
        found = None if name is None else book.subcommand(node, (root.name, *path), name)
        if name is not None and found is not None:
            path = (*path, name)
            nodes.append(found)
            index += 1
            continue
        if name is not None and node.otherwise is not None:
            nodes.append(make_node(node.otherwise))
            reader.level(nodes[-1], index, False)
        elif name is None:
            reader.problem("dynamic-subcommand", "the subcommand is decided at run time", words[index].span, node)
        else:
            message = f"`{_name(root, path)} {name}` is not a subcommand that the rule knows"
            reader.problem("unknown-subcommand", message, words[index].span, node)
        break
    invocation = Invocation(
        root.name,
        path,
        tuple(Given(used.option.name, used.values[0] if used.values else None, used.span) for used in reader.used),
        tuple(reader.operands),
        reader.separator,
        span,
        nodes[-1].place(),
        stdin,
        piped,
    )
    return Parsed(invocation, tuple(nodes), tuple(reader.used), tuple(reader.problems))


def _name(root: Node, path: tuple[str, ...]) -> str:
    return " ".join((root.name, *path))


class _Reader:
    def __init__(self, words: tuple[Argument, ...], span: Span) -> None:
        self.words = words
        self.span = span
        self.used: list[Used] = []
        self.operands: list[Argument] = []
        self.separator: int | None = None
        self.problems: list[Effect] = []

    def problem(self, code: str, message: str, span: Span, node: Node) -> None:
        self.problems.append(opaque(code, message, span, rule=node.place()))

    def level(self, node: Node, index: int, branching: bool) -> int:
        """Reads options (and operands) of one node from `index` on; the index of the first word that is not its own."""
        stops = branching or node.syntax == "posix"
        while index < len(self.words):
            word = self.words[index]
            if node.syntax == "words" or self.separator is not None:
                kind = "operand"
            elif node.accepts_any:
                kind = "ignored" if word.start.startswith("-") and word.text != "-" else "operand"
            else:
                kind = _kind(word)
            if kind == "separator":
                self.separator = len(self.operands)
                index += 1
                if branching:
                    self.problem("separator", "`--` before a subcommand", word.span, node)
            elif kind == "option":
                index = self.option(node, index)
            elif kind == "doubtful" and not node.inert and not (node.refuses_numbers and _is_operand_or_number(word)):
                self.problem("dynamic-option", _DYNAMIC, word.span, node)
                index += 1
            elif kind == "ignored":
                index += 1
            elif branching:
                return index
            else:
                self.operands.append(word)
                index += 1
                if stops:
                    self.operands += self.words[index:]
                    return len(self.words)
        return index

    def option(self, node: Node, index: int) -> int:
        """Reads the option word at `index` and its arguments; the index of the next word."""
        start = self.words[index].start
        if start.startswith("--") or node.syntax == "single" or self.words[index].text in node.options:
            return self.long(node, index)
        return self.cluster(node, index)

    def long(self, node: Node, index: int) -> int:
        word = self.words[index]
        name, equals, _ = word.start.partition("=")
        if not equals and word.text is None:
            return self.unsure(node, index)
        option = _find_long(node, name)
        if option is None:
            return self.unknown(node, index, name)
        if not option.takes:
            if equals:
                self.problem("option-argument", f"`{name}` takes no argument", word.span, node)
            return self.use(node, option, index, [], index + 1)
        if equals:
            value = without_start(word, len(name) + 1)
            return self.use(node, option, index, [value], index + 1)
        return self.use(node, option, index, [], index + 1)

    def cluster(self, node: Node, index: int) -> int:
        word = self.words[index]
        known = word.start
        if node.numeric and _is_number(word):
            return index + 1
        position = 1
        while position < len(known):
            option = node.options.get("-" + known[position])
            if option is None:
                return self.unknown(node, index, "-" + known[position])
            position += 1
            if option.takes:
                rest = without_start(word, position)
                if rest.pieces:
                    self.check_empty(node, option, rest, index)
                    return self.use(node, option, index, [rest], index + 1)
                return self.use(node, option, index, [], index + 1)
            self.used.append(Used(option, (), node, word.span))
        return index + 1 if word.text is not None else self.unsure(node, index)

    def check_empty(self, node: Node, option: Option, rest: Argument, index: int) -> None:
        """An attached argument that may turn out empty makes the next word the argument, and shifts all after it."""
        empty = all(isinstance(piece, Hole) and "" in (piece.values or ("",)) for piece in rest.pieces)
        if empty and not node.inert and any(word.may_start_with("-") for word in self.words[index + 1 :]):
            message = f"the argument of `{option.name}` may be empty, and the next word would take its place"
            self.problem("dynamic-option", message, rest.span, node)

    def use(self, node: Node, option: Option, index: int, values: list[Argument], following: int) -> int:
        """Records an option with the arguments it has so far, taking what is still missing from the next words."""
        word = self.words[index]
        wanted = 0 if option.takes and option.takes[0].optional and not values else len(option.takes)
        while len(values) < wanted:
            if following >= len(self.words):
                self.problem("option-argument", f"`{option.name}` needs an argument", word.span, node)
                break
            values.append(self.words[following])
            following += 1
        for value in values:
            if value.many and not node.inert:
                message = f"the argument of `{option.name}` may become several words, and the next one an option"
                self.problem("dynamic-option", message, value.span, node)
        span = word.span if not values else Span(word.span.start, max(word.span.end, values[-1].span.end))
        self.used.append(Used(option, tuple(values), node, span))
        return following

    def unsure(self, node: Node, index: int) -> int:
        """An option word whose end is decided at run time."""
        word = self.words[index]
        if node.inert:
            self.operands.append(word)
        else:
            self.problem("dynamic-option", "an option that is decided at run time", word.span, node)
        return index + 1

    def unknown(self, node: Node, index: int, name: str) -> int:
        word = self.words[index]
        known = {option.name for spelling, option in node.options.items() if spelling.startswith(name)}
        if name.startswith("--") and len(known) > 1:
            message = f"`{name}` may stand for {', '.join(sorted(known))}"
        else:
            message = f"`{name}` is not an option that the rule of `{node.name}` knows"
        self.problem("unknown-option", message, word.span, node)
        return index + 1


def _kind(word: Argument) -> str:
    """`operand`, `option`, `separator`, or `doubtful` for a word that could be an option or not."""
    if word.text is not None:
        text = word.text
        if text == "--":
            return "separator"
        return "option" if len(text) > 1 and text[0] == "-" else "operand"
    if word.start.startswith("-") and not word.many:
        return "option"
    return "doubtful" if word.may_start_with("-") else "operand"


def _is_operand_or_number(word: Argument) -> bool:
    """Whether the word can start with a dash only where digits follow it."""
    first = word.pieces[0]
    return not word.many and isinstance(first, Hole) and first.domain == "integer" and not first.values


def _find_long(node: Node, name: str) -> Option | None:
    options = node.options
    if name in options:
        return options[name]
    if node.syntax == "single":
        twin = name[1:] if name.startswith("--") else "-" + name
        return options.get(twin)
    if not node.abbreviate or len(name) < 3:
        return None
    found = {option.name: option for spelling, option in options.items() if spelling.startswith(name)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_number(word: Argument) -> bool:
    """Whether the word is `-` and digits, known or not."""
    rest = without_start(word, 1)
    return bool(rest.pieces) and all(
        piece.domain == "number" if isinstance(piece, Hole) else piece.text.isascii() and piece.text.isdigit()
        for piece in rest.pieces
    )
