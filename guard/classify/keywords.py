"""Whether `git archive` may expand keywords, for some of which git runs gpg (`%G?`): decided by reading files.

It does so in files with the attribute export-subst. git takes attributes from the tree that is archived, which cannot
be read here; for HEAD the index and the work tree say which there are, but for changes that are not committed.
https://git-scm.com/docs/gitattributes, https://git-scm.com/docs/index-format
"""

from __future__ import annotations

import os

from guard.classify import repository
from guard.classify.gitconfig import Unreadable
from guard.model.record import TYPE_CHECKING
from guard.store.content import content

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = ".gitattributes"
_AT_THE_TOP = len(_NAME).to_bytes(2, "big") + _NAME.encode() + b"\0"
"""The end of the entry of the top folder's file, in versions 2 and 3: the length of the name, then the name."""
_VERSIONS = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")


def may_be_expanded(directory: str, commit: str, environ: Mapping[str, str]) -> bool:
    """Whether it may for a commit of the repository that git finds from `directory` (absolute)."""
    try:
        found = repository.certain(directory)
        if found is None:
            return False  # git fails
        layout, entries = found
        if commit != "HEAD" or layout.tree is None:
            return True
        home = environ.get("HOME", "")
        config = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        files = [os.path.join(config, "git", "attributes"), os.path.join(layout.common, "info", "attributes")]
        for entry in entries:
            if entry.key == ("core", "", "attributesfile"):
                files.append(home + entry.value[1:] if entry.value.startswith("~/") else entry.value)
        if _is_tracked(layout.directory):
            files.append(os.path.join(layout.tree, _NAME))
        return any(b"export-subst" in content(path) for path in files if os.path.lexists(path))
    except (Unreadable, OSError):
        return True


def _is_tracked(directory: str) -> bool:
    """Whether the top folder has a file of attributes in the index. Raises Unreadable where another folder may have."""
    data = content(os.path.join(directory, "index"))
    elsewhere = any(name.startswith("sharedindex.") for name in os.listdir(directory))
    count = data.count(_NAME.encode())
    # Other versions shorten names; a sparse index has folders in place of what is in them.
    if data[:8] not in _VERSIONS or elsewhere or b"sdir" in data or not count == data.count(_AT_THE_TOP) <= 1:
        raise Unreadable("the index does not say which attributes there are")
    return count == 1
