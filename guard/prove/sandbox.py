"""One throw-away sandbox for each run: new namespaces, overlays of the host's folders, a witness of all that happens.

Three processes lead to a command. `Base` has a user and a mount namespace of its own and keeps what all runs share.
For each run it makes a keeper with new mount, process, network, IPC, host name and cgroup namespaces; the first process
in them sets the root up, starts a bystander and the traced command, and looks at what became of the files. When that
one ends the kernel ends all others with it, and what was written is thrown away.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from guard.prove import fixtures, kernel
from guard.prove.observe import Layers, Scene, observe
from guard.prove.states import Job, Result, State, result_of
from guard.prove.witness import TRACED

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games"
ENVIRONMENT = {
    "PATH": PATH, "HOME": fixtures.HOME, "USER": "user", "LOGNAME": "user", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
    "TERM": "xterm", "PWD": fixtures.PROJECT,
}  # fmt: skip
OVERLAID = ("usr", "etc", "var", "opt", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
_MASKED = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "asound", "scsi", "mtrr", "latency_stats")
_NAMESPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
HOST = "sandbox"
_LOG = 9
_START = 'exec 9>&-; exec bash -c "$1"'


class Base:
    """What the runs of one process share. Made in the process that is to be the base: it changes its namespaces."""

    def __init__(self, folder: str, uid: int, secret: Callable[[str], bool]) -> None:
        self.folder = folder
        self.uid = uid
        self.secret = secret
        self.mapped = _own_users(uid)
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("tmpfs", folder, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1g,mode=755")
        os.mkdir(f"{folder}/templates")
        self.templates: dict[State, str] = {}

    def template(self, state: State) -> str:
        """The folder that holds the home folders of a state."""
        if state not in self.templates:
            path = f"{self.folder}/templates/{state.name}"
            os.makedirs(f"{path}/user/project")
            for name in ("user", "user/project"):
                self.give(f"{path}/{name}")
            code, said = _in_child(lambda: self._build(path, state))
            if code != 0:
                raise OSError(0, said or f"the fixture ended with {code}")
            self.templates[state] = path
        return self.templates[state]

    def _build(self, path: str, state: State) -> str:
        kernel.become(self.uid, mapped=self.mapped)
        fixtures.build(path, state)
        return ""

    def give(self, path: str) -> None:
        """Makes the user of this base the owner of a file."""
        if self.mapped:
            os.lchown(path, self.uid, self.uid)

    def run(self, job: Job) -> Result:
        """Runs one job and takes its sandbox away."""
        template = self.template(job.state)
        run = f"{self.folder}/run"
        shutil.rmtree(run, ignore_errors=True)
        os.mkdir(run)
        code, said = _in_child(lambda: _keep(self, job, run, template))
        if code != 0 or not said:
            return Result(job.number, job.state, fault=said or f"the sandbox ended with {code}")
        return result_of(json.loads(said))


def _own_users(uid: int) -> bool:
    """Leaves for a new user and mount namespace; whether it has other users than the caller."""
    mapped = os.geteuid() == 0
    outer, outer_group = os.geteuid(), os.getegid()
    ready, go = os.pipe(), os.pipe()
    helper = os.fork()
    if helper == 0:  # stays outside: only from there may more than one user be mapped
        os.close(ready[1])
        failed = 0
        try:
            if os.read(ready[0], 1):
                _map(os.getppid(), "0 0 65536" if mapped else f"{uid} {outer} 1", "uid_map")
                if not mapped:
                    _map(os.getppid(), "deny", "setgroups")
                _map(os.getppid(), "0 0 65536" if mapped else f"{uid} {outer_group} 1", "gid_map")
                os.write(go[1], b"+")
        except OSError:
            failed = 1
        os._exit(failed)
    os.close(go[1])
    try:
        kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
        os.write(ready[1], b"+")
        done = os.read(go[0], 1)
    finally:
        for end in (*ready, go[0]):
            os.close(end)
        os.waitpid(helper, 0)
    if not done:
        raise OSError(0, "the users of a new user namespace could not be mapped")
    return mapped


def _map(process: int, text: str, name: str) -> None:
    with open(f"/proc/{process}/{name}", "w") as file:
        file.write(text)


def _in_child(body: Callable[[], str]) -> tuple[int, str]:
    """Runs `body` in a process of its own: its exit code, and what it returned or failed with."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            kernel.die_with_parent()
            try:
                said, code = body(), 0
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
            with os.fdopen(writing, "w") as file:
                file.write(said)
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def _keep(base: Base, job: Job, run: str, template: str) -> str:
    """The keeper: new namespaces, and the first process in them."""
    kernel.unshare(_NAMESPACES)
    with suppress(OSError):
        kernel.unshare(kernel.CLONE_NEWCGROUP)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    code, said = _in_child(lambda: _first(base, job, run, template))
    if code != 0:
        raise OSError(0, said or f"the first process ended with {code}")
    return said


def _first(base: Base, job: Job, run: str, template: str) -> str:
    """The first process of the run's namespaces."""
    root = f"{run}/root"
    layers = _root(base, run, root, template)
    socket.sethostname(HOST)
    _name_host(root)
    _loopback()
    project = root + fixtures.PROJECT
    for name in job.files:
        if not os.path.lexists(os.path.join(project, name)):
            _demand(base, project, name)
    bystander = os.fork()
    if bystander == 0:
        kernel.become(base.uid, mapped=base.mapped)
        while True:
            signal.pause()
    owner = (base.uid, base.uid) if base.mapped else (-1, -1)
    scene = Scene(root, layers, bystander, owner, base.secret)
    return json.dumps(observe(job, scene, lambda log, output: _command(base, job, root, log, output)))


