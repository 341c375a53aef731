"""git's rule against git itself: what is allowed changes nothing, whatever stands on the command line.

The index may be refreshed; everything else in the repository and beside it must stay as it was. Programs that git might
start (pager, editor, manual, browser, gpg) are stubs that leave a mark.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from guard.classify import Place, classify
from guard.model.effect import Kind
from guard.rulebook import Rulebook, build
from guard.rulebook import compile as compiler
from guard.rulebook.schema import Node
from guard.rulebook.schema import node as make_node

BOOK = Rulebook()
PLACE = Place("/nonexistent/project", "/home/user")
STUBS = (
    "less",
    "more",
    "pager",
    "man",
    "info",
    "vi",
    "vim",
    "nano",
    "editor",
    "sensible-editor",
    "gpg",
    "xdg-open",
    "ssh",
)
WORDS = (
    *(
        "HEAD",
        "main",
        "topic",
        "HEAD~1..HEAD",
        "v1",
        "refs/heads/main",
        "stash@{0}",
        "HEAD:a.txt",
        "a.txt",
        "src",
        "new",
    ),
    *(
        "p.patch",
        "x.bundle",
        "user.name",
        "5",
        "x",
        "always",
        "%H",
        "-",
        "-q",
        "-d",
        "-D",
        "-w",
        "-m",
        "-n1",
        "-p",
        "-f",
    ),
    *(
        "--output=TRAP",
        "--outpu=TRAP",
        "-oTRAP",
        "-o",
        "--output",
        "TRAP",
        "-O./t",
        "-O",
        "--export-marks=TRAP",
        "--ext-diff",
    ),
    *("--list", "--lost-found", "--edit", "-e", "--delete", "--apply", "--3way", "--help", "--unset", "--add", "--"),
    *("--in-place", "-i", "--force", "--create-reflog", "--no-list", "--no-check", "--write-tree", "--remerge-diff"),
)


def is_allowed(command: str) -> bool:
    effects = classify(command, PLACE, BOOK).effects
    return bool(effects) and all(effect.kind in (Kind.READ, Kind.CACHE) for effect in effects)


class Sandbox:
    """A repository, its untouched copy, and a PATH of stubs."""

    def __init__(self, base: Path) -> None:
        self.tree, self.master, self.mark = base / "tree", base / "master", base / "mark"
        stubs = base / "bin"
        stubs.mkdir()
        for name in STUBS:
            (stubs / name).write_text(f"#!/bin/sh\necho {name} >> {self.mark}\n")
            (stubs / name).chmod(0o755)
        home = base / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = A\n\temail = a@example.org\n")
        self.environment = {
            "PATH": f"{stubs}:{os.environ['PATH']}",
            "HOME": str(home),
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }
        self.master.mkdir()
        self.fill()
        self.renew()

    def fill(self) -> None:
        self.git("init", "-q", "-b", "main")
        (self.master / "src").mkdir()
        for number in range(3):
            (self.master / "a.txt").write_text("line\n" * (number + 1))
            (self.master / "src" / f"b{number}.py").write_text("x = 1\n# TODO\n")
            self.git("add", ".")
            self.git("commit", "-qm", f"commit {number}")
        self.git("branch", "topic", "HEAD~1")
        self.git("tag", "v1")
        self.git("tag", "-a", "-m", "annotated", "v2")
        self.git("notes", "add", "-m", "note")
        self.git("remote", "add", "origin", "https://example.org/x.git")
        self.git("bundle", "create", "-q", "x.bundle", "HEAD")
        head = "diff --git a/src/b0.py b/src/b0.py\n--- a/src/b0.py\n+++ b/src/b0.py\n"
        (self.master / "p.patch").write_text(head + "@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n # TODO\n")
        (self.master / "a.txt").write_text("stashed\n")
        self.git("stash", "-q")
        (self.master / "a.txt").write_text("changed\n")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.master, env=self.environment, check=True, capture_output=True)

    def renew(self) -> None:
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(self.master, self.tree, symlinks=True)
        self.mark.unlink(missing_ok=True)
        self.before = self.state()

    def state(self) -> dict[str, tuple[int, int, int]]:
        found = {}
        for base, folders, files in os.walk(self.tree):
            for name in [*folders, *files]:
                path = os.path.join(base, name)
                seen = os.lstat(path)
                size, time = (0, 0) if name in folders else (seen.st_size, seen.st_mtime_ns)
                found[path] = (seen.st_mode, size, time)
        found.pop(str(self.tree / ".git/index"), None)
        return found

    def changes(self, command: str) -> list[str]:
        """What running `command` in the repository changed or started."""
        subprocess.run(
            ["bash", "-c", command],
            cwd=self.tree,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
        after = self.state()
        changed = [path for path in {*after, *self.before} if after.get(path) != self.before.get(path)]
        if self.mark.exists():
            changed += self.mark.read_text().split()
        if changed:
            self.renew()
        return changed


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("git"))


def sources() -> list[str]:
    return [path for path in build.sources(BOOK.folder) if path.startswith(("git/", "git.yaml"))]


def test_examples_change_nothing(sandbox: Sandbox) -> None:
    found = {}
    for path in sources():
        for verdict, line in compiler.examples(build.read(BOOK.folder, path)):
            command = line.text("example")
            if verdict == "allow" and is_allowed(command):
                changed = sandbox.changes(command)
                if changed:
                    found[command] = changed
    assert found == {}


def readers() -> list[tuple[tuple[str, ...], Node]]:
    """All subcommands that only read, with the path of names that leads to them."""
    root = BOOK.rule("git")
    assert root is not None
    found: list[tuple[tuple[str, ...], Node]] = []
    for path in sources():
        name = path.removeprefix("git/").removesuffix(".yaml")
        node = None if path == "git.yaml" else BOOK.subcommand(root, ("git",), name)
        pending: list[tuple[tuple[str, ...], Node]] = [] if node is None else [((name,), node)]
        while pending:
            names, inner = pending.pop()
            if inner.accepts_any:
                continue
            found.append((names, inner))
            found += [(names, make_node(row)) for row in (inner.bare, inner.otherwise) if row is not None]
            for child in inner.subcommands:
                below = BOOK.subcommand(inner, ("git", *names), child)
                if below is not None:
                    pending.append(((*names, child), below))
    return [(names, node) for names, node in found if not node.accepts_any]


def option(chance: random.Random, node: Node) -> list[str]:
    """An option of the node in one of the ways to write it, right or not."""
    spelling = chance.choice(list(node.options))
    long = spelling.startswith("--")
    if long and chance.random() < 0.15:
        spelling = spelling[: chance.randint(4, len(spelling))]
    if not node.options.get(spelling) or not node.options[spelling].takes:
        return [spelling]
    value = chance.choice(WORDS)
    if chance.random() < 0.5:
        return [f"{spelling}{'=' if long else ''}{value}"]
    return [spelling, value] if chance.random() < 0.7 else [spelling]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_allowed_changes_nothing(sandbox: Sandbox, seed: int) -> None:
    chance = random.Random(seed)
    nodes = readers()
    found = {}
    run = 0
    while run < 100:
        names, node = chance.choice(nodes)
        words = ["git", *names]
        for _ in range(chance.randint(0, 5)):
            words += option(chance, node) if node.options and chance.random() < 0.5 else [chance.choice(WORDS)]
        command = shlex.join(words)
        if is_allowed(command):
            run += 1
            changed = sandbox.changes(command)
            if changed:
                found[command] = changed
    assert found == {}


@pytest.mark.parametrize(
    "command",
    [
        "git log --grep -q --author --output=TRAP",
        "git log --autho --output=TRAP",
        "git log -pn --output=TRAP",
        "git stash list -- --output=TRAP",
        "git fast-export -- --output TRAP HEAD",
        "git archive --prefix --output=TRAP HEAD",
        "git config user.name --list",
        "git branch --list --no-list new",
        "git blame --output=TRAP a.txt",
        "git shortlog --output=TRAP HEAD",
    ],
)
def test_traps_are_real(sandbox: Sandbox, command: str) -> None:
    assert not is_allowed(command)
    assert sandbox.changes(command)


def listed(*words: str) -> list[str]:
    found = subprocess.run(["git", *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return found.stdout.split()


def test_every_subcommand_has_a_rule() -> None:
    root = BOOK.rule("git")
    assert root is not None
    helpers = {
        "env--helper",
        "checkout--worker",
        "credential-cache--daemon",
        "sh-i18n--envsubst",
        "upload-archive--writer",
    }
    missing = [name for name in listed("--list-cmds=main") if BOOK.subcommand(root, ("git",), name) is None]
    assert set(missing) <= helpers


def test_every_long_option_is_known() -> None:
    """An option that the rule does not have could be what an abbreviation stands for."""
    root = BOOK.rule("git")
    assert root is not None
    missing = set()
    for name in sorted(set(listed("--list-cmds=parseopt")) & {names[0] for names, _ in readers()}):
        node = BOOK.subcommand(root, ("git",), name)
        assert node is not None
        for spelling in listed(name, "--git-completion-helper-all"):
            long = spelling.removesuffix("=")
            if long.startswith("--") and len(long) > 2 and not long.startswith("--no-") and long not in node.options:
                missing.add(f"{name} {long}")
    assert missing <= {"apply --add", "rev-parse --git-completion-helper-all"}
