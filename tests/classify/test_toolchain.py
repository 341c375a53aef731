"""Other releases of go that a module asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from guard.classify import toolchain


@pytest.mark.parametrize(
    ("installed", "module", "fine"),
    [
        ("go1.22.3", "module x\n\ngo 1.22\n", True),
        ("go1.22.3", "module x\ngo 1.22.4\n", False),
        ("go1.22.3", "module x\ngo 1.9\n", True),
        ("go1.22.3", "module x\ngo 1.20\ntoolchain go1.22.9\n", False),
        ("go1.22.3", "module x\ngo 1.20\ntoolchain default\n", True),
        ("go1.22.3", "module x\ngo 1.20\ntoolchain go1.22.3-own\n", False),
        ("go1.22.3", "module x\ngo 1.23rc1\n", False),
        ("go1.20.1", "module x\ngo 1.99\n", True),
        ("devel", "module x\ngo 1.20\n", True),
        ("devel", "module x\ngo 1.22\n", False),
    ],
)
def test_check(tmp_path: Path, installed: str, module: str, fine: bool) -> None:
    (tmp_path / "go/bin").mkdir(parents=True)
    (tmp_path / "go/bin/go").write_text("")
    (tmp_path / "go/bin/go").chmod(0o755)
    (tmp_path / "go/VERSION").write_text(installed + "\ntime 2024\n")
    (tmp_path / "module/sub").mkdir(parents=True)
    (tmp_path / "module/go.mod").write_text(module)
    path = {"PATH": f"/nowhere:{tmp_path / 'go/bin'}"}
    assert (toolchain.check(str(tmp_path / "module/sub"), path) is None) is fine
    assert toolchain.check(str(tmp_path), path) is None
    assert toolchain.check(str(tmp_path / "module"), {**path, "GOTOOLCHAIN": "local"}) is None
