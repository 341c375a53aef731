"""The nouns of the guard. Standard library only; nothing here reads, decides or prints.

The records are `NamedTuple`s and not frozen dataclasses: `dataclasses` imports `inspect`, which alone costs the hook
twice a bare interpreter start (see tests/bench/).
"""
