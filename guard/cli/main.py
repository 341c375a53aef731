"""`devkit-guard`: one short function for each verb. `hook` never gets as far as importing typer."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Entry point of the script. The hook has its own way in, since every runtime waits for it."""
    if sys.argv[1:2] == ["hook"]:
        gc.disable()  # one short call of bounded input: collecting while importing is a tenth of its cost
        os._exit(_hook(sys.argv[2:]))  # the answer is written: taking the interpreter down would be waited for too
    from guard.cli.app import run

    sys.exit(run())


def _hook(arguments: list[str]) -> int:
    try:
        from guard.hooks.main import main as hook
    except BaseException as error:
        try:
            from guard.hooks import last_resort

            return last_resort.answer(arguments, error)
        except BaseException:
            # Not even that could be loaded. Most runtimes read exit code 2 and a reason as a veto.
            sys.stderr.write("devkit-guard: the guard cannot be loaded\n")
            return 2 if "always" in arguments else 1
    return hook(arguments)


if __name__ == "__main__":
    main()
