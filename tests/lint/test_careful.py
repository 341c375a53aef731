"""Ten careful allowlists of five tools, and our own files: no finding."""

from __future__ import annotations

import os

import pytest

from guard.lint import discover
from guard.lint.config import Config
from guard.lint.discover import Target
from guard.lint.session import Session

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CAREFUL = list(discover.below(os.path.join(HERE, "careful")))
SESSION = Session(Config())


def test_there_are_ten_of_five_tools() -> None:
    assert len(CAREFUL) == 10
    assert {target.form for target in CAREFUL} >= {
        "claude",
        "codex-rules",
        "gemini-policy",
        "opencode",
        "vscode",
        "cursor",
    }


@pytest.mark.parametrize("target", CAREFUL, ids=[os.path.relpath(target.path, HERE) for target in CAREFUL])
def test_no_finding(target: Target) -> None:
    assert SESSION.lint(target) == []


def test_our_workflows_lint_clean() -> None:
    targets = list(discover.below(os.path.join(ROOT, "workflows")))
    assert len(targets) >= 10
    assert [one for target in targets for one in SESSION.lint(target)] == []
