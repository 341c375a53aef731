"""Readers of rule files of other tools: one module for each format, in an explicit table.

A reader keeps the place of everything it reads and models how its tool matches (`Policy.matching` and the pattern of
each rule), so that "does this rule let this command through there?" has an answer.
"""

from __future__ import annotations

from types import ModuleType

from guard.lint.foreign import (
    amp,
    claude,
    codex_config,
    codex_hooks,
    codex_rules,
    copilot,
    crush,
    cursor,
    devin,
    gemini_policy,
    gemini_settings,
    opencode,
    plain_list,
    qwen_settings,
    vibe,
    vscode,
)

FORMATS: dict[str, ModuleType] = {
    "claude": claude,
    "codex-rules": codex_rules,
    "codex-config": codex_config,
    "codex-hooks": codex_hooks,
    "gemini-policy": gemini_policy,
    "gemini-settings": gemini_settings,
    "qwen-settings": qwen_settings,
    "opencode": opencode,
    "cursor": cursor,
    "copilot": copilot,
    "vscode": vscode,
    "vibe": vibe,
    "crush": crush,
    "devin": devin,
    "amp": amp,
    "list": plain_list,
}
"""`read(source) -> Policy`, `recognises(path)`, and `PROJECT` and `HOME`: globs of paths where the tool looks."""


def format_of(path: str) -> str | None:
    """The format of the file at this path by its name and folder, None where none is known."""
    plain = path.replace("\\", "/")
    return next((name for name, module in FORMATS.items() if module.recognises(plain)), None)
