"""A character that looks like another.

A no-break space or a curly quote, pasted from a page, is compared as itself and never matches what is typed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.model.diagnostic import Edit, Fix

CODE = "N214"
NAME = "lookalike"
SEVERITY = "error"
BAD = Example("list", "allow exact ls\u00a0-la\n")
GOOD = Example("list", "allow exact ls -la\n")

PLAIN = {
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u2018\u2019\u201b", "'"),
    **dict.fromkeys("\u201c\u201d\u201f", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u200b\u200c\u200d\ufeff", ""),
}
"""What was meant by characters that look alike."""


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        for offset, char in enumerate(file.policy.source.text[rule.start : rule.end], rule.start):
            if char in PLAIN:
                fix = Fix(f"write {PLAIN[char]!r}", (Edit(offset, offset + 1, PLAIN[char]),), rule.decision != "allow")
                message = (
                    f"`{unicodedata.name(char, 'a control character').lower()}` never matches a typed {PLAIN[char]!r}"
                )
                plain = "".join(PLAIN.get(one, one) for one in rule.body)
                yield Finding(offset, offset + 1, message, plain, fix=fix)
