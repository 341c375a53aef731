"""The readers that keep places, against the standard library's that do not."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from guard.lint import json_text, toml_text
from guard.lint.run import mended
from guard.lint.source import Source
from guard.lint.tree import Node
from guard.lint.witness import Searcher

SEARCHER = Searcher()
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def _plain(node: Node, text: str) -> Any:
    """The data of a tree; every text is where the tree says."""
    if isinstance(node.data, str):
        assert text[node.start] in "\"'"
        assert text[node.end - 1] in "\"'"
    if node.is_object:
        return {entry.key: _plain(entry.value, text) for entry in node.entries()}
    return [_plain(item, text) for item in node.items()] if isinstance(node.data, list) else node.data


@given(DATA, st.sampled_from([None, 1, 4]))
def test_json_is_read_as_json_reads_it(data: Any, indent: int | None) -> None:
    text = json.dumps(data, indent=indent)
    node, problems = json_text.parse(text)
    assert problems == []
    assert node is not None
    assert _plain(node, text) == data
    assert (node.start, node.end) == (0, len(text))


@given(st.text(st.sampled_from('{}[]",:/* \n\\ta1-.e'), max_size=30))
def test_json_never_fails_otherwise(text: str) -> None:
    node, problems = json_text.parse(text, trailing_commas=True)
    assert node is not None or problems
    try:
        wanted = json.loads(text)
    except (ValueError, RecursionError):
        return
    assert node is not None
    assert problems == []
    assert _plain(node, text) == wanted


KEYS = st.text(st.sampled_from("ab-_1"), min_size=1, max_size=4)
VALUES = st.recursive(
    st.booleans() | st.integers(-9, 9) | st.text(st.characters(min_codepoint=32, max_codepoint=300), max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3),
    st.lists(st.dictionaries(KEYS, VALUES)),
)
def test_toml_is_read_as_tomllib_reads_it(tables: dict[str, dict[str, Any]], rows: list[dict[str, Any]]) -> None:
    lines = ["# a comment"]
    for name, table in tables.items():
        lines += [f"[{name}]  # {name}", *(f"{key} = {json.dumps(value)} # x" for key, value in table.items())]
    for row in rows:
        lines += ["", "[[rule.x]]", *(f'"{key}" = {json.dumps(value, indent=1)}' for key, value in row.items())]
    text = "\n".join(lines).replace("\x7f", "")
    try:
        wanted = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert toml_text.parse(text)[1]
        return
    node, problems = toml_text.parse(text)
    assert problems == []
    assert node is not None
    assert _plain(node, text) == wanted


RULES = [
    "Bash(ls:*)",
    "Bash(ls *)",
    "bash(wc:*)",
    "Bash(2)",
    "Bash (ls)",
    "Read(/etc/x)",
    "Bash(find:*)",
    "mcp__a(b)",
    "Glob(x/**)",
]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(RULES), st.sampled_from(["", " // c", "\n", " /* , */"])), max_size=6),
    st.booleans(),
)
def test_fixes_keep_every_comment_and_a_readable_file(rules: list[tuple[str, str]], unsafe: bool) -> None:
    body = ",".join(f'\n    "{rule}"{tail}' if "//" not in tail else f'\n    "{rule}"{tail}\n' for rule, tail in rules)
    source = Source(".claude/settings.json", f'{{"permissions": {{"allow": [{body}\n  ]}}}}\n')
    once = mended(source, "claude", SEARCHER, unsafe)
    node, problems = json_text.parse(once.text)
    assert node is not None
    assert problems == []
    for comment in ("// c", "/* , */"):
        assert once.text.count(comment) == source.text.count(comment)
    assert mended(once, "claude", SEARCHER, unsafe).text == once.text
