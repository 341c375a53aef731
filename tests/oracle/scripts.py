"""Random bash scripts for the fuzzer: made by grammar, and bent by splices of bytes.

The commands are `m1`, `m2`, … and, where they are to fail, `f1`, `f2`, …: no two alike, so that a command that is run
can be told from every other.
"""

from __future__ import annotations

from random import Random

_PLAIN = ["a", "b-c", "-x", "--long=v", "./d/e", "x=1", "1", "2", "0", "a.b", "A_B", "%s", "a:b", "@", "+", "a,b", "-"]
_ODD = ["a#b", "#c", "!", "!x", "^a", "a{b", "{a}", "{}", "}", "a}", "]", "[", "[a", "a]", "=", "==", "~x", "a~", "in"]
_ODD += [
    "if",
    "then",
    "do",
    "done",
    "esac",
    "fi",
    "case",
    "for",
    "time",
    "{",
    "[[",
    "]]",
    "function",
    "é",
    "日本",
    "a%b",
]
_NAMES = ["x", "y", "HOME", "A1", "_", "1", "@", "*", "#", "?"]
_SPLICES = [
    "'", "\"", "\\", "\n", " ", "\t", "`", "$", "$(", ")", "(", "${", "}", "{", "#", " #", ";", ";;", "&", "&&",
    "|", "||", "<", ">", ">>", "<<", "<<E\n", "\nE\n", "<<'E'\n", "<<-E\n", "<<<", "2>", ">&", "&>", "$((", "))",
    "((", "[[ ", " ]]", "$'", "$\"", "\\\n", " \\\n ", "''", "\"\"", "!", "*", "?", "[", "]", "~", "=", "a=",
    "a=(", "E", "<(", ">(", ",", "..", "if ", "then ", "fi", "do ", "done", "case x in ", "esac", "for i in ",
    "{ ", "; }", "() { ", "time ", "! ", "-", "\u00e9", "\u00a0", "\u3000", "$x", "${x:-", "${x#", "${#x", "$((1+",
    "1", "%", ":", "/", "@", "+=", "in ", "<>", ">|",
]  # fmt: skip


