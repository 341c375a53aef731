"""What reading costs: `python -m tests.bench.reading [FILE]`.

FILE holds JSON lines with a `command` each; without it the corpus is used. Import costs are those of a fresh process
that has loaded nothing else, as the median of several; all times are
processor time, so that a busy machine shows little.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

_IMPORTS = {
    "guard.shell (parse)": ("import guard.model.syntax", "import guard.shell"),
    "tree-sitter": ("import guard.shell, json, typing", "import guard.shell.treesitter_reader"),
    "bashlex": ("import guard.shell, json, typing", "import guard.shell.bashlex_reader"),
    "both witnesses": ("import guard.shell, json, typing", "import guard.shell.agree"),
    "stock bashlex": ("import guard.shell, json, typing", "import bashlex"),
}
_ROUNDS = 15


def imported(before: str, code: str) -> float:
    """Milliseconds of `code` after `before` in fresh processes."""
    program = f"{before}\nimport time\nstart = time.process_time()\n{code}\nprint((time.process_time() - start) * 1000)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", program]
    times = [float(subprocess.check_output(command, env=environment)) for _ in range(_ROUNDS)]
    return statistics.median(times[1:])


def timed(function: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    """Median and 99th percentile in milliseconds per text."""
    times = []
    for text in texts:
        start = time.process_time()
        function(text)
        times.append((time.process_time() - start) * 1000)
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


def main() -> None:
    from guard.shell import parse, read

    root = os.path.join(os.path.dirname(__file__), "..", "..")
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "corpus", "cases.jsonl")
    with open(path, encoding="utf-8") as file:
        texts = [json.loads(line)["command"] for line in file]
    for name, (before, code) in _IMPORTS.items():
        print(f"{imported(before, code):8.2f} ms  import {name}")
    for function in (parse, read):
        timed(function, texts[:300])
        median, high = timed(function, texts)
        print(f"{median:8.3f} ms  {function.__name__}, median of {len(texts)} ({high:.3f} ms at the 99th percentile)")


if __name__ == "__main__":
    main()
