"""Fixes: what is mended stays mended, comments and order stay, and the rest of the file is not touched."""

from __future__ import annotations

import json
import os

import pytest

from guard.lint.run import lint, mended
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
