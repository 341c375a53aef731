"""The grammar of sed scripts: a scanner that keeps step with every sed at once.

It accepts more than any one sed does (commands without a separator between them as in busybox, GNU's one-line text,
addresses with blanks), because what one sed refuses another may run. Where seds read the *same* text differently the
scanner follows one `Reading` and notes that it mattered; `sed.py` then asks for the others.
"""

from __future__ import annotations

from guard.model.record import NamedTuple

BLANKS = " \t"
PLAIN = frozenset("=dDFgGhHnNpPxz{}")
NUMBERED = frozenset("qQlL")
FLAGS = frozenset("gpiImM0123456789 \t")


class Reading(NamedTuple):
    """How one family of seds finds the end of a bracket expression and of a label.

    A bracket hides the delimiter in regular expressions, and in the strings of `y` (`listing`) for some: `full` knows
    `[[:x:]]`, `short` ends at the first `]`, `none` gives brackets no meaning. `label` ends a label.
    """

    regex: str
    listing: str
    label: str


GNU = Reading("full", "none", " \t;}#")
OTHERS = (
    Reading("full", "full", "\n"),  # the BSDs
    Reading("short", "short", " \t;"),  # busybox
    Reading("full", "none", " \t;"),  # older GNU
)


class Command(NamedTuple):
    """One command; `text[argument:end]` is its file name or command text, empty where it has none.

    `name` is the command's letter; `s///` with the flags `e` and `w` gives `s/e` and `s/w`.
    """

    name: str
    start: int
    argument: int
    end: int


