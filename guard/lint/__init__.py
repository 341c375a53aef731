"""The linter: `run.lint` for a rule file of a tool, `rules` and `flows` for our own, `session` for all of a command."""
