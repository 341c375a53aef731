"""What the decision log costs on the hook's path: the same call with the log on and off, as a ratio.

Usage: python tests/bench/log_cost.py [RUNS]
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.bench.processes import GUARD, payload, seconds

CALLS = {"allow": "git log --oneline -5", "veto": "rm -rf build"}


def main(runs: int) -> None:
    """Prints a line for each call; the two kinds of run take turns, so that a busy machine slows both."""
    hook = [GUARD, "hook", "--agent", "claude", "--mode", "always"]
    with tempfile.TemporaryDirectory() as folder:
        for kind, value in (("on", "true"), ("off", "false")):  # both have a file to read
            settings = Path(folder, kind, "devkit-guard", "config.toml")
            settings.parent.mkdir(parents=True)
            settings.write_text(f"log = {value}\n")
        for name, command in CALLS.items():
            times: dict[str, list[float]] = {"on": [], "off": []}
            for _ in range(runs + 2):
                for kind, found in times.items():
                    given = {"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": os.path.join(folder, kind)}
                    found.append(seconds(hook, payload(command), **given))
            on, off = (statistics.median(times[kind][2:]) * 1000 for kind in ("on", "off"))
            print(f"{name:6} log on {on:6.1f} ms   off {off:6.1f} ms   ratio {on / off:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
