"""Which files to lint, and as what.

A file is taken by its name and folder, or as it is told (`--as`). A folder is searched for files of all formats;
links to folders are not followed, so a loop of links ends. Without a path, the places are looked at where the tools
keep their files: in the project and in the home directory.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from guard.lint import flows
from guard.lint.foreign import FORMATS, format_of, plain_list
from guard.model.errors import UsageError
from guard.model.record import NamedTuple

OWN_FORMATS = ("rules", "workflow", "board", "principles", "sets")
SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", "target", "dist"})


class Target(NamedTuple):
    """One file to lint; `form` is a name of FORMATS or of OWN_FORMATS. `folder` is that of a rule file's `commands`."""

    path: str
    form: str
    folder: str = ""


def named(path: str, form: str | None) -> Iterator[Target]:
    """The files behind one path of the command line. Raises UsageError where nothing can be made of it."""
    if form is not None and form not in (*FORMATS, *OWN_FORMATS):
        raise UsageError(f"--as: expected one of {', '.join((*FORMATS, *OWN_FORMATS))} (got '{form}')")
    if not os.path.lexists(path):
        raise UsageError(f"{path}: there is no such file or folder")
    if os.path.isdir(path):
        found = list(below(path)) if form is None else [Target(one, form) for one in _files(path)]
        yield from found
        return
    known = form or form_of(path)
    if known is None:
        raise UsageError(f"{path}: of which format is it? Say --as with one of {', '.join((*FORMATS, *OWN_FORMATS))}")
    yield Target(path, known, _commands_of(path) if known == "rules" else "")


def form_of(path: str) -> str | None:
    """The format of a file by its name, folder and, for our own YAML, its keys."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    if whole.endswith((".yaml", ".yml")):
        name = os.path.basename(whole)
        if "/commands/" in whole and os.path.isdir(_commands_of(path)):
            return "rules"
        if name in ("principles.yaml", "sets.yaml"):
            return name.removesuffix(".yaml")
        if name == "board.yaml":
            return "board"
        return "workflow" if flows.is_workflow(path) else None
    return format_of(whole)


def below(folder: str) -> Iterator[Target]:
    """All files of known formats in a folder and the folders in it."""
    for path in _files(folder):
        form = form_of(path)
        if form is not None and form != plain_list.NAME:
            yield Target(path, form, _commands_of(path) if form == "rules" else "")


def everywhere(project: str, home: str | None) -> Iterator[Target]:
    """The files at the places where the tools look for them."""
    seen: set[str] = set()
    places: list[tuple[str | None, tuple[str, ...], str]]
    places = [(project, module.PROJECT, name) for name, module in FORMATS.items()]
    places += [(home, module.HOME, name) for name, module in FORMATS.items()] if home else []
    for base, patterns, form in places:
        for pattern in patterns:
            for path in sorted(glob.glob(os.path.join(glob.escape(base or ""), pattern), include_hidden=True)):
                if os.path.isfile(path) and os.path.realpath(path) not in seen:
                    seen.add(os.path.realpath(path))
                    yield Target(os.path.normpath(path), form)
    for folder in (".devkit-guard", "rules", "workflows"):
        if os.path.isdir(os.path.join(project, folder)):
            yield from (one for one in below(os.path.join(project, folder)) if one.form in OWN_FORMATS)


def _files(folder: str) -> Iterator[str]:
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and name != ".compiled")
        yield from (os.path.join(base, name) for name in sorted(files))


def _commands_of(path: str) -> str:
    """The folder that holds `commands`, of a file below it."""
    head, _, _ = os.path.abspath(path).rpartition(f"{os.sep}commands{os.sep}")
    return head
