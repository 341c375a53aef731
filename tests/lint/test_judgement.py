"""What lists of people taught: rule by rule the findings, with the witness, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guard.lint.run import lint
from guard.lint.source import Source
from guard.lint.witness import Searcher

SEARCHER = Searcher()


def _found(form: str, text: str, path: str = ".claude/settings.json") -> list[tuple[str, str, str]]:
    return [(one.code, one.severity, one.witness) for one in lint(Source(path, text), form, SEARCHER)]


def _claude(rule: str) -> str:
    return json.dumps({"permissions": {"allow": [rule]}})


CASES: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("Bash(uv run pytest:*)", [("B111", "warning", "uv run pytest")]),
    ("Bash(uv run:*)", [("B103", "error", "uv run rm -rf logs")]),
    ("Bash(python -m pytest:*)", [("B111", "warning", "python -m pytest")]),
    ("Bash(python manage.py test)", [("B112", "info", "python manage.py test")]),
    ("Bash(python -c:*)", [("B102", "error", "python -c 'print(1)'")]),
    ("Bash(npx tsc --noEmit)", [("B112", "info", "npx tsc")]),
    ("Bash(source .venv/bin/activate)", [("B112", "info", "source .venv/bin/activate")]),
    ("Bash(source:*)", [("B102", "error", "source")]),
    ("Bash(pip show:*)", [("B107", "warning", "pip show")]),
    ("Bash(mypy:*)", [("B111", "warning", "mypy")]),
    ("Bash(docker exec:*)", [("B104", "error", "docker exec rm -rf logs")]),
    ("Bash(docker ps:*)", []),
    ("Bash(mkdir:*)", [("B106", "warning", "mkdir -p a/b")]),
    ("Bash(git:status)", [("N204", "error", "git status")]),
    ("Bash(npm run test:unit)", [("B112", "info", "npm run test:unit")]),
    ("mcp__github", [("B120", "warning", "mcp__github__delete_all")]),
    ("mcp__github__get_issue", []),
    ("WebFetch(domain:docs.python.org)", []),
    ("Bash(./scripts/check.sh:*)", [("B110", "warning", "./scripts/check.sh")]),
    ("Bash(~/bin/tool:*)", [("B110", "error", "~/bin/tool")]),
]


@pytest.mark.parametrize(("rule", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_claude_rule(rule: str, wanted: list[tuple[str, str, str]]) -> None:
    found = _found("claude", _claude(rule))
    assert [one[:2] for one in found] == [one[:2] for one in wanted], found
    assert [one[2].split()[:2] for one in found] == [one[2].split()[:2] for one in wanted], found


def test_the_value_of_a_last_option_is_given() -> None:
    ((_, _, witness),) = _found("claude", _claude("Bash(find . -name:*)"))
    assert witness.startswith("find . -name x -")
    assert "$" not in witness


DEAD = [
    ({"allow": ["Bash(git status)"], "ask": ["Bash(git:*)"]}, True),
    ({"allow": ["Bash(ls -l:*)"], "deny": ["Bash"]}, True),
    ({"allow": ["Bash(ls:*)"], "deny": ["Bash(ls -R:*)"]}, False),
    ({"ask": ["Bash(git status)"], "deny": ["Bash(git:*)"]}, False),
]


@pytest.mark.parametrize(("permissions", "dead"), DEAD)
def test_an_allow_of_which_nothing_is_left(permissions: dict[str, list[str]], dead: bool) -> None:
    found = _found("claude", json.dumps({"permissions": permissions}))
    assert (("R408", "warning") in [one[:2] for one in found]) is dead


OTHERS = [
    ("opencode", '{"agent": {"b": {"permission": {"bash": {"*": "allow"}}}}}', [("B101", "error", "rm -rf build")]),
    (
        "gemini-policy",
        '[[rule]]\nmcpName = "github"\ntoolName = "get_issue"\ndecision = "allow"\n',
        [],
    ),
    (
        "gemini-policy",
        '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "^rm\\\\s+-rf"\ndecision = "deny"\n',
        [("N210", "error", "rm -rf")],
    ),
    ("vscode", '{"chat.tools.terminal.autoApprove": {"/\\\\bcat\\\\b/": true}}', [("B114", "error", "rm -rf cat")]),
    ("cursor", '{"permissions": {"allow": ["Mcp(gh:*)"]}}', [("B120", "warning", "Mcp(gh:delete_all)")]),
    ("cursor", '{"permissions": {"allow": ["Mcp(*:list)"]}}', [("B120", "error", "Mcp(plugin_evil:list)")]),
    (
        "copilot",
        '{"locations": {"/x": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["git*"]}]}}}',
        [("N204", "error", "git")],
    ),
    ("vibe", '[tools.bash]\nallowlist = ["find ", "sort "]\n', []),
]


@pytest.mark.parametrize(("form", "text", "wanted"), OTHERS)
def test_other_tools(form: str, text: str, wanted: list[tuple[str, str, str]]) -> None:
    assert _found(form, text, "x.json") == wanted


def test_a_file_of_the_home_is_none_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    hook = {"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "onFailure": "block"}]}
    permissions = {"allow": ["Bash(ls:*)"], "additionalDirectories": ["/Users/me/notes"]}
    text = json.dumps({"permissions": permissions, "hooks": {"PreToolUse": [hook]}})
    shared = _found("claude", text, str(tmp_path / "project" / ".claude" / "settings.json"))
    assert [one[0] for one in shared] == ["J505", "H601"]
    assert _found("claude", text, str(tmp_path / ".claude" / "settings.json")) == []


def test_an_agents_rules_do_not_decide_over_others() -> None:
    text = '{"permission": {"bash": {"*": "ask", "rm *": "deny"}}, "agent": {"b": {"permission": {"bash": "allow"}}}}'
    found = {one[0]: one[1] for one in _found("opencode", text)}
    assert found == {"B101": "error", "D303": "warning"}
