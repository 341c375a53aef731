"""What real seds and awks do with a script: run in a bubblewrap sandbox that sees files appear and shells start.

Read-only root, no network, own processes; only the sandbox's own folder can be written, and `/bin/sh` is a stub that
leaves a file. Run as a program it is the worker inside the sandbox.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

_INPUT = "a/b one\ntouch p\n[x] TODO\n"
_SHELL = os.path.realpath("/bin/sh")
PROGRAMS = {
    "sed": (("sed",), ("sed", "--posix"), ("busybox", "sed")),
    "awk": (("gawk",), ("mawk",), ("original-awk",), ("busybox", "awk")),
}


class Deed(NamedTuple):
    """A program left `files` behind, `ran-shell` among them if it started a shell."""

    script: str
    program: str
    files: list[str]


def available() -> bool:
    """Whether the sandbox works here and the stub would not replace the shell that runs it."""
    if shutil.which("bwrap") is None or os.path.basename(_SHELL) == "bash" or not os.path.exists("/bin/bash"):
        return False
    command = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def deeds(language: str, scripts: Sequence[str]) -> list[Deed]:
    """Runs every script with every installed program of `language`; what they left behind."""
    programs = [words for words in PROGRAMS[language] if shutil.which(words[0])]
    with tempfile.TemporaryDirectory() as folder:
        stub = os.path.join(folder, "stub")
        with open(stub, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n: > ran-shell\n")
        os.chmod(stub, 0o755)
        os.mkdir(os.path.join(folder, "work"))
        command = [
            "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
            "--bind", os.path.join(folder, "work"), "/tmp/work", "--ro-bind", stub, _SHELL,
            "--ro-bind", os.path.abspath(__file__), "/tmp/worker.py",
            "--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session",
            os.path.realpath(sys.executable), "-I", "-S", "/tmp/worker.py",
        ]  # fmt: skip
        task = json.dumps([programs, list(scripts)])
        done = subprocess.run(command, input=task, capture_output=True, text=True, check=True)
    return [Deed(*json.loads(line)) for line in done.stdout.splitlines()]


def _work() -> None:
    programs, scripts = json.load(sys.stdin)
    os.chdir("/tmp/work")
    for script in scripts:
        for words in programs:
            files = _run([*words, "--", script, "in"])
            if files != ["in"]:
                print(json.dumps([script, " ".join(words), files]))


def _run(command: list[str]) -> list[str]:
    os.mkdir("w")
    with open("w/in", "w", encoding="utf-8") as file:
        file.write(_INPUT)
    null = subprocess.DEVNULL
    try:
        subprocess.run(command, cwd="w", stdin=null, stdout=null, stderr=null, timeout=1, check=False)
    except subprocess.TimeoutExpired:
        pass  # endless loops are harmless
    files = sorted(os.listdir("w"))
    shutil.rmtree("w")
    return files


if __name__ == "__main__":
    _work()
