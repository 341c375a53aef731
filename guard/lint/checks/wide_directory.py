"""A further directory that holds everything.

The file tools may read and write below it as if it were the project: name the folder that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import inner_span

CODE = "B121"
NAME = "wide-directory"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"additionalDirectories": ["~"]}}')
GOOD = Example("claude", '{"permissions": {"additionalDirectories": ["../docs"]}}')

ROOTS = ("/", "~", "~/", "$HOME", "/home", "/Users", "/root", "/etc", "/usr", "/var", "..", "../..", "../../..")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format not in ("claude", "qwen-settings") or file.policy.tree is None:
        return
    listed = file.policy.tree.get("permissions", "additionalDirectories")
    for text, node in listed.strings() if listed else []:
        if (
            text.rstrip("/") in ROOTS
            or text in ROOTS
            or (text.startswith(("/home/", "/Users/")) and text.count("/") == 2)
        ):
            start, end = inner_span(file.policy.source, node)
            message = f"`{text}` opens everything below it to the tools that read and write files"
            yield Finding(
                start, end, message, f"(write to {text.rstrip('/')}/x)", help="name the folder that is needed"
            )
