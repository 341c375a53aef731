"""The board as plain files under `<workspace>/.devflow/`, for agents on one machine.

    tasks/<id>/card.md  journal.jsonl  claim.json  artifacts/<rev>-<kind>.md
    archive/<YYYY-MM>/<id>/
    held/<id>           a marker for each lease, so that the hook need not look at every card
    tmp/  lock          files in the making; the lock of creators

The journal is locked by `flock` on itself for as long as it takes to read its revision and append. Everything that a
change needs besides is prepared before the lock and put in place by a rename before the append, and counts only with
it; card.md, made after it, never counts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import uuid
from collections.abc import Callable, Iterator

from guard.board import card as cards
from guard.board import durable, journal
from guard.board import lease as leases
from guard.board.journal import JournalError, Record
from guard.board.lease import Lease
from guard.board.rejections import BoardError
from guard.board.storage import Change

FOLDER = ".devflow"
READ_LIMIT = 4 << 20
"""Largest artifact that is read, in bytes."""
_UNSHARED = b"# What only this machine knows.\nclaim.json\n/held/\n/tmp/\n/lock\n"


class FileStore:
    """The store in `<root>/.devflow`; the folder is made by the first card."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.base = os.path.join(root, FOLDER)

    def ids(self) -> list[str]:
        """Ids of the cards in tasks/, by number."""
        with self._reported(self._path("tasks")):
            return sorted(filter(cards.number_of, _names(self._path("tasks"))), key=cards.number_of)

    def folder(self, card: str) -> str:
        """The card's folder; BoardError `unknown-card`."""
        if cards.number_of(card):
            folder = self._path("tasks", card)
            if _is_folder(folder):
                return folder
            for month in sorted(_names(self._path("archive")), reverse=True):
                folder = self._path("archive", month, card)
                if _is_folder(folder):
                    return folder
        raise BoardError("unknown-card", id=card)

    def journal(self, card: str) -> bytes:
        """The journal; where its end looks cut off, read again when nobody is appending."""
        path = os.path.join(self.folder(card), "journal.jsonl")
        with self._reported(path):
            descriptor = _open(path, os.O_RDONLY)
            try:
                raw = durable.read_all(descriptor)
                if not journal.looks_whole(raw):
                    with self._lock(card, descriptor, shared=True):
                        raw = durable.read_all(descriptor)
                return raw
            finally:
                os.close(descriptor)

    def lease(self, card: str) -> Lease | None:
        """The lease in claim.json."""
        return leases.decode(_content(os.path.join(self.folder(card), "claim.json")) or b"")

    def read(self, card: str, path: str) -> bytes:
        """A regular file under the card's folder, symbolic links followed."""
        folder = os.path.realpath(self.folder(card))
        real = os.path.realpath(os.path.join(folder, path))
        if not real.startswith(folder + os.sep):
            raise ValueError("it is not under the card's folder")
        try:
            descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise ValueError((error.strerror or "cannot be read").lower()) from None
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise ValueError("it is not a regular file")
            if found.st_size > READ_LIMIT:
                raise ValueError(f"it is larger than {READ_LIMIT} bytes")
            return durable.read_all(descriptor)
        except OSError as error:
            raise ValueError((error.strerror or "cannot be read").lower()) from None
        finally:
            os.close(descriptor)

    def create(self, slug: str, records: list[Record], parent: str | None, accept: Callable[[bytes], None]) -> str:
        """A new card, made aside and renamed into tasks/ while no other creator counts."""
        with self._reported(self.base):
            self._prepare()
            board = _open(self._path("lock"), os.O_RDWR | os.O_CREAT)
            try:
                with self._lock(slug, board), contextlib.ExitStack() as stack:
                    if parent is not None:
                        accept(durable.read_all(stack.enter_context(self._opened(parent))))
                    card = f"{self._next_number():04d}-{slug}"
                    self._place(card, records)
                    return card
            finally:
                os.close(board)

    def commit(self, card: str, change: Change) -> None:
        """Append at `change.expected`, or raise and leave everything as it was."""
        with self._reported(self.folder(card)), self._appended(card, change):
            pass

    def renew(self, card: str, lease: Lease) -> bool:
        """Write the heartbeat, if the journal still says that this lease holds the card."""
        with self._reported(self.folder(card)), self._opened(card) as descriptor:
            records, _ = journal.parse_prefix(durable.read_all(descriptor))
            try:
                claim = cards.replay(card, records).claim if records else None
            except JournalError:
                claim = None
            if claim is None or claim.lease != lease.id:
                return False
            self._put(os.path.join(self.folder(card), "claim.json"), leases.encode(lease))
            return True

    def archive(self, card: str, change: Change, month: str) -> None:
        """Append, then move the folder; a card that was left between the two is only moved."""
        # Once the journal says so the card is archived; a folder that cannot be moved is for `doctor` to tell of.
        with self._reported(self.base), self._appended(card, change), contextlib.suppress(OSError):
            folder, target = self.folder(card), self._path("archive", month)
            if folder == self._path("tasks", card):
                os.makedirs(target, exist_ok=True)
                os.rename(folder, os.path.join(target, card))
                durable.sync_folder(target)

    def restore(self, card: str, change: Change) -> None:
        """Move the folder back, then append: in between, the card is in tasks/ and its journal says archived."""
        with self._reported(self.base):
            target = self._path("tasks", card)
            if self.folder(card) != target:
                os.rename(self.folder(card), target)
            with self._appended(card, change):
                pass

    def cut(self, card: str, stamp: str) -> str | None:
        """Take a torn append off the journal, after saving what is taken off; the saved file's path."""
        with self._reported(self.folder(card)), self._opened(card) as descriptor:
            raw = durable.read_all(descriptor)
            _, problem = journal.parse_prefix(raw)
            if problem is None or not problem.torn:
                return None
            saved = os.path.join(self.folder(card), f"journal.torn-{stamp}")
            durable.write_new(saved, raw[problem.keep :])
            durable.sync_folder(self.folder(card))
            os.ftruncate(descriptor, problem.keep)
            os.fsync(descriptor)
            return saved

    def _place(self, card: str, records: list[Record]) -> None:
        made = self._path("tmp", uuid.uuid4().hex)
        try:
            os.mkdir(made)
            os.mkdir(os.path.join(made, "artifacts"))
            durable.write_new(os.path.join(made, "journal.jsonl"), journal.encode(records))
            durable.write_new(os.path.join(made, "card.md"), _projection(card, records))
            durable.sync_folder(made)
            os.rename(made, self._path("tasks", card))
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            raise
        durable.sync_folder(self._path("tasks"))

    @contextlib.contextmanager
    def _appended(self, card: str, change: Change) -> Iterator[None]:
        """Do the change; the body runs after it while the journal is still locked."""
        folder = self.folder(card)
        claim, marker = os.path.join(folder, "claim.json"), self._path("held", card)
        self._prepare()
        made = self._path("tmp", uuid.uuid4().hex)
        try:
            if change.artifact:
                durable.write_new(made, change.artifact[1], mode=0o444)
            with self._opened(card) as descriptor:
                records = journal.parse(durable.read_all(descriptor))
                renewed = change.over is not None and change.over != (self.lease(card),)
                if renewed or records[-1].rev != change.expected:
                    raise BoardError("write-contended", id=card)
                with contextlib.ExitStack() as undo:
                    if change.artifact:
                        self._place_artifact(folder, change.artifact[0], made, undo)
                    if change.take:
                        undo.callback(self._put_back, claim, _content(claim))
                        if not os.path.exists(marker):
                            undo.callback(durable.remove, marker)
                        os.close(_open(marker, os.O_WRONLY | os.O_CREAT))
                        self._put(claim, leases.encode(change.take))
                    if change.records:
                        durable.append(descriptor, journal.encode(change.records))
                    undo.pop_all()
                with contextlib.suppress(OSError):  # done: what follows is for people, and `doctor` tells of it
                    if change.drop:
                        durable.remove(claim)
                        durable.remove(marker)
                    self._put(os.path.join(folder, "card.md"), _projection(card, records + change.records))
                yield
        finally:
            with contextlib.suppress(OSError):
                durable.remove(made)

    def _place_artifact(self, folder: str, name: str, made: str, undo: contextlib.ExitStack) -> None:
        artifacts = os.path.join(folder, "artifacts")
        if not _is_folder(artifacts):
            os.mkdir(artifacts)
        target = os.path.join(artifacts, name)
        # A file of this name can only be left over from an append that never happened.
        undo.callback(durable.remove, target)
        os.rename(made, target)
        durable.sync_folder(artifacts)

    def _put(self, path: str, data: bytes) -> None:
        made = self._path("tmp", uuid.uuid4().hex)
        try:
            durable.write_new(made, data)
            os.rename(made, path)
        except OSError:
            with contextlib.suppress(OSError):
                durable.remove(made)
            raise

    def _put_back(self, path: str, before: bytes | None) -> None:
        with contextlib.suppress(OSError):
            if before is None:
                durable.remove(path)
            else:
                self._put(path, before)

    @contextlib.contextmanager
    def _opened(self, card: str) -> Iterator[int]:
        """The card's journal, open and locked, and still the one at its path."""
        while True:
            path = os.path.join(self.folder(card), "journal.jsonl")
            descriptor = _open(path, os.O_RDWR | os.O_APPEND)
            try:
                with self._lock(card, descriptor):
                    if os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(descriptor)):
                        yield descriptor
                        return
            finally:
                os.close(descriptor)

    @contextlib.contextmanager
    def _lock(self, card: str, descriptor: int, *, shared: bool = False) -> Iterator[None]:
        try:
            with durable.locked(descriptor, shared=shared):
                yield
        except durable.LockTimeoutError:
            raise BoardError("write-contended", id=card) from None

    @contextlib.contextmanager
    def _reported(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            shown = os.path.relpath(os.fsdecode(error.filename) if error.filename else path, self.root)
            raise BoardError("storage-failed", file=shown, problem=error.strerror or str(error)) from error

    def _next_number(self) -> int:
        names = [*_names(self._path("tasks"))]
        for month in _names(self._path("archive")):
            names += _names(self._path("archive", month))
        return max(map(cards.number_of, names), default=0) + 1

    def _prepare(self) -> None:
        for name in ("", "tasks", "held", "tmp"):
            folder = self._path(name) if name else self.base
            if not _is_folder(folder):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(folder)
                    if not name:
                        durable.write_new(os.path.join(folder, ".gitignore"), _UNSHARED)
                if not _is_folder(folder):
                    # A link would let a repository send the board's writes elsewhere.
                    raise NotADirectoryError(20, "is not a folder of its own (a symbolic link or a file)", folder)

    def _path(self, *names: str) -> str:
        return os.path.join(self.base, *names)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _open(path: str, flags: int) -> int:
    # Not blocking: a pipe in the place of a file would stop whoever opens it.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)


def _content(path: str) -> bytes | None:
    try:
        descriptor = _open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        return durable.read_all(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _projection(card: str, records: list[Record]) -> bytes:
    return cards.project(cards.replay(card, records)).encode()
