"""What is known of a command's output, and where it is not known any more: each with its siblings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

BOOK = Rulebook()


def allowed(command: str, cwd: str = "/nonexistent/project") -> bool:
    return judge.command(command, Place(cwd, "/home/user"), Grant(), BOOK).decision is Decision.ALLOW


ALLOWED = [
    # object names
    'h=$(git log -1 --format=%H); git show "$h"',
    "h=$(git log -1 --format=%h); git show $h",
    "git show $(git log -1 --format=%H -- a.txt)",
    'git diff "$(git log --format=%H | tail -1)" "$(git rev-list HEAD | sort | uniq | head -n 1)"',
    "for c in $(git log --format=%h -5); do git show --stat $c; done",
    "git log --format=%H | while read h; do git show $h; done",
    "git rev-list -5 HEAD | { while read -r a; do git show -s $a; git log -1 $a; done; }",
    'git diff "$(git merge-base HEAD "refs/heads/$b")"',
    'git cat-file -p "$(git hash-object "./$f")"',
    # numbers
    'n=$(wc -l < f); sed -n "$((n-5)),$((n+5))p" f',
    'n=10; sed -n "$((n-5)),${n}p" f',
    'awk "NR > $((n-5))" f',
    'wc -l < f | while read -r n; do sed -n "${n}p" f; done',
    # names that begin with a starting point
    "find . -name '*.py' -print0 | xargs -0 sort",
    "find -print0 | xargs -0 -n1 sed -n 1p",
    "find src /usr/share -type f -print0 | xargs -0 -I{} sort {}",
    'f=$(find . -name x | head -1); sed -n 1,5p "$f"',
    'sort "$(find src -name x -print -quit)"',
    # folders and programs
    'cd "$(git rev-parse --show-toplevel)" && git status',
    'git -C "$(git rev-parse --show-toplevel)" status',
    'git -C "$(pwd)" log',
    'file "$(command -v ls)"',
    'file "$(which ls)" "$(realpath x)" "$(readlink -f x)"',
    # what follows a variable, which zsh could take for a modifier
    'b=main; git show "$b:file"',
    'b=main; git show "$b:docs/x"',
    'b=main; git show "${b}:src/x"',
]
VETOED = [
    # other formats, several outputs, other inputs
    "git show $(git log -1 --format=%s)",
    "git show $(git log -1 --format=%H%n%b)",
    "git show $(git log -1 --format=$f)",
    "git show $(git log --oneline -1)",
    "git show $(git log -1 --format=%H; cat f)",
    "git show $(git log -1 --format=%H 2>&1)",
    "git show $(git log -1 --format=%H | cat - f)",
    "git show $(git log -1 --format=%H | head -1 f)",
    "git show $(git log -1 --format=%H | head -1 < f)",
    "git show $(git log -1 --format=%H | head -1 <<< '-x')",
    "git show $(git log -1 --format=%H | head -1 0<&3)",
    "git show $(git log -1 --format=%H | { head -1; } < f)",
    "git show $(git log -1 --format=%H | { exec < f; head -1; })",
    "git show $(git log -1 --format=%H | { eval 'exec < f'; head -1; })",
    "git show $(git log -1 --format=%H | { command exec < f; head -1; })",
    "git show $(git log -1 --format=%H | uniq -c)",
    "git show $(git log -1 --format=%H | sort --debug)",
    "git show $(git log -1 --format=%H | head -v)",
    'git diff "$(git rev-parse HEAD | tail -c 5)"',
    "git show $(cat f | head -1)",
    "git show $(git merge-base -h)",
    # variables that a loop reads
    "git log --format=%s | while read h; do git show $h; done",
    "git log --format='%H %s' | while read h rest; do git show $h; done",
    "git log --format=%H | while read h; do git show $h; done < f",
    "git log --format=%H | while read h < f; do git show $h; done",
    "git log --format=%H | while read -u 3 h; do git show $h; done",
    "git log --format=%H | while read h; do git show $h; exec < f; done",
    "git log --format=%H | while read -a h; do git show $h; done",
    "git log --format=%H | { f() { read h; }; f; git show $h; }",
    "while read h; do git show $h; done",
    "git log --format=%H | cat | while read h; do git show $h; done",
    'git log --format=%H | while IFS=: read -r h; do git show "$h$x"; done',
    # numbers
    'sed -n "$((n-5))$x" f',
    'sed "$((n-5))w out" f',
    'sort "$((n-5))" f',
    'sed -n "$x,$((n-5))p" f',
    "git log $(($n-5))--output=x",
    # names
    "find . -print | xargs -0 sort",
    "find . | xargs sort",
    "find . -print0 | xargs sort",
    'find "$d" -print0 | xargs -0 sort',
    "find $d -print0 | xargs -0 sort",
    "find . -print0 -exec cat {} + | xargs -0 sort",
    "find . -print0 -printf '%f' | xargs -0 sort",
    "find . -print0 $x | xargs -0 sort",
    "find -files0-from f -print0 | xargs -0 sort",
    "find . -print0 | xargs -0 -a f sort",
    "find . -print0 | xargs -0 -d a sort",
    "find . -print0 | xargs -0 sort < f",
    "find . -print0 | sort -z | xargs -0 sort",
    "find . -print0 | head -c 5 | xargs -0 sort",
    "find . -print0 | { read -N 3 x; xargs -0 sort; }",
    "find . -print0 | xargs -0 sed",
    "find . -print0 | xargs -0 rm",
    "find . -print0 2>&1 | xargs -0 sort",
    'sort "$(find . -name x | tail -1)"',
    'sort "$(find . -name x | sort | head -1)"',
    "sort $(find . -name x)",
    'sort "$(find -- $x -name y)"',
    # folders and programs
    'cd "$(git rev-parse --show-toplevel $x)" && git status',
    'git -C "$(git rev-parse --show-prefix)" status',
    'git -C "$(git rev-parse --show-toplevel --show-prefix)" status',
    'git -C "$(cd x; pwd)" status',
    'sort "$(command -v "$x")"',
    "sort $(which ls)",
    'sort "$(realpath --relative-to=. x)"',
    'sort "$(readlink x)"',
    # modifiers of zsh
    'b=x/-y; git show "$b:t/x"',
    'b=main; git show "$b:src/x"',
    'b=main; git show "$b:fs/x"',
    'b=main; git show "$b:lib"',
    'git show "$b:file"',
]


@pytest.mark.parametrize("command", ALLOWED)
def test_known(command: str) -> None:
    assert allowed(command)


@pytest.mark.parametrize("command", VETOED)
def test_not_known(command: str) -> None:
    assert not allowed(command)


TOP = 'cd "$(git rev-parse --show-toplevel)" && git status'
EACH = 'for d in */; do git -C "$d" status; done'
NEWEST = "git show $(git log -1 --format=%H)"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two repositories, of which one has a folder `sub`."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name in ("a", "b"):
        (tmp_path / "all" / name / "sub").mkdir(parents=True)
        subprocess.run(["git", "init", "-q"], cwd=tmp_path / "all" / name, check=True, capture_output=True)
    return tmp_path / "all"


def configure(repository: Path, text: str) -> None:
    with (repository / ".git" / "config").open("a", encoding="utf-8") as file:
        file.write(text)


def test_the_folder_that_is_meant_is_checked(tree: Path) -> None:
    sub = str(tree / "a" / "sub")
    assert [allowed(command, sub) for command in (TOP, NEWEST)] == [True, True]
    assert allowed(EACH, str(tree))
    configure(tree / "a", "[core]\n\tfsmonitor = ./run\n")
    assert [allowed(command, sub) for command in (TOP, NEWEST)] == [False, False]
    assert not allowed(EACH, str(tree))


def test_another_work_tree(tree: Path) -> None:
    configure(tree / "a", f"[core]\n\tworktree = {tree}/a\n")
    assert allowed(TOP, str(tree / "a" / "sub"))
    configure(tree / "a", f"[core]\n\tworktree = {tree}/b\n")
    assert not allowed(TOP, str(tree / "a" / "sub"))


def test_another_repository(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tree / "b" / ".git"))
    assert not allowed(TOP, str(tree / "a" / "sub"))


def test_signatures_between_the_names(tree: Path) -> None:
    repository = str(tree / "a")
    configure(tree / "a", "[log]\n\tshowSignature = false\n")
    assert allowed(NEWEST, repository)
    configure(tree / "a", "[log]\n\tshowSignature\n")
    assert not allowed(NEWEST, repository)
    assert allowed("git show $(git rev-list -1 HEAD)", repository)


def test_keywords_that_an_archive_expands(tree: Path) -> None:
    repository = str(tree / "a")
    assert allowed("git archive HEAD | tar -t")  # there is no repository, so git fails
    commands = [
        "git archive HEAD | tar -t",
        "git archive HEAD:sub",
        "git archive HEAD^{tree} | tar -t",
        "git archive -l",
    ]
    assert [allowed(command, repository) for command in commands] == [False, False, True, True]


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A real repository with one commit."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "home").mkdir()
    repository = tmp_path / "real"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "a.txt").write_text("a\n")
    commit(repository)
    return repository


def commit(repository: Path) -> None:
    subprocess.run(["git", "-C", str(repository), "add", "-A"], check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@host.example"]
    subprocess.run(["git", "-C", str(repository), *who, "commit", "-qm", "x"], check=True)


def test_head_is_archived_where_nothing_has_the_attribute(committed: Path) -> None:
    archive, here = "git archive HEAD | tar -t", str(committed)
    assert allowed(archive, here)
    assert allowed("git archive --format=tar HEAD a.txt | tar t", here)
    for other in ("git archive HEAD~1", "git archive v1", "git archive $x", "git archive --worktree-attributes HEAD"):
        assert not allowed(other, here), other
    (committed / ".gitattributes").write_text("* text=auto\n")
    commit(committed)
    assert allowed(archive, here)
    (committed / ".gitattributes").write_text("* export-subst\n")
    assert not allowed(archive, here)


@pytest.mark.parametrize("place", ["sub/.gitattributes", ".git/info/attributes", "../home/.config/git/attributes"])
def test_attributes_in_other_places(committed: Path, place: str) -> None:
    path = committed / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("*.txt export-subst\n")
    (committed / "b.txt").touch()
    commit(committed)
    assert not allowed("git archive HEAD | tar -t", str(committed))


def test_attributes_by_the_configuration(committed: Path) -> None:
    path = committed.parent / "mine"
    path.write_text("* export-subst\n")
    subprocess.run(["git", "-C", str(committed), "config", "core.attributesFile", str(path)], check=True)
    assert not allowed("git archive HEAD | tar -t", str(committed))


@pytest.mark.parametrize("form", [["--index-version", "4"], ["--split-index"]])
def test_an_index_that_shortens_names_says_nothing(committed: Path, form: list[str]) -> None:
    subprocess.run(["git", "-C", str(committed), "update-index", *form], check=True)
    assert not allowed("git archive HEAD | tar -t", str(committed))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("readelf -h f", True),
        ("readelf -W f", True),
        ("objdump -d f", True),
        ("readelf -wi f", False),
        ("readelf --debug-dump f", False),
        ("objdump -dS f", False),
        ("objdump -W f", False),
        ("objdump --line f", False),
    ],
)
def test_debug_information_is_fetched_where_servers_are_set(
    monkeypatch: pytest.MonkeyPatch, command: str, expected: bool
) -> None:
    monkeypatch.delenv("DEBUGINFOD_URLS", raising=False)
    assert allowed(command)
    monkeypatch.setenv("DEBUGINFOD_URLS", "https://host.example/")
    assert allowed(command) is expected


@pytest.mark.parametrize(
    "pattern", ["**/", "*?/", "$x/", "*/..", "../*/", "*/*/*/*", "/*/*"], ids=lambda text: repr(text)
)
def test_other_patterns_are_not_looked_up(tree: Path, pattern: str) -> None:
    for number in range(40):
        (tree / "a" / "sub" / str(number) / "x").mkdir(parents=True)
    assert not allowed(f'for d in {pattern}; do git -C "$d" status; done', str(tree / "a" / ".."))
