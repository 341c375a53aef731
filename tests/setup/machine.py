"""A home folder with settings that a person wrote, and the verbs run on it as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = os.path.join(os.path.dirname(sys.executable), "devkit-guard")
SETTINGS = {
    ".claude/settings.json": """{
    // how I like it
    "model": "opus",
    "permissions": {"allow": ["Read", "Bash(git log:*)"], "deny": []},   /* keep */
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "my-linter"}]},   // first
        ],
        "PostToolUse": [ { "hooks": [ { "type": "command", "command": "fmt" } ] } ]
    },
    "env": {"A": "1"}   // last
}
""",
    ".codex/config.toml": """# mine
model = "gpt-5.6-terra"   # fast

[[hooks.PostToolUse]]
matcher = '^Bash$'
[[hooks.PostToolUse.hooks]]
type = "command"
command = "notify"

[projects."/home/dev/x"]
trust_level = "trusted"
""",
    ".gemini/settings.json": '{"theme":"x","hooks":{"BeforeTool":[{"matcher":"write_file","hooks":[]}]},"z":[1,2]}',
    ".cursor/hooks.json": '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"stop": [{"command": "bell"}]\r\n\t}\r\n}\r\n',
    ".hermes/config.yaml": "# hermes\nmodel: x   # y\ntools:\n- terminal\n",
    ".kimi-code/config.toml": 'default_model = "k2"\n\n[[hooks]]\nevent = "Stop"\ncommand = "bell"\n',
}
"""Six runtimes, each file with what is easily lost: comments, trailing commas, tabs, CRLF, one line, order."""


def furnish(home: Path) -> None:
    """Writes the settings."""
    for name, text in SETTINGS.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def contents(home: Path) -> dict[str, bytes]:
    """All files below the home folder but the guard's own state."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not path.is_symlink() and ".local/state/devkit" not in str(path)
    }


def run(home: Path, *arguments: str, cwd: Path | None = None, path: str | None = None) -> tuple[int, str]:
    """(exit code, everything that was printed) of one run of the program with this home."""
    environ = {
        "HOME": str(home),
        "PATH": path or os.environ["PATH"],
        "LANG": "C.UTF-8",
    }
    done = subprocess.run(
        [PROGRAM, *arguments], env=environ, cwd=cwd or home, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr
