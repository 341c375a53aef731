"""Command language of the Python interpreter: its version, and the one module that only reads, count as reading.

`-c` and `-m` end the interpreter's options: what follows belongs to the code, `-V` and `-I` too. Without `-I` the first
place that modules are looked for is the working directory, so a file `json.py` there would run.
https://docs.python.org/3/using/cmdline.html
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_INSTEAD = {
    "json.tool": "`jq . FILE` or `python3 -I -m json.tool FILE`",
    "pip": "`pip list`",
}


def judge(call: Invocation) -> list[Outcome]:
    """`exec` unless the call prints the version or runs `-I -m json.tool`."""
    names = [option.name for option in call.options]
    end = next((index for index, name in enumerate(names) if name in ("-c", "-m")), len(names))
    if "-V" in names[:end]:
        return []
    module = call.options[end] if "-m" in names[end : end + 1] else None
    name = module.value.text if module and module.value else None
    if name != "json.tool":
        message = "runs Python code"
        if module:
            message = "runs a module, and looks for it in the working directory first"
    elif "-I" not in names[:end]:
        message = "without -I a file json.py of the working directory would run"
    else:
        return []
    return [Effect(Kind.EXEC, Reason("exec-interpreter", message, call.span, call.rule, _INSTEAD.get(name or "")))]
