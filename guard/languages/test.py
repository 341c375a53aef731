"""test and `[`: all of its primaries only look, but bash evaluates the subscript in `-v 'a[…]'`, zsh that in `-t` too.

Words in the place of an operand of a binary operator are data. The rest is judged as if it could be an operator.
Source: https://www.gnu.org/software/bash/manual/html_node/Bash-Conditional-Expressions.html
"""

from __future__ import annotations

from guard.languages.arguments import is_number, may_equal
from guard.model.argument import Argument, Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_BINARY = frozenset(["=", "==", "!=", "<", ">", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"])


def judge(call: Invocation) -> list[Outcome]:
    """Opaque where a name with a subscript could be evaluated."""
    words = call.operands
    if call.program == "[":
        if not words or words[-1].text != "]":
            return [opaque("test-bracket", "`[` without its closing `]`", call.span, rule=call.rule)]
        words = words[:-1]
    for index, word in enumerate(words):
        if not may_be_subscript_test(word):
            continue
        if word.many:
            message = "may become several words, `-v` and a subscript among them: put it in double quotes"
            return [opaque("dynamic-test", message, word.span, rule=call.rule)]
        following = words[index + 1 : index + 3]
        if len(following) == 2 and following[0].text in _BINARY:
            continue
        if following and not _is_harmless(word, following[0]):
            what = f"`{word.text}`" if word.text is not None else "this word could be `-v`, which"
            message = f"{what} evaluates a subscript, and what stands after it may have one"
            return [opaque("test-subscript", message, following[0].span, rule=call.rule)]
    return []


def _is_harmless(test: Argument, operand: Argument) -> bool:
    """Whether nothing is evaluated; to zsh the descriptor of `-t` is an expression."""
    if operand.many or operand.may_contain("["):
        return False
    return test.text in ("-v", "-R") or is_number(operand) or test.text is None


def may_be_subscript_test(word: Argument) -> bool:
    """Whether the word may be `-v`, `-R` or `-t`."""
    return any(word.may_start_with(name) and may_equal(word, name) for name in ("-v", "-R", "-t"))