class Refused(Exception):  # noqa: N818 - an answer of the scanner, not a fault
    """No sed script that we know, at `place`. `certain`: every sed refuses it before it runs anything."""

    def __init__(self, message: str, place: int, certain: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.certain = certain


class Scanner:
    """One pass over one text. `commands` grows while it runs, so it is valid after `Refused` too."""

    def __init__(self, text: str, reading: Reading) -> None:
        self.text = text
        self.reading = reading
        self.place = 0
        self.ambiguous = False
        self.commands: list[Command] = []

    def run(self) -> None:
        """Scan the whole text; raises Refused."""
        text, size = self.text, len(self.text)
        while True:
            while self.place < size and text[self.place] in " \t\n;":
                self.place += 1
            if self.place == size:
                return
            self.command()

    def command(self) -> None:
        start = self.place
        self.address()
        self.blanks()
        if self.peek() == ",":
            self.place += 1
            self.blanks()
            self.address()
            self.blanks()
        while self.peek() == "!":
            self.place += 1
            self.blanks()
        name = self.peek()
        self.place += 1
        if name in PLAIN:
            return
        if name == "s":
            self.substitute(start)
        elif name in NUMBERED:
            self.blanks()
            self.digits()
        elif name in ":btTv":
            self.label()
        elif name in "aic":
            self.added_text(start)
        elif name in "rRwW":
            self.file(name, start)
        elif name == "y":
            delimiter = self.delimiter()
            self.delimited(delimiter, self.reading.listing)
            self.delimited(delimiter, self.reading.listing if self.reading.listing == "full" else "none")
        elif name == "e":
            self.execute(start)
        elif name == "#":
            self.line_end()
        else:
            raise Refused("a command is missing" if not name or name == "\n" else "unknown command", self.place - 1)

    def peek(self) -> str:
        """The next character; at the end a newline, which ends whatever is open."""
        return self.text[self.place] if self.place < len(self.text) else "\n"

    def blanks(self) -> None:
        while self.peek() in BLANKS:
            self.place += 1

    def digits(self) -> None:
        while self.peek() in "0123456789":
            self.place += 1

    def line_end(self) -> None:
        end = self.text.find("\n", self.place)
        self.place = len(self.text) if end < 0 else end

    def address(self) -> None:
        char = self.peek()
        if char in "0123456789+~":
            self.place += 1
            self.digits()
            self.blanks()
            if self.peek() == "~":
                self.place += 1
                self.blanks()
                self.digits()
        elif char == "$":
            self.place += 1
        elif char in "/\\":
            if char == "\\":
                self.place += 1
            self.delimited(self.delimiter(), self.reading.regex)
            self.blanks()
            while self.peek() in "IM":
                self.place += 1
                self.blanks()

    def delimiter(self) -> str:
        """The character that ends the strings to come.

        Digits are refused because a number known only at run time would hide which digit it is; brackets because
        busybox opens a bracket expression where others see the delimiter.
        """
        char = self.peek()
        if char in "\n\\[]0123456789" or not char.isascii():
            raise Refused("no delimiter that every sed takes", self.place, certain=False)
        self.place += 1
        return char

    def delimited(self, delimiter: str, brackets: str, regex: bool = True) -> None:
        """Skip to behind the next unescaped `delimiter`."""
        text, size = self.text, len(self.text)
        while self.place < size:
            char = text[self.place]
            if char == delimiter:
                self.place += 1
                return
            if char == "\n":
                break
            if char == "\\":
                if regex and text[self.place + 1 : self.place + 2] == "c":
                    # GNU's control escape: releases differ in whether it can hide the delimiter.
                    raise Refused("\\c in a regular expression", self.place, certain=False)
                self.place += 2
            elif char == "[" and regex:
                self.bracket(delimiter, brackets)
            else:
                self.place += 1
        raise Refused("unterminated", min(self.place, size))

    def bracket(self, delimiter: str, brackets: str) -> None:
        end = bracket_end(self.text, self.place, full=brackets != "short")
        if delimiter in self.text[self.place + 1 : end]:
            self.ambiguous = True
        if brackets == "none":
            self.place += 1
        elif end < 0:
            raise Refused("unterminated bracket expression", self.place)
        else:
            self.place = end

    def substitute(self, start: int) -> None:
        delimiter = self.delimiter()
        self.delimited(delimiter, self.reading.regex)
        self.delimited(delimiter, "none", regex=False)
        while True:
            char = self.peek()
            if char in FLAGS:
                self.place += 1
            elif char == "e":
                self.commands.append(Command("s/e", self.place, self.place, self.place + 1))
                self.place += 1
            elif char == "w":
                flag = self.place
                self.place += 1
                self.file("s/w", flag)
                return
            elif char in ";\n}#":
                return
            else:
                raise Refused("unknown flag of s", self.place)

    def label(self) -> None:
        self.blanks()
        text, size = self.text, len(self.text)
        while self.place < size and text[self.place] != "\n" and text[self.place] not in self.reading.label:
            self.place += 1
        if self.place < size and text[self.place] != "\n":
            self.ambiguous = True
        if self.reading.label != "\n":
            self.no_continuation()

    def added_text(self, start: int) -> None:
        """The text of a, i and c: to the end of the first line that does not end in a backslash."""
        self.blanks()
        if self.place >= len(self.text):
            raise Refused("text is missing", start)
        if self.peek() == "\\":
            self.place += 1
            behind = self.place
            self.blanks()
            if self.peek() == "\\" or (self.peek() == "\n" and self.place > behind):
                raise Refused("seds differ in what this text is", behind, certain=False)
            if self.peek() == "\n":
                self.place += 1
        self.continued_line()

    def continued_line(self) -> None:
        text, size = self.text, len(self.text)
        while self.place < size and text[self.place] != "\n":
            self.place += 2 if text[self.place] == "\\" else 1
        self.place = min(self.place, size)

    def file(self, name: str, start: int) -> None:
        self.blanks()
        argument = self.place
        self.line_end()
        self.no_continuation()
        self.commands.append(Command(name, start, argument, self.place))

    def no_continuation(self) -> None:
        """busybox joins a line that ends in a backslash with the next one before it reads either."""
        if self.peek() == "\n" and self.text[self.place - 1] == "\\":
            raise Refused("seds differ in where this line ends", self.place - 1, certain=False)

    def execute(self, start: int) -> None:
        self.blanks()
        argument = self.place
        self.continued_line()
        self.commands.append(Command("e", start, argument, self.place))


def bracket_end(text: str, start: int, full: bool) -> int:
    """The place behind the bracket expression that opens at `start`, -1 where its line does not close it.

    `full` knows `[:class:]`, `[.x.]` and `[=x=]` inside it.
    """
    place, size = start + 1, len(text)
    if text[place : place + 1] == "^":
        place += 1
    if text[place : place + 1] == "]":
        place += 1
    while place < size:
        char = text[place]
        if char == "]":
            return place + 1
        if full and char == "[" and text[place + 1 : place + 2] in (".", ":", "="):
            place = text.find(text[place + 1] + "]", place + 2)
            if place < 0:
                return -1
            place += 2
        else:
            place += 1
    return -1
