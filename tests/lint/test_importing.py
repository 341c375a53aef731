"""Import: what is granted is no wider than what the rule allowed, and the file that comes out is a grant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guard import judge
from guard.lint import flows, importing
from guard.lint.patterns import leads
from guard.lint.policy import Policy, passes
from guard.lint.run import read
from guard.lint.source import Source
from guard.lint.witness import PLACE, Searcher
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook.grant_reader import guard_keys, read_grant
from guard.rulebook.yaml_source import read_text

SEARCHER = Searcher()

Kept = list[tuple[str, str]]
CASES: list[tuple[str, str, Kept]] = [
    (
        "claude",
        json.dumps(
            {
                "permissions": {
                    "allow": [
                        *("Bash(npm run build)", "Bash(npm run test:*)", "Bash(git:*)", "Bash(ls:*)", "Bash(rm x)"),
                        *("mcp__gh__get", "mcp__gh", "mcp__gh__*", "Read(src/**)", "Edit(src/**)", "WebSearch"),
                        *("Bash(find:*)", "bash(ls)", "Bash(echo it''s)"),
                    ],
                    "deny": ["Bash(curl:*)"],
                }
            }
        ),
        [
            ("Bash(npm run build)", "['npm', 'run', 'build']"),
            ("Bash(npm run test:*)", "['npm', 'run', 'test']"),
            ("Bash(rm x)", "['rm', 'x']"),
            ("mcp__gh__get", "tool mcp__gh__get"),
        ],
    ),
    (
        "codex-rules",
        'prefix_rule(pattern=["npm", "run", "build"])\nprefix_rule(pattern=["git"])\n',
        [('["npm", "run", "build"]', "['npm', 'run', 'build']")],
    ),
    (
        "gemini-policy",
        '[[rule]]\nmcpName = "gh"\ntoolName = "get"\ndecision = "allow"\n'
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["npm test", "rm"]\ndecision = "allow"\n',
        [("get", "tool mcp_gh_get"), ("npm test", "['npm', 'test']")],
    ),
    (
        "gemini-settings",
        '{"tools": {"core": ["run_shell_command(npm test)", "run_shell_command"]}}',
        [("run_shell_command(npm test)", "['npm', 'test']")],
    ),
    (
        "qwen-settings",
        '{"permissions": {"allow": ["Shell(npm test)", "Bash(git *)"]}}',
        [("Shell(npm test)", "['npm', 'test']")],
    ),
    (
        "opencode",
        '{"permission": {"bash": {"npm test": "allow", "npm run *": "allow", "*": "allow"}}}',
        [("npm test", "['npm', 'test']"), ("npm run *", "['npm', 'run']")],
    ),
    (
        "vscode",
        '{"chat.tools.terminal.autoApprove": {"npm test": true, "rm": false, "/^git/": true}}',
        [("npm test", "['npm', 'test']")],
    ),
    (
        "cursor",
        '{"permissions": {"allow": ["Shell(npm test)", "Mcp(gh:get)", "Shell(git)"]}}',
        [("Shell(npm test)", "['npm', 'test']")],
    ),
    ("vibe", '[tools.bash]\nallowlist = ["npm test", "ls"]\n', [("npm test", "['npm', 'test']")]),
    ("devin", '{"permissions": {"allow": ["Exec(npm test)"]}}', [("Exec(npm test)", "['npm', 'test']")]),
    (
        "amp",
        '{"amp.permissions": [{"tool": "Bash", "matches": {"cmd": "npm test"}, "action": "allow"}]}',
        [("npm test", "['npm', 'test']")],
    ),
    (
        "copilot",
        '{"locations": {"/x": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["npm test", "git:*"]},'
        ' {"kind": "mcp", "serverName": "gh", "toolName": "get"}, {"kind": "write"}]}}}',
        [("npm test", "['npm', 'test']"), ("gh__get", "tool gh-get")],
    ),
    ("crush", '{"permissions": {"allowed_tools": ["bash", "mcp_gh_get"]}}', [("mcp_gh_get", "tool mcp_gh_get")]),
    ("list", "allow exact make build\nallow rm\n", [("make build", "['make', 'build']")]),
]


def _policy(form: str, text: str) -> Policy:
    return read(Source("x.toml" if text.startswith("[") else "x.json", text), form)


@pytest.mark.parametrize(("form", "text", "kept"), CASES, ids=[case[0] for case in CASES])
def test_what_is_kept(form: str, text: str, kept: Kept) -> None:
    found = importing.fates(_policy(form, text), SEARCHER)
    assert [(one.rule.text, one.run) for one in found if one.what == "kept"] == kept


@pytest.mark.parametrize(("form", "text", "kept"), CASES, ids=[case[0] for case in CASES])
def test_the_grant_is_no_wider(form: str, text: str, kept: Kept, tmp_path: Path) -> None:
    policy = _policy(form, text)
    found = importing.fates(policy, SEARCHER)
    written = importing.grant_text(found, "x")
    grant = read_grant({}, guard_keys(read_text(_guard(written), "x")))
    for fate in found:
        if fate.what == "kept" and not fate.run.startswith("tool "):
            command = leads(fate.rule.pattern)[0].strip()
            assert passes(fate.rule, command, policy.matching)
            assert _allowed(command, grant)
            assert not _allowed(command, Grant())
            assert not _allowed(f"{command} && rm -rf build", grant)
            assert not _allowed(f"{command} > out.txt", grant)
        elif fate.what == "dropped" and fate.rule.about == "shell":
            witnesses = SEARCHER.search(fate.rule, policy.matching)
            wanted = {leads(one.rule.pattern)[0].strip() for one in found if one.what == "kept"}
            assert not [one.command for one in witnesses if one.command not in wanted and _allowed(one.command, grant)]
    flow = tmp_path / "flow.yaml"
    indented = "".join(f"    {line}\n" for line in written.splitlines())
    head = "name: flow\ndescription: Imported.\nsteps:\n  - id: a\n    prompt: Run and write what is needed.\n"
    flow.write_text(head + indented)
    assert [one for one in flows.check_workflow(str(flow), "flow.yaml") if one.code == "W901"] == []


def _guard(text: str) -> str:
    """The keys below `guard:`, as a file of their own."""
    lines = text.split("guard:", 1)[1].split("\n")
    inline = lines[0].strip()
    return inline if inline else "\n".join(line[2:] for line in lines[1:])


def _allowed(command: str, grant: Grant) -> bool:
    return judge.command(command, PLACE, grant, SEARCHER.book).decision is Decision.ALLOW
