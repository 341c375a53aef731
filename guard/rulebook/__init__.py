"""What programs can do: rules from YAML, and the one argv parser that reads a command line by them."""

from guard.rulebook.load import Rulebook

__all__ = ["Rulebook"]
