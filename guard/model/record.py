"""`NamedTuple` for the hook path, and `assert_never`.

To type checkers this is `typing.NamedTuple`. At run time it is a tuple with named fields that costs a tenth of one to
define: `typing` alone takes half as long to import as Python takes to start, and every class of its kind compiles a
constructor from text (see tests/bench/). Fields, defaults, keywords, `_replace`, `_asdict`, `_fields` and `_make` are
the same.
"""

from __future__ import annotations

from _collections import _tuplegetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple, Never
else:

    class NamedTuple(tuple):
        """Base of records; subclasses list their fields as annotations, those with defaults last."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 - never changed, subclasses have their own

        def __init_subclass__(cls) -> None:
            """Makes accessors of the annotated names; a subclass of a record has the same fields."""
            if NamedTuple not in cls.__bases__:
                return
            names = tuple(cls.__dict__.get("__annotations__") or _annotated(cls))  # noqa: RUF063 - inspect is slow
            cls._fields = cls.__match_args__ = names
            cls._field_defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
            cls._size = len(names)
            cls._defaults = tuple(cls._field_defaults.values())
            for index, name in enumerate(names):
                setattr(cls, name, _tuplegetter(index, None))

        def __new__(cls, *values, **named):
            missing = cls._size - len(values)
            if named:
                values = cls._complete(values, named)
            elif 0 < missing <= len(cls._defaults):
                values += cls._defaults[-missing:]
            elif missing:
                values = cls._complete(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _complete(cls, values, named):
            """All values in order, from positions, keywords and defaults. Raises TypeError like any call."""
            known = {**cls._field_defaults, **dict(zip(cls._fields, values, strict=False)), **named}
            twice = named.keys() & set(cls._fields[: len(values)])
            if len(values) > cls._size or twice or known.keys() != set(cls._fields):
                raise TypeError(f"{cls.__name__} takes the fields {', '.join(cls._fields)}")
            return tuple(known[name] for name in cls._fields)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, **named):
            values = list(self)
            for name, value in named.items():
                if name not in self._fields:
                    raise TypeError(f"{type(self).__name__} has no field {name!r}")
                values[self._fields.index(name)] = value
            return tuple.__new__(type(self), values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self) -> str:
            shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({shown})"

    def _annotated(cls):
        """Annotated names where annotations are evaluated lazily (Python 3.14 on)."""
        from annotationlib import Format, get_annotations

        return get_annotations(cls, format=Format.FORWARDREF)


def assert_never(value: Never) -> Never:
    """Marks what cannot be reached: type checkers prove it, and if it is reached it fails loudly."""
    raise AssertionError(f"not expected here: {value!r}")


__all__ = ["NamedTuple", "assert_never"]
