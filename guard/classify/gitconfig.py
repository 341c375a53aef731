"""git configuration files as git reads them, and where the programs that they name lie.

The grammar is that of git-config(1), "Syntax": sections with quoted subsections, keys of letters, digits and `-`,
values with quotes, escapes, comments and continued lines. Anything else is `Unreadable`.
"""

from __future__ import annotations

import os
import stat

from guard.model.record import NamedTuple

_BLANKS = " \t\r"
_JOINT = "\0"
"""Stands between a line and the one that continues it; files with NULs are refused before."""
_REFUSED = "\0"

_LIMIT = 1 << 20
_DEPTH = 10
_FILES = 50


class Unreadable(Exception):  # noqa: N818 - a finding that is reported, not a failure of the guard
    """A configuration that cannot be read for certain; the text says which and why."""


class Entry(NamedTuple):
    """`key` is (section, subsection, name), section and name in lower case. `value` of a bare key is `true`.

    `untrusted`: the file it stands in lies in a work tree or where anybody may write, so it is not the user's own.
    """

    key: tuple[str, str, str]
    value: str
    path: str
    untrusted: bool


class Reading:
    """Collects the entries of several files, includes followed. `trees` are the work trees that nobody vouches for."""

    def __init__(self, directory: str, trees: tuple[str, ...]) -> None:
        self.directory = directory
        self.trees = trees
        self.entries: list[Entry] = []
        self.count = 0

    def file(self, path: str, depth: int = 0, untrusted: bool = False) -> None:
        """Adds the entries of one file, if it is there. Raises Unreadable."""
        text = _content(path)
        if text is None:
            return
        self.count += 1
        if depth > _DEPTH or self.count > _FILES:
            raise Unreadable(f"{path}: too many included files")
        for key, value in parse(text, path):
            self.entries.append(Entry(key, value, path, untrusted))
            if key[2] == "path" and key[0] in ("include", "includeif"):
                if value.startswith("%("):
                    raise Unreadable(f"{path}: an included path that depends on how git was installed")
                included = os.path.join(os.path.dirname(path), os.path.expanduser(value))
                doubtful = untrusted or lies_in(os.path.realpath(included), self.trees, self.directory)
                self.file(included, depth + 1, doubtful)


def user_files() -> tuple[str, ...]:
    """The configuration files of the system and of the user, those that may exist."""
    home = os.environ.get("HOME", "")
    base = os.environ.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    found = ["/etc/gitconfig"]
    if "GIT_CONFIG_GLOBAL" in os.environ:
        return (*found, os.environ["GIT_CONFIG_GLOBAL"])
    found += [os.path.join(base, "git", "config")] if base else []
    found += [os.path.join(home, ".gitconfig")] if home else []
    return tuple(found)


def _content(path: str) -> str | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Unreadable(f"{path}: not a regular file")
            raw = os.read(handle, _LIMIT + 1)
        finally:
            os.close(handle)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > _LIMIT:
        raise Unreadable(f"{path}: larger than {_LIMIT} bytes")
    if b"\0" in raw:
        raise Unreadable(f"{path}: not a text file")
    return raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def parse(text: str, path: str) -> list[tuple[tuple[str, str, str], str]]:
    """All (section, subsection, name) and value pairs of a file's text. Raises Unreadable."""
    found: list[tuple[tuple[str, str, str], str]] = []
    section = ("", "")
    lines = text.replace("\r\n", "\n").split("\n")
    index = 0
    while index < len(lines):
        line = lines[index].lstrip(_BLANKS)
        index += 1
        while line.startswith("["):
            head = _section(line)
            if head is None:
                raise Unreadable(f"{path}:{index}: not a section that git reads")
            section, line = head
        if not line or line[0] in "#;":
            continue
        name, rest = _name(line)
        if not name:
            raise Unreadable(f"{path}:{index}: not a line that git reads")
        if rest is None:
            found.append(((*section, name.lower()), "true"))
            continue
        value = _value(rest)
        while value is None:
            rest = rest[:-1] + _JOINT + (lines[index] if index < len(lines) else "")
            index += 1
            value = _value(rest)
        if value == _REFUSED:
            raise Unreadable(f"{path}:{index}: not a value that git reads")
        found.append(((*section, name.lower()), value))
    return found


