"""A rule to be judged, made from what a program says of itself: help text or a rendered manual page in, YAML out."""

from guard.scaffold.options import options
from guard.scaffold.rule import rule

__all__ = ["options", "rule"]
