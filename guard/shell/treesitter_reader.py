"""The second witness: tree-sitter-bash.

Its tree is flattened to the tokens that our reader records: the substitutions in a word stand before the word, what is
inside arithmetic is left out but for substitutions, and a word is one token whatever it is made of.
"""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING
from guard.shell.lexer import ASSIGNMENT, NAME, NUMBER, OPERATOR, SUBSTITUTION, WORD, Token
from guard.shell.light import StandIn

if TYPE_CHECKING:
    from typing import Any


def _load() -> Any:
    with StandIn("tree_sitter", package=True):
        from tree_sitter._binding import Language, Parser
    with StandIn("tree_sitter_bash", package=True):
        from tree_sitter_bash._binding import language
    return Parser(Language(language()))


_parser = _load()

_PLAIN = frozenset(["word", "number", "raw_string", "ansi_c_string", "variable_name", "test_operator", "regex"])
_SUBSTITUTIONS = frozenset(["command_substitution", "process_substitution"])
_WORDS = _PLAIN | _SUBSTITUTIONS | frozenset(["string", "concatenation", "simple_expansion", "expansion"])
_WORDS |= frozenset(["arithmetic_expansion", "brace_expression", "extglob_pattern", "special_variable_name"])
_SKIPPED = frozenset(["comment", "heredoc_end", "heredoc_content"])


class Refused(Exception):  # noqa: N818  (a result)
    """tree-sitter-bash finds an error in the text, or a kind of node that we do not know."""


def tokens(text: str) -> list[Token]:
    """The tokens of the whole text, with places in characters. Raises `Refused`."""
    data = text.encode()
    root = _parser.parse(data).root_node
    if root.has_error:
        raise Refused
    found: list[Token] = []
    _children(root, found)
    if len(data) == len(text):
        return found
    places = [0] * (len(data) + 1)
    at = 0
    for number, c in enumerate(text):
        places[at] = number
        at += len(c.encode())
    places[at] = len(text)
    return [(kind, places[start], places[end]) for kind, start, end in found]


def _children(node: Any, found: list[Token]) -> None:
    for child in node.children:
        _node(child, found)


def _node(node: Any, found: list[Token]) -> None:
    """A node in the place of a command or of a part of one."""
    kind = node.type
    if kind in _WORDS:
        _word(node, WORD, found)
    elif not node.is_named:
        start, end = node.start_byte, node.end_byte
        if kind in (">&-", "<&-"):
            found.append((OPERATOR, start, end - 1))
            start = end - 1
        found.append((OPERATOR, start, end))
    elif kind in _HANDLERS:
        _HANDLERS[kind](node, found)
    elif kind not in _SKIPPED:
        raise Refused


def _word(node: Any, kind: int, found: list[Token]) -> None:
    if node.type not in _PLAIN:
        _substitutions(node, found)
    found.append((kind, node.start_byte, node.end_byte))


def _substitutions(node: Any, found: list[Token]) -> None:
    """The substitutions in a word, a here-document or an expression, with what is inside them."""
    if node.type in _SUBSTITUTIONS:
        for child in node.children:
            if child.is_named:
                _node(child, found)
            elif child.type not in ("$(", "`", ")", "<(", ">("):
                found.append((OPERATOR, child.start_byte, child.end_byte))
        found.append((SUBSTITUTION, node.start_byte, node.end_byte))
        return
    for child in node.children:
        if child.is_named and child.child_count:
            _substitutions(child, found)


def _command(node: Any, found: list[Token]) -> None:
    for child in node.children:
        kind = child.type
        if kind == "command_name":
            _word(child.children[0], WORD | NAME, found)
        elif kind == "variable_assignment":
            _word(child, ASSIGNMENT, found)
        elif kind in _WORDS:
            _word(child, WORD, found)
        elif child.is_named:
            _node(child, found)
        else:
            # Operators of redirects stand in nodes of their own, save for `<<<` and the like; a lone `==` is a word.
            redirect = kind[:1] in ("<", ">", "&") or kind[-1:] == "&"
            found.append((OPERATOR if redirect else WORD, child.start_byte, child.end_byte))


def _assignment(node: Any, found: list[Token]) -> None:
    _word(node, ASSIGNMENT | NAME, found)


def _assignments(node: Any, found: list[Token]) -> None:
    kind = ASSIGNMENT | NAME
    for child in node.children:
        _word(child, kind, found)
        kind = ASSIGNMENT


def _declaration(node: Any, found: list[Token]) -> None:
    """`export x=1`, `unset x`: the name is an anonymous node and the assignments are words."""
    kind = WORD | NAME
    for child in node.children:
        if child.type in _WORDS or child.type == "variable_assignment" or not child.is_named:
            _word(child, kind, found)
        else:
            _node(child, found)
        kind = WORD


def _test(node: Any, found: list[Token]) -> None:
    """`[ … ]` is a simple command; `[[ … ]]` is not."""
    children = node.children
    opening, closing = children[0], children[-1]
    simple = opening.type == "["
    found.append((WORD | NAME if simple else OPERATOR, opening.start_byte, opening.end_byte))
    for child in children[1:-1]:
        _operand(child, found)
    found.append((WORD if simple else OPERATOR, closing.start_byte, closing.end_byte))


def _operand(node: Any, found: list[Token]) -> None:
    if node.type in _WORDS or not node.is_named:
        _word(node, WORD, found)
    elif node.type in ("unary_expression", "binary_expression", "parenthesized_expression"):
        for child in node.children:
            _operand(child, found)
    elif node.type not in _SKIPPED:
        raise Refused


def _compound(node: Any, found: list[Token]) -> None:
    """`{ … }` or `(( … ))`."""
    if node.children[0].type == "((":
        _arithmetic(node, found)
    else:
        _children(node, found)


def _arithmetic(node: Any, found: list[Token]) -> None:
    """`(( … ))` and `for (( … ))`: operators only from the parentheses outwards."""
    inside = False
    for child in node.children:
        kind = child.type
        if kind == "((":
            inside = True
            _node(child, found)
        elif kind == "))":
            inside = False
            _node(child, found)
        elif inside:
            _substitutions(child, found)
        else:
            _node(child, found)


def _file_redirect(node: Any, found: list[Token]) -> None:
    """Known to be misread: words behind the target become further targets; as tokens they are the same."""
    duplicates = False
    for child in node.children:
        kind = child.type
        if kind == "file_descriptor" or (duplicates and kind == "number"):
            found.append((NUMBER, child.start_byte, child.end_byte))
        else:
            _node(child, found)
        duplicates = kind in (">&", "<&")


def _descriptor(node: Any, found: list[Token]) -> None:
    found.append((NUMBER, node.start_byte, node.end_byte))


def _delimiter(node: Any, found: list[Token]) -> None:
    found.append((WORD, node.start_byte, node.end_byte))


_HANDLERS = {
    "command": _command,
    "variable_assignment": _assignment,
    "variable_assignments": _assignments,
    "declaration_command": _declaration,
    "unset_command": _declaration,
    "test_command": _test,
    "compound_statement": _compound,
    "c_style_for_statement": _arithmetic,
    "file_redirect": _file_redirect,
    "file_descriptor": _descriptor,
    "heredoc_start": _delimiter,
    "heredoc_body": _substitutions,
} | dict.fromkeys(
    [
        "redirected_statement",
        "pipeline",
        "list",
        "program",
        "subshell",
        "negated_command",
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "do_group",
        "case_statement",
        "case_item",
        "function_definition",
        "heredoc_redirect",
        "herestring_redirect",
    ],
    _children,
)
