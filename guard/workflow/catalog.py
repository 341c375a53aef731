"""Which workflows there are: the shipped ones, the user's own, and folders named in DEVKIT_WORKFLOWS.

A repository's own files are deliberately not among them: an agent could write one that grants itself everything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from guard.model.errors import GuardError, RefusedError, RuleError
from guard.rulebook.grant_reader import SETS, read_sets, shipped_sets
from guard.workflow.definition import Workflow
from guard.workflow.reader import read_principles, read_workflow

PRINCIPLES = "principles.yaml"
NOT_WORKFLOWS = frozenset({PRINCIPLES, SETS, "board.yaml"})


def folders(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Folders of workflow files; a name that is in several is taken from the first."""
    named = [part for part in environ.get("DEVKIT_WORKFLOWS", "").split(os.pathsep) if os.path.isabs(part)]
    base = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(environ.get("HOME", ""), ".config")
    own = [os.path.join(base, "devkit", "workflows")] if os.path.isabs(base) else []
    return (*named, *own, shipped())


def shipped() -> str:
    """The folder of the workflows that come with the project: inside the installed package, or beside it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "data", "workflows")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "workflows")


def paths(environ: Mapping[str, str]) -> dict[str, str]:
    """Workflow names with their files, in the order of names."""
    found: dict[str, str] = {}
    for folder in folders(environ):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.endswith((".yaml", ".yml")) and name not in NOT_WORKFLOWS:
                found.setdefault(name.rsplit(".", 1)[0], os.path.join(folder, name))
    return dict(sorted(found.items()))


def load(path: str, shown: str | None = None) -> Workflow:
    """The workflow in a file, with the principles and sets of the files beside it added to the shipped ones."""
    beside = os.path.join(os.path.dirname(os.path.abspath(path)), PRINCIPLES)
    fallback = os.path.join(shipped(), PRINCIPLES)
    principles = {}
    for candidate in dict.fromkeys((fallback, beside)):
        if os.path.exists(candidate):
            principles.update(read_principles(candidate))
    own = os.path.join(os.path.dirname(os.path.abspath(path)), SETS)
    sets = shipped_sets().extended(read_sets(own)) if os.path.exists(own) else shipped_sets()
    return read_workflow(path, principles, shown, sets)


def find(name: str, environ: Mapping[str, str]) -> Workflow:
    """The workflow called `name`. Raises RefusedError where there is none, RuleError where its file is wrong."""
    known = paths(environ)
    if name in known:
        return load(known[name])
    for workflow in listing(environ):
        if isinstance(workflow, Workflow) and workflow.name == name:
            return workflow
    expected = ", ".join(known) or "none: there are no workflow files"
    raise RefusedError("unknown-workflow", f"no workflow '{name}': expected one of {expected}")


def listing(environ: Mapping[str, str]) -> list[Workflow | GuardError]:
    """All workflows; in place of one whose file is wrong, the error."""
    found: list[Workflow | GuardError] = []
    for path in paths(environ).values():
        try:
            found.append(load(path))
        except RuleError as error:
            found.append(error)
    return found
