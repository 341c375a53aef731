"""`devkit-guard classify` as a person and as a script call it: real processes, output and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GUARD = [sys.executable, "-m", "guard.cli.main"]


def run(
    *arguments: str, text: str | bytes | None = None, environment: dict[str, str] | None = None, cwd: str = "/"
) -> Any:
    """The finished process; output as bytes."""
    raw = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [*GUARD, *arguments],
        input=raw,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(environment or {})},
        cwd=cwd,
        check=False,
    )


def batch(lines: list[Any], *arguments: str) -> list[dict[str, Any]]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = run("classify", "--batch", *arguments, text=text)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("command", "code"), [("ls -la", 0), ("rm x", 1), ("", 1), ("echo 'x", 1), ("\x01", 1)])
def test_exit_codes(command: str, code: int) -> None:
    assert run("classify", command).returncode == code


def test_the_text_underlines_the_offending_part() -> None:
    done = run("classify", "ls | xargs -n1 sh -c 'sed -i s/a/b/ f'")
    assert (done.stdout.decode().splitlines()[:4], done.returncode) == (
        [
            "veto  (effects: read, write)",
            "",
            "   1 | ls | xargs -n1 sh -c 'sed -i s/a/b/ f'",
            "                                 ^^",
        ],
        1,
    )


def test_the_offending_line_of_many() -> None:
    lines = run("classify", "ls\npwd\nrm \u00e9 x\nls").stdout.decode().splitlines()
    assert "   3 | rm \u00e9 x" in lines


def test_json() -> None:
    done = run("classify", "--json", "cat ~/.ssh/id_rsa", environment={"HOME": "/home/user"})
    found = json.loads(done.stdout)
    assert (found["command"], found["verdict"], found["effects"]) == (
        "cat ~/.ssh/id_rsa",
        "veto",
        ["read", "read_secret"],
    )
    (reason,) = found["reasons"]
    assert (reason["code"], reason["span"], reason["rule"]) == ("secret", [4, 17], "rules/secrets.yaml")


def test_explain_shows_the_tree_and_every_effect() -> None:
    text = run("classify", "--explain", "ls | head -1").stdout.decode()
    assert "effects:" in text
    assert "  Pipeline ls | head -1" in text
    assert "    Simple head -1" in text


@pytest.mark.parametrize(
    ("command", "grant", "code"),
    [
        ("curl -s https://example.org/", "read,cache", 1),
        ("curl -s https://example.org/", "read,net_read", 0),
        ("rm x", "read,delete", 0),
        ("$x", "read,exec,delete,write", 1),
    ],
)
def test_grants(command: str, grant: str, code: int) -> None:
    assert run("classify", "--grant", grant, command).returncode == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classify"], "which command?"),
        (["classify", "--grant", "everything", "ls"], "--grant: unknown effect 'everything'"),
        (["classify", "--grant", "opaque", "ls"], "--grant: unknown effect 'opaque'"),
        (["classify", "--cwd", "/no/such/place", "ls"], "--cwd: no such directory"),
        (["classify", "--batch", "ls"], "--batch reads commands from standard input"),
        (["classify", "--nonsense", "ls"], "No such option"),
        (["nonsense"], "No such command"),
        (["lint", "--format", "yaml"], "--format: expected one of"),
        (["lint", "/no/such/place"], "there is no such file or folder"),
    ],
)
def test_usage_errors(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.stdout, done.returncode) == (b"", 2)
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_standard_input() -> None:
    assert run("classify", "-", text="ls |\n head -2\n").returncode == 0
    bad = run("classify", "-", text=b"ls \xff")
    assert (bad.returncode, b"not valid UTF-8" in bad.stderr) == (2, True)


def test_colour_only_where_it_is_wanted() -> None:
    for arguments, environment in (
        ([], {}),
        (["--plain"], {"FORCE_COLOR": "1"}),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
    ):
        assert b"\x1b[3" not in run("classify", *arguments, "rm x", environment=environment).stdout
    assert b"\x1b[" in run("classify", "rm x", environment={"FORCE_COLOR": "1", "TERM": "xterm"}).stdout


def test_escapes_of_the_command_do_not_reach_the_terminal() -> None:
    assert b"\x1b" not in run("classify", "ls \x1b[31mred").stdout


@pytest.mark.parametrize("size", [10 << 20])
def test_a_huge_command(size: int) -> None:
    done = run("classify", "-", text="ls " + "x" * size)
    assert (done.returncode, b"longer than 64 KiB" in done.stdout) == (1, True)


def test_a_closed_output() -> None:
    command = " ".join([*GUARD, "classify", "ls", ">&-"])
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, timeout=60, check=False, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr


def test_output_that_nobody_reads() -> None:
    lines = "".join(json.dumps({"command": "ls"}) + "\n" for _ in range(20_000))
    process = subprocess.Popen(
        [*GUARD, "classify", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    try:
        process.stdin.write(lines.encode())
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.stderr is not None
    message = process.stderr.read()
    assert (process.wait(60), message) == (141, b"")


def test_no_home_and_no_working_directory(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    gone = tmp_path / "gone with blanks"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *GUARD, "classify", "cat ~/x a.txt"],
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_batch_keeps_order_and_fields() -> None:
    rows = batch([{"command": "ls", "id": 7}, {"command": "rm x", "cwd": "/tmp"}, {"id": 8, "command": "echo \u00e9"}])
    assert [(row.get("id"), row["verdict"]) for row in rows] == [(7, "allow"), (None, "veto"), (8, "allow")]
    assert rows[1]["cwd"] == "/tmp"
    assert set(rows[1]) == {"command", "cwd", "verdict", "effects", "reasons"}


BAD = {
    "not JSON": ("{", "not a line of valid JSON"),
    "array": ("[]", "not a JSON object"),
    "no command": ('{"x": 1}', "no text under the key 'command'"),
    "command number": ('{"command": 3}', "no text under the key 'command'"),
    "relative cwd": ('{"command": "ls", "cwd": "x"}', "the value of 'cwd' is not an absolute path"),
    "deep": ('{"command":' + "[" * 100_000 + "]" * 100_000 + "}", "not a line of valid JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_vetoed_and_stops_nothing(name: str) -> None:
    line, message = BAD[name]
    rows = batch([{"command": "ls"}, line, {"command": "ls"}])
    assert [row["verdict"] for row in rows] == ["allow", "veto", "allow"]
    assert [reason["message"] for reason in rows[1]["reasons"]] == [message]
    assert [reason["code"] for reason in rows[1]["reasons"]] == ["bad-input"]


def test_bytes_that_are_not_text() -> None:
    done = run("classify", "--batch", text=b'{"command": "ls \xff"}\n\x00\x01\n{"command": "ls"}\n')
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert (verdicts, done.returncode) == (["veto", "veto", "allow"], 0)


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith(b"devkit-guard ")
    for verb in ("classify", "lint"):
        done = run(verb, "--help")
        assert (done.returncode, b"code: 0" in done.stdout) == (0, True)
