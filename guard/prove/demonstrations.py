"""For every class of effect a command that has it: if the witness does not see it, its silence is worth nothing.

They are vetoed, and run in the sandbox only: no real network, clock, file or other process is within their reach.
"""

from __future__ import annotations

from guard.model.effect import Kind
from guard.prove.examples import Example
from guard.prove.states import PLAIN, REPOSITORY, Job, Result

COMMANDS: dict[Kind, tuple[str, ...]] = {
    Kind.CACHE: ("git status",),
    Kind.READ_SECRET: ("cat ~/.ssh/id_ed25519",),
    Kind.NET_READ: ("exec 3<>/dev/tcp/192.0.2.1/80",),
    Kind.NET_WRITE: ("python3 -c 'import socket; socket.socket().bind((\"127.0.0.1\", 8080))'", "nc -l -p 8080"),
    Kind.WRITE: ("touch new.txt", "chmod 600 a.txt", "mkdir a.txt", "cp a.txt /usr/new", "mkdir /tmp/x"),
    Kind.DELETE: ("rm a.txt", "rm no-such-folder/../a.log"),
    Kind.REPO: ("git commit -q --allow-empty -m x", "git tag other", "git config a.b c"),
    Kind.PROCESS: ("kill -9 99999", "kill -STOP 2", "sleep 20 &"),
    Kind.SYSTEM: ("date -s 2001-01-01", "hostname other", "mount -t tmpfs none /mnt", "ipcmk -M 64"),
    Kind.BUILD: ("mkdir -p ~/.cache/x", "python3 -m compileall -q src"),
    Kind.EXEC: ("./a.sh", "make -n", "python3 -m json.tool a.json"),
}
"""Several ways to the same class; each has to be seen as that class."""


def examples() -> list[Example]:
    """One example for each command, its class as the claim."""
    return [
        Example("demonstration", kind.value, command, frozenset({kind}), ())
        for kind, commands in COMMANDS.items()
        for command in commands
    ]


def jobs(timeout: float) -> list[Job]:
    """A job for each demonstration, as an ordinary user in a repository whose index is stale."""
    state = next(state for state in REPOSITORY if state in PLAIN)
    return [Job(number, one.command, state, (), timeout) for number, one in enumerate(examples())]


def unseen(results: list[Result]) -> list[tuple[str, str]]:
    """The (class, command) pairs that the witness was blind to, programs that are not installed left out."""
    found = []
    shown = examples()
    for result in results:
        one = shown[result.number]
        if one.program not in {kind for kind, _ in result.seen} and not result.missing:
            found.append((one.program, one.command))
    return found