def _name_host(root: str) -> None:
    """The machine's own name is in its hosts file, as installers and containers have it; looking it up asks nobody."""
    with suppress(OSError), open(f"{root}/etc/hosts", "a") as file:
        file.write(f"127.0.1.1 {HOST}\n")


def _demand(base: Base, project: str, name: str) -> None:
    """A file that the command names and the fixture does not have; the user owns it and the folders it needs."""
    fixtures.make(project, name)
    path = os.path.join(project, name)
    while path != project:
        base.give(path)
        path = os.path.dirname(path)


def _root(base: Base, run: str, root: str, template: str) -> Layers:
    """Puts a root together. The folders that can be written, as seen inside: (where that is kept, what is below)."""
    os.mkdir(root)
    kernel.mount("tmpfs", root, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=256m,mode=755")
    layers: Layers = {}
    for name in OVERLAID:
        host = f"/{name}"
        if os.path.islink(host):
            os.symlink(os.readlink(host), f"{root}/{name}")
        elif os.path.isdir(host):
            upper = _overlay(host, run, root, name)
            if upper is not None:
                layers[host] = (upper, host)
    home = _overlay(template, run, root, "home")
    if home is None:
        raise OSError(0, "overlayfs does not work in a user namespace here")
    layers["/home"] = (home, template)
    for name, mode in (("tmp", 0o1777), ("run", 0o755), ("root", 0o700), ("dev", 0o755), ("dev/shm", 0o1777)):
        os.mkdir(f"{root}/{name}")
        os.chmod(f"{root}/{name}", mode)
    for name in ("proc", "sys", "mnt", "media", "srv", "boot"):
        os.mkdir(f"{root}/{name}")
    layers |= {
        f"/{name}": (f"{root}/{name}", None) for name in ("tmp", "run", "dev/shm", "root", "mnt", "media", "srv")
    }
    if base.uid == 0:
        base.give(f"{root}/root")
    _devices(root)
    kernel.mount("proc", f"{root}/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    for name in _MASKED:
        path = f"{root}/proc/{name}"
        if os.path.exists(path):
            kernel.mount(path, path, None, kernel.MS_BIND | kernel.MS_REC)
            kernel.read_only(path)
    with suppress(OSError):
        flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC | kernel.MS_RDONLY
        kernel.mount("sysfs", f"{root}/sys", "sysfs", flags)
    return layers


def _overlay(lower: str, run: str, root: str, name: str) -> str | None:
    """An overlay of a folder; its upper layer, or None where the folder could only be bound read-only."""
    upper, work, target = f"{run}/upper/{name}", f"{run}/work/{name}", f"{root}/{name}"
    for path in (upper, work, target):
        os.makedirs(path)
    shutil.copystat(lower, upper)
    status = os.stat(lower)
    with suppress(OSError):
        os.chown(upper, status.st_uid, status.st_gid)
    try:
        kernel.mount("overlay", target, "overlay", 0, f"lowerdir={lower},upperdir={upper},workdir={work},userxattr")
    except OSError:
        kernel.mount(lower, target, None, kernel.MS_BIND | kernel.MS_REC)
        kernel.read_only(target)
        return None
    return upper


def _devices(root: str) -> None:
    for name in ("null", "zero", "full", "random", "urandom"):
        with open(f"{root}/dev/{name}", "w"):
            pass
        kernel.mount(f"/dev/{name}", f"{root}/dev/{name}", None, kernel.MS_BIND)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    os.mkdir(f"{root}/dev/pts")
    with suppress(OSError):
        kernel.mount("devpts", f"{root}/dev/pts", "devpts", 0, "newinstance,ptmxmode=0666,mode=620")
        os.symlink("pts/ptmx", f"{root}/dev/ptmx")


def _loopback() -> None:
    """Brings up the loopback device of the new network, which has no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle, suppress(OSError):
        fcntl.ioctl(handle, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


def _command(base: Base, job: Job, root: str, log: int, output: int) -> int:
    """Starts the traced command; the process id of the tracer."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.pivot(root)
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(log, _LOG)
        kernel.become(base.uid, mapped=base.mapped)
        os.chdir(fixtures.PROJECT)
        kernel.limit(int(job.timeout) + 5)
        calls = ",".join(f"?{name}" for name in TRACED)
        tracer = ["strace", "-f", "-yy", "-ttt", "-s", "4096", "-e", f"trace={calls}"]
        tracer += ["--seccomp-bpf", "-o", f"/proc/self/fd/{_LOG}", "--", "/bin/sh", "-c", _START, "sh", job.command]
        os.closerange(_LOG + 1, 1024)
        os.execvpe("strace", tracer, ENVIRONMENT)
    except BaseException as error:
        os.write(2, f"sandbox: {error}\n".encode())
    os._exit(126)


def mount_point() -> str:
    """A folder for a base to mount its memory on, in its own namespace only: one that every user can get to."""
    found = [path for path in ("/media", "/srv", "/mnt") if os.path.isdir(path)]
    if not found:
        raise OSError(0, "one of the folders /media, /srv and /mnt has to exist")
    return found[0]
