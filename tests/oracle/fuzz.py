"""Does `guard.shell.read` see everything that bash runs? `python -m tests.oracle.fuzz 1000 --seed 1`

Random scripts are read; those that are accepted run in the jail. Every command that bash ran must be one that was read
(with the same argv where its words are fixed), and every file it made must be the target of a redirect that was read.
Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from guard.model.syntax import (
    Arithmetic,
    CommandSubstitution,
    Glob,
    Literal,
    Parameter,
    Part,
    Redirect,
    Script,
    Simple,
    Tilde,
    Unreadable,
    Word,
)
from guard.shell import read
from tests.oracle.jail import FOLDER, Jail, Run
from tests.oracle.scripts import Scripts

_SEVERAL = "\0"


class Finding(NamedTuple):
    """Something that bash did and that was not read. `kind` is `command`, `redirect`, `value` or `input`."""

    kind: str
    detail: str
    script: str


def nodes(tree: object, kind: type) -> Iterator[object]:
    """All nodes of a kind, also those inside words and here-documents."""
    if isinstance(tree, kind):
        yield tree
    if isinstance(tree, tuple):
        for item in tree:
            if isinstance(item, tuple):
                yield from nodes(item, kind)


def findings(script: Script, run: Run) -> list[Finding]:
    """What bash did beyond what the script says."""
    found = []
    simple = [node for node in nodes(script.body, Simple) if isinstance(node, Simple)]
    patterns = [[pattern(word) for word in node.words] for node in simple if node.words]
    for argv in run.commands:
        if not any(fits(words, argv) for words in patterns):
            named = any(words[0] == re.escape(argv[0]) for words in patterns)
            found.append(Finding("value" if named else "command", repr(argv), script.text))
    redirects = [node for node in nodes(script.body, Redirect) if isinstance(node, Redirect)]
    targets = [pattern(node.target) for node in redirects if node.operator[0] != "<" or node.operator == "<>"]
    for name in run.files:
        paths = (name, f"./{name}", f"{FOLDER}/{name}")
        if not any(re.fullmatch(target.replace(_SEVERAL, ""), path, re.DOTALL) for target in targets for path in paths):
            found.append(Finding("redirect", repr(name), script.text))
    bodies = [pattern(node.target) for node in redirects if node.operator in ("<<", "<<-", "<<<")]
    for text in filter(None, run.inputs):
        if "/bin/bash: " in text or "real\t" in text or "printf" in script.text:
            continue  # messages, which `|&` hands on, and what the one builtin prints
        ends = [text + "\n" * number for number in range(8)]  # those at the end are not in the log
        if not any(re.fullmatch(body.replace(_SEVERAL, ""), end, re.DOTALL) for body in bodies for end in ends):
            found.append(Finding("input", repr(text), script.text))
    return found


def pattern(word: Word) -> str:
    """A regular expression for one argument; with `_SEVERAL` in it, the word can be any number of arguments."""
    return "".join(_part(part) for part in word.parts)


def _part(part: Part) -> str:
    if isinstance(part, Literal):
        return re.escape(part.text)
    if isinstance(part, Tilde):
        return ".*"
    if isinstance(part, Parameter):
        several = not part.quoted or part.name == "@" or "@" in part.operator
    else:
        several = isinstance(part, Glob) or (isinstance(part, (CommandSubstitution, Arithmetic)) and not part.quoted)
    return ".*" + (_SEVERAL if several else "")


def fits(words: list[str], argv: list[str]) -> bool:
    if not words:
        return not argv
    first, rest = words[0], words[1:]
    if _SEVERAL in first:
        return any(fits(rest, argv[i:]) for i in range(len(argv) + 1))
    return bool(argv) and re.fullmatch(first, argv[0], re.DOTALL) is not None and fits(rest, argv[1:])


def accepted(scripts: Scripts, count: int, seeds: list[str], counts: collections.Counter[str]) -> Iterator[Script]:
    """Those of the next `count` scripts that can be read. Raises AssertionError on a fault in the reader."""
    for _ in range(count):
        text = scripts.script(seeds)
        counts["generated"] += 1
        started = time.process_time()
        script = read(text)
        counts["slow"] += time.process_time() - started > 0.5
        if isinstance(script, Unreadable):
            assert script.code != "internal", (script, text)
            counts[f"refused: {script.code}"] += 1
        else:
            counts["accepted"] += 1
            yield script


def run(count: int, seed: int, seeds: list[str], counts: collections.Counter[str]) -> Iterator[Finding]:
    """Fuzzes with `count` scripts; every accepted one runs with commands that succeed and with commands that fail."""
    with Jail() as jail:
        read_scripts: dict[str, Script] = {}

        def texts() -> Iterator[str]:
            for script in accepted(Scripts(seed), count, seeds, counts):
                read_scripts[script.text] = script
                yield script.text

        for text, result in jail.run(texts()):
            counts["run"] += 1
            counts["not finished"] += not result.finished
            counts["commands run"] += len(result.commands)
            for finding in findings(read_scripts[text], result):
                counts[f"hidden: {finding.kind}"] += 1
                yield finding


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", help="a file of JSON lines with an `input` or `command` each, to bend")
    options = parser.parse_args()
    seeds = []
    if options.seeds:
        import json

        with open(options.seeds, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        texts = (row.get("input") or row.get("command", "") for row in rows)
        # A subscript in quotes is evaluated by `[[` and by builtins, not read as a command: not the reader's part.
        seeds = [text for text in texts if len(text) < 300 and "'a[$(" not in text]
    counts: collections.Counter[str] = collections.Counter()
    failed = False
    for finding in run(options.count, options.seed, seeds, counts):
        failed = True
        print(f"{finding.kind}: {finding.detail} in {finding.script!r}", flush=True)
    for name, number in sorted(counts.items()):
        print(f"{number:9} {name}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
