"""The hook over HTTP for runtimes that can post an event: `POST /hook/AGENT` on the loopback interface, with a token.

The body of the answer is what the process would write on standard output; a runtime that reads no JSON gets its exit
code in `X-Exit-Code` and the reason in the body. A request without the right token is answered like malformed input, as
runtimes let a call run after any status but 200. What a browser could send (an Origin, a foreign Host) is refused.
"""

from __future__ import annotations

import hmac
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from guard.hooks import base, reply
from guard.hooks.base import MalformedError
from guard.hooks.runtimes import AGENTS

SECONDS = 10
"""Longest wait for a request's bytes."""


class Endpoint(ThreadingHTTPServer):
    """The server; `token` is what every request has to bring, `mode` what registrations would say."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, token: str, mode: str | None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.token = token
        self.mode = mode


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Endpoint
    timeout = SECONDS
    protocol_version = "HTTP/1.1"
    server_version = "devkit-guard"
    sys_version = ""

    def do_POST(self) -> None:
        """Answers one event."""
        self.close_connection = True
        began = time.perf_counter()
        agent = self.path.removeprefix("/hook/")
        if agent not in AGENTS or agent == self.path:
            self._send(404, b"")
            return
        if "Origin" in self.headers or not self._local():
            self._send(403, b"")
            return
        job = reply.Reply(reply.Options(agent, self.server.mode), os.environ)
        try:
            self._check_token()
            job.read(self._body())
            answer = job.answered()
        except BaseException as error:
            answer = job.failed(error)
        self._send(200, answer.stdout or (answer.stderr if answer.code else b""), answer.code)
        try:
            job.record(time.perf_counter() - began)
        except Exception as error:
            self.log_error("the decision could not be noted: %s", error)

    def _check_token(self) -> None:
        scheme, _, given = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self.server.token.encode()):
            raise TokenError("the request has no right token: register the hook with the one that `serve` printed")

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise MalformedError("the request has no Content-Length")
        if int(length) > base.MAX_BYTES:
            raise MalformedError(f"the payload is larger than {base.MAX_BYTES >> 20} MiB")
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            raise MalformedError("the request ended before its body did")
        return body

    def _local(self) -> bool:
        """Whether the name that was asked for is this machine's: no page of another name can be made to point here."""
        return self.headers.get("Host", "").rpartition(":")[0] in ("127.0.0.1", "localhost", "[::1]")

    def _send(self, status: int, body: bytes, code: int = 0) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Exit-Code", str(code))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server calls
        """Nothing for each request: the decision log has them."""


class TokenError(MalformedError):
    """A request that proves nothing about who sent it."""
