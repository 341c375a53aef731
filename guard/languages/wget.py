"""Command language of wget: it writes what it fetches to files, and the sites' transport rules to the home directory.

https://www.gnu.org/software/wget/manual/wget.html
"""

from __future__ import annotations

from guard.languages import urls
from guard.model.argument import Outcome, WritesPath
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Effects of one wget call that are not declared option by option."""
    found: list[Outcome] = []
    for word in call.operands:
        found += urls.judge(word, call)
    output = call.given("-O")
    if output and output.value and output.value.text != "-":
        found.append(WritesPath(output.value, "`-O` writes this file", rule=call.rule))
    if call.operands and not output and not call.given("--spider"):
        message = "wget saves what it fetches in the working directory"
        reason = Reason("write-without-option", message, call.span, call.rule)
        found.append(Effect(Kind.WRITE, reason))
    if call.operands and not call.given("--no-hsts"):
        message = "wget keeps transport rules of sites in ~/.wget-hsts"
        found.append(Effect(Kind.BUILD, Reason("home-state", message, call.span, call.rule)))
    return found
