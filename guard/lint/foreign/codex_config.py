"""Codex: `config.toml`: the approval policy, the sandbox, and `[hooks]` in the shape of `hooks.json`
(https://developers.openai.com/codex/hooks)."""

from __future__ import annotations

from guard.lint.foreign.claude import hooks
from guard.lint.foreign.toml_file import load
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy
from guard.lint.source import Source

NAME = "codex-config"
TITLE = "Codex config.toml"
PROJECT = (".codex/config.toml",)
HOME = (".codex/config.toml",)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith("/.codex/config.toml")


def read(source: Source) -> Policy:
    """The mode: `never` together with full access runs everything unasked."""
    tree, marks = load(source)
    tables = [tree, *[entry.value for entry in (tree.get("profiles") or tree).entries() if entry.value.is_object]]
    mode = ("", 0, 0)
    for table in tables:
        approval, sandbox = table.get("approval_policy"), table.get("sandbox_mode")
        if approval and sandbox and approval.data == "never" and sandbox.data == "danger-full-access":
            mode = ("bypass", approval.start, approval.end)
    for key in ("approval_policy", "sandbox_mode"):
        node = tree.get(key)
        known = {
            "approval_policy": ("untrusted", "on-failure", "on-request", "never", "granular"),
            "sandbox_mode": ("read-only", "workspace-write", "danger-full-access"),
        }[key]
        if node is not None and isinstance(node.data, str) and node.data not in known:
            detail = f"unknown {key} '{node.data}': expected one of {', '.join(known)}"
            marks.append(Mark("unknown-key", node.start, node.end, detail))
    found = hooks(tree.get("hooks"))
    return Policy(source, NAME, Matching(True), marks=tuple(marks), hooks=found, tree=tree, mode=mode)
