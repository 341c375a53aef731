"""Every check has a code, a page and two examples that show it; docs/checks.md is what they say."""

from __future__ import annotations

import os
import re
from types import ModuleType

import pytest

from guard.lint import pages
from guard.lint.checks import CHECKS
from guard.lint.foreign import FORMATS
from guard.lint.own_pages import OWN
from guard.lint.run import lint
from guard.lint.source import Source
from guard.lint.witness import Searcher

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEARCHER = Searcher()


@pytest.mark.parametrize("module", CHECKS.values(), ids=CHECKS)
def test_examples(module: ModuleType) -> None:
    path = ".claude/settings.json"
    bad = lint(Source(module.BAD.name or path, module.BAD.text), module.BAD.format, SEARCHER)
    good = lint(Source(module.GOOD.name or path, module.GOOD.text), module.GOOD.format, SEARCHER)
    assert module.CODE in {one.code for one in bad}
    assert good == []


@pytest.mark.parametrize("code", [*CHECKS, *OWN])
def test_form(code: str) -> None:
    info = next(info for info in pages.infos() if info.code == code)
    assert re.fullmatch(r"[BNDRJHOWFS]\d{3}", code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", info.name)
    assert info.severity in ("error", "warning", "info")
    assert info.summary.endswith(".")
    assert len(info.page) > len(info.summary) + 20
    assert pages.page(code) == pages.page(info.name)


def test_one_module_for_each_check_and_each_format() -> None:
    folder = os.path.join(ROOT, "guard", "lint")
    checks = {name.removesuffix(".py") for name in os.listdir(os.path.join(folder, "checks")) if name.endswith(".py")}
    assert checks - {"__init__"} == {module.__name__.rsplit(".", 1)[1] for module in CHECKS.values()}
    formats = {name.removesuffix(".py") for name in os.listdir(os.path.join(folder, "foreign")) if name.endswith(".py")}
    shared = {"__init__", "json_file", "toml_file"}
    assert formats - shared == {module.__name__.rsplit(".", 1)[1] for module in FORMATS.values()}
    names = [info.name for info in pages.infos()]
    assert len(names) == len(set(names))


def test_documentation_is_unchanged() -> None:
    with open(os.path.join(ROOT, "docs", "checks.md"), encoding="utf-8") as file:
        assert file.read() == pages.table()
