"""A denied file that the shell can still read.

Path rules hold for the file tools. A reader that the shell may run, allowed here or asked about, gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.evasions import path_of, readers_of, reading
from guard.lint.secrets import is_secret

CODE = "D307"
NAME = "other-channel"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(cat:*)"], "deny": ["Read(.env)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    stopped = any(rule.decision in ("deny", "ask") and rule.about == "shell" for rule in file.policy.rules)
    readers = readers_of(file.policy)
    for rule in file.policy.rules:
        if rule.about != "read" or rule.decision != "deny" or not rule.body or stopped:
            continue
        path = path_of(rule)
        if not path or (path.startswith("/") and not rule.body.startswith("//")):
            continue
        found = reading(file.policy, readers, path)
        if found is None and not is_secret(path):
            continue
        command = found[0] if found else f"cat {path}"
        how = f"`{found[1].text}` lets `{command}` through" if found else f"nothing stops `{command}` in the shell"
        yield Finding(
            rule.start,
            rule.end,
            f"{how}: the same bytes",
            command,
            help="use the sandbox, or a guard that knows secret files",
        )
