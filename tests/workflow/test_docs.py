"""docs/workflows.md: every key is in it; its session, and README's, is what really happens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guard.rulebook.grant_reader import KEYS
from guard.workflow.reader import ONLY, STEP, TOP

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "workflows.md").read_text()
README = (ROOT / "README.md").read_text()


def test_every_key_is_documented() -> None:
    keys = {*TOP, *STEP, *(key for keys in ONLY.values() for key in keys), *KEYS}
    assert [key for key in sorted(keys) if f"`{key}`" not in PAGE and f"\n  {key}: " not in PAGE] == []


@pytest.mark.parametrize("text", [PAGE, README[README.index("## Workflows") :]], ids=["page", "readme"])
def test_the_session_can_be_replayed(environ: dict[str, str], tmp_path: Path, text: str) -> None:
    environ.pop("DEVKIT_WORKFLOWS")
    environ |= {"PATH": os.path.dirname(sys.executable) + os.pathsep + environ["PATH"], "TMPDIR": str(tmp_path)}
    lines = text.split("```console\n")[1].split("```")[0].splitlines()
    script = "\n".join(line[2:] for line in lines if line.startswith("$ "))
    done = subprocess.run(["bash", "-c", script], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [line for line in lines if not line.startswith("$ ")], done.stderr
