"""What is to be proved: the command lines that rules and the corpus say only read, and what is claimed of each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import NamedTuple

from guard.classify import Place, classify
from guard.model.effect import Kind
from guard.prove.fixtures import HOME, PROJECT
from guard.prove.states import NOWHERE, PLAIN, REPOSITORY, State
from guard.rulebook import Rulebook, build
from guard.rulebook.compile import examples as examples_of

PLACE = Place(PROJECT, HOME)


class Example(NamedTuple):
    """`where` is `rules/commands/sed.yaml:9`, `program` the rule's name, `files` what the command is to find.

    `states` are those in which it is worth running.
    """

    where: str
    program: str
    command: str
    claimed: frozenset[Kind]
    files: tuple[str, ...]
    states: tuple[State, ...] = PLAIN


def of_rules(book: Rulebook, programs: Iterable[str] = ()) -> list[Example]:
    """The `allow` examples of all rules, or of some programs."""
    wanted = set(programs)
    found = []
    for path in build.sources(book.folder):
        program = path.removesuffix(".yaml").split(os.sep)[0]
        if wanted and program not in wanted:
            continue
        for verdict, line in examples_of(build.read(book.folder, path)):
            if verdict == "allow":
                found.append(example(book, f"{line.path}:{line.line}", program, str(line.data)))
    return found


def of_corpus(book: Rulebook, folder: str) -> list[Example]:
    """The lines of a corpus that are allowed without a grant, wherever they run."""
    found = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                line = json.loads(text)
                if line.get("right") == "allow" and not {"grant", "cwd"} & line.keys():
                    found.append(example(book, f"corpus/{name}:{number}", "corpus", line["command"]))
    return found


def example(book: Rulebook, where: str, program: str, command: str) -> Example:
    """A command line with what the classifier says of it."""
    effects = classify(command, PLACE, book).effects
    files = {effect.target for effect in effects if effect.kind is Kind.READ and effect.target}
    return Example(
        where,
        program,
        command,
        frozenset(effect.kind for effect in effects),
        tuple(sorted(name for name in files if _is_file_name(name))),
        (*REPOSITORY, *NOWHERE) if "git" in command else PLAIN,
    )


def rule_of(example: Example) -> str:
    """The rule file that it is from, as `sed` or `git/log`; of a corpus its file."""
    return example.where.rpartition(":")[0].removeprefix("rules/commands/").removesuffix(".yaml")


def _is_file_name(name: str) -> bool:
    """Whether an operand may well be meant as a file below the project."""
    plain = all(char.isalnum() or char in "._-/" for char in name)
    return plain and name[0] not in "/-~." and ".." not in name and not name.endswith("/") and "." in name
