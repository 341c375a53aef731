"""Fixes: what is mended stays mended, comments and order stay, and the rest of the file is not touched."""

from __future__ import annotations

import json
import os

import pytest

from guard.lint.policy import decision
from guard.lint.run import lint, mended, read
from guard.lint.source import Source
from guard.lint.witness import Searcher

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEARCHER = Searcher()
BEFORE = """{
  // The team's rules.
  "permissions": {
    "allow": [
      "Bash(ls:*)", // listing
      "Bash(find:*)",
      /* counting */
      "bash(wc:*)",
      "Bash(2)",
      "Bash(ls src:*)" // the sources
    ],
    "deny": ["WebFetch", "Write(docs/**)"],
  }
}
"""
SAFE = """{
  // The team's rules.
  "permissions": {
    "allow": [
      "Bash(ls:*)", // listing
      "Bash(find:*)",
      /* counting */
      "bash(wc:*)" // the sources
    ],
    "deny": ["WebFetch", "Write(docs/**)"]
  }
}
"""
ALL = """{
  // The team's rules.
  "permissions": {
    "allow": [
      "Bash(ls:*)", // listing
      /* counting */
      "Bash(wc:*)" // the sources
    ],
    "deny": ["WebFetch", "Edit(docs/**)"]
  }
}
"""


@pytest.mark.parametrize(("unsafe", "after"), [(False, SAFE), (True, ALL)])
def test_comments_and_order_stay(unsafe: bool, after: str) -> None:
    once = mended(Source(".claude/settings.json", BEFORE), "claude", SEARCHER, unsafe)
    assert once.text == after
    assert mended(once, "claude", SEARCHER, unsafe).text == after
    if unsafe:
        assert lint(once, "claude", SEARCHER) == []


with open(os.path.join(ROOT, "corpus", "lint.jsonl"), encoding="utf-8") as corpus:
    ROWS = [json.loads(line) for line in corpus]


@pytest.mark.parametrize("unsafe", [False, True])
def test_idempotent_over_the_corpus(unsafe: bool) -> None:
    for row in ROWS:
        source = Source(row["path"], row["file"])
        once = mended(source, row["format"], SEARCHER, unsafe)
        assert mended(once, row["format"], SEARCHER, unsafe).text == once.text
        left = lint(once, row["format"], SEARCHER)
        assert [one for one in left if one.fix is not None and (one.fix.safe or unsafe)] == []
        assert "N200" not in {one.code for one in left} or row["code"] == "N200"


def test_other_formats_keep_their_comments() -> None:
    toml = (
        '# first\n[[rule]]\ntoolName = "run_shell_command" # shell\ncommandPrefix = "ls " # '
        'listing\ndecision = "allow"\n'
    )
    fixed = mended(Source("p.toml", toml + "priority = 1\n"), "gemini-policy", SEARCHER, True)
    assert fixed.text == toml.replace('"ls "', '"ls"') + "priority = 1\n"
    rules = (
        '# keep\nprefix_rule(pattern=["ls"])\n\n# all of it\nprefix_rule(pattern=["rm"])\nprefix_rule(pattern=["wc"])\n'
    )
    fixed = mended(Source("x.rules", rules), "codex-rules", SEARCHER, True)
    assert fixed.text == '# keep\nprefix_rule(pattern=["ls"])\n\n# all of it\nprefix_rule(pattern=["wc"])\n'


def test_several_on_a_line_leave_no_blanks() -> None:
    text = '{"permissions": {"allow": [\n  "Bash(ls:*)", "Bash(rm:*)",\n  "Bash(rm:*)", "Bash(dd:*)",'
    text += '\n  "Bash(wc:*)"\n]}}\n'
    fixed = mended(Source(".claude/settings.json", text), "claude", SEARCHER, True)
    assert fixed.text == '{"permissions": {"allow": [\n  "Bash(ls:*)",\n  "Bash(wc:*)"\n]}}\n'


@pytest.mark.parametrize("unsafe", [False, True])
def test_no_fix_lets_through_what_was_stopped(unsafe: bool) -> None:
    """Over the corpus: what the mended file allows unasked it allowed before, or it only reads."""
    for row in ROWS:
        source = Source(row["path"], row["file"])
        before = read(source, row["format"])
        if not before.rules or any(mark.kind == "invalid-file" for mark in before.marks):
            continue  # the tool takes such a file as no rules at all
        after = read(mended(source, row["format"], SEARCHER, unsafe), row["format"])
        commands = {one.witness for one in lint(source, row["format"], SEARCHER)} | {row["witness"], "rm -rf build"}
        for command in {one for one in commands if one and not one.startswith("(")}:
            wider = decision(before, command)[0] != "allow" and decision(after, command)[0] == "allow"
            assert not wider or (unsafe and SEARCHER.harm(command) is None), (row["fault_id"], command)


def test_what_is_covered_stays_where_the_wider_rule_goes() -> None:
    text = '{"permissions": {"allow": ["Bash(git:*)", "Bash(git status)"]}}'
    source = Source(".claude/settings.json", text)
    assert mended(source, "claude", SEARCHER, False).text == text
    assert mended(source, "claude", SEARCHER, True).text == '{"permissions": {"allow": ["Bash(git status)"]}}'


LISTS = [
    (
        "gemini-policy",
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["rm", "ls", "dd"] # x\ndecision = "allow"\n',
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["ls"] # x\ndecision = "allow"\n',
    ),
    (
        "gemini-policy",
        '# a\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["rm", "dd"]\ndecision = "allow"\n',
        "# a\n",
    ),
    (
        "amp",
        '{"amp.permissions": [{"tool": "Bash", "matches": {"cmd": ["ls -l", "rm *"]}, "action": "allow"}]}',
        '{"amp.permissions": [{"tool": "Bash", "matches": {"cmd": ["ls -l"]}, "action": "allow"}]}',
    ),
    (
        "copilot",
        '{"locations": {"/x": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["rm:*", "dd:*"]}]}}}',
        '{"locations": {"/x": {"tool_approvals": []}}}',
    ),
]


@pytest.mark.parametrize(("form", "before", "after"), LISTS)
def test_one_pattern_of_a_rule_goes_and_the_last_takes_the_rule_along(form: str, before: str, after: str) -> None:
    path = "p.toml" if form == "gemini-policy" else "p.json"
    assert mended(Source(path, before), form, SEARCHER, True).text == after


def test_a_write_path_that_is_allowed_is_not_made_to_hold() -> None:
    source = Source(
        ".claude/settings.json", '{"permissions": {"allow": ["Write(src/**)", "bash(ls:*)", "Bash (wc:*)"]}}'
    )
    assert mended(source, "claude", SEARCHER, False).text == source.text
    assert "Write(src/**)" in mended(source, "claude", SEARCHER, True).text
