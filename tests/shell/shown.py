"""Scripts as one line of text, so that a test can compare whole readings.

`'…'` is quoted text (one piece for each quotation), `"` before an expansion means that it is quoted, `/…/` is a glob.
"""

from __future__ import annotations

from guard.model.record import assert_never
from guard.model.syntax import (
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Case,
    Command,
    CommandList,
    CommandSubstitution,
    Conditional,
    For,
    Function,
    Glob,
    Group,
    If,
    Literal,
    Parameter,
    Part,
    Pipeline,
    ProcessSubstitution,
    Redirect,
    Script,
    Simple,
    Tilde,
    Unreadable,
    While,
    Word,
)


def shown(script: Script | Unreadable) -> str:
    if isinstance(script, Unreadable):
        return f"{script.code}: {script.message}"
    return "" if script.body is None else _command(script.body)


def _command(node: Command | None) -> str:
    match node:
        case None:
            return "-"
        case Simple(assignments, words, redirects):
            items = [*map(_assignment, assignments), *map(_word, words), *map(_redirect, redirects)]
            return f"[{' '.join(items)}]"
        case Pipeline(commands, negated, timed):
            return f"{'time ' * timed}{'! ' * negated}({' | '.join(map(_command, commands))})"
        case CommandList(commands, operators):
            pairs = zip(commands, operators, strict=True)
            return f"<{' '.join(f'{_command(command)} {operator}' for command, operator in pairs)}>"
        case Group(body, subshell, redirects):
            return f"{'sub' if subshell else 'group'}({_command(body)}){_after(redirects)}"
        case If(branches, otherwise, redirects):
            arms = " ".join(f"{_command(condition)} then {_command(body)}" for condition, body in branches)
            return f"if({arms} else {_command(otherwise)}){_after(redirects)}"
        case For(name, words, body, redirects):
            listed = "args" if words is None else " ".join(map(_word, words))
            return f"for({name} in {listed}: {_command(body)}){_after(redirects)}"
        case ArithmeticFor(header, body, redirects):
            return f"for({_part(header)}: {_command(body)}){_after(redirects)}"
        case While(condition, body, redirects):
            return f"while({_command(condition)}: {_command(body)}){_after(redirects)}"
        case Case(subject, arms, redirects):
            shown_arms = " ".join(f"{'|'.join(map(_word, words))}) {_command(body)}" for words, body in arms)
            return f"case({_word(subject)}: {shown_arms}){_after(redirects)}"
        case Conditional(words, redirects):
            return f"cond({' '.join(map(_word, words))}){_after(redirects)}"
        case ArithmeticCommand(expression, redirects):
            return f"arith({_part(expression)}){_after(redirects)}"
        case Function(name, body):
            return f"function({name}: {_command(body)})"
    return assert_never(node)


def _after(redirects: tuple[Redirect, ...]) -> str:
    return "".join(f" {_redirect(redirect)}" for redirect in redirects)


def _redirect(node: Redirect) -> str:
    return f"{'' if node.fd is None else node.fd}{node.operator}{_word(node.target)}"


def _assignment(node: Assignment) -> str:
    operator = "+=" if node.append else "="
    if node.array is not None:
        return f"{node.name}{operator}({' '.join(map(_word, node.array))})"
    return f"{node.name}{operator}{_word(node.value) if node.value and node.value.parts else ''}"


def _word(word: Word) -> str:
    return "".join(map(_part, word.parts)) or "''"


def _part(part: Part) -> str:
    quote = '"' if getattr(part, "quoted", False) else ""
    match part:
        case Literal(text, _, quoted):
            return f"'{text}'" if quoted else text
        case Parameter(name, operator, words):
            rest = "".join(f" {_word(word)}" for word in words)
            return f"{quote}${{{name}{operator}{rest}}}"
        case CommandSubstitution(script):
            return f"{quote}$({shown(script)})"
        case ProcessSubstitution(direction, script):
            return f"{direction}({shown(script)})"
        case Arithmetic(names, inner, _, _, assigns):
            items = [*names, *map(_part, inner), *(f"{name}=" for name in assigns)]
            return f"{quote}$(({' '.join(items)}))"
        case Glob(text):
            return f"/{text}/"
        case Tilde(user):
            return f"~{user}"
    return assert_never(part)
