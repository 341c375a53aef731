"""What the witness found, kept in a file: by rule a digest of its content, and how its runs ended.

A result holds for the rule as it was run, so it is told only while the rule's content is the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from guard.model.errors import UsageError
from guard.rulebook import Rulebook, build
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.load import data_folder

Recorded = dict[str, Any]
"""`machine`: what it ran on; `rules`: by rule (`sed`, `git/log`) `digest`, `date`, `examples`, and runs by outcome."""

_TOOLS = ("bash", "git", "strace")
_TEXTS = ("summary", "source", "message", "instead")
_SHARED = ("groups", "syntax")
"""What a subcommand's own file takes from the program's."""


def file() -> str:
    """Where the shipped rules' results are kept, in the package or in the checkout it stands in."""
    return os.path.join(data_folder("corpus"), "witness.json")


def read(path: str) -> Recorded:
    """What is on record; nothing where there is no such file. Raises UsageError for a file of another kind."""
    try:
        with open(path, encoding="utf-8") as source:
            found = json.load(source)
    except FileNotFoundError:
        return {"machine": {}, "rules": {}}
    except ValueError as error:
        raise UsageError(f"{path}: not a record of `prove`: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(found.get(key), dict) for key in ("machine", "rules")):
        raise UsageError(f"{path}: not a record of `prove`: expected the keys machine and rules")
    return found


def digests(book: Rulebook) -> dict[str, str]:
    """By rule a digest of what its file says a call does, whatever its form, its comments and its texts for people."""
    return {path.removesuffix(".yaml"): digest(book, path) for path in build.sources(book.folder)}


def digest(book: Rulebook, path: str) -> str:
    """The digest of one file; of a subcommand's, with what it shares with its program's."""
    said = [_judging(build.plain_data(build.read(book.folder, path)))]
    program, inner, _ = path.partition(os.sep)
    if inner:
        parent = _judging(build.plain_data(build.read(book.folder, f"{program}.yaml")))
        said.append({key: parent.get(key) for key in _SHARED})
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _judging(data: Any) -> Any:
    """Data of a rule without the texts that people read, which decide nothing."""
    if isinstance(data, list):
        return [_judging(one) for one in data]
    if not isinstance(data, dict):
        return data
    return {key: _judging(one) for key, one in data.items() if not (key in _TEXTS and isinstance(one, str))}


def result(book: Rulebook, path: str, recorded: Recorded) -> str:
    """What the witness found of the rule in this file, in a few words."""
    if not any(wanted == "allow" for wanted, _ in examples_of(build.read(book.folder, path))):
        return "no example to run"
    row = recorded["rules"].get(path.removesuffix(".yaml"))
    if row is None:
        return "not recorded"
    if row["digest"] != digest(book, path):
        return "changed since"
    runs: dict[str, int] = row["runs"]
    total = sum(runs.values())
    if runs.get("refuted"):
        return f"refuted in {runs['refuted']} of {total} runs"
    if runs.get("not installed") == total:
        return "not installed"
    others = ", ".join(f"{count} {name}" for name, count in runs.items() if name != "not refuted")
    passed = runs.get("not refuted", 0)
    if not passed:
        return others
    return f"not refuted, {passed} runs" + (f" ({others})" if others else "")


def kept(path: str, known: Mapping[str, str], everything: bool) -> dict[str, Any]:
    """The results that stay beside those of a run. `known` are the digests of the rules that there are.

    `everything`: all rules will be run, so what is on record is out of date. Raises UsageError where the file is of
    another machine, whose results would pass for this one's.
    """
    before = read(path)
    if everything or not before["rules"]:
        return {}
    if before["machine"] != machine():
        was = ", ".join(f"{name} {value}" for name, value in before["machine"].items())
        raise UsageError(f"{path}: recorded with {was}: prove all rules, or record into another file")
    return {name: row for name, row in before["rules"].items() if name in known}


def write(path: str, before: dict[str, Any], known: Mapping[str, str], rules: Mapping[str, Any]) -> None:
    """Puts the results of a run (by rule `examples` and `runs`) on record, beside those from before; all or nothing."""
    date = time.strftime("%Y-%m-%d", time.gmtime())
    rows = {**before, **{name: {"digest": known[name], "date": date, **row} for name, row in rules.items()}}
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items())]
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as target:
        target.write(f'{{\n"machine": {json.dumps(machine())},\n"rules": {{\n' + ",\n".join(lines) + "\n}}\n")
    os.replace(temporary, path)


def machine() -> dict[str, str]:
    """What the results depend on beyond the rules: the system, its kernel, and the tools that make and watch a run."""
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        system = platform.system()
    kernel = platform.release().partition("-")[0]
    tools = {name: _version(name) for name in _TOOLS if shutil.which(name)}
    return {"system": system, "kernel": kernel, "architecture": platform.machine(), **tools}


def _version(tool: str) -> str:
    """The first word with a digit of what the tool says of its version."""
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    return next((word for word in done.stdout.split() if word[:1].isdecimal()), "")
