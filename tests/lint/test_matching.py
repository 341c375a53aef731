"""Does this rule, in that tool, let this command through? A table for each format, from its documentation."""

from __future__ import annotations

import json
import os

import pytest

from guard.lint.foreign import FORMATS, format_of
from guard.lint.policy import decision, passes
from guard.lint.run import read
from guard.lint.source import Source

CLAUDE = {
    "permissions": {
        "allow": ["Bash(ls:*)", "Bash(git diff *)", "Bash(npm run build)", "Bash(cat*)"],
        "deny": ["Bash(git diff --x*)"],
    }
}
CASES = {
    "claude": (
        json.dumps(CLAUDE),
        {
            "ls": "allow",
            "ls -la": "allow",
            "lsof": "ask",
            "timeout 5 ls": "allow",
            "ls | ls -a": "allow",
            "ls; rm a": "ask",
            "ls > a": "ask",
            "ls 2>/dev/null": "allow",
            "ls $(rm a)": "ask",
            "LANG=C ls": "allow",
            "PATH=. ls": "ask",
            "env ls": "ask",
            "git diff": "allow",
            "git difftool": "ask",
            "git diff --x a": "deny",
            "npm run build": "allow",
            "npm run build --x": "ask",
            "catalog": "allow",
        },
    ),
    "codex-rules": (
        'prefix_rule(pattern=["git", ["status", "log"]])\nprefix_rule(pattern=["git", "log", "-p"], '
        'decision="forbidden")\n',
        {
            "git status -s": "allow",
            "git log": "allow",
            "git log -p": "deny",
            "git push": "ask",
            "git status && git log": "allow",
            "git status > a": "ask",
            "git 'status'": "allow",
            "/usr/bin/git status": "ask",
        },
    ),
    "gemini-policy": (
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git status"\ndecision = "allow"\npriority = 10\n'
        '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "ls( -l)?$"\ndecision = "allow"\npriority = 10\n'
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git status -x"\ndecision = "deny"\npriority = 20\n',
        {
            "git status -s": "allow",
            "git statusx": "ask",
            "git status -x": "deny",
            "ls -l": "allow",
            "ls -la": "ask",
            "git status | ls": "allow",
            "git status; rm a": "ask",
            "git status > a": "ask",
            "git status $(rm a)": "ask",
        },
    ),
    "opencode": (
        '{"permission": {"bash": {"*": "ask", "git *": "allow", "git push *": "deny", "?s": "allow"}},'
        ' "agent": {"build": {"permission": {"bash": {"*": "allow"}}}}}',
        {
            "git": "allow",
            "git status": "allow",
            "git push": "deny",
            "git push -f": "deny",
            "git status && rm a": "ask",
            "ls": "allow",
            "ps": "allow",
            "ls -l": "ask",
            "git log > a": "allow",
        },
    ),
    "cursor": (
        '{"permissions": {"allow": ["Shell(git)", "Shell(curl:*)"], "deny": ["Shell(git push)"]}}',
        {"git log": "allow", "github": "ask", "git push -f": "deny", "curl -o a": "allow", "git log | sh": "ask"},
    ),
    "vscode": (
        '{"chat.tools.terminal.autoApprove": {"ls": true, "/^git (log|show)\\\\b/i": true, "rm": false},'
        ' "roo-cline.allowedCommands": ["wc"]}',
        {
            "ls -l": "allow",
            "lsof": "ask",
            "GIT LOG": "allow",
            "git showx": "ask",
            "ls; rm a": "ask",
            "ls $(rm a)": "ask",
            "wcx": "allow",
        },
    ),
    "vibe": (
        '[tools.bash]\nallowlist = ["ls", "git log"]\ndenylist = ["git log -p"]\ndenylist_standalone = ["python"]\n',
        {
            "lsof": "allow",
            "git log": "allow",
            "git log -p": "deny",
            "python": "deny",
            "python a": "ask",
            "ls; rm a": "ask",
            "ls > a": "ask",
            "ls $(ls)": "ask",
            "git log --outp=a": "ask",
            "git log --oneline": "allow",
        },
    ),
    "copilot": (
        '{"locations": {"/x": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["git:*", "gh pr:*", '
        '"npm test", "ls*"]}, {"kind": "write"}]}}}',
        {
            "git": "allow",
            "git push": "allow",
            "gitea": "ask",
            "gh pr view": "allow",
            "gh repo view": "ask",
            "npm test": "allow",
            "npm test x": "ask",
            "ls -l": "ask",
            "git log; rm a": "ask",
            "git log > a": "ask",
        },
    ),
    "crush": ('{"permissions": {"allowed_tools": ["view", "bash"]}}', {"rm a": "allow"}),
    "devin": (
        '{"permissions": {"allow": ["Exec(git log)"], "ask": ["Exec(git log -p)"], "deny": ["Exec(rm)"]}}',
        {"git log -1": "allow", "git log -p": "ask", "rm a": "deny", "git logs": "ask", "git log && rm a": "deny"},
    ),
    "amp": (
        '{"amp.permissions": [{"tool": "Bash", "matches": {"cmd": "*rm *"}, "action": "reject"},'
        ' {"tool": "Bash", "matches": {"cmd": ["ls*", "/^wc/"]}, "action": "allow"},'
        ' {"tool": "Ba*", "matches": {"cmd": "du"}, "action": "allow"}]}',
        {"ls; curl x": "allow", "ls; rm a": "deny", "wc a": "allow", "cat a": "ask", "du": "allow"},
    ),
    "list": (
        "ls\nwords git log\ndeny contains secret\nregex ^wc$\n# a comment\nexact ignore-case PWD\n",
        {
            "lsof": "allow",
            "git log ; rm a": "allow",
            "git logs": "ask",
            "ls secret": "deny",
            "wc": "allow",
            "wc a": "ask",
            "pwd": "allow",
        },
    ),
    "gemini-settings": (
        '{"tools": {"core": ["run_shell_command(git log)"], "exclude": ["run_shell_command(git log -p)"]}}',
        {"git log": "allow", "git log -p": "deny", "git log  -p": "allow", "git log; rm a": "ask"},
    ),
    "qwen-settings": (
        '{"permissions": {"allow": ["Bash(ls *)", "Shell(wc *)", "run_shell_command(git log)"], '
        '"deny": ["Bash(ls -R *)"]}}',
        {
            "ls": "allow",
            "ls -R a": "deny",
            "wc a": "allow",
            "rm a": "ask",
            "git log -1": "allow",
            "git logs": "ask",
            "timeout 1 ls": "ask",
            "ls $(ls)": "ask",
            "ls > a": "allow",
        },
    ),
}


