"""Hooks in rule files, tool by tool: what cannot block, comes too late, or is cut off."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from guard.lint.run import lint, mended
from guard.lint.source import Source
from guard.lint.witness import Searcher

SEARCHER = Searcher()
OURS = "devkit-guard hook --agent x"


def _codes(form: str, event: str, handler: dict[str, Any], matcher: str = "Bash") -> list[str]:
    inner = (
        [handler]
        if form in ("cursor", "copilot")
        else [{"matcher": matcher, "hooks": [{"type": "command", **handler}]}]
    )
    source = Source("~/settings.json", json.dumps({"hooks": {event: inner}}))
    return sorted(one.code for one in lint(source, form, SEARCHER))


CASES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("claude", "PreToolUse", {"command": OURS, "onFailure": "block", "timeout": 10}, []),
    ("claude", "PreToolUse", {"command": OURS}, ["H606"]),
    ("claude", "PreToolUse", {"command": f"{OURS} || true", "onFailure": "block"}, ["H602"]),
    ("claude", "PreToolUse", {"command": f"{OURS}; exit 0", "onFailure": "block"}, ["H602"]),
    ("claude", "PreToolUse", {"command": "grep -q rm && exit 1", "onFailure": "block"}, ["H603"]),
    ("claude", "PreToolUse", {"command": "sh -c 'exit 1'", "onFailure": "block"}, ["H603"]),
    ("claude", "PreToolUse", {"command": "sh -c 'exit 2'", "onFailure": "block"}, []),
    ("claude", "PreToolUse", {"command": "./exit 10", "onFailure": "block"}, []),
    ("claude", "PostToolUse", {"command": OURS}, ["H604"]),
    ("claude", "preToolUse", {"command": OURS}, ["H604", "H606"]),
    ("claude", "PreToolUse", {"command": OURS, "onFailure": "block", "timeout": 10000}, ["H605"]),
    ("claude", "Stop", {"command": "notify || true"}, []),
    ("codex-hooks", "PreToolUse", {"command": OURS, "timeout": 10}, []),
    ("codex-hooks", "PreToolUse", {"command": "check || exit 2"}, ["H603"]),
    ("codex-hooks", "BeforeTool", {"command": OURS}, ["H604"]),
    ("gemini-settings", "BeforeTool", {"command": OURS, "timeout": 10_000}, []),
    ("gemini-settings", "BeforeTool", {"command": OURS, "timeout": 10}, ["H605"]),
    ("gemini-settings", "PreToolUse", {"command": OURS}, ["H604"]),
    ("qwen-settings", "PreToolUse", {"command": OURS, "timeout": 10_000}, []),
    ("qwen-settings", "BeforeTool", {"command": OURS}, ["H604"]),
    ("copilot", "preToolUse", {"bash": OURS, "timeoutSec": 10}, []),
    ("copilot", "PreToolUse", {"bash": f"{OURS} || true", "timeoutSec": 10_000}, ["H602", "H605"]),
    ("copilot", "BeforeTool", {"bash": OURS}, ["H604"]),
    ("devin", "PreToolUse", {"command": OURS}, []),
    ("devin", "preToolUse", {"command": OURS}, ["H604"]),
    ("cursor", "preToolUse", {"command": OURS, "failClosed": True}, []),
    ("cursor", "beforeShellExecution", {"command": OURS}, ["H606"]),
    ("cursor", "PreToolUse", {"command": OURS}, ["H604", "H606"]),
]


@pytest.mark.parametrize(("form", "event", "handler", "wanted"), CASES)
def test_hook(form: str, event: str, handler: dict[str, Any], wanted: list[str]) -> None:
    assert _codes(form, event, handler) == wanted


TOML = [
    ("codex-config", "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = 'check || exit 2'\n", [(3, "H603")]),
    ("codex-config", "[[hooks.preToolUse]]\n[[hooks.preToolUse.hooks]]\ncommand = 'x'\n", [(1, "H604")]),
    ("vibe", f"[[hooks]]\ntype = 'before_tool'\ncommand = '{OURS}'\nstrict = true\n", []),
    ("vibe", f"[[hooks]]\ntype = 'pre_tool'\ncommand = '{OURS}'\n", [(3, "H606")]),
]


@pytest.mark.parametrize(("form", "text", "wanted"), TOML)
def test_hooks_in_toml(form: str, text: str, wanted: list[tuple[int, str]]) -> None:
    source = Source("x.toml", text)
    found = [(one.line, one.code) for one in lint(source, form, SEARCHER)]
    assert found == wanted
    mended_text = mended(source, form, SEARCHER, True).text
    tomllib.loads(mended_text)
    assert "H604" not in {one.code for one in lint(Source("x.toml", mended_text), form, SEARCHER)}
    assert form != "vibe" or lint(Source("x.toml", mended_text), form, SEARCHER) == []


def test_a_file_of_hooks_has_its_events_at_the_top() -> None:
    text = json.dumps({"preToolUse": [{"hooks": [{"command": OURS}]}]})
    assert [one.code for one in lint(Source(".devin/hooks.v1.json", text), "devin", SEARCHER)] == ["H604"]


@pytest.mark.parametrize(
    ("matcher", "dead"),
    [
        ("Bash", False),
        ("bash", True),
        ("Bash|edit", True),
        ("mcp__memory", True),
        ("mcp__memory__.*", False),
        ("*", False),
        ("", False),
    ],
)
def test_matcher(matcher: str, dead: bool) -> None:
    handler = {"command": OURS, "onFailure": "block", "timeout": 10}
    assert ("H607" in _codes("claude", "PreToolUse", handler, matcher)) is dead
