"""Folders of their own for every test: state, configuration, workflows and a git repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Environ = dict[str, str]


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    (tmp_path / "workflows").mkdir()
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(("DEVKIT_", "CLAUDE_"))},
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "DEVKIT_WORKFLOWS": str(tmp_path / "workflows"),
    }


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], cwd=folder, check=True)
    return folder


@pytest.fixture
def workflow_file(environ: Environ) -> Callable[[str, str], str]:
    """Writes a workflow file into the folder that the environment names."""

    def write(name: str, text: str) -> str:
        path = os.path.join(environ["DEVKIT_WORKFLOWS"], f"{name}.yaml")
        Path(path).write_text(text, encoding="utf-8")
        return path

    return write
