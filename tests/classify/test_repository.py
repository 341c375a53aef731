"""The check of the repository that git would use, on real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from guard.classify import repository


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose configuration is the test's own."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    (folder / ".gitconfig").write_text(
        '[user]\n\tname = A\n\temail = a@example.org\n[protocol "file"]\n\tallow = always\n[core]\n\tpager = less\n'
    )
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.txt").write_text("a\n")
    (folder / "sub").mkdir()
    (folder / "conv.py").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def check(folder: Path, fetches: bool = False) -> str | None:
    return repository.check(str(folder), fetches=fetches)


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[core]\nfsmonitor = true\n",
        "[core]\nfsmonitor\n",
        "[core]\nfsmonitor = .git/hooks/query-watchman\n",
        "[core]\nfsmonitor = /usr/bin/watcher\n",
        "[core]\npager = delta --side-by-side\n",
        "[core]\nhooksPath = .husky\n",
        "[core]\nsshCommand = ssh -i /etc/key\n",
        "[diff]\nexternal = difft\n",
        '[diff "pdf"]\ntextconv = pdftotext -layout - <\n',
        '[diff "x"]\ntextconv = python3 missing.py\n',
        '[filter "lfs"]\nclean = git-lfs clean -- %f\nprocess = git-lfs filter-process\n',
        '[filter "x"]\nclean = "sed -e s/a/b/"\n',
        "[alias]\nx = !./x\n",
        '[credential]\nhelper = "!/usr/bin/gh auth git-credential"\n',
        "[include]\npath = /nonexistent/config\n",
        '[pager]\nlog = false\n[hook "x"]\nevent = pre-commit\ncommand = ./x\n',
    ],
)
def test_harmless_configuration(tree: Path, text: str) -> None:
    append(tree / ".git/config", text)
    assert check(tree) is None
    assert check(tree / "sub") is None


@pytest.mark.parametrize(
    "text",
    [
        "[core]\nfsmonitor = ./x\n",
        "[core]\nfsmonitor = tools/x\n",
        "[CORE]\nFSMonitor = sub/x\n",
        "[core]\nfsmonitor = .git/../x\n",
        "[core]\nfsmonitor = /tmp/x\n",
        '[core]\nfsmonitor = "python3 conv.py"\n',
        '[core]\npager = "cat | ./x"\n',
        "[core]\npager = $(git rev-parse --show-toplevel)/x\n",
        "[core]\npager = $PWD/x\n",
        "[core]\nsshCommand = /tmp/ssh\n",
        "[diff]\nexternal = ../x\n",
        '[diff "x"]\ntextconv = python3 conv.py\n',
        '[diff "x"]\ncommand = sub/x\n',
        '[filter "x"]\nclean = ./x %f\n',
        '[filter "x"]\nprocess = node --require=./x\n',
        '[gpg "ssh"]\nprogram = ./x\n',
        '[trailer "x"]\ncmd = ./x\n',
        '[remote "origin"]\nuploadpack = ./x\n',
        '[hook "x"]\nevent = post-index-change\n',
        "[pager]\nlog = ./x\n",
        '[tar "x"]\ncommand = ./x\n',
    ],
)
def test_programs_of_the_work_tree(tree: Path, home: Path, text: str) -> None:
    before = (tree / ".git/config").read_text()
    append(tree / ".git/config", text)
    assert check(tree)
    assert check(tree / "sub")
    (tree / ".git/config").write_text(before)
    append(home / ".gitconfig", text)
    assert check(tree)


def test_absolute_paths(tree: Path, tmp_path: Path) -> None:
    append(tree / ".git/config", f"[core]\nfsmonitor = {tree}/x\n")
    assert check(tree)


def test_hooks_folder(tree: Path) -> None:
    append(tree / ".git/config", "[core]\nhooksPath = .husky\n")
    (tree / ".husky").mkdir()
    (tree / ".husky/pre-commit").write_text("")
    assert check(tree) is None
    (tree / ".husky/post-index-change").write_text("")
    assert "post-index-change" in (check(tree) or "")


def test_own_hooks_are_trusted(tree: Path) -> None:
    hook = tree / ".git/hooks/post-index-change"
    hook.write_text("")
    assert check(tree) is None
    hook.unlink()
    hook.symlink_to(tree / "conv.py")
    assert "post-index-change" in (check(tree) or "")


def test_configuration_that_is_a_link_into_the_work_tree(tree: Path) -> None:
    config = tree / ".git/config"
    append(config, "[core]\npager = less\n")
    assert check(tree) is None
    config.rename(tree / "config")
    config.symlink_to(tree / "config")
    assert "not the user's own" in (check(tree) or "")


@pytest.mark.parametrize("section", ["[include]", '[includeIf "gitdir:/nowhere/"]', '[includeif "onbranch:x"]'])
def test_included_files_of_the_work_tree(tree: Path, section: str) -> None:
    append(tree / ".git/config", f"{section}\npath = ../shared.config\n")
    (tree / "shared.config").write_text("[push]\ndefault = simple\n")
    assert check(tree) is None
    (tree / "shared.config").write_text("[core]\npager = less\n")
    assert "not the user's own" in (check(tree) or "")


def test_included_files_where_anybody_may_write(tree: Path, home: Path) -> None:
    append(home / ".gitconfig", "[include]\npath = more\n")
    (home / "more").write_text("[include]\npath = ~/even\n")
    assert check(tree) is None
    (home / "even").write_text("[core]\nfsmonitor = x\n")
    assert "not the user's own" in (check(tree) or "")


@pytest.mark.parametrize(
    "content",
    [
        b'[core]\nfsmonitor = "unclosed\n',
        b"[core\n",
        b"[core]\n1key = x\n",
        b"[core]\nkey = \\x\n",
        b"[core]\nkey = a\0b\n",
        b"[include]\npath = config\n",
        b"[include]\npath = %(prefix)/x\n",
        b"#" * (1 << 20) + b"\n",
    ],
)
def test_unreadable_configuration(tree: Path, content: bytes) -> None:
    (tree / ".git/config").write_bytes(content)
    assert check(tree)


def test_odd_files(tree: Path) -> None:
    config = tree / ".git/config"
    config.unlink()
    assert check(tree) is None
    config.symlink_to(config)
    assert check(tree)
    config.unlink()
    config.mkdir()
    assert check(tree)
    config.rmdir()
    os.mkfifo(config)
    assert check(tree)


def test_no_repository(tmp_path: Path) -> None:
    assert check(tmp_path) is None
    assert check(tmp_path / "missing") is None
    (tmp_path / ".git").mkdir()
    assert check(tmp_path) is None


def test_an_empty_git_folder_does_not_hide_the_repository(tree: Path) -> None:
    (tree / "sub/.git").mkdir()
    append(tree / ".git/config", "[core]\nfsmonitor = ./x\n")
    assert check(tree / "sub")


def test_a_broken_link_to_a_repository_makes_git_fail(tree: Path) -> None:
    (tree / "sub/.git").write_text("gitdir: nowhere\n")
    append(tree / ".git/config", "[core]\nfsmonitor = ./x\n")
    assert check(tree / "sub") is None


def test_a_detached_head(tree: Path) -> None:
    git(tree, "checkout", "-q", "--detach")
    append(tree / ".git/config", "[core]\nfsmonitor = ./x\n")
    assert check(tree)


def test_linked_work_trees(tree: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(tree, "worktree", "add", "-q", str(linked))
    assert check(linked) is None
    append(tree / ".git/config", f"[core]\nfsmonitor = {tree}/x\n")
    assert check(linked)


def test_configuration_of_a_work_tree(tree: Path) -> None:
    git(tree, "config", "extensions.worktreeConfig", "true")
    (tree / ".git/config.worktree").write_text("[core]\nfsmonitor = ./x\n")
    assert check(tree)


def test_submodules(tree: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(tree), "inner")
    assert check(outer) is None
    assert check(outer / "inner") is None
    append(outer / ".git/modules/inner/config", f"[core]\nfsmonitor = {outer}/x\n")
    assert check(outer / "inner")
    assert check(outer)


def test_bare_repository_inside_a_work_tree(tree: Path) -> None:
    git(tree, "clone", "-q", "--bare", ".", "sub/bare")
    assert "bare repository" in (check(tree / "sub/bare") or "")
    assert "bare repository" in (check(tree / "sub/bare/objects") or "")
    assert check(tree / "sub") is None


def test_bare_repository_of_its_own(tree: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tree, "clone", "-q", "--bare", ".", str(bare))
    assert check(bare) is None
    append(bare / "config", "[core]\npager = less\n")
    assert check(bare)


def test_inside_the_repository_folder(tree: Path) -> None:
    assert check(tree / ".git") is None
    assert check(tree / ".git/refs") is None
    append(tree / ".git/config", "[core]\nfsmonitor = ./x\n")
    assert check(tree / ".git")


def test_work_tree_elsewhere(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    append(tree / ".git/config", f"[core]\nworktree = {tmp_path}/elsewhere\nfsmonitor = {tmp_path}/elsewhere/x\n")
    assert check(tree)


def test_links_on_the_way(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tree / "sub")
    append(tree / ".git/config", "[core]\nfsmonitor = ./x\n")
    assert check(tmp_path / "link")


@pytest.mark.parametrize(
    "text",
    [
        "[extensions]\npartialClone = origin\n",
        '[remote "origin"]\npromisor = true\n',
        '[remote "origin"]\npartialclonefilter = blob:none\n',
    ],
)
def test_partial_clones(tree: Path, text: str) -> None:
    append(tree / ".git/config", text)
    assert check(tree) is None
    assert "partial clone" in (check(tree, fetches=True) or "")
