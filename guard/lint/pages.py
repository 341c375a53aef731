"""Pages of the checks and the table of all of them, made from the checks themselves."""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import ModuleType

from guard.lint.checks import CHECKS
from guard.lint.foreign import FORMATS
from guard.lint.own_pages import OWN
from guard.lint.run import lint
from guard.lint.source import Source
from guard.lint.witness import Searcher
from guard.report.sarif import RuleInfo

GROUPS = {
    "B": "Allow rules that let too much through",
    "N": "Rules that never match as they were meant",
    "D": "Deny rules that do not hold",
    "R": "Rules held against each other",
    "J": "Junk",
    "H": "Hooks",
    "O": "Our own rule files",
    "W": "Our workflow and board files",
    "F": "Files",
    "S": "Comments that accept findings",
}


def infos() -> list[RuleInfo]:
    """All checks, in the order of the documentation."""
    found = [_info(code, module) for code, module in CHECKS.items()]
    for code, check in OWN.items():
        summary, _, _ = check.page.partition("\n")
        found.append(RuleInfo(code, check.name, summary, check.page, check.severity))
    return found


def page(code: str) -> str | None:
    """The page of a check, by code or name; None where there is none."""
    for key, module in CHECKS.items():
        if code in (key, module.NAME):
            info = _info(key, module)
            bad, good = module.BAD, module.GOOD
            return _page(info, f"{bad.format}: {bad.text.strip()}", f"{good.format}: {good.text.strip()}")
    for key, check in OWN.items():
        if code in (key, check.name):
            summary, _, _ = check.page.partition("\n")
            return _page(RuleInfo(key, check.name, summary, check.page, check.severity), check.bad, check.good)
    return None


def table() -> str:
    """docs/checks.md."""
    lines = [
        "# Checks of `devkit-guard lint`",
        "",
        "<!-- Made by `python -m guard.lint.pages`; a test compares it. -->",
        "",
        "`devkit-guard explain CODE` prints the page of one check. `--select` and `--ignore` take "
        "codes, the start of a",
        "code, or names.",
    ]
    for letter, title in GROUPS.items():
        lines += ["", f"## {letter}: {title}", "", "| code | name | severity | what | fix |", "|---|---|---|---|---|"]
        for info in infos():
            if info.code.startswith(letter):
                lines.append(
                    f"| {info.code} | `{info.name}` | {info.severity} | {info.summary.rstrip('.')} | "
                    f"{_fix(info.code)} |"
                )
    lines += ["", "## Formats", "", "| `--as` | files of | where it looks |", "|---|---|---|"]
    for name, module in FORMATS.items():
        places = [f"`{path}`" for path in module.PROJECT] + [f"`~/{path}`" for path in module.HOME]
        lines.append(f"| `{name}` | {module.TITLE} | {', '.join(dict.fromkeys(places))} |")
    lines += [
        "| `rules` | our own rules and overlays of them | `*/commands/*.yaml` |",
        "| `workflow` | workflows | YAML with `steps:` |",
        "| `board` | the board's pipeline | `board.yaml` |",
        "| `principles` | principles of workflows | `principles.yaml` |",
        "| `sets` | lists for the grants of workflows | `sets.yaml` |",
    ]
    return "\n".join(lines) + "\n"


def _info(code: str, module: ModuleType) -> RuleInfo:
    text = inspect.cleandoc(module.__doc__ or "")
    return RuleInfo(code, module.NAME, text.partition("\n")[0], text, module.SEVERITY)


def _page(info: RuleInfo, bad: str, good: str) -> str:
    indent = "\n    "
    return (
        f"{info.code} {info.name} ({info.severity})\n\n{info.page}\n\nBad:{indent}{bad.replace(chr(10), indent)}\n"
        f"\nGood:{indent}{good.replace(chr(10), indent)}\n"
    )


def _fix(code: str) -> str:
    """Whether the check writes fixes, and of which kind, by what it does to its own example."""
    module = CHECKS.get(code)
    if module is None:
        return ""
    name = module.BAD.name or ".claude/settings.json"
    found = [one.fix for one in lint(Source(name, module.BAD.text), module.BAD.format, _searcher()) if one.code == code]
    kinds = {"safe" if fix.safe else "unsafe" for fix in found if fix is not None}
    return " ".join(sorted(kinds))


@lru_cache(maxsize=1)
def _searcher() -> Searcher:
    return Searcher()


if __name__ == "__main__":
    print(table(), end="")
