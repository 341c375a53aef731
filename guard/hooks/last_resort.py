"""The answer where the hook itself cannot even be loaded: a broken installation, or no memory left.

Nothing is imported here but what every interpreter has. The forms are those of the adapters (a test holds them
together). It is a veto where the hook enforces: in mode always, or while some session is open on this machine.
"""

from __future__ import annotations

import os

TEXT = "devkit-guard: the guard cannot be loaded, so this call is vetoed: install devkit-guard again."
_CLAUDE = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    f'"permissionDecisionReason": "{TEXT}"}}}}'
)
_DENY, _BLOCK = f'{{"decision": "deny", "reason": "{TEXT}"}}', f'{{"decision": "block", "reason": "{TEXT}"}}'
_CURSOR = ", ".join(f'"{key}": "{TEXT}"' for key in ("user_message", "agent_message", "userMessage", "agentMessage"))
FORMS = {
    "claude": (_CLAUDE, TEXT, 2),
    "auto": (_CLAUDE, TEXT, 2),
    "vscode": (_CLAUDE, TEXT, 2),
    "qwen": (_CLAUDE, TEXT, 2),
    "droid": (_CLAUDE, TEXT, 2),
    "augment": (_CLAUDE, TEXT, 2),
    "kimi": (_CLAUDE, TEXT, 2),
    "codex": (_CLAUDE, "", 0),
    "cursor": (f'{{"permission": "deny", {_CURSOR}}}', TEXT, 0),
    "copilot": (
        f'{{"permissionDecision": "deny", "permissionDecisionReason": "{TEXT}", "reason": "{TEXT}"}}',
        "",
        0,
    ),
    "gemini": (_DENY, TEXT, 2),
    "grok": (_DENY, TEXT, 2),
    "openhands": (_DENY, TEXT, 2),
    "antigravity": (_DENY, "", 0),
    "opencode": (_DENY, "", 0),
    "vibe": (_DENY.replace("devkit-guard: ", "", 1), "", 0),
    "crush": (_DENY, "", 0),
    "devin": (_BLOCK, "", 0),
    "goose": (_BLOCK, "", 0),
    "windsurf": ("", TEXT, 2),
    "kiro": ("", TEXT, 2),
    "cline": (f'{{"cancel": true, "errorMessage": "{TEXT}"}}', "", 0),
    "hermes": (f'{{"action": "block", "message": "{TEXT}"}}', "", 0),
}
"""(standard output, standard error, exit code) by the name that the registration has."""


def answer(arguments: list[str], error: BaseException) -> int:
    """Writes the veto, or only the error; the exit code. 1 where no runtime is named: a usage error."""
    stdout, stderr, code = FORMS.get(_option(arguments, "--agent"), ("", "", 1))
    if code == 1 or not _enforces(arguments):
        stdout, stderr, code = "", f"devkit-guard: {type(error).__name__}: {error}", min(code, 1)
    if stdout:
        os.write(1, stdout.encode())
    if stderr:
        os.write(2, stderr.encode("utf-8", "backslashreplace") + b"\n")
    return code


def _enforces(arguments: list[str]) -> bool:
    mode = _option(arguments, "--mode") or os.environ.get("DEVKIT_GUARD_MODE", "step")
    if mode in ("always", "observe"):
        return mode == "always"
    home = os.environ.get("XDG_STATE_HOME") or os.environ.get("HOME", "") + "/.local/state"
    places = (os.environ.get("CLAUDE_PLUGIN_DATA", ""), home + "/devkit")
    return any(_open(place + "/open") for place in places)


def _open(folder: str) -> bool:
    try:
        return bool(os.listdir(folder))
    except OSError:
        return False


def _option(arguments: list[str], name: str) -> str:
    found = ""
    for index, word in enumerate(arguments):
        if word == name:
            found = "".join(arguments[index + 1 : index + 2])
        elif word.startswith(name + "="):
            found = word[len(name) + 1 :]
    return found