def _section(line: str) -> tuple[tuple[str, str], str] | None:
    """The section and subsection of a line that starts with `[`, and what stands after `]`."""
    position = 1
    while position < len(line) and (line[position].isalnum() or line[position] in "-."):
        position += 1
    name = line[1:position]
    if not name.isascii() or position == len(line):
        return None
    if line[position] == "]":
        base, _, subsection = name.lower().partition(".")
        return (base, subsection), line[position + 1 :].lstrip(" \t")
    position += len(line[position:]) - len(line[position:].lstrip(" \t"))
    if position == len(line) or line[position] != '"':
        return None
    subsection = ""
    position += 1
    while position < len(line) and line[position] != '"':
        if line[position] == "\\":
            position += 1
        subsection += line[position : position + 1]
        position += 1
    if line[position : position + 2] != '"]':
        return None
    return (name.lower(), subsection), line[position + 2 :].lstrip(" \t")


def _name(line: str) -> tuple[str, str | None]:
    """The key's name at the start of a line, and what follows `=`; None where there is no `=`."""
    position = 0
    while position < len(line) and line[position].isascii() and (line[position].isalnum() or line[position] == "-"):
        position += 1
    name, rest = line[:position], line[position:].lstrip(" \t")
    if not name or not name[0].isalpha():
        return "", None
    if not rest:
        return name, None
    return (name, rest[1:]) if rest[0] == "=" else ("", None)


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


def _value(text: str) -> str | None:
    """The value written in `text`; None where it goes on in the next line, _REFUSED where git refuses it."""
    if not any(char in '"\\#;\0' for char in text):
        return text.strip(_BLANKS)
    found, kept, quoted, position = "", 0, False, 0
    while position < len(text):
        char = text[position]
        position += 1
        if char in _BLANKS and not quoted:
            found += char if found else ""
            continue
        if char in "#;" and not quoted:
            break
        if char == '"':
            quoted = not quoted
        elif char == "\\":
            if position == len(text):
                return None
            if text[position] not in _ESCAPES:
                return _REFUSED
            found += _ESCAPES[text[position]]
            position += 1
        elif char != _JOINT:
            found += char
        kept = len(found)
    return _REFUSED if quoted else found[:kept]


def lies_in(path: str, trees: tuple[str, ...], directory: str) -> bool:
    """Whether an absolute path lies in a work tree or where anybody may write, except for the repository itself."""
    if is_below(path, directory):
        return False
    return any(is_below(path, tree) for tree in trees) or _anybody_may_write(path)


def is_below(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or something in it; both absolute and without links."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _anybody_may_write(path: str) -> bool:
    while True:
        try:
            if os.stat(path).st_mode & stat.S_IWOTH:
                return True
        except OSError:
            pass  # what is not there is judged by the folder it would be in
        if path == "/":
            return False
        path = os.path.dirname(path)


def points_into(value: str, trees: tuple[str, ...], directory: str) -> bool:
    """Whether a command of the configuration names a file in a work tree or where anybody may write.

    The command is read roughly and to the safe side: every word that could be a path is looked at, and a word that a
    shell would make at run time counts as one that points there.
    """
    for index, word in enumerate(_words(value)):
        name = word.rpartition("=")[2] if index else word
        if "`" in name or "$" in name.replace("$HOME/", "", 1).replace("${HOME}/", "", 1):
            if "/" in name or "(" in name or "`" in name:
                return True
            continue
        name = os.path.expanduser(name.replace("$HOME", "~", 1).replace("${HOME}", "~", 1))
        if name.startswith("/"):
            if lies_in(os.path.normpath(name), trees, directory) or lies_in(os.path.realpath(name), trees, directory):
                return True
        elif _is_relative_file(name, index == 0, trees, directory):
            return True
    return False


def _is_relative_file(name: str, first: bool, trees: tuple[str, ...], directory: str) -> bool:
    """Whether a relative word names a file: filters and hooks run at the top of the work tree."""
    if first and "/" not in name:
        return False  # looked up in PATH
    certain = first or name.startswith(("./", "../"))
    paths = [os.path.realpath(os.path.join(tree, name)) for tree in trees]
    if certain:
        return not paths or not all(is_below(path, directory) for path in paths)
    return any(os.path.isfile(path) and not is_below(path, directory) for path in paths)


def _words(value: str) -> list[str]:
    """The words of a command, quotes and shell operators taken as blanks; a leading `!` is git's own mark."""
    text = value.removeprefix("!")
    for char in "\"'\\;&|<>(){},":
        if char != "(" or "$(" not in text:
            text = text.replace(char, " ")
    return text.split()
