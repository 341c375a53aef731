"""What a call of the guard costs, as a ratio to a bare `python -c pass` measured in the same run.

Usage: python tests/bench/processes.py [RUNS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
ROOT = Path(__file__).parents[2]
GUARD = str(Path(sys.executable).parent / "devkit-guard")
COMMANDS = {
    "allow, one command": "git log --oneline -5",
    "allow, a pipe": "grep -rn TODO src | sort | uniq -c | head -20",
    "allow, a loop": 'for f in *.py; do echo "$f: $(wc -l < "$f")"; done',
    "veto": "rm -rf build",
    "veto, no rule": "no-such-program --all",
}


def payload(command: str) -> bytes:
    """What Claude Code sends before a shell call."""
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/"}
    return json.dumps(call).encode()


def seconds(command: list[str], raw: bytes, **more: str) -> float:
    """Time of one run; `more` are variables beside the usual ones."""
    start = time.perf_counter()
    subprocess.run(
        command, input=raw, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT | more, check=False
    )
    return time.perf_counter() - start


def peak(code: str, raw: bytes) -> float:
    """Peak memory of `python -c code` in MiB, told by itself: a child of ours would inherit what we use."""
    code = f"import resource, sys\ntry:\n  {code}\nexcept SystemExit:\n  pass\n"
    code += "sys.stderr.write('\\n%d' % resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    command = ["sh", "-c", '"$@"; :', "sh", sys.executable, "-c", code]
    done = subprocess.run(command, input=raw, capture_output=True, env=ENVIRONMENT, check=False, cwd=ROOT)
    return int(done.stderr.split()[-1]) / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main(runs: int) -> None:
    """Prints a table; interleaved runs, so that a busy machine slows all alike."""
    bare = [sys.executable, "-c", "pass"]
    hook = [GUARD, "hook", "--agent", "claude", "--mode", "always"]
    cases: dict[str, tuple[list[str], bytes]] = {"python -c pass": (bare, b"")}
    cases |= {f"hook: {name}": (hook, payload(command)) for name, command in COMMANDS.items()}
    cases |= {"hook: nothing open (mode step)": ([*hook[:-1], "step"], payload("ls"))}
    cases |= {f"classify: {name}": ([GUARD, "classify", command], b"") for name, command in COMMANDS.items()}
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(runs + 2):
        for name, (command, raw) in cases.items():
            times[name].append(seconds(command, raw))
    base = statistics.median(times["python -c pass"][2:])
    for name, found in times.items():
        median = statistics.median(found[2:])
        print(f"{name:36} {median * 1000:7.1f} ms  {median / base:5.2f}x")
    print(f"peak memory of a bare python: {peak('pass', b''):.1f} MiB")
    code = "from guard.hooks.main import main; main(['--agent', 'claude', '--mode', 'always'])"
    print(f"peak memory of the hook: {peak(code, payload(COMMANDS['allow, a loop'])):.1f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
