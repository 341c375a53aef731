"""The hook over HTTP: the same contract, a token, and nothing for browsers."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from guard.hooks import runtimes
from guard.setup.probes import probe
from guard.setup.reading import REFUSED, effect

Served = tuple[int, str]


@pytest.fixture
def served(own_state: Path) -> Iterator[Served]:
    """(port, token) of a real server in mode always."""
    command = [sys.executable, "-m", "guard.cli.main", "serve", "--port", "0", "--mode", "always"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline())
    assert found is not None
    yield int(found.group(1)), (own_state / "serve.token").read_text().strip()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def post(served: Served, agent: str, body: bytes, **headers: str) -> tuple[int, bytes, int]:
    """(status, body, exit code) of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", served[0], timeout=30)
    given = {"Authorization": f"Bearer {served[1]}", **headers}
    connection.request("POST", f"/hook/{agent}", body, given)
    answer = connection.getresponse()
    return answer.status, answer.read(), int(answer.headers.get("X-Exit-Code", "0"))


def test_every_runtime_over_http(served: Served, tmp_path: Path) -> None:
    for agent in runtimes.NAMES:
        status, body, code = post(served, agent, probe(agent, str(tmp_path)))
        assert status == 200
        assert effect(agent, body, body, code) == REFUSED, agent
        allowed = post(served, agent, probe(agent, str(tmp_path), "ls"))
        assert allowed == (200, runtimes.adapter(agent).allow.stdout, 0)


def test_malformed_requests_are_vetoed(served: Served) -> None:
    for body in (b"", b"{", b"[1]", b"{}{}", b'{"hook_event_name": "PreToolUse", "hook_event_name": "x"}'):
        status, answer, _ = post(served, "claude", body)
        assert (status, json.loads(answer)["hookSpecificOutput"]["permissionDecision"]) == (200, "deny")


def test_without_the_token_there_is_no_judgement(served: Served, tmp_path: Path) -> None:
    for value in ("", "Bearer", "Bearer wrong", f"Basic {served[1]}", served[1]):
        status, body, _ = post(served, "claude", probe("claude", str(tmp_path), "ls"), Authorization=value)
        assert status == 200
        assert "no right token" in json.loads(body)["hookSpecificOutput"]["permissionDecisionReason"]


def test_browsers_and_other_names_are_refused(served: Served, tmp_path: Path) -> None:
    body = probe("claude", str(tmp_path), "ls")
    assert post(served, "claude", body, Origin="https://example.org")[:2] == (403, b"")
    assert post(served, "claude", body, Host="example.org:80")[:2] == (403, b"")
    assert post(served, "nobody", body)[:2] == (404, b"")


def test_it_listens_on_this_machine_only_and_keeps_its_token_private(served: Served, own_state: Path) -> None:
    assert os.stat(own_state / "serve.token").st_mode & 0o777 == 0o600
    assert len(served[1]) >= 40
    with open("/proc/net/tcp") as file:
        listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
    assert [place for place in listening if place.endswith(f":{served[0]:04X}")] == [f"0100007F:{served[0]:04X}"]
