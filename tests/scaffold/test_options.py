"""What is an option in a help text or a manual page, and what is a sentence that happens to begin like one."""

from __future__ import annotations

import pytest

from guard.scaffold import options
from guard.scaffold.options import Option

CASES = {
    "gnu manual": (
        "OPTIONS\n       -c, --bytes\n              print the byte counts. More.\n\n"
        "       --files0-from=F\n              read\n              names\n",
        [Option(("-c", "--bytes"), "", "print the byte counts"), Option(("--files0-from",), "required", "read names")],
    ),
    "text behind the option": (
        "  -C, --directory <path>  change to it\n      --color[=WHEN]      colours\n  -x                  one\n",
        [
            Option(("-C", "--directory"), "required", "change to it"),
            Option(("--color",), "optional", "colours"),
            Option(("-x",), "", "one"),
        ],
    ),
    "spellings in columns": (
        "  -h  --help   print\n  -q  --quiet  no\n",
        [Option(("-h", "--help"), "", "print"), Option(("-q", "--quiet"), "", "no")],
    ),
    "an optional argument belongs to the spelling that shows it": (
        "  -c, --color[=WHEN]  colours\n",
        [Option(("--color",), "optional", "colours"), Option(("-c",), "", "colours")],
    ),
    "one dash": ("       -regextype type\n              Changes.\n", [Option(("-regextype",), "required", "Changes")]),
    "both ways": ("    --[no-]pager  page\n", [Option(("--pager", "--no-pager"), "", "page")]),
    "an empty line before what is said": (
        "   -n\n\n       quiet\n\n   -z\n",
        [Option(("-n",), "", "quiet"), Option(("-z",), "", "")],
    ),
    "bullets and colons": ("   \u2022   --seq:\n\n       a scheme\n", [Option(("--seq",), "", "a scheme")]),
    "bold, underlined, coloured": (
        "   \b-\b-n\bn, \x1b[1m--num\x1b[0m  numbers\n",
        [Option(("-n", "--num"), "", "numbers")],
    ),
    "divided words": ("  -a\n     infor\u2010\n     mation\n", [Option(("-a",), "", "information")]),
    "a wrapped sentence": ("       It is used with\n       -print and others\n", []),
    "a sentence below an option": ("  -a\n     -b is implied\n", [Option(("-a",), "", "-b is implied")]),
    "a line of an example": ("  -map '[out]' -an  x\n", []),
    "a section of examples": (
        "EXAMPLES\n       -a\n           x\nOPTIONS\n       -b\n           y\n",
        [Option(("-b",), "", "y")],
    ),
    "each spelling once": (
        "  -a, --all  one\n  -a, --any  two\n",
        [Option(("-a", "--all"), "", "one"), Option(("--any",), "", "two")],
    ),
    "no options": ("usage: x FILE\n  -\n  --\n  ---\n  -- x\n", []),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_options(text: str, expected: list[Option]) -> None:
    assert list(options(text)) == expected
