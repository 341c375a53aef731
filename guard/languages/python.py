"""Command language of the Python interpreter: its version, and the one module that only reads, count as reading.

Without `-I` the first place that modules are looked for is the working directory, so a file `json.py` there would run.
https://docs.python.org/3/using/cmdline.html
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`exec` unless the call prints the version or runs `-I -m json.tool`."""
    if call.given("-V"):
        return []
    module = call.given("-m")
    name = module.value.text if module and module.value else None
    instead = None
    if name != "json.tool":
        message = "runs Python code"
        if module:
            message = "runs a module, and looks for it in the working directory first"
        instead = {"pip": "pip list"}.get(name or "", "cat FILE")
    elif not call.given("-I"):
        message = "without -I a file json.py of the working directory would run"
        instead = "python3 -I -m json.tool"
    else:
        return []
    return [Effect(Kind.EXEC, Reason("exec-interpreter", message, call.span, call.rule, instead))]