@pytest.mark.parametrize("form", CASES)
def test_decisions(form: str) -> None:
    text, wanted = CASES[form]
    policy = read(Source("file", text), form)
    assert {command: decision(policy, command)[0] for command in wanted} == wanted


def test_every_format_has_a_table() -> None:
    assert set(CASES) | {"codex-config", "codex-hooks"} == set(FORMATS)


@pytest.mark.parametrize("form", FORMATS)
def test_places_are_recognised(form: str) -> None:
    module = FORMATS[form]
    for path in (*module.PROJECT, *module.HOME):
        assert format_of(os.path.join("/x", path.replace("*", "a"))) == form


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "x = 1", "null", '{"permissions": 1, "permission": [], "hooks": {"a": 1}}']
)
def test_readers_take_anything(form: str, text: str) -> None:
    read(Source("file.json", text), form)


def test_an_approval_of_whole_lines_carries_other_commands() -> None:
    text = '{"chat.tools.terminal.autoApprove": {"/^ls .*$/": {"approve": true, "matchCommandLine": true}}}'
    policy = read(Source("file", text), "vscode")
    assert passes(policy.rules[0], "ls a && rm -rf logs", policy.matching)
    assert not passes(policy.rules[0]._replace(whole_line=False), "ls a && rm -rf logs", policy.matching)
