"""Imports of the witnesses without what they only need to build their tables or to read their own data files.

`bashlex/__init__` and `tree_sitter_bash/__init__` pull in `inspect` and `importlib.resources`, which cost more than the
whole judgement. For the time of an import an empty package stands in for them. If anything is not as expected, the
ordinary import happens instead.
"""

from __future__ import annotations

import sys


class StandIn:
    """Within a `with` block, `import name` gives an empty module, unless the real one is loaded already.

    With `package`, the modules of the real package can still be imported, but its `__init__.py` does not run. `names`
    are what the empty module has after all.
    """

    def __init__(self, name: str, package: bool = False, names: dict[str, object] | None = None) -> None:
        self.name = name
        self.package = package
        self.module = type(sys)(name)
        self.module.__dict__.update(names or {})

    def __enter__(self) -> None:
        if self.name in sys.modules:
            return
        if self.package:
            self.module.__path__ = _locations(self.name)
        sys.modules[self.name] = self.module

    def __exit__(self, *_: object) -> None:
        if sys.modules.get(self.name) is self.module:
            del sys.modules[self.name]


def _locations(package: str) -> list[str]:
    for finder in sys.meta_path:
        spec = finder.find_spec(package, None)
        if spec is not None and spec.submodule_search_locations:
            return list(spec.submodule_search_locations)
    raise ImportError(f"no package {package}")
