"""A rule that an assignment in front defeats.

The assignment is the first word there, so `NAME=value program` does not match.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N222"
NAME = "assignment-prefix"
SEVERITY = "info"
BAD = Example("codex-rules", 'prefix_rule(pattern=["gh", "api"], decision="allow")\n')
GOOD = Example("codex-rules", 'prefix_rule(pattern=["ls"], decision="allow")\n')

USUAL = {"gh": "GH_TOKEN=t", "aws": "AWS_PROFILE=p", "kubectl": "KUBECONFIG=f", "docker": "DOCKER_HOST=h"}
"""Programs that are often called with a variable in front."""


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        variable = USUAL.get(rule.body.split(" ")[0]) if file.policy.format == "codex-rules" else None
        if variable:
            command = f"{variable} {rule.body.replace('|', ' ')} x"
            yield Finding(
                rule.start, rule.end, f"`{command}` does not match: the assignment counts as the first word", command
            )
