"""Grants and the guard's own files: what `write` and `delete`, globs of paths and `run` reach, and what not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from guard import judge
from guard.classify import Place
from guard.classify.targets import own
from guard.model.call import ToolCall
from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant, Step
from guard.model.verdict import Decision
from guard.rulebook import Rulebook
from guard.rulebook.yaml_source import read_file
from guard.setup.runtimes import RUNTIMES, Runtime
from guard.setup.switches import CHECKS, switches

BOOK = Rulebook()
EVERYWHERE = Grant(effects=READ_ONLY | {Kind.WRITE, Kind.DELETE})
PATHS = Grant(write=("**",))
ALL = Grant(effects=frozenset(Kind), write=("**",), run=(("rm", "*"), ("pytest", "*")))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in (".devflow/held", "src/inner", ".claude", "vendor/.claude", "home"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("src/a.txt", ".claude/settings.json", "vendor/.claude/settings.json"):
        (tmp_path / file).touch()
    (tmp_path / "link").symlink_to(".devflow")
    (tmp_path / "out").symlink_to("/")
    (tmp_path / "src" / "deep").symlink_to("../.claude/inner")
    (tmp_path / ".claude" / "inner").mkdir()
    return tmp_path


def passes(command: str, grant: Grant, root: Path) -> bool:
    verdict = judge.command(command, Place(str(root), str(root / "home")), grant, BOOK, str(root))
    return verdict.decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("command", "everywhere", "paths"),
    [
        ("echo x > src/a.txt", True, True),
        ("echo x > /elsewhere.txt", True, False),
        ("echo x > out/etc/x", True, False),
        ("cp src/a.txt src/b.txt", True, True),
        ("cp /etc/hostname src/b.txt", True, True),
        ("cp src/a.txt src", False, False),
        ("cp -r src copy", False, False),
        ("cp src/a.txt src/inner src/b.txt x", True, True),
        ("mv src/a.txt src/b.txt", True, True),
        ("mv src there", True, False),
        ("mkdir -p src/new/inner", True, True),
        ("touch src/new", True, True),
        ("sed -i s/a/b/ src/a.txt", True, True),
        ("sort -o src/a.txt src/a.txt", True, True),
        ("rm src/a.txt", True, True),
        ("rm -rf src/inner", True, False),
        ("rm -rf vendor", False, False),
        ("rm -rf .", False, False),
        ("rm -rf ..", False, False),
        ("rm -rf ./src/../", False, False),
        ("rm -rf /", False, False),
        ("rm -rf home", False, False),
        ("rm -rf ~", False, False),
        ('rm "$f"', False, False),
        ("rm src/*", False, False),
        ('echo x > "$f"', False, False),
        ("tar xf a.tar", False, False),
        ("find . -name x | xargs rm", False, False),
        ('cd "$there" && echo x > src/a.txt', False, False),
        ('cd "$there"; rm src/a.txt', False, False),
        ("cd src || cd vendor; rm a.txt", False, False),
        ("cd src && rm a.txt", True, True),
        ("echo x > /dev/full", False, False),
        ("truncate -s 0 src/a.txt", False, False),
        # what bash makes of a word
        ("echo x > src/[a].txt", False, False),
        ("echo x > src/?.txt", False, False),
        ("f='src/?.txt'; echo x > $f", False, False),
        ("f='src/b.txt'; echo x > $f", True, True),
        ("echo x > 'src/[a].txt'", True, True),
        ("echo x > ~root/x", False, False),
        ("touch ~-/x ~+/x", False, False),
        ("cd ~root && touch x", False, False),
        # behind a link `..` is not where it seems
        ("touch out/../x", True, False),
        ("cd out && touch ../x", True, False),
        # names that are made of others
        ("sed -i.bak s/a/b/ src/a.txt", False, False),
        ("sed -i '' s/a/b/ src/a.txt", True, True),
        ("gzip -d src/a.txt.gz", False, False),
        ("xz -S .json src/a.txt", False, False),
        # what an earlier command has changed
        ("mv src there && echo x > there/a.txt", False, False),
        ("mv src there && cd there && touch b", False, False),
        ("mv src/a.txt src/b.txt && touch src/c.txt", True, True),
        ("cp src/a.txt src/b.txt && sed -i s/a/b/ src/b.txt", True, True),
    ],
)
def test_what_is_reached(command: str, everywhere: bool, paths: bool, root: Path) -> None:
    found = (passes(command, Grant(), root), passes(command, EVERYWHERE, root), passes(command, PATHS, root))
    assert found == (False, everywhere, paths)


@pytest.mark.parametrize(
    "command",
    [
        "echo x > .devflow/new",
        "echo x > link/new",
        "cd link && echo x > new",
        "cd .devflow; touch new",
        "cp src/a.txt .devflow/held/x",
        "cp src/a.txt link/held/x",
        "cp --target-directory=.devflow src/a.txt",
        "dd if=src/a.txt of=.devflow/x",
        "rm .devflow/held/x",
        "rm -rf .devflow",
        "rm -rf .DEVFLOW",
        "rm -rf .dev*",
        "rm -rf ./.claude",
        "rm -rf .",
        "rm -rf vendor",
        "cd src; rm -rf ..",
        "mv .claude x",
        "pytest --junitxml=.devflow/x",
        "pytest -o.devflow/x",
        "python3 -c \"open('.devflow/x', 'w')\"",
        "python3 << 'E'\nopen('.claude/settings.json', 'w')\nE",
        "python3 ~/.config/devkit-guard/config.toml",
        "git checkout HEAD -- .claude/settings.json",
        "chmod -x hooks/devkit-workflow-guard.sh",
        "ln -f src/a.txt .devkit-guard.toml",
        "echo x > .?laude/settings.json",
        "echo x >| .[d]evflow/x",
        "{ echo x; } &> .?evflow/x",
        "echo x > src/deep/../settings.json",
        "cd src/deep && echo x > ../settings.json",
        "mkdir .codex && cp src/a.txt .codex",
        "mkdir .kiro; cd .kiro; mv ../src agents; cp ../src/a.txt .",
        "mv src .agents",
        "xargs rm .devflow/x",
        "env A=1 nice rm link/x",
        "for f in .devflow/x y; do rm $f; done",
    ],
)
def test_no_grant_reaches_the_guards_own(command: str, root: Path) -> None:
    assert not passes(command, ALL, root)
    assert not passes(command, ALL._replace(run=((*command.split()[:1], "*"),)), root)


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'mentions .devflow/x and hooks/hooks.json'",
        "curl -s https://example.org/.claude/settings.json",
        "pytest -q tests",
        "python3 -c 'print(1)'",
        "cat .devflow/held/x .claude/settings.json",
    ],
)
def test_naming_is_not_writing(command: str, root: Path) -> None:
    assert passes(command, ALL, root)


def test_state_in_another_place(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "state" / "devkit" / "boards").mkdir(parents=True)
    (root / "plugin").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(root / "state"))
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(root / "plugin"))
    for path in ("state/devkit/boards/x", "state/devkit/open/x", "plugin/boards/x", "plugin/venv/bin/devkit-guard"):
        assert not passes(f"echo x > {path}", ALL, root), path
        assert not passes(f"rm {path}", ALL, root), path
    assert not passes("rm -rf state", ALL._replace(run=()), root)
    assert passes("echo x > state/other", ALL, root)


RUN = Grant(run=(("pytest", "*"), ("make", "test")))


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("pytest -q", True),
        ("timeout 60 pytest -q | tail -5", True),
        ("nice -n 5 pytest", True),
        ("env LC_ALL=C pytest", True),
        ("time pytest -x", True),
        ("cd src && timeout 60 make test", True),
        ("make test all", False),
        ("timeout 60 make", False),
        ("timeout 60 sh -c 'pytest; rm x'", False),
        ("env LD_PRELOAD=./x.so pytest", False),
        ("LD_PRELOAD=./x.so pytest", False),
        ("nohup pytest > out", False),
        ("timeout 60 pytest > out", False),
        ("timeout 60 pytest --junitxml=.devflow/x", False),
        ("timeout 60 /tmp/pytest", False),
        ("sudo pytest", False),
    ],
)
def test_a_granted_command_behind_a_wrapper(command: str, allowed: bool, root: Path) -> None:
    assert passes(command, RUN, root) is allowed


WITH = Grant(run=(("PYTHONPATH=.", "pytest", "*"), ("A=1", "B=2", "make", "test"), ("tox",)))


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("PYTHONPATH=. pytest -q", True),
        ("PYTHONPATH='.' LC_ALL=C pytest -q", True),
        ("env PYTHONPATH=. pytest -q", True),
        ("B=2 A=1 make test", True),
        ("LC_ALL=C tox", True),
        ("pytest -q", False),
        ("A=1 make test", False),
        ("PYTHONPATH=/tmp/x pytest -q", False),
        ("PYTHONPATH=. PYTHONPATH=/tmp pytest -q", False),
        ("PYTHONPATH+=. pytest -q", False),
        ("PYTHONPATH=$x pytest -q", False),
        ("PYTHONPATH=. LD_PRELOAD=./x.so pytest -q", False),
        ("PYTHONPATH=. tox", False),
        ("PYTHONPATH=. make test", False),
        ("PYTHONPATH=. sh -c pytest", False),
        ("pytest() { aws help; }; PYTHONPATH=. pytest", False),
        ("env PYTHONPATH=. LD_PRELOAD=./x.so pytest", False),
        ("PYTHONPATH=.; pytest -q", False),
    ],
)
def test_a_grant_names_the_variables_of_a_command(command: str, allowed: bool, root: Path) -> None:
    assert passes(command, WITH, root) is allowed


@pytest.mark.parametrize("runtime", RUNTIMES, ids=[runtime.name for runtime in RUNTIMES])
def test_what_registers_the_guard_is_its_own(runtime: Runtime, root: Path) -> None:
    home = str(root / "home")
    assert runtime.user == "" or own(BOOK, f"{home}/{runtime.user}", home) is not None
    assert runtime.project == "" or own(BOOK, f"{root}/{runtime.project}", home) is not None


@pytest.mark.parametrize(
    "path",
    [
        *("~/.gemini/trustedFolders.json", "~/.qwen/trustedFolders.json", "~/.claude/plugins/installed_plugins.json"),
        *("~/.codex/config.toml", "~/.claude.json", "/etc/claude-code/managed-settings.json", ".mcp.json"),
        *("~/.config/devkit/workflows/tri-review.yaml", ".kiro/settings/cli.json", ".opencode/plugin/x.js"),
        *("opencode.json", ".vscode/settings.json", ".cursor/mcp.json", "~/.config/devin/config.json"),
    ],
)
def test_what_decides_whether_hooks_run_is_its_own(path: str, root: Path) -> None:
    home = str(root / "home")
    assert own(BOOK, path.replace("~", home), home) is not None


OPENED: list[str] = []
LISTENING: list[bool] = []
"""An audit hook cannot be taken away again."""


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str):
        OPENED.append(arguments[0])


@pytest.mark.parametrize("runtime", RUNTIMES, ids=[runtime.name for runtime in RUNTIMES])
def test_whatever_doctor_reads_of_a_host_is_its_own(runtime: Runtime, root: Path) -> None:
    """What can switch a hook off is what doctor looks at."""
    home = str(root / "home")
    if not LISTENING:
        sys.addaudithook(_note)
        LISTENING.append(True)
    OPENED.clear()
    for path in (f"{home}/{runtime.user}", f"{root}/{runtime.project}"):
        list(switches(runtime, path, home, lambda *found: found))
    read = [path for path in OPENED if path.startswith(str(root))]
    assert read or runtime.name not in CHECKS
    assert [path for path in read if own(BOOK, path, home) is None] == []


VARIABLES = read_file(str(Path(__file__).parents[2] / "rules/protected.yaml")).mapping("file")["variables"]


@pytest.mark.parametrize("variable", [name.text("variable") for name in VARIABLES.sequence("variables")])
def test_settings_that_a_variable_has_moved(variable: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, str(root / "elsewhere"))
    assert not passes("touch elsewhere/config.toml", ALL, root)
    assert passes("touch other/config.toml", ALL, root)


def test_several_folders_of_workflows(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEVKIT_WORKFLOWS", f"relative:{root}/a:{root}/b")
    assert not passes("touch b/flow.yaml", ALL, root)
    assert passes("touch relative/flow.yaml", ALL, root)


def test_a_folder_of_configuration_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert passes("touch conf/devkit-guard/config.toml", ALL, root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(root / "conf"))
    assert not passes("touch conf/devkit-guard/config.toml", ALL, root)
    assert not passes("touch conf/devkit/workflows/flow.yaml", ALL, root)
    assert passes("touch conf/other.toml", ALL, root)


def test_the_guard_as_installed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its programs on the search path, and what they are links to; its source from everywhere but there."""
    folder = root / "bin"
    folder.mkdir()
    (folder / "devkit-guard").symlink_to(root / "tool" / "devkit-guard")
    source = str(Path(__file__).parents[2])
    assert own(BOOK, f"{folder}/devkit-guard", None) is None
    assert own(BOOK, f"{source}/guard/gate.py", None) is None
    monkeypatch.setenv("PATH", f"/usr/bin:{folder}")
    monkeypatch.chdir(root)
    assert own(BOOK, f"{folder}/devkit-guard", None) is not None
    assert own(BOOK, f"{root}/tool/devkit-guard", None) is not None
    assert own(BOOK, f"{folder}/other", None) is None
    assert own(BOOK, f"{source}/guard/gate.py", None) is not None
    assert own(BOOK, f"{source}/rules/protected.yaml", None) is not None
    assert own(BOOK, os.path.realpath(sys.prefix) + "/bin/python", None) is not None


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        ({"path": ".claude/settings.json", "content": "x"}, True),
        ({"path": "file:///x/.claude/settings.json"}, True),
        ({"edits": [{"file": "src/../.claude/settings.json"}]}, True),
        ({"path": "link/x"}, True),
        ({"path": " .devkit-guard.toml "}, True),
        ({"path": "file://localhost/x/.claude/settings%2Ejson"}, True),
        ({"uri": "vscode-file://host/x/.claude/settings.json"}, True),
        ({"uri": "file:/x/my%20files/.claude/settings.json"}, True),
        ({"path": "./my files/.claude/settings.json"}, True),
        ({"path": "/my files/.claude/settings.json"}, True),
        ({"path": "~/.copilot/config.json"}, True),
        ({"path": "$HOME/.copilot/config.json"}, True),
        ({"files": {".claude/settings.json": "x"}}, True),
        ({"from": ".claude", "to": "x"}, True),
        ({"from": "vendor/.claude/", "to": "x"}, True),
        ({"path": "."}, False),
        ({"path": "src/inner"}, False),
        ({"url": "https://x.org/blob/main/.claude/settings.json"}, False),
        ({"path": "src/a.py", "content": "see .claude/settings.json"}, False),
        ({"path": "src/a.py", "content": "/x/.claude/settings.json\0"}, False),
    ],
)
def test_a_granted_tool_that_nobody_knows(
    arguments: dict[str, object], refused: bool, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root / "home"))
    call = ToolCall("claude", "mcp__fs__write_file", arguments, str(root), "H")
    step = Step("s", "flow", "a", 1, 2, True, Grant(tools=("mcp__fs__write_file",)), repository=str(root))
    assert (judge.Case(call).refused(step) is not None) is refused
