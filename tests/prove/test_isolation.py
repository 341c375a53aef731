"""Nothing outside of the sandbox is within reach: each thing is tried inside, and looked at outside."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from guard.prove.runner import run
from guard.prove.states import PLAIN, Job, Result

pytestmark = pytest.mark.usefixtures("sandbox")


def attempt(*commands: str) -> list[Result]:
    """Runs commands as both users; none of them may succeed where it is a single attempt."""
    jobs = [Job(number, command, state, (), 10.0) for number, command in enumerate(commands) for state in PLAIN]
    results = list(run(jobs, lambda path: False))
    assert len(results) == len(jobs)
    assert [result.fault for result in results if result.fault] == []
    return results


def kinds(results: list[Result]) -> set[str | None]:
    return {kind for result in results for kind, _ in result.seen}


def test_clock() -> None:
    before = time.time() - time.monotonic()
    results = attempt(
        "date -s 2001-01-01",
        "python3 -c 'import time; time.clock_settime(time.CLOCK_REALTIME, 1)'",
        "hwclock --systohc",
    )
    assert abs(time.time() - time.monotonic() - before) < 1
    assert all(result.code != 0 for result in results)
    assert "system" in kinds(results)


def test_kernel_parameters() -> None:
    names = (
        "kernel/hostname",
        "kernel/domainname",
        "kernel/printk",
        "vm/swappiness",
        "kernel/pid_max",
        "vm/drop_caches",
    )
    shown = [Path("/proc/sys", name) for name in names[:-1]]
    before = [path.read_text() for path in shown]
    writes = [f"echo 7 > /proc/sys/{name}" for name in names]
    results = attempt("sysctl -w vm.swappiness=7", *writes, "echo h > /proc/sysrq-trigger")
    assert [path.read_text() for path in shown] == before
    assert all(result.code != 0 for result in results if result.number)  # sysctl itself says so with 0 on some systems


def kernel_log() -> str:
    return subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout


def test_kernel_log_and_host_name() -> None:
    name, log = socket.gethostname(), kernel_log()
    results = attempt(
        "dmesg -C", "dmesg -n 1", "hostname other", "mount -t tmpfs none /mnt", "modprobe dummy", "swapoff -a"
    )
    assert (socket.gethostname(), kernel_log()[: len(log)]) == (name, log)
    assert all(result.code != 0 for result in results if result.number < 4)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("0.0.0.0", 0))) as server:
        server.setblocking(False)
        yield server


def addresses() -> list[str]:
    """The loopback address and, where there is one, the address that this machine uses for others."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ["127.0.0.1"]
        return ["127.0.0.1", probe.getsockname()[0]]


def test_network(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    results = attempt(*(f"exec 3<>/dev/tcp/{address}/{port}" for address in addresses()))
    assert all(result.code != 0 for result in results)
    assert kinds(results) == {"net_read"}
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_processes() -> None:
    outside = subprocess.Popen(["sleep", "60"])
    try:
        results = attempt(
            f"kill -9 {outside.pid}",
            f"kill -9 {os.getpid()}",
            "kill -9 -1",
            "pkill -9 sleep",
            f"renice 5 {outside.pid}",
            f"cat /proc/{outside.pid}/cmdline",
            "for p in /proc/[0-9]*; do kill -STOP ${p#/proc/}; done",
        )
        assert outside.poll() is None
        assert os.getpriority(os.PRIO_PROCESS, outside.pid) == 0
        assert "process" in kinds(results)
        shown = [result for result in results if result.number == 5]
        assert all("sleep" not in result.said for result in shown)
    finally:
        outside.kill()
        outside.wait()


def test_files(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("x")
    outside = ["/usr/prove-was-here", "/etc/prove-was-here", "/var/prove-was-here", "/tmp/prove-was-here"]
    results = attempt(
        *(f"touch {path}" for path in outside),
        f"rm -f {kept}",
        "rm -rf --no-preserve-root /usr/share/doc /etc/passwd",
        "mknod /tmp/disk b 254 0",
        "cat /dev/vda /dev/sda /dev/kmsg /dev/mem",
    )
    assert not any(os.path.lexists(path) for path in outside)
    assert kept.read_text() == "x"
    assert Path("/etc/passwd").exists()
    assert {"write", "delete"} <= kinds(results)


def test_privileges_cannot_be_gained() -> None:
    shown = "grep -E '^(CapPrm|CapBnd|NoNewPrivs)' /proc/self/status"
    said = {result.state.uid: result.said.split() for result in attempt(shown)}
    assert said[1000][1::2] == ["0000000000000000", "0000000000000000", "1"]
    assert said[0][1::2] == ["00000000000000db", "00000000000000db", "1"]
