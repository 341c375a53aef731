"""Registers the hook in the runtimes' own files, takes it out again, and finds out whether it works.

`runtimes` is the table of facts, `entries` what is written for each, `jsonc`, `toml` and `yaml_text` put it into a text
that a person wrote, `files` plans and applies changes with backups, `doctor` looks for what keeps a hook from running.
"""
