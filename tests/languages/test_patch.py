"""Paths of the apply_patch format, read as the program that applies it reads them."""

from __future__ import annotations

import pytest

from guard.languages.patch import paths


def patch(*lines: str, end: str = "\n") -> str:
    return end.join(["*** Begin Patch", *lines, "*** End Patch"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (patch("*** Add File: a/b.py", "+x"), ["a/b.py"]),
        (patch("*** Update File: a b.py", "@@", "-x", "+y", end="\r\n"), ["a b.py"]),
        (patch("*** Update File: a", "*** Move to: b", "@@", " *** Foo: x", "+*** Add File: c"), ["a", "b"]),
        (patch("*** Delete File: a", "*** Add File: b", "+"), ["a", "b"]),
        (patch("*** Rename File: a"), None),
        (patch("*** Add File: "), None),
        ("no patch", None),
        (patch("*** Add File: a", "+x", " ***", "***"), None),
        (patch("*** Update File: a", "@@", " ***", "+***", "*** End of File"), ["a"]),
        # read so by some of the programs that apply it
        (patch("*** Add File: a", "+x\u2028*** Add File: b"), None),
        (patch("*** Add File: a", "+x\r*** Delete File: b"), None),
        (patch("*** Add File: a", "\ufeff*** Delete File: b"), ["a", "b"]),
        (patch("*** Add File: a", "\t*** Delete File: b"), ["a", "b"]),
        (patch("*** Add File: a", "***Delete File: b"), None),
        (patch("*** Add File: a", "*** Move File: a -> b"), None),
        (patch("*** Add File: .claude/settings.json:x"), None),
        (patch("*** Add File: a "), None),
        (patch("*** Add File:  a"), None),
        (patch("*** Environment ID: other", "*** Add File: a"), None),
        *(
            (patch(f"*** Add File: reports/x{char}/../../src/a.py", "+"), None)
            for char in "\u2028\u2029\x0b\x0c\x1c\x85\r\0"
        ),
    ],
)
def test_paths(text: str, found: list[str] | None) -> None:
    assert paths(text) == found
