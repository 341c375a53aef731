"""A deny that an allow of higher priority overrides.

The highest number decides: the deny is never reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample

CODE = "R405"
NAME = "priority-inversion"
SEVERITY = "error"
BAD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "env"\ndecision = "allow"\npriority = '
    '100\n\n[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "env"\ndecision = "deny"\npriority = 50\n',
)
GOOD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls"\ndecision = "allow"\npriority = 100\n',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format != "gemini-policy":
        return
    for rule, decider in file.overridden:
        message = (
            f"`{decider.text}` with priority {decider.rank[0]:g} decides before this "
            f"{rule.decision} with {rule.rank[0]:g}"
        )
        yield Finding(
            rule.start, rule.end, message, sample(rule.body), help="give the stricter rule the higher priority"
        )
