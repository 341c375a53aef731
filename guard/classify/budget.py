"""What is kept for a whole classification, through all texts and shells in it."""

from __future__ import annotations

from guard.classify.state import State
from guard.model.argument import RunsShell
from guard.model.syntax import Script
from guard.rulebook import Rulebook

MAX_COMMANDS = 4000
"""Commands judged for one text, loop bodies counted as often as they are walked."""
MAX_SHELLS = 10
"""Shells inside shells (`sh -c "sh -c …"`)."""


class Budget:
    """What is left of the bounds of one classification, and every script that was read for it."""

    def __init__(self, book: Rulebook, run: tuple[tuple[str, ...], ...] = ()) -> None:
        self.book = book
        self.run = run
        self.commands = MAX_COMMANDS
        self.scripts: list[Script] = []
        self.later: list[tuple[RunsShell, State, int]] = []
        """Actions that a shell keeps, to be judged once more by all that follows them."""
        self.stops: list[State] | None = None
        """States in which bash may have left the line, to go on with the next line of the text; None: it has one."""
        self.origins: dict[int, str] = {}
        """The text that a function's body stands in, by its identity: it may be called in another one (`eval`)."""

    def may_stop(self, state: State) -> None:
        """An expansion that may fail (`$((1/0))`): bash then goes on with the next line of the text."""
        if self.stops is not None:
            self.stops.append(state.copy())

    def next_line(self, state: State) -> None:
        """The state at the beginning of a line, however the line before it ended."""
        for stopped in self.stops or ():
            state.join_stopped(stopped)
        if self.stops:
            self.stops.clear()
