"""Whether the go command, run in a directory, would fetch and run another go that `go.mod` or `go.work` asks for.

Since 1.21 every subcommand does, `go version` too, where the module wants a newer one: found by reading files.
https://go.dev/doc/toolchain
"""

from __future__ import annotations

import os

Version = tuple[int, ...]
_FIRST = (1, 21)
"""The first release that looks for other toolchains."""
_LARGE = 1 << 20


def check(directory: str, environment: dict[str, str]) -> str | None:
    """Why go must not run in `directory` (absolute), or None. `environment` is that of the user."""
    if environment.get("GOTOOLCHAIN") == "local":
        return None
    wanted = [line for name in ("go.work", "go.mod") for line in _lines(directory, name)]
    if not wanted:
        return None
    installed = _installed(environment.get("PATH", ""))
    if installed is not None and installed < _FIRST:
        return None
    for word, text in wanted:
        version = _version(text)
        if text == "default" or (version is not None and version <= (installed or _FIRST)):
            continue
        return f"the module here asks for {word} {text}, which go may fetch and run"
    return None


def _lines(directory: str, name: str) -> list[tuple[str, str]]:
    """The `go` and `toolchain` lines of the nearest file of this name upwards."""
    folder = os.path.realpath(directory)
    while True:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                words = [line.split() for line in file.read(_LARGE).splitlines()]
            return [(found[0], found[1]) for found in words if len(found) > 1 and found[0] in ("go", "toolchain")]
        except OSError:
            if folder == os.path.dirname(folder):
                return []
            folder = os.path.dirname(folder)


def _installed(path: str) -> Version | None:
    """The release of the first go of PATH, by the file VERSION of its own folder; None where that is not known."""
    for folder in path.split(":"):
        program = os.path.join(folder, "go")
        if folder.startswith("/") and os.access(program, os.X_OK):
            top = os.path.dirname(os.path.dirname(os.path.realpath(program)))
            try:
                with open(os.path.join(top, "VERSION"), encoding="utf-8", errors="replace") as file:
                    return _version(file.readline().strip())
            except OSError:
                return None
    return None


def _version(text: str) -> Version | None:
    """`1.22.3` and `go1.22.3` as numbers; None for pre-releases and names of one's own."""
    parts = text.removeprefix("go").split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else None
