"""A real headless Chromium, driven over WebDriver with nothing but the standard library."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en"),
]


class Browser:
    """One session. Sizes are in CSS pixels."""

    def __init__(self, address: str, session: str) -> None:
        self._session = f"{address}/session/{session}"

    def open(self, page: Path) -> None:
        self._post("url", url=page.as_uri())

    def show(self, width: int, height: int, scheme: str) -> None:
        """The window's size (narrow ones as a phone) and `light` or `dark`."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self._devtools("Emulation.setDeviceMetricsOverride", size)
        self._devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def run(self, script: str) -> Any:
        """The value of a JavaScript function body."""
        return self._post("execute/sync", script=script, args=[])

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(_get(f"{self._session}/screenshot")))

    def _devtools(self, command: str, parameters: dict[str, Any]) -> None:
        self._post("goog/cdp/execute", cmd=command, params=parameters)

    def _post(self, path: str, **data: Any) -> Any:
        return _post(f"{self._session}/{path}", data)


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own; skips where there is none, except in CI, which installs it."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")) and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed: apt-get install chromium chromium-driver")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with (
        tempfile.TemporaryDirectory() as profile,
        subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as driver,
    ):
        try:
            _wait(address)
            options = {"args": [*ARGUMENTS, f"--user-data-dir={profile}"], "binary": shutil.which("chromium")}
            wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
            session = _post(f"{address}/session", wanted)["sessionId"]
            try:
                yield Browser(address, session)
            finally:
                _delete(f"{address}/session/{session}")
        finally:
            driver.terminate()


def _wait(address: str) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            _get(f"{address}/status")
            return
        except OSError:
            assert time.monotonic() < until, "chromedriver does not answer"
            time.sleep(0.1)


def _post(url: str, data: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(data).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["value"]


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)["value"]


def _delete(url: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(url, method="DELETE"), timeout=60):
        return
