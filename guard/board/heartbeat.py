"""Renews the leases of a living session, from a thread of the process that serves it."""

from __future__ import annotations

import threading

from guard.board.cards import Board
from guard.board.lease import Lease
from guard.model.errors import GuardError


class Heartbeat:
    """Leases by board and card. The thread starts with the first one and dies with the process."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], tuple[Board, Lease]] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def hold(self, board: Board, card: str, lease: Lease) -> None:
        """Renew this lease from now on."""
        with self._lock:
            self._held[board.store.root, card] = (board, lease)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="board-heartbeat", daemon=True)
                self._thread.start()
        self._wake.set()

    def drop(self, board: Board, card: str) -> None:
        """Renew it no longer."""
        with self._lock:
            self._held.pop((board.store.root, card), None)

    def holds(self, board: Board, card: str) -> bool:
        """Whether a lease on this card is renewed."""
        return (board.store.root, card) in self._held

    def beat(self) -> None:
        """Renew every lease once; those that are lost are forgotten."""
        with self._lock:
            held = list(self._held.items())
        for (_, card), (board, lease) in held:
            try:
                lives = board.renew(card, lease)
            except GuardError:
                continue  # a full disk or a busy journal: the next beat may reach it
            if not lives:
                with self._lock:
                    if self._held.get((board.store.root, card)) == (board, lease):
                        del self._held[board.store.root, card]

    def _run(self) -> None:
        while True:
            with self._lock:
                pauses = [board.pipeline.heartbeat for board, _ in self._held.values()]
            self._wake.wait(min(pauses, default=None))
            self._wake.clear()
            self.beat()
