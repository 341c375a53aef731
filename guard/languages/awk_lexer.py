"""Tokens of awk programs. Whether `/` divides or opens a regular expression is the parser's knowledge, so it asks."""

from __future__ import annotations

from guard.model.record import NamedTuple

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME = LETTERS | frozenset("0123456789")
DIGITS = frozenset("0123456789")
_KEYWORDS = (
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in "
    "getline print printf switch case default"
)
KEYWORDS = frozenset(_KEYWORDS.split())
OPERATORS = (
    *("**=",),
    *("&&", "||", "|&", ">>", ">=", "<=", "==", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**"),
    *"{}()[];,+-*/%^!<>|?:~$=@",
)
_BY_FIRST = {char: tuple(op for op in OPERATORS if op[0] == char) for char in {op[0] for op in OPERATORS}}
_PLAIN_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


class Token(NamedTuple):
    """`kind` is `name`, `call` (a name with `(` right behind it), `number`, `string`, `regex`, `newline`, `end`, or the
    keyword or operator itself. `value` is the name, or the text of a string where every awk agrees on it, else None.
    """

    kind: str
    value: str | None
    start: int
    end: int


class SyntaxDoubt(Exception):  # noqa: N818 - an answer, not a fault
    """No awk program that we know, at `place`. `certain`: every awk refuses it before it runs anything."""

    def __init__(self, message: str, place: int, certain: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.certain = certain


class Lexer:
    """Gives the tokens of `text` from any place. `brackets` is the reading of `/` in bracket expressions:

    `plain`: the first `/` without a backslash ends a regular expression; `escape`: brackets hide it, and a backslash in
    them escapes (gawk, mawk); `posix`: brackets hide it, a backslash in them is itself.
    """

    def __init__(self, text: str, brackets: str = "escape") -> None:
        self.text = text
        self.brackets = brackets
        self.ambiguous = False

    def token(self, place: int) -> Token:
        """The token at `place`, blanks, comments and continued lines skipped; `/` is an operator."""
        text, size = self.text, len(self.text)
        while place < size:
            char = text[place]
            if char in " \t":
                place += 1
            elif char == "\\" and text[place + 1 : place + 2] == "\n":
                place += 2
            elif char == "#":
                end = text.find("\n", place)
                end = size if end < 0 else end
                if text[end - 1] == "\\":
                    raise SyntaxDoubt("a comment that may go on in the next line", end - 1)
                place = end
            else:
                break
        if place >= size:
            return Token("end", None, size, size)
        if char in LETTERS:
            return self.name(place)
        if char == "\n":
            return Token("newline", None, place, place + 1)
        if char == '"':
            return self.string(place)
        if char in DIGITS or (char == "." and text[place + 1 : place + 2] in DIGITS):
            return Token("number", None, place, self.number_end(place))
        for operator in _BY_FIRST.get(char, ()):
            if text.startswith(operator, place):
                return Token(operator, None, place, place + len(operator))
        raise SyntaxDoubt("a character that is no awk", place, certain=char.isascii())

    def name(self, place: int) -> Token:
        text, size = self.text, len(self.text)
        end = place + 1
        while end < size and text[end] in NAME:
            end += 1
        word = text[place:end]
        if word in KEYWORDS:
            return Token(word, word, place, end)
        if text.startswith("::", end):
            raise SyntaxDoubt("a name space of gawk", end)
        return Token("call" if text.startswith("(", end) else "name", word, place, end)

    def number_end(self, place: int) -> int:
        text, size = self.text, len(self.text)
        while place < size and (text[place] in DIGITS or text[place] == "."):
            place += 1
        if text[place : place + 1] in ("e", "E"):
            exponent = place + 1
            if text[exponent : exponent + 1] in ("+", "-"):
                exponent += 1
            if text[exponent : exponent + 1] in DIGITS and exponent < size:
                place = exponent
                while place < size and text[place] in DIGITS:
                    place += 1
        return place

    def string(self, place: int) -> Token:
        text, size = self.text, len(self.text)
        start = place
        place += 1
        found: list[str] | None = []
        while place < size and text[place] != "\n":
            char = text[place]
            if char == '"':
                return Token("string", None if found is None else "".join(found), start, place + 1)
            if char == "\\":
                char = _PLAIN_ESCAPES.get(text[place + 1 : place + 2], "")
                if not char:
                    found = None  # awks differ in what other escapes mean
                place += 1
            if found is not None:
                found.append(char)
            place += 1
        raise SyntaxDoubt("unterminated string", start, certain=True)

    def regex(self, place: int) -> Token:
        """The regular expression that opens with the `/` at `place`."""
        plain = self.regex_end(place, "plain")
        if "[" in self.text[place:plain]:
            ends = {plain, self.regex_end(place, "escape"), self.regex_end(place, "posix")}
            self.ambiguous = self.ambiguous or len(ends) > 1
        end = self.regex_end(place, self.brackets)
        if end < 0:
            raise SyntaxDoubt("unterminated regular expression", place)
        return Token("regex", None, place, end)

    def regex_end(self, place: int, brackets: str) -> int:
        """Behind the closing `/`, -1 where the line has none."""
        text, size = self.text, len(self.text)
        place += 1
        inside = -1  # where the bracket expression began that we are in
        while place < size and text[place] != "\n":
            char = text[place]
            if char == "\\" and (inside < 0 or brackets == "escape"):
                place += 1
            elif inside < 0:
                if char == "/":
                    return place + 1
                if char == "[" and brackets != "plain":
                    inside = place + (2 if text[place + 1 : place + 2] == "^" else 1)
                    place = inside - 1
            elif char == "]" and place > inside:
                inside = -1
            elif char == "[" and text[place + 1 : place + 2] in (":", ".", "="):
                end = text.find(text[place + 1] + "]", place + 2)
                if end > 0:
                    place = end + 1
            place += 1
        return -1
