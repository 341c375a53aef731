"""The guard's own files among the words of a command: whoever does more than read may not even name them.

A write whose path is known is judged by that path. What a program does with its words is known of few programs, and not
at all of those that a grant lets run, so for all others naming such a file is enough.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from guard.classify import targets
from guard.classify.state import State, pattern
from guard.model.argument import Argument
from guard.model.effect import Effect, Kind, Reason
from guard.rulebook import Rulebook

_HARMLESS = frozenset({Kind.READ, Kind.CACHE, Kind.READ_SECRET, Kind.NET_READ})
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/*~+@")


def named(
    book: Rulebook, words: tuple[Argument, ...], stdin: Argument | None, state: State, effects: list[Effect]
) -> list[Effect]:
    """An opaque effect for each word that names such a file, if the command (its `effects`) does more than read.

    The text of a program that is run (`python -c`, a here-document) is searched for such names too, and a folder that
    is removed for such files.
    """
    kinds = {effect.kind for effect in effects if not _judged_by_path(effect)} - _HARMLESS
    code = Kind.EXEC in kinds or Kind.OPAQUE in kinds
    on_files = [effect for effect in effects if _judged_by_path(effect)]
    if not (kinds or on_files):
        return []
    kept = targets.kept_folders(book)
    found = []
    for word in (*_that_count(words), *([stdin] if stdin is not None and code else [])) if kinds else ():
        for path in _paths(word, code):
            place, why = _own(book, path, state, kept)
            if why is not None:
                message = f"names `{path}`, {why}, and may do more than read it"
                found.append(Effect(Kind.OPAQUE, Reason(targets.OWN_FILES, message, word.span), place))
                break
    for effect in on_files:
        place, why = _own(book, str(effect.target), state, kept)
        why = why or (_held(book, effect.target, state) if effect.kind is Kind.DELETE else None)
        if why is not None:
            message = f"{effect.reason.message}: `{effect.target}` is or holds {why}"
            found.append(Effect(Kind.OPAQUE, Reason(targets.OWN_FILES, message, effect.reason.span), place))
    return found


def _judged_by_path(effect: Effect) -> bool:
    """Whether it falls on one file that is known, so that other words need not be looked at for it."""
    return effect.kind in (Kind.WRITE, Kind.DELETE) and effect.target is not None


def _that_count(words: tuple[Argument, ...]) -> Iterator[Argument]:
    """The words that may name what is changed: all but the program and what an option leaves out of something."""
    skipped = False
    for word in words[1:]:
        leaves_out = word.start.startswith(("--exclude", "--ignore"))
        if not (skipped or leaves_out):
            yield word
        skipped = leaves_out and "=" not in word.start


def _held(book: Rulebook, folder: str | None, state: State) -> str | None:
    """What a folder holds that has to stay, from any of the possible working directories, or None."""
    if folder is None or "\0" in folder:
        return None
    here = [path for path in state.directories if path is not None]
    stays = [os.path.realpath(path) for path in (*here, state.home, *targets.state_folders()) if path]
    for base in here or ["/"]:
        real = os.path.realpath(os.path.join(base, folder))
        if not os.path.isdir(real):
            continue
        if any(os.path.commonpath([real, path]) == real for path in stays):
            return "the folder it runs in, the home folder, or the state of workflows"
        why = targets.holds_own(book, real)
        if why is not None:
            return why
    return None


def _own(book: Rulebook, path: str, state: State, kept: targets.Kept) -> tuple[str, str | None]:
    """Which of the guard's own a path may be, from any of the possible working directories, links followed or not."""
    places = [path]
    if not path.startswith(("/", "~")):
        places = [os.path.join(folder, path) for folder in state.directories if folder is not None] or places
    for place in places:
        why = targets.own(book, place, state.home, kept)
        if why is None and place.startswith("/") and "*" not in place and "\0" not in place:
            why = targets.own(book, os.path.realpath(place), state.home, kept)
        if why is not None:
            return place, why
    return path, None


def _paths(word: Argument, code: bool) -> list[str]:
    """The paths that a word may stand for or, if it may be `code`, hold."""
    found = []
    for text in word.alternatives() or [pattern(word)]:
        if "://" in text:
            continue
        whole = not any(char.isspace() for char in text)
        option = text.startswith("-")
        pieces = [text.partition("=")[2]] if whole else []
        if whole and not (option and text.startswith("--")):
            pieces.append(text[2:] if option else text)
        if code:
            pieces += "".join(char if char in _IN_NAMES else " " for char in text).split()
        found += [piece for piece in dict.fromkeys(pieces) if piece.strip("*./")]
    return found
