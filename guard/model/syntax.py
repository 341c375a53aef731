"""What a bash text says: words, redirects and commands, each with its place in the text.

`guard.shell.read` is the only producer. Nothing in a Script is a guess: a text that has any doubt is `Unreadable`.
Offsets count characters of the text that was read.
"""

from __future__ import annotations

from collections.abc import Sequence

from guard.model.record import NamedTuple


class Span(NamedTuple):
    """Half-open range of characters, `text[start:end]`."""

    start: int
    end: int


class Literal(NamedTuple):
    """Characters that reach the program as they stand, quotes removed.

    `at[i]` is the offset in the source of the character that gave `text[i]` (a `range` where the text stands verbatim).
    `quoted` text is neither split nor globbed, and a leading `~` or `{` in it means itself. Unquoted text has blanks
    only inside an operator's word (`${x:-a b}`), and pattern characters only where bash does not expand file names
    (`x=*`, `<<< *`).
    """

    text: str
    at: Sequence[int]
    quoted: bool


class Parameter(NamedTuple):
    """`$name` or `${…}`: positional and special parameters too (`1`, `@`, `?`).

    `operator` is what follows the name (`:-`, `#`, `##`, `%`, `/`, `:`, `^`, `@Q`, `#length`, …; empty for a plain
    expansion) and `words` what the operator works with, read as words (patterns and replacements included; for `:` the
    offset and the length, each one `Arithmetic`). A subscript is the beginning of the operator (`[@]`, `[0]:-`).
    Indirect (`${!x}`) and `@P` expansions are never readable, nor is an array subscript other than `@`, `*` or digits.
    """

    name: str
    operator: str
    words: tuple[Word, ...]
    quoted: bool
    span: Span


class CommandSubstitution(NamedTuple):
    """`$(…)` or backquotes; the script inside has offsets of the whole text."""

    script: Script
    quoted: bool
    span: Span


class ProcessSubstitution(NamedTuple):
    """`<(…)` (`direction` is `<`) or `>(…)`; always a word of its own."""

    direction: str
    script: Script
    span: Span


class Arithmetic(NamedTuple):
    """`$((…))` over numbers, operators and plain variable names.

    `names` are the variables it reads: bash evaluates their *values* as expressions, so a value that is not known to be
    a number can run a command (`x='a[$(c)]'`). `inner` are the substitutions and parameters written inside it.
    """

    names: tuple[str, ...]
    inner: tuple[Part, ...]
    quoted: bool
    span: Span
    assigns: tuple[str, ...] = ()


class Glob(NamedTuple):
    """An unquoted pattern character or bracket (`*`, `?`, `[a-z]`): the word becomes the matching names."""

    text: str
    span: Span


class Tilde(NamedTuple):
    """A leading unquoted `~` or `~user`; `user` is empty for one's own home."""

    user: str
    span: Span


Part = Literal | Parameter | CommandSubstitution | ProcessSubstitution | Arithmetic | Glob | Tilde


class Word(NamedTuple):
    """One word of the text after brace expansion, before all others.

    Brace expansion is done by the reader (`{a,b}` gives two words of the same span). No parts: the empty word `''`.
    """

    parts: tuple[Part, ...]
    span: Span


class Assignment(NamedTuple):
    """`name=value`, `name+=value` or `name=(words…)` (then `array` holds the words and `value` is None)."""

    name: str
    value: Word | None
    append: bool
    array: tuple[Word, ...] | None
    span: Span


class Redirect(NamedTuple):
    """`operator` is one of `<  >  >>  >|  <>  &>  &>>  >&  <&  <<  <<-  <<<`.

    `fd` is the number before it, None where none is written; `{name}>` is never readable. `target` is the word after
    it; for a here-document it is the body (Literal parts only, if the delimiter was quoted), whose span lies behind
    the redirect's own (the operator and the delimiter).
    """

    operator: str
    fd: int | None
    target: Word
    span: Span


class Simple(NamedTuple):
    """A simple command. `words` is empty for a command of assignments and redirects only."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


class Pipeline(NamedTuple):
    """`a | b |& c`; `negated` for `!`, `timed` for `time`. One command is a pipeline only if negated or timed."""

    commands: tuple[Command, ...]
    negated: bool
    timed: bool
    span: Span


class CommandList(NamedTuple):
    """Commands joined by `;`, newline, `&`, `&&` or `||`: `operators[i]` stands after `commands[i]`.

    A newline counts as `;`, and so does the end where nothing follows. `&&` and `||` bind tighter than the others and
    are nested.
    """

    commands: tuple[Command, ...]
    operators: tuple[str, ...]
    span: Span


class Group(NamedTuple):
    """`{ …; }`, or `( … )` when `subshell`."""

    body: Command
    subshell: bool
    redirects: tuple[Redirect, ...]
    span: Span


class If(NamedTuple):
    """`branches` are (condition, body) pairs of `if` and `elif`."""

    branches: tuple[tuple[Command, Command], ...]
    otherwise: Command | None
    redirects: tuple[Redirect, ...]
    span: Span


class For(NamedTuple):
    """`for name in words`; `words` is None for `for name` (the positional parameters)."""

    name: str
    words: tuple[Word, ...] | None
    body: Command
    redirects: tuple[Redirect, ...]
    span: Span


class ArithmeticFor(NamedTuple):
    """`for ((…; …; …))`."""

    header: Arithmetic
    body: Command
    redirects: tuple[Redirect, ...]
    span: Span


class While(NamedTuple):
    """`while` or `until`."""

    condition: Command
    body: Command
    redirects: tuple[Redirect, ...]
    span: Span


class Case(NamedTuple):
    """`case word in …`; `arms` are (patterns, body) pairs."""

    subject: Word
    arms: tuple[tuple[tuple[Word, ...], Command | None], ...]
    redirects: tuple[Redirect, ...]
    span: Span


class Conditional(NamedTuple):
    """`[[ … ]]` as its words (operands and operators alike; `&&`, `||`, `(`, `)`, `<`, `>` as literal words)."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    span: Span


class ArithmeticCommand(NamedTuple):
    """`(( … ))`."""

    expression: Arithmetic
    redirects: tuple[Redirect, ...]
    span: Span


class Function(NamedTuple):
    """`name() body` or `function name body`: nothing runs until it is called."""

    name: str
    body: Command
    span: Span


Command = (
    Simple
    | Pipeline
    | CommandList
    | Group
    | If
    | For
    | ArithmeticFor
    | While
    | Case
    | Conditional
    | ArithmeticCommand
    | Function
)


class Script(NamedTuple):
    """A whole text that was read. `body` is None where it holds no command (blank, comments)."""

    text: str
    body: Command | None


class Unreadable(NamedTuple):
    """A text that is refused, with the smallest part that caused it. `code` is stable (`syntax`, `bounds`, …)."""

    code: str
    message: str
    span: Span
