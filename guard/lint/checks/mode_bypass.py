"""A setting that switches all questions off.

Everything runs unasked; allow and ask rules mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "R407"
NAME = "mode-bypass"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"defaultMode": "bypassPermissions"}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    mode, start, end = file.policy.mode
    if mode in ("bypass", "bypassPermissions"):
        where = "a project file switches" if file.policy.in_project else "this switches"
        yield Finding(
            start,
            end,
            f"{where} the checks off",
            "rm -rf logs",
            "deletes files",
            help="leave the mode to each person, for a container or a sandbox",
        )
