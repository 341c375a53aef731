"""Texts that people own: what is added, and that no other byte changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.setup import jsonc, toml, yaml_text
from guard.setup.jsonc import TextError

ADDED = {
    "empty": ("", '{\n  "hooks": {\n    "E": [\n      1\n    ]\n  }\n}\n'),
    "empty object": ("{}", '{\n  "hooks": {\n    "E": [\n      1\n    ]\n  }\n}'),
    "one line": ('{"a": 1}', '{"a": 1, "hooks": {"E": [1]}}'),
    "two blanks": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "hooks": {\n    "E": [\n      1\n    ]\n  }\n}\n'),
    "tabs": ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"hooks": {\n\t\t"E": [\n\t\t\t1\n\t\t]\n\t}\n}\n'),
    "CRLF": ('{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "E": [\r\n      1\r\n    ]\r\n  }\r\n}'),
    "BOM": ('\ufeff{"a": 1}', '\ufeff{"a": 1, "hooks": {"E": [1]}}'),
    "list of one line": ('{\n  "hooks": {"E": [0]}\n}', '{\n  "hooks": {"E": [0, 1]}\n}'),
    "empty list": ('{\n  "hooks": {"E": []}\n}', '{\n  "hooks": {"E": [1]}\n}'),
    "another event": ('{"hooks": {"F": [0]}}', '{"hooks": {"F": [0], "E": [1]}}'),
    "trailing comma": ('{"hooks": {"E": [\n  0,\n]}}', '{"hooks": {"E": [\n  0,\n  1,\n]}}'),
    "comment at the end": ('{"hooks": {"E": [\n  0 // c, ]\n]}}', '{"hooks": {"E": [\n  0, // c, ]\n  1\n]}}'),
    "comment after a comma": ('{"hooks": {"E": [\n  0, /* ] */\n]}}', '{"hooks": {"E": [\n  0, /* ] */\n  1,\n]}}'),
    "brackets in text": ('{"b": "]}//", "hooks": {"E": ["[{"]}}', '{"b": "]}//", "hooks": {"E": ["[{", 1]}}'),
}


@pytest.mark.parametrize("name", ADDED)
def test_an_element_is_added_at_the_end(name: str) -> None:
    before, after = ADDED[name]
    assert jsonc.put(before, ("hooks", "E"), 1, append=True) == after
    assert jsonc.plain(jsonc.parse(after))["hooks"]["E"][-1] == 1


@pytest.mark.parametrize(
    "text",
    [
        *("[]", '{"hooks": []}', '{"hooks": {"E": {}}}', '{"hooks": 1}', "{", '{"a" 1}', "{} x"),
        *('{"a": /* }', "'a'", "{a: 1}"),
    ],
)
def test_other_texts_are_refused_untouched(text: str) -> None:
    with pytest.raises(TextError):
        jsonc.put(text, ("hooks", "E"), 1, append=True)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), st.sampled_from([None, 2, 4, "\t"]), st.booleans())
def test_everything_else_stays(data: dict[str, Any], indent: Any, events: bool) -> None:
    data.pop("hooks", None)
    if events:
        data["hooks"] = {"E": [1, {"a": []}]}
    text = json.dumps(data, indent=indent)
    added = jsonc.put(text, ("hooks", "E"), {"x": [2]}, append=True)
    expected = {**data, "hooks": {"E": [*data.get("hooks", {}).get("E", []), {"x": [2]}]}}
    assert json.loads(added) == expected
    assert list(json.loads(added)) == list(expected)
    kept = iter(added)
    assert all(char in kept for char in text), "a byte of the text is gone"


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.sampled_from([None, 2]), st.data())
def test_what_is_removed_takes_its_comma_along(numbers: list[int], indent: int | None, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(numbers) - 1))
    text = json.dumps({"a": numbers, "b": 1}, indent=indent)
    array = jsonc.parse(text).get("a")
    assert array is not None
    left = numbers[:index] + numbers[index + 1 :]
    assert json.loads(jsonc.removed(text, array, index)) == {"a": left, "b": 1}


TABLE = {"name": "devkit-guard", "command": "a 'b' \"c\" \\d", "timeout": 10.0, "strict": True}


@pytest.mark.parametrize(
    "before",
    [
        *("", "# mine\na = 1 # x\n", "a = 1", "[[hooks]]\nname = 'other'\n", "[x]\ny = 2\n\n\n"),
        "a = 1\r\n[b]\r\nc = '''\r\n'''\r\n",
    ],
)
def test_a_table_is_added_at_the_end_and_taken_out(before: str) -> None:
    after = toml.put(before, ("hooks",), TABLE)
    assert after.startswith(before)
    assert toml.read(after)["hooks"][-1] == TABLE
    assert toml.removed(after).rstrip("\r\n") == before.rstrip("\r\n")
    if before.endswith("\n") or not before:
        assert toml.removed(after) == before


@pytest.mark.parametrize("before", ["hooks = []\n", "hooks = 1\n", "[hooks]\na = 1\n", "a = \n", "hooks = [{a = 1}]\n"])
def test_toml_of_another_form_is_refused(before: str) -> None:
    with pytest.raises(TextError):
        toml.put(before, ("hooks",), TABLE)


def test_nested_tables() -> None:
    value = {"matcher": "x", "hooks": [{"type": "command", "command": "c"}]}
    assert toml.read(toml.put("", ("hooks", "PreToolUse"), value)) == {"hooks": {"PreToolUse": [value]}}


LINES = ("  pre_tool_call:", "    - command: 'x'")


@pytest.mark.parametrize("before", ["", "# mine\nmodel: x # y\n", "a: 1", "list:\n- 1\n- 2\n", "a: |\n  text\n"])
def test_a_key_of_yaml_is_added_at_the_end_and_taken_out(before: str) -> None:
    after = yaml_text.put(before, "hooks", LINES)
    assert after.startswith(before)
    assert yaml_text.read(after)["hooks"] == {"pre_tool_call": [{"command": "x"}]}
    assert yaml_text.removed(after).rstrip("\n") == before.rstrip("\n")


@pytest.mark.parametrize("before", ["hooks: {}\n", "- 1\n", "a: [\n", "---\na: 1\n...\n", "{a: 1}\n"])
def test_yaml_of_another_form_is_refused(before: str) -> None:
    with pytest.raises(TextError):
        yaml_text.put(before, "hooks", LINES)
