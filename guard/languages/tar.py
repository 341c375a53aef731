"""tar: the operation, in a first word without a dash (`tar tzf x`) or as an option, and where the archive is.

Listing and comparing read; extracting writes unless to standard output (`-O`); creating writes unless to `-f -`. An
archive `host:file` is fetched through a remote shell, unless a slash stands before the colon.
Sources: https://www.gnu.org/software/tar/manual/tar.html (4.2 and 6.1), tar(1) of FreeBSD (libarchive).
"""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome, ReadsPath, WritesPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation
from guard.model.syntax import Span

_MODES = ("-t", "-x", "-c", "-d", "-r", "-u", "-A", "--delete", "--test-label")
_READING = frozenset(["-t", "-d", "--test-label"])
_LETTERS = frozenset("txcdruAvzjJZahpPomOiSB")
_LETTERS_WITH_ARGUMENT = frozenset("fbCX")


class _Command:
    """Modes and option-arguments of both styles; `operands` without those that belong to the first word."""

    def __init__(self, call: Invocation) -> None:
        self.modes = [(option.name, option.span) for option in call.options if option.name in _MODES]
        self.archives = [option.value for option in call.options if option.name == "-f" and option.value]
        self.reads: list[Argument] = []
        self.to_stdout = call.given("-O") is not None
        self.operands = call.operands
        self.understood = True
        first = call.operands[0] if call.operands else None
        starts = [option.span.start for option in call.options]
        if first is not None and call.separator != 0 and all(first.span.start <= start for start in starts):
            self.understood = self.cluster(first, call)

    def cluster(self, first: Argument, call: Invocation) -> bool:
        """Reads a first word without a dash; its option-arguments are the words behind it, whatever they are."""
        letters = first.text
        if not letters or not set(letters) <= _LETTERS | _LETTERS_WITH_ARGUMENT:
            return False
        wanted = [letter for letter in letters if letter in _LETTERS_WITH_ARGUMENT]
        taken = call.operands[1 : 1 + len(wanted)]
        later = [option.span.start for option in call.options if taken and option.span.start <= taken[-1].span.start]
        if len(taken) < len(wanted) or later or any(word.many for word in taken):
            return False
        if call.separator is not None and call.separator <= len(taken):
            return False
        for letter, word in zip(wanted, taken, strict=True):
            if letter == "f":
                self.archives.append(word)
            elif letter != "b":
                self.reads.append(word)
        self.modes += [("-" + letter, first.span) for letter in letters if "-" + letter in _MODES]
        self.to_stdout |= "O" in letters
        self.operands = call.operands[1 + len(taken) :]
        return True


def judge(call: Invocation) -> list[Outcome]:
    """What becomes of the archive and of files."""
    command = _Command(call)
    if not command.understood:
        message = "the first word of tar names its options, and this one is not understood"
        return [opaque("tar-options", message, call.operands[0].span, rule=call.rule)]
    if not command.modes:
        if not call.operands and call.given("--help", "--version", "--usage", "--show-defaults"):
            return []
        return [opaque("tar-mode", "tar without a known operation", call.span, rule=call.rule)]
    found: list[Outcome] = [ReadsPath(word) for word in command.reads]
    if not call.given("--force-local"):
        found += [effect for effect in (_remote(call, word) for word in command.archives) if effect]
    for mode, span in command.modes:
        found += _mode(call, command, mode, span)
    return found


def _mode(call: Invocation, command: _Command, mode: str, span: Span) -> list[Outcome]:
    read: list[Outcome] = [ReadsPath(word) for word in command.archives if word.text != "-"]
    files: list[Outcome] = [ReadsPath(word) for word in command.operands]
    if mode in _READING:
        return read + files if mode == "-d" else read
    if mode == "-x":
        if command.to_stdout:
            return read
        reason = Reason("tar-extract", "writes the members of the archive", span, call.rule)
        return [Effect(Kind.WRITE, reason)]
    if mode == "-c":
        if not command.archives:
            message = "writes the archive to where tar was built to, or to what TAPE says"
            return [Effect(Kind.WRITE, Reason("tar-create", message, span, call.rule))]
        targets = [word for word in command.archives if word.text != "-"]
        return files + [WritesPath(word, "tar writes this archive", rule=call.rule) for word in targets]
    return [Effect(Kind.WRITE, Reason("tar-change", f"`{mode}` changes the archive", span, call.rule))]


def _remote(call: Invocation, archive: Argument) -> Effect | None:
    """The effect of an archive on another machine, or that could be on one."""
    for piece in archive.pieces:
        if isinstance(piece, Hole):
            texts = piece.values or (":" if piece.domain not in ("number", "integer") else "",)
        else:
            texts = (piece.text,)
        for text in texts:
            head, colon, _ = text.partition(":")
            if colon and "/" not in head:
                message = "an archive name with a colon may go through a remote shell: start it with `./` or `/`"
                reason = Reason("tar-remote", message, archive.span, call.rule)
                return Effect(Kind.EXEC, reason, archive.text)
        if not archive.many and all("/" in text for text in texts):
            return None
    return None
