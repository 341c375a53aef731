"""`devkit-guard prove`: examples of rules in a sandbox, and what the witness saw."""

from __future__ import annotations

import os
import sys

from guard.model.errors import UsageError
from guard.prove import CannotRunError, prove, report
from guard.prove import record as recording
from guard.prove.examples import of_corpus, of_rules, rule_of
from guard.prove.options import of_options
from guard.rulebook import Rulebook
from guard.rulebook.load import data_folder

EXIT_CLEAN, EXIT_REFUTED, EXIT_CANNOT_RUN = 0, 1, 3


def run(
    programs: list[str],
    corpus: str | None,
    rules: str | None,
    *,
    options: bool,
    timeout: float,
    as_json: bool,
    verbose: bool,
    record: str | None = None,
    changed: bool = False,
) -> int:
    """Proves; 0 if nothing was refuted, 1 if something was, 3 where no sandbox can be made.

    `record` is the file that keeps the results; nothing is put there by a witness that was blind. Raises UsageError for
    a program without a rule, or a folder that is not there.
    """
    for folder in (corpus, rules):
        if folder is not None and not os.path.isdir(folder):
            raise UsageError(f"{folder}: no such directory")
    if not 0 < timeout <= 600:
        raise UsageError("--timeout: expected more than 0 and at most 600 seconds")
    if record is not None and (options or corpus is not None):
        raise UsageError("--record keeps what the examples of rules show: leave out --options and --corpus")
    if changed and record is None:
        raise UsageError("--changed runs the rules that are not those on record: give --record FILE too")
    if record is not None and not os.access(os.path.dirname(os.path.abspath(record)), os.W_OK):
        raise UsageError(f"--record: {record} cannot be written")  # now, not after the runs
    book = Rulebook(os.path.abspath(rules or data_folder("rules")))
    names = []
    for name in programs:
        node = book.rule(name)
        if node is None:
            raise UsageError(f"{name}: there is no rule of this name")
        names.append(os.path.basename(node.file).removesuffix(".yaml"))
    make = of_options if options else of_rules
    examples = make(book, names) if names or corpus is None else []
    if corpus is not None:
        examples += of_corpus(book, corpus)
    known = {} if record is None else recording.digests(book)  # now, since rules may change while they are run
    before = {} if record is None else recording.kept(record, known, everything=not (names or changed))
    if changed:
        examples = [one for one in examples if before.get(rule_of(one), {}).get("digest") != known[rule_of(one)]]
    try:
        found = prove(book, examples, timeout)
    except CannotRunError as error:
        sys.stderr.write(f"devkit-guard: {error}\n")
        return EXIT_CANNOT_RUN
    if record is not None and not found["blind"]:
        recording.write(record, before, known, found["rules"])
    sys.stdout.write(report.as_json(found) if as_json else report.as_text(found, verbose=verbose))
    return EXIT_REFUTED if found["refuted"] or found["blind"] else EXIT_CLEAN
