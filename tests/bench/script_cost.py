"""Cost of the hook script while nothing is open, against `sh -c :`; run by hand: python tests/bench/script_cost.py"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

SCRIPT = str(Path(__file__).parents[2] / "hooks" / "devkit-workflow-guard.sh")
PAYLOAD = b'{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}'
ROUNDS = 400


def seconds(command: list[str], environ: dict[str, str]) -> float:
    """Time of one run with the payload on standard input."""
    began = time.perf_counter()
    subprocess.run(command, input=PAYLOAD, env=environ, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Prints the medians; the two commands take turns, so that both see the same machine."""
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "devkit", "open"))
        Path(folder, "devkit", "engine.db").touch()
        environ = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_STATE_HOME": folder}
        for shell in (["sh"], ["bash", "--posix"], ["busybox", "ash"]):
            plain, script = [], []
            for _ in range(ROUNDS):
                plain.append(seconds([*shell, "-c", ":"], environ))
                script.append(seconds([*shell, SCRIPT, "PreToolUse"], environ))
            before, after = statistics.median(plain) * 1000, statistics.median(script) * 1000
            print(f"{' '.join(shell):14} -c : {before:.2f} ms   script {after:.2f} ms   factor {after / before:.2f}")


if __name__ == "__main__":
    main()
