"""Imports of the witnesses without what they only need to build their tables or to read their own data files.

`bashlex/__init__` and `tree_sitter_bash/__init__` pull in `inspect` and `importlib.resources`, which cost more than the
whole judgement. For the time of an import an empty package stands in for them. If anything is not as expected, the
ordinary import happens instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def without_initializer(package: str) -> Iterator[None]:
    """Within the block, `import package.module` does not run `package/__init__.py`."""
    if package in sys.modules:
        yield
        return
    locations = None
    for finder in sys.meta_path:
        spec = finder.find_spec(package, None)
        if spec is not None:
            locations = spec.submodule_search_locations
            break
    if not locations:
        raise ImportError(f"no package {package}")
    stand_in = ModuleType(package)
    stand_in.__path__ = list(locations)
    sys.modules[package] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(package) is stand_in:
            del sys.modules[package]


@contextmanager
def without_module(name: str) -> Iterator[None]:
    """Within the block, `import name` gives an empty module, unless the real one is loaded already."""
    if name in sys.modules:
        yield
        return
    stand_in = ModuleType(name)
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]
