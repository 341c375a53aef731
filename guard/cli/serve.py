"""`devkit-guard serve`: the hook as an HTTP endpoint of this machine."""

from __future__ import annotations

import os
import secrets
import signal

from guard.hooks.endpoint import Endpoint
from guard.model.errors import UsageError
from guard.store.location import user_folder


def run(port: int, mode: str | None) -> int:
    """Serves until it is interrupted. The token is kept in the state folder, 0600, so that it stays the same."""
    if mode not in (None, "step", "always", "observe"):
        raise UsageError(f"--mode: expected step, always or observe (got '{mode}')")
    path, token = kept_token()
    try:
        endpoint = Endpoint(port, token, mode)
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror}") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        print(f"http://127.0.0.1:{endpoint.server_address[1]}/hook/AGENT", flush=True)
        print(f"header: Authorization: Bearer (the content of {path})", flush=True)
        endpoint.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        endpoint.server_close()
    return 0


def kept_token() -> tuple[str, str]:
    """(its file, the token), made where there is none."""
    folder = user_folder(os.environ)
    if folder is None:
        raise UsageError("there is no home folder to keep the token in: set HOME")
    path = os.path.join(folder, "serve.token")
    os.makedirs(folder, 0o700, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        with open(path, encoding="ascii") as file:
            return path, file.read().strip()
    token = secrets.token_urlsafe(32)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return path, token
