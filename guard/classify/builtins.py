"""What builtins change in the shell that runs them: its directory, variables, functions, options."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from guard.classify.globs import fits
from guard.classify.state import MOST_DIRECTORIES, PARAMETERS, UNKNOWN, State, some_of
from guard.model.argument import Argument, Hole, Outcome, Text
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_ODD_FLAGS = frozenset({"-i", "-l", "-u", "-c", "-n", "-a", "-A", "-r"})


_GLOB = frozenset("*?[")
_HOOKS = frozenset(
    {
        *("command_not_found_handle", "command_not_found_handler", "chpwd", "precmd", "preexec", "periodic"),
        *("zshaddhistory", "zshexit", "zsh_directory_name"),
    }
)


def is_hook(name: str) -> bool:
    """Whether bash or zsh call a function of this name without being told to."""
    return name in _HOOKS or name.startswith(("TRAP", "zle-"))


def target(state: State, path: Argument) -> tuple[str | None, ...]:
    """The directories that `path` may name, seen from the possible working directories; None: an unknown one."""
    texts = path.alternatives()
    if texts is None:
        return _matching(state, path)
    found: list[str | None] = []
    for text in texts:
        for folder in state.directories:
            if text.startswith("~"):
                found.append(None)
            elif text.startswith("/"):
                found += _named(text)
            else:
                found += [None] if folder is None else _named(os.path.join(folder, text))
    return tuple(dict.fromkeys(found)) if len(found) <= MOST_DIRECTORIES else (None,)


def _matching(state: State, path: Argument) -> tuple[str | None, ...]:
    """The folders that are there, for a path that is known but for what `*` and its kin stand for: `*/`, `src/*/lib`.

    Where nothing is there, a command fails. `**` is left out: some shells take it for folders inside folders too.
    """
    pattern = ""
    for piece in path.pieces:
        if isinstance(piece, Text) and not set(piece.text) & _GLOB and not piece.text.startswith("~"):
            pattern += piece.text
        elif isinstance(piece, Hole) and piece.domain == "component" and not pattern.endswith("*"):
            pattern += "*"
        else:
            return (None,)
    if path.many or ".." in pattern.split("/"):
        return (None,)
    found: list[str] = []
    for folder in state.directories:
        if folder is None:
            return (None,)
        below = ["/" if pattern.startswith("/") else folder]
        for part in filter(None, pattern.split("/")):
            try:
                below = [os.path.join(base, name) for base in below for name in _names(base, part)]
            except OSError:
                return (None,)
            if len(below) > MOST_DIRECTORIES:
                return (None,)
        found += below
    places = tuple(dict.fromkeys(found))
    return places if len(places) <= MOST_DIRECTORIES else (None,)


def _names(folder: str, part: str) -> list[str]:
    """The names of folders in `folder` that fit one part of a path; hidden ones too. Raises OSError."""
    if "*" not in part:
        return [part] if os.path.isdir(os.path.join(folder, part)) else []
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name for name in names if fits((part,), (name,)) and os.path.isdir(os.path.join(folder, name))]


def _named(path: str) -> list[str]:
    """The directories an absolute path may mean: `link/..` is the folder of the link to `cd`, that of its target to
    the kernel (`cd -P`, `git -C`, `env -C`)."""
    logical = os.path.normpath(path)
    if ".." not in path.split("/"):
        return [logical]
    physical = os.path.realpath(path)
    return [logical] if physical == os.path.realpath(logical) else [logical, physical]


def _cd(call: Invocation, state: State) -> list[Outcome]:
    operands = call.operands
    if not operands:
        places: tuple[str | None, ...] = (state.home if "HOME" not in state.variables else None,)
    elif len(operands) > 1 or operands[0].many or operands[0].text == "-":
        places = (None,)
    else:
        places = target(state, operands[0])
    before = state.directories
    state.directories = tuple(dict.fromkeys((*places, *before)))
    state.history.directories += places
    state.arrived = places
    return []


def _pushd(call: Invocation, state: State) -> list[Outcome]:
    words = [operand.text or "" for operand in call.operands]
    turned = any(not word or word.startswith(("-", "+")) for word in words)
    return _anywhere(call, state) if call.options or turned or len(words) != 1 else _cd(call, state)


def _anywhere(_: Invocation, state: State) -> list[Outcome]:
    state.directories = (None, *filter(None, state.directories))
    state.history.directories.append(None)
    return []


def _set(call: Invocation, state: State) -> list[Outcome]:
    if call.operands:
        positional(state, call.operands)
    words = [operand.text or "" for operand in call.operands]
    clusters = (word for word in words if word.startswith("-") and not word.startswith("--"))
    state.strict |= any({"e", "u"} & set(cluster) for cluster in clusters)
    return _shopt(call, state)


def _shopt(call: Invocation, state: State) -> list[Outcome]:
    state.strict |= any(operand.text in _STRICT for operand in call.operands)
    return []


_STRICT = frozenset({"errexit", "nounset"})
"""Options by which a shell ends at a failure (`set -e`, `set -u`)."""


def positional(state: State, words: Sequence[Argument], first: int | None = None) -> None:
    """The positional parameters are no longer those of the environment, but some of these words, or others.

    `first`: each is one of them in their order, and this is the number of the first.
    """
    state.assign("argv", None)
    state.variables.update(dict.fromkeys(PARAMETERS, some_of(words)))
    if first is not None and not any(word.many for word in words):
        state.variables.update({str(first + at): some_of([word]) for at, word in enumerate(words[: 10 - first])})


def _shift(_: Invocation, state: State) -> list[Outcome]:
    value = state.value("@")
    if value is not None:
        positional(state, [value])
    return []


def _unset(call: Invocation, state: State) -> list[Outcome]:
    names = [operand.text for operand in call.operands]
    if None in names:
        names = [*state.functions, *state.variables]
    for name in names:
        if name is not None:
            state.variables[name] = UNKNOWN
            if name in state.functions:
                state.define(name, None)
    return []


def _declare(call: Invocation, state: State) -> list[Outcome]:
    if call.program == "readonly" or call.given(*_ODD_FLAGS):
        names = {(operand.text or "").partition("=")[0].removesuffix("+") for operand in call.operands}
        state.odd |= names
        if call.given("-a", "-A"):
            state.arrays |= names
        if call.program != "readonly" or call.given(*_ODD_FLAGS):
            for name in names:
                state.assign(name, None)
    if call.given("-f", "-F") and call.given("-x", "-r"):
        return [opaque("exported-function", "a function is exported or made readonly", call.span)]
    return []


def _mapfile(call: Invocation, state: State) -> list[Outcome]:
    for operand in call.operands:
        if operand.text is not None:
            state.assign(operand.text, None)
            state.arrays |= {operand.text}
    return []


def _read(call: Invocation, state: State) -> list[Outcome]:
    array = call.given("-a")
    if array is not None and array.value is not None:
        state.arrays |= {array.value.text or ""}
    return []


CHANGES: dict[str, Callable[[Invocation, State], list[Outcome]]] = {
    "cd": _cd,
    "declare": _declare,
    "export": _declare,
    "local": _declare,
    "mapfile": _mapfile,
    "popd": _anywhere,
    "pushd": _pushd,
    "read": _read,
    "readonly": _declare,
    "set": _set,
    "shift": _shift,
    "shopt": _shopt,
    "typeset": _declare,
    "unset": _unset,
}
