"""devkit-guard: a Bash safety classifier, an allowlist linter and a workflow step check for coding agents."""

__version__ = "0.1.0"
