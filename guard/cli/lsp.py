"""`devkit-guard lsp`: the language server on standard input and output."""

from __future__ import annotations

from guard.model.errors import UsageError


def run() -> int:
    """Serves until the editor ends it; 0. Raises UsageError where pygls is not installed."""
    try:
        from guard.lsp.server import server
    except ImportError as error:
        raise UsageError(f"the language server needs pygls ({error}): pip install 'devkit-guard[lsp]'") from error
    server().start_io()
    return 0