class Scripts:
    """A stream of scripts that depends on the seed alone."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.number = 0
        self.files = 0
        self.documents: list[str] = []

    def script(self, seeds: list[str]) -> str:
        """A new script; every second one is bent, some of those from `seeds`."""
        self.number = self.files = 0
        self.documents = []
        if self.random.random() < 0.5:
            return self.generated()
        base = self.random.choice(seeds) if seeds and self.random.random() < 0.4 else self.generated()
        return self.bent(base)

    def generated(self) -> str:
        self.number = self.files = 0
        self.documents = []
        lines = [self.line(3) for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        return "".join(lines)

    def bent(self, text: str) -> str:
        for _ in range(self.random.choice((1, 1, 2, 2, 3, 5))):
            i = self.random.randint(0, len(text))
            j = min(len(text), i + self.random.choice((0, 0, 0, 1, 1, 2, 4)))
            kind = self.random.random()
            if kind < 0.7:
                text = text[:i] + self.random.choice(_SPLICES) + text[j:]
            elif kind < 0.85:
                text = text[:i] + text[j:]
            else:
                k = self.random.randint(0, len(text))
                text = text[:k] + text[i : i + self.random.randint(1, 12)] + text[k:]
        return text

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self) -> str:
        self.number += 1
        return f"{'f' if self.random.random() < 0.15 else 'm'}{self.number}"

    def newline(self) -> str:
        """A newline, maybe after a comment, and the bodies of the here-documents that wait for it."""
        comment = self.pick("", "", "", " # c", " # it's", " # $(m99)", " # `", ' # "')
        bodies, self.documents = "".join(self.documents), []
        return f"{comment}\n{bodies}"

    def line(self, depth: int) -> str:
        return self.listed(depth) + self.newline() + self.pick("", "", "", "\n", "# m99\n", "  ")

    def listed(self, depth: int) -> str:
        found = self.pipeline(depth)
        while self.random.random() < 0.3:
            operator = self.pick(" && ", " || ", "; ", " & ", ";", "&&", " &&\n" if not self.documents else " && ")
            found += operator + self.pipeline(depth)
        return found + self.pick("", "", "", "", ";", " &", " ")

    def pipeline(self, depth: int) -> str:
        found = self.pick(*[""] * 12, "! ", "! ", "time ") + self.command(depth)
        while self.random.random() < 0.2:
            found += self.pick(" | ", "|", " |& ", " |\n" if not self.documents else " | ") + self.command(depth)
        return found

    def command(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.65:
            return self.simple(depth)
        return self.compound(depth - 1) + (self.redirect(depth) if self.random.random() < 0.2 else "")

    def block(self, depth: int) -> str:
        """Commands with a separator behind them."""
        found = self.listed(depth).rstrip()
        if found.endswith((";", "&")):
            return found + self.pick(" ", self.newline() if self.random.random() < 0.3 else " ")
        return found + (self.newline() if self.random.random() < 0.3 or self.documents else "; ")

    def compound(self, depth: int) -> str:
        kind = self.random.randrange(13)
        if kind == 0:
            return f"{{ {self.block(depth)}}}"
        if kind == 1:
            return f"({self.pick('', ' ')}{self.listed(depth)}{self.newline() if self.documents else ''})"
        if kind == 2:
            otherwise = f"else {self.block(depth)}" if self.random.random() < 0.5 else ""
            return f"if {self.block(depth)}then {self.block(depth)}{otherwise}fi"
        if kind == 3:
            return f"if {self.block(depth)}then {self.block(depth)}elif {self.block(depth)}then {self.block(depth)}fi"
        if kind == 4:
            words = " ".join(self.word(depth) for _ in range(self.random.randint(0, 3)))
            return f"for i in {words}{self.pick('; ', ';', self.newline())}do {self.block(depth)}done"
        if kind == 5:
            self.number += 1
            return f"until m{self.number}{self.pick('; ', self.newline())}do {self.block(depth)}done"
        if kind == 6:
            return f"while {self.block(depth)}do {self.block(depth)}break; done"
        if kind == 7:
            arms = "".join(
                f"{self.pick('', '(')}{self.pattern()}) {self.listed(depth)}"
                f"{self.newline() if self.documents else ''}{self.pick(';;', ' ;;', ';&', ';;&')} "
                for _ in range(self.random.randint(1, 3))
            )
            return f"case {self.pick('a', 'x', self.word(depth))} in {self.pick('', self.newline())}{arms}esac"
        if kind == 8:
            self.number += 1
            return f"{self.pick('', 'function ')}g{self.number}() {{ {self.block(depth)}}}; g{self.number}"
        if kind == 9:
            return f"[[ {self.condition(depth)} ]]"
        if kind == 10:
            return f"(( {self.arithmetic(depth)} ))"
        if kind == 11:
            limit = f"i<{self.random.randint(0, 2)}"
            return f"for ((i=0; {limit}; i++)){self.pick('; ', ' ')}do {self.block(depth)}done"
        return f"{self.pick('a', 'b', 'x')}=({' '.join(self.word(depth) for _ in range(self.random.randint(0, 3)))})"

    def pattern(self) -> str:
        return self.pick("a", "*", "x|a", "[a-z]", "'a'", "?", "b|*", "esac2", '"x"', "a*")

    def condition(self, depth: int) -> str:
        word = self.word(depth)
        return self.pick(
            f"-f {word}", f"{word} == {self.pattern()}", f"a == a && b != {word}", f"! -n {word}", "a =~ ^(a|b)$",
            f"( {word} == a ) || a < b", f"-n {word}", "1 -lt 2", f"{word} =~ a.*",
        )  # fmt: skip

    def arithmetic(self, depth: int) -> str:
        return self.pick(
            "1 + 2", "x = 3", "x++", "x << 2", "(1+2)*3", "x > 1 ? 2 : 3", "$x + 1", "${x:-4}", "x==1||y<2", "16#ff",
            f"1 + $({self.simple(0)})" if depth > 0 and not self.documents else "7", "-1", "x & 3 | 4", "#x", "0x1F",
        )  # fmt: skip

    def simple(self, depth: int) -> str:
        found = ""
        while self.random.random() < 0.12:
            found += f"{self.pick('a', 'B', 'x', 'IFSX')}{self.pick('=', '=', '+=')}{self.word(depth, True)} "
        if found and self.random.random() < 0.3:
            return found.rstrip()
        if self.random.random() < 0.07:
            found += self.redirect(depth).lstrip() + " "
        found += self.quoted_name(self.name())
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            found += self.pick(" ", " ", " ", "  ", "\t", " \\\n", " \\\n  ")
            found += self.redirect(depth).lstrip() if self.random.random() < 0.15 else self.argument(depth)
        return found

    def argument(self, depth: int) -> str:
        if depth > 0 and self.random.random() < 0.04 and not self.documents:
            return f"{self.pick('<', '>')}({self.listed(depth - 1)})"
        return self.word(depth)

    def quoted_name(self, name: str) -> str:
        return self.pick(
            name, name, name, name, name, f"'{name}'", f'"{name}"', f"\\{name}", f"{name[0]}'{name[1:]}'", f"$'{name}'",
            f"''{name}", f'{name}""',
        )  # fmt: skip

    def redirect(self, depth: int) -> str:
        self.files += 1
        kind = self.random.randrange(12)
        target = self.pick(f"w{self.files}", f"'w{self.files}'", f'"w{self.files}"', "/dev/null", f"w\\ {self.files}")
        if kind < 5:
            return f" {self.pick('', '', '1', '2')}{self.pick('>', '>>', '>|', '<>')}{self.pick('', ' ')}{target}"
        if kind < 6:
            return f" {self.pick('&>', '&>>')}{self.pick('', ' ')}{target}"
        if kind < 8:
            return self.pick(" 2>&1", " >&2", " 2>&-", " 0<&-", " <&0", " >&/dev/null", " 1>&2")
        if kind < 9:
            return f" {self.pick('<', '0<')}{self.pick('', ' ')}/dev/null"
        if kind < 10:
            return f" <<<{self.pick('', ' ')}{self.word(depth)}"
        return self.here_document(depth)

    def here_document(self, depth: int) -> str:
        delimiter = self.pick("E", "EOF", "E1", "'E'", '"E"', "\\E", "'E F'", "E'G'", "E-1")
        plain = delimiter.replace("'", "").replace('"', "").replace("\\", "")
        operator = self.pick("<<", "<<", "<<-")
        body = "".join(
            self.pick("", "\t") + self.pick("t", "it's", '"', "$x", "${x:-v}", "`", "\\$x", "m99", "E ", " E", "'E'")
            + (f"$({self.simple(0)})" if depth > 0 and self.random.random() < 0.2 and not self.documents else "")
            + "\n"
            for _ in range(self.random.randint(0, 3))
        )  # fmt: skip
        self.documents.append(f"{body}{self.pick('', chr(9)) if operator == '<<-' else ''}{plain}\n")
        return f" {operator}{self.pick('', ' ')}{delimiter}"

    def word(self, depth: int, value: bool = False) -> str:
        pieces = self.random.choice((1, 1, 1, 2, 2, 3))
        return "".join(self.piece(depth, value) for _ in range(pieces))

    def piece(self, depth: int, value: bool) -> str:
        kind = self.random.randrange(26)
        if kind < 8:
            return self.random.choice(_PLAIN)
        if kind < 10:
            return self.random.choice(_ODD)
        if kind < 12:
            return self.pick(
                "'a b'", "''", "'$(m98)'", "'a\nb'", "'\\'", "'\"'", "'`'", "'#'", "'{a,b}'", "'*'", "' # '"
            )
        if kind < 15:
            inner = "".join(self.quoted(depth) for _ in range(self.random.randint(0, 3)))
            return f'"{inner}"'
        if kind < 16:
            return self.pick("\\ ", "\\a", "\\$", "\\;", "\\'", '\\"', "\\\\", "\\`", "\\#", "\\{", "\\*", "\\~", "\\&")
        if kind < 18:
            return self.parameter(depth, False)
        if kind < 20:
            return self.substitution(depth)
        if kind < 21:
            return self.pick("$'a\\tb'", "$'\\x41'", "$'it\\'s'", "$'\\101'", "$'a\\\\'", "$'\\n'")
        if kind < 22:
            return self.pick(
                "{a,b}", "{1..3}", "x{a,{b,c}}", "{a,'b c'}y", "{3..1}", "{a,}", "{a,b}{c,d}", "{a..c}", "{x}"
            )
        if kind < 23:
            return self.pick("*", "?", "[a-z]", "a*b", "[!a]", "[]a]", "w*", "[[:alpha:]]", "[a", "*/")
        if kind < 24:
            return f"$(({self.arithmetic(depth)}))"
        if kind < 25:
            return self.pick("~", "~/a", "~root", "~+", "a=~", "~/")
        return self.pick("$", "$ ", "a$", "$%", "=x") if not value else "v"

    def quoted(self, depth: int) -> str:
        kind = self.random.randrange(9)
        if kind < 4:
            return self.pick(
                "a", " ", "it's", "\\$", '\\"', "\\\\", "\\a", "\\`", "#", "*", "{a,b}", "!", "é", "\n", "$"
            )
        if kind < 6:
            return self.parameter(depth, True)
        if kind < 8:
            return self.substitution(depth)
        return f"$(({self.arithmetic(depth)}))"

    def parameter(self, depth: int, quoted: bool) -> str:
        name = self.random.choice(_NAMES)
        inner = self.word(depth - 1) if depth > 0 and not quoted else self.pick("a", "d e", "*/", "$y", "")
        return self.pick(
            f"${name}", f"${{{name}}}", f"${{x:-{inner}}}", f"${{x-{inner}}}", f"${{HOME#{inner}}}",
            f"${{HOME%%{inner}}}", f"${{HOME/u/{inner}}}", f"${{HOME//{inner}/b}}", "${HOME:1:2}",
            "${#HOME}", "${x:+y}", f"${{x:={inner}}}",
            "${HOME^^}", "${HOME@Q}", "${x[0]}", "${x[@]}", "${HOME: -3}", "${x:?}", "${HOME:x}",
        )  # fmt: skip

    def substitution(self, depth: int) -> str:
        if depth <= 0 or self.documents:
            return "s"
        if self.random.random() < 0.2:
            return f"`{self.simple(0)}`"
        inner = self.listed(depth - 1)
        end = self.newline() if self.documents else self.pick("", "", " ", "\n")
        return f"$({self.pick('', ' ', chr(10))}{inner}{end})"
