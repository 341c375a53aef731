"""`devkit-guard new rule PROGRAM`: a rule file to be judged, from the program's manual page or its help."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import string
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from guard import settings
from guard.model.errors import UsageError
from guard.rulebook import Rulebook
from guard.rulebook.load import valid
from guard.scaffold import options, rule
from guard.scaffold.options import plain

_NAME = frozenset(string.ascii_letters + string.digits + "-_+.")
_SECTIONS = "1:8:6"
_SECONDS = 10.0
_LARGEST = 1 << 20
_BOUNDED = ("sh", "-c", 'ulimit -f 2048; exec "$@"', "sh")
"""Runs a program that cannot write files larger than a megabyte."""
_HERE = os.path.join("rules", "commands")


class Text(NamedTuple):
    """What a program says of itself, in one line and in full, and where it was found."""

    summary: str
    full: str
    source: str


def run(program: str, *, user: bool, output: str | None, run_help: bool) -> int:
    """Makes the file; 0. Raises UsageError where it cannot, and nothing was made then."""
    named(program)
    if user and output is not None:
        raise UsageError("--user and --output name two places: leave one out")
    path = output or place(program, user, os.environ)
    if path != "-" and os.path.lexists(path):
        raise UsageError(f"{path}: is there already, and is not overwritten")
    found = manual(program) or (helped(program) if run_help else None)
    if found is None:
        raise UsageError(_nothing(program, run_help))
    read = options(found.full)
    text = rule(program, read, found.summary, found.source, schema(path))
    if path == "-":
        sys.stdout.write(text)
        return 0
    write(path, text)
    sys.stdout.write(f"{path}: {len(read)} options to be judged, from {found.source}\n")
    sys.stdout.write(f"next: judge every TODO, then devkit-guard lint {shlex.quote(path)}\n")
    if Rulebook().rule(program) is not None:
        sys.stdout.write(f"{program} has a shipped rule: both have to allow a call, unless yours says override: true\n")
    return 0


def named(program: str) -> None:
    """Raises UsageError for what cannot be the name of a program's rule."""
    if "/" in program:
        raise UsageError(f"'{program}' is a path: give the program's name, as it is called from the PATH")
    if not set(program) <= _NAME or program.startswith("-") or not valid(program):
        raise UsageError(f"'{program}' cannot be a program's name: expected letters, digits and - _ + . of ASCII")


def place(program: str, user: bool, environ: Mapping[str, str]) -> str:
    """The file to make. Raises UsageError where there is no place for it, or an alias has it already."""
    if user:
        folder = settings.user_folder(environ)
        if folder is None:
            raise UsageError("no place for your own rules: HOME is not set")
        return os.path.join(folder, _HERE, f"{program}.yaml")
    if not os.path.isdir(_HERE):
        raise UsageError(f"there is no folder {_HERE} here: give --user for your own rules, or --output FILE")
    path = os.path.join(_HERE, f"{program}.yaml")
    known = None if os.path.lexists(path) else Rulebook("rules").rule(program)
    if known is not None:
        raise UsageError(f"{program} has a rule already: {known.file}")
    return path


def manual(program: str) -> Text | None:
    """The manual page of a program, rendered without a pager, or None where there is none."""
    if shutil.which("man") is None:
        return None
    path = _man("-w", program).partition("\n")[0].strip()
    full = _man(program) if path else ""
    if not full.strip():
        return None
    head = plain(full).partition("NAME\n")[2].partition("\n\n")[0]
    return Text(" ".join(head.split()).partition(" - ")[2], full, path)


def _man(*words: str) -> str:
    drop = ("MANOPT", "MAN_KEEP_FORMATTING", "PAGER")
    environment = {name: value for name, value in os.environ.items() if name not in drop}
    environment |= {"MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}
    return _output(["man", "-S", _SECTIONS, *words], environment)


def helped(program: str) -> Text | None:
    """What the program prints when it is run with --help; in a sandbox where there can be one, or it says so."""
    path = shutil.which(program)
    if path is None:
        return None
    full = _in_sandbox(os.path.abspath(path))
    if full is None:
        with tempfile.TemporaryDirectory() as folder:
            full = _output([*_BOUNDED, os.path.abspath(path), "--help"], dict(os.environ), folder)
    return Text("", full, f"{program} --help") if full.strip() else None


def _in_sandbox(path: str) -> str | None:
    """What it prints in the sandbox of `prove`, None where that is not possible or cannot see the program."""
    from guard.prove.runner import CannotRunError, run
    from guard.prove.sandbox import OVERLAID
    from guard.prove.states import PLAIN, Job

    why = "it stands where the sandbox sees nothing"
    if all(name.split("/")[1] in OVERLAID for name in (path, os.path.realpath(path))):
        job = Job(0, f"{shlex.quote(path)} --help", PLAIN[0], (), _SECONDS, _LARGEST)
        try:
            (result,) = run([job], lambda _: False, 1)
        except CannotRunError as error:
            why = str(error)
        else:
            did = sorted({kind for kind, _ in result.seen if kind not in (None, "read", "cache")})
            sys.stderr.write(f"devkit-guard: --help did more than read: {', '.join(did)}\n" if did else "")
            return result.said
    sys.stderr.write(f"devkit-guard: {path} --help is run without a sandbox: {why}\n")
    return None


def _output(words: list[str], environment: dict[str, str], folder: str | None = None) -> str:
    """What a program prints without input, cut where it is too much or not ended in time; in `folder` errors too."""
    with tempfile.TemporaryFile() as printed:  # no pipe: what the program leaves running would keep that open
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed if folder else subprocess.DEVNULL,
                env=environment,
                cwd=folder,
                start_new_session=True,
            )
        except OSError:
            return ""
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # its own session, so nothing but what it started
        process.wait()
        printed.seek(0)
        return printed.read(_LARGEST).decode("utf-8", "replace")


def _nothing(program: str, run_help: bool) -> str:
    lacks = "no manual page of it" if shutil.which("man") else "no `man` to read its manual page with"
    if shutil.which(program) is None:
        return f"{program} is not found: there is {lacks}, and no program of this name on the PATH"
    if run_help:
        return f"{program}: there is {lacks}, and it printed nothing when it was run with --help"
    return f"{program}: there is {lacks}; with --run-help it is run with --help, in a sandbox where there can be one"


def schema(path: str) -> str:
    """Where an editor finds the schema of rules, relative to the file where both are in one checkout."""
    shipped = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lint/schemas/rule.schema.json")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(shipped))))
    folder = os.path.dirname(os.path.abspath(path))
    inside = path != "-" and os.path.commonpath([root, folder]) == root
    return os.path.relpath(shipped, folder) if inside else shipped


def write(path: str, text: str) -> None:
    """Makes the file, with the folders it needs; never one that is there."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path}: is there already, and is not overwritten") from error
