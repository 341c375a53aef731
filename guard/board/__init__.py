"""The task board: cards that move through a fixed pipeline of stages, held in the workspace as plain files.

What stands here is for the hook and cheap to import; the operations are in `guard.board.cards`.
"""

from guard.board.holding import concerns, holds, protected, steps_for

__all__ = ["concerns", "holds", "protected", "steps_for"]
