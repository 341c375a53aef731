"""Lines of strace as calls."""

from __future__ import annotations

import pytest

from guard.prove import trace
from guard.prove.trace import Call

ROWS = [
    (
        '7 1.5 openat(AT_FDCWD</home/user>, "a b,c", O_RDONLY|O_CLOEXEC) = 3</home/user/a b,c>',
        Call(7, 1.5, "openat", ("AT_FDCWD</home/user>", '"a b,c"', "O_RDONLY|O_CLOEXEC"), "3</home/user/a b,c>"),
    ),
    (
        '7 1.5 unlink("x\\"y(") = -1 ENOENT (No such file or directory)',
        Call(7, 1.5, "unlink", ('"x\\"y("',), "-1 ENOENT (No such file or directory)"),
    ),
    (
        '7 1.5 execve("/bin/x", ["x", "--a=[1,2"], 0x7f /* 35 vars */) = 0',
        Call(7, 1.5, "execve", ('"/bin/x"', '["x", "--a=[1,2"]', "0x7f /* 35 vars */"), "0"),
    ),
    (
        "7 1.5 connect(3<UDP:[9]>, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 0",
        Call(7, 1.5, "connect", ("3<UDP:[9]>", "{sa_family=AF_INET, sin_port=htons(53)}", "16"), "0"),
    ),
    (
        "7 1.5 sendto(4<TCP:[127.0.0.1:80->127.0.0.1:9]>, 0x5, 1) = 1",
        Call(7, 1.5, "sendto", ("4<TCP:[127.0.0.1:80->127.0.0.1:9]>", "0x5", "1"), "1"),
    ),
    ("7 1.5 getpid() = 7", Call(7, 1.5, "getpid", (), "7")),
]


@pytest.mark.parametrize(("line", "call"), ROWS)
def test_call(line: str, call: Call) -> None:
    assert trace.read([line]).calls == (call,)


def test_interrupted_calls_are_joined() -> None:
    lines = [
        '7 1.0 openat(AT_FDCWD</>, "a", O_RDONLY <unfinished ...>',
        "8 1.1 getpid() = 8",
        "7 1.2 <... openat resumed>) = 3</a>",
        "8 1.3 +++ exited with 0 +++",
        "7 1.4 kill(9, SIGTERM <unfinished ...>",
        "7 1.5 +++ killed by SIGKILL +++",
    ]
    read = trace.read(lines)
    assert [(call.process, call.name, call.arguments, call.result) for call in read.calls] == [
        (8, "getpid", (), "8"),
        (7, "openat", ("AT_FDCWD</>", '"a"', "O_RDONLY"), "3</a>"),
        (7, "kill", ("9", "SIGTERM"), "?"),
    ]
    assert (read.started, read.ended) == ({7: 1.0, 8: 1.1}, {8: 1.3, 7: 1.5})


def test_lines_that_are_no_calls_are_left_out() -> None:
    assert trace.read(["", "strace: x", "7 1.0 --- SIGCHLD {} ---", "7 x y"]).calls == ()


def test_strings_and_paths() -> None:
    assert trace.string('"a\\303\\251\\n\\"\\\\"') == 'aé\n"\\'
    assert trace.string("NULL") == "NULL"
    assert trace.path("3</dev/null<char 1:3>>") == "/dev/null"
    assert trace.path("3</tmp/x (deleted)>") == "/tmp/x"
    assert trace.path("AT_FDCWD</home/user>") == "/home/user"
    assert trace.path("-1") is None
