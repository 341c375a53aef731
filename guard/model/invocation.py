"""One call of one program, its argument vector read by the program's rule."""

from __future__ import annotations

from guard.model.argument import NOTHING, Argument, Printed
from guard.model.record import NamedTuple
from guard.model.syntax import Span


class Given(NamedTuple):
    """An option that was given. `name` is the first spelling of it in the rule, whatever spelling was used.

    `value` is its option-argument, None where it takes none or an optional one was left out.
    """

    name: str
    value: Argument | None
    span: Span


class Invocation(NamedTuple):
    """`program subcommand… options operands` after the argv parser.

    `path` are the subcommands that were chosen (`("remote", "show")`), `options` the options of all levels in their
    order, `operands` what is left. `separator` is the number of operands before `--`, None where there is no `--`.
    `stdin` is the standard input where its text is known (a here-document or here-string), else None. `piped` is what
    is known of it where it comes from a pipe.
    `rule` is `rules/commands/<program>.yaml:<line>` of the (sub)command.
    """

    program: str
    path: tuple[str, ...]
    options: tuple[Given, ...]
    operands: tuple[Argument, ...]
    separator: int | None
    span: Span
    rule: str
    stdin: Argument | None = None
    piped: Printed = NOTHING

    def given(self, *names: str) -> Given | None:
        """The last option given among these canonical names, or None."""
        return next((option for option in reversed(self.options) if option.name in names), None)
