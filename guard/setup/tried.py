"""What was tried with each runtime, and of which version; all of it in December 2026. Part of docs/runtimes.md."""

from __future__ import annotations

TRIED = {
    "claude": "2.1.328: run; refused, and with `onFailure` also where the hook's program is gone",
    "codex": "0.171.0: run; refused; a hook whose program is gone lets the call run",
    "cursor": "no package in the registries: its documentation of `hooks.json`",
    "copilot": (
        "1.0.102: run, with its own file and through `.claude/settings.json`; refused, with "
        "`--allow-all-tools` too, and where the hook's program is gone"
    ),
    "vscode": (
        "no package in the registries: the file holds to the JSON schema in its source (a file with `version` "
        "is read as Copilot CLI's), which takes `bash` for the command"
    ),
    "gemini": (
        "0.61.0: run; refused; every exit code from 2 on with a text on standard error refuses, so a program "
        "that is gone does too"
    ),
    "qwen": "0.24.4: run; refused; a hook whose program is gone lets the call run",
    "antigravity": (
        "no package in the registries: accounts of others who ran 1.0 to 1.1 (your own file is read, a project's not "
        "by every version), and a translation of its documentation"
    ),
    "devin": "no package in the registries: its documentation of hooks",
    "opencode": "1.18.33: run; refused, also where the hook's program is gone",
    "windsurf": "no package in the registries: its documentation of Cascade hooks",
    "droid": (
        "0.225.2: run, with your own file and a project's; refused; a hook whose program is gone lets the call run"
    ),
    "kiro": (
        "no package in the registries: its documentation; version 3 has files of hooks of its own beside those in "
        "agents' files, which still run; `init` writes the latter"
    ),
    "vibe": (
        "3.0.2: run; refused; calls that `run_typescript` makes come to the hook one by one, and `strict` "
        "refuses where the program is gone"
    ),
    "goose": (
        "no package in the registries: its source, which drops a rule whose matcher is `*` and knows `on_failure`"
    ),
    "crush": (
        "its npm package only fetches a program, which could not be had here: the file holds to the published "
        "JSON schema, the answer to its source"
    ),
    "cline": (
        "3.0.65: run; refused by ending the task, the reason is not told to the model; a hook whose program "
        "is gone lets the call run"
    ),
    "augment": (
        "0.36.0: needs an account, so its own hook manager was run out of its bundle: it loads the file and "
        "stops the call (`shouldContinue: false`), and lets `ls` go on"
    ),
    "kimi": "2.1.0: run; refused; a hook whose program is gone lets the call run",
    "grok": (
        "no package in the registries: a published copy of its source, where a deny stands at any exit code, and its "
        "documentation; it also runs the hooks of Claude Code and Cursor, which know its payload"
    ),
    "hermes": (
        "0.19.0: run; refused; this version does not know `fail_closed` yet, so a hook whose program is gone "
        "lets the call run"
    ),
    "openhands": "1.16.0 (SDK 1.21.0): run; refused; a hook whose program is gone lets the call run",
}
