"""Which repository a folder belongs to, found by looking for `.git`; git itself is never run. On the hook path."""

from __future__ import annotations

import os

from guard.store.content import content


def root_of(folder: str) -> str | None:
    """The top of the work tree that holds `folder`, symlinks resolved; None outside of any.

    A linked work tree is a repository of its own; a submodule belongs to the one around it, so that `cd` into it is no
    way out.
    """
    here = os.path.realpath(folder)
    found = None
    while True:
        git = os.path.join(here, ".git")
        if os.path.lexists(git):
            if not _submodule(git):
                return here
            found = found or here
        above = os.path.dirname(here)
        if above == here:
            return found
        here = above


def home_of(folder: str) -> str:
    """What a session that is started in `folder` is bound to: the repository, outside of any the folder itself."""
    return root_of(folder) or os.path.realpath(folder)


def belongs(folder: str | None, home: str) -> bool:
    """Whether a caller that works in `folder` is bound by what is bound to `home`. An unknown folder is."""
    if folder is None:
        return True
    root = root_of(folder)
    if root is not None:
        return root == home
    here = os.path.realpath(folder)
    return here == home or here.startswith(home.rstrip("/") + "/")


def _submodule(git: str) -> bool:
    """Whether a `.git` file points into the `modules` of the repository around it."""
    try:
        target = content(git, 4096)
    except OSError:  # a folder, so a repository; or no file, so better taken as a boundary that is none
        return not os.path.isdir(git)
    return target.startswith(b"gitdir:") and b"/modules/" in target and b"/worktrees/" not in target
