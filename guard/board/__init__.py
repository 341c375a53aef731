"""The task board: cards that move through a fixed pipeline of stages, held in the workspace as plain files.

What stands here is for the hook and cheap to import; the operations are in `guard.board.cards`.
"""

from guard.board.holding import protected, steps_for

__all__ = ["protected", "steps_for"]
