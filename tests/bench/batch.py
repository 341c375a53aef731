"""Throughput and memory of `classify --batch`, and time against the length of a command.

Usage: python tests/bench/batch.py [FILE]      FILE: JSON lines with a "command" each; default: the corpus
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.rulebook import Rulebook

ROOT = Path(__file__).parents[2]
PLACE = Place("/nonexistent/project", "/home/user")
MILLION = 1_000_000
SHAPES: dict[str, Callable[[int], str]] = {
    "one word": lambda size: "echo " + "x" * size,
    "arguments": lambda size: "cat" + " a" * (size // 2),
    "options": lambda size: "ls" + " -l" * (size // 3),
    "pipes": lambda size: " | ".join(["cat"] * (size // 6)),
    "lists": lambda size: "; ".join(["ls"] * (size // 4)),
    "quotes": lambda size: "echo" + " 'a'\"b\"" * (size // 7),
    "open quote": lambda size: "echo '" + "x" * size,
    "substitutions": lambda size: "echo" + " $(ls)" * (size // 6),
    "nested substitutions": lambda size: "echo " + "$(echo " * (size // 8) + ")" * (size // 8),
    "nested groups": lambda size: "( " * (size // 4) + "ls" + " )" * (size // 4),
    "backquotes": lambda size: "echo" + " `ls`" * (size // 5),
    "braces": lambda size: "echo" + " {a,b}" * (size // 6),
    "braces in braces": lambda size: "echo " + "{a," * (size // 4) + "b" + "}" * (size // 4),
    "parameters": lambda size: "echo" + ' "${x:-y}"' * (size // 10),
    "nested parameters": lambda size: "echo " + "${x:-" * (size // 6) + "}" * (size // 6),
    "assignments": lambda size: "x=1; " * (size // 5) + "ls",
    "loops": lambda size: "for i in a b; do " * (size // 24) + "ls" + "; done" * (size // 24),
    "comments": lambda size: "ls\n" + "# it's\n" * (size // 7),
    "here-document": lambda size: "cat <<'E'\n" + "line $(x)\n" * (size // 10) + "E",
    "newlines": lambda size: "ls\n" * (size // 3),
    "continuations": lambda size: "ls" + " \\\n-l" * (size // 5),
    "case": lambda size: "case x in" + " a) ls;;" * (size // 8) + " esac",
    "sed script": lambda size: "sed -n '" + "p;" * (size // 2) + "'",
    "awk program": lambda size: "awk '" + "{print} " * (size // 8) + "'",
    "find": lambda size: "find ." + " -name a" * (size // 8),
}


def commands(path: str | None) -> list[str]:
    paths = [Path(path)] if path else [ROOT / "corpus" / name for name in ("cases.jsonl", "own.jsonl")]
    return [json.loads(line)["command"] for file in paths for line in file.read_text(encoding="utf-8").splitlines()]


def throughput(lines: list[str]) -> None:
    """Commands a second of processor time, rules already loaded."""
    book = Rulebook()
    for command in lines:
        judge.command(command, PLACE, Grant(), book)
    start = time.process_time()
    for command in lines:
        judge.command(command, PLACE, Grant(), book)
    spent = time.process_time() - start
    print(f"throughput: {len(lines) / spent:.0f} commands a second and core ({len(lines)} commands)")


def memory(lines: list[str]) -> None:
    """Peak memory of a batch of few lines and of a million, told by itself: a child of ours would inherit ours."""
    code = "import resource, sys; from guard.cli.app import run; run(['classify', '--batch']); "
    code += "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    for count in (10_000, MILLION):
        command = ["sh", "-c", '"$@"; :', "sh", sys.executable, "-c", code]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe, cwd=ROOT)
        assert process.stdin is not None
        assert process.stderr is not None
        for line in repeated(lines, count):
            process.stdin.write(line)
        process.stdin.close()
        size = int(process.stderr.read().split()[-1]) / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        process.wait()
        print(f"batch of {count:>9} lines: peak {size:.1f} MiB")


def repeated(lines: list[str], count: int) -> Iterator[bytes]:
    """Short commands over and over, so that a million of them takes minutes and not hours."""
    short = [json.dumps({"command": line}).encode() + b"\n" for line in lines if len(line) < 30]
    for index in range(count):
        yield short[index % len(short)]


def growth() -> None:
    """Time for 1 KiB to 64 KiB of each shape."""
    sizes = [1 << 10, 4 << 10, 16 << 10, 64000]
    book = Rulebook()
    print(f"{'milliseconds for a command of':24}" + "".join(f"{size:>9}" for size in sizes))
    for name, shape in SHAPES.items():
        spent = []
        for size in sizes:
            text = shape(size)
            start = time.perf_counter()
            judge.command(text, PLACE, Grant(), book)
            spent.append((time.perf_counter() - start) * 1000)
        print(f"{name:28}" + "".join(f"{found:9.1f}" for found in spent))


if __name__ == "__main__":
    chosen = commands(sys.argv[1] if len(sys.argv) > 1 else None)
    throughput(chosen)
    growth()
    memory(chosen)
