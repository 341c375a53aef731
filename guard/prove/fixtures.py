"""The home folder and the project that commands meet: ordinary files, secrets, and decoys that must not be run.

Everything is made inside the sandbox's own memory, by the user that the commands will run as.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import sqlite3
import subprocess
import tarfile
import zipfile

from guard.prove.states import State

HOME = "/home/user"
PROJECT = "/home/user/project"
_TEXT = "alpha 1 x\nbeta 2 y\ngamma 3 z\nTODO: delta 4 key=value\n"
_CSV = "id,name,size\n1,alpha,10\n2,beta,20\n3,gamma,30\n"
_PYTHON = '"""A module."""\n\n\ndef main(name: str) -> int:\n    """Says how long it is."""\n    return len(name)\n'
_C = '#include <stdio.h>\n\nint main(void)\n{\n    puts("hello");\n    return 0;\n}\n'
_PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-alpha 1 x\n+alpha 9 x\n beta 2 y\n"
_RAN = f"{HOME}/.ran-"

TEXTS = {
    "c": _C, "h": "int size(void);\n", "cpp": _C, "csv": _CSV, "diff": _PATCH, "go": "package main\n\nfunc main() {}\n",
    "html": "<html><head><title>t</title></head><body><p>x</p></body></html>\n", "js": "export const a = 1;\n",
    "json": '{"a": 1, "b": [1, 2, {"name": "x"}], "name": "alpha", "items": [{"id": 1}]}\n',
    "log": "2026-01-01 ERROR one\n2026-01-01 INFO two\n", "md": "# Title\n\nText with `code`.\n", "patch": _PATCH,
    "php": "<?php echo 1;\n", "py": _PYTHON, "sh": "#!/bin/sh\necho hello\n", "sql": "select 1;\n",
    "toml": '[project]\nname = "x"\n', "tsv": _CSV.replace(",", "\t"), "xml": "<a><b n='1'>x</b></a>\n",
    "yaml": "a: 1\nb: [1, 2]\nname: alpha\n", "yml": "a: 1\n", "b64": "aGVsbG8K\n", "conf": "[a]\nb = 1\n",
    "plist": '<?xml version="1.0"?><plist version="1.0"><dict/></plist>\n', "jq": ".a\n",
}  # fmt: skip
"""Content by the ending of a name; everything else is a few lines of text."""

DECOYS = {
    **dict.fromkeys(
        ("json.py", "pprint.py", "calendar.py", "sitecustomize.py", "conftest.py", "setup.py", "tokenize.py", "ast.py"),
        "open('{mark}', 'w').close()\n",
    ),
    "Makefile": "X := $(shell touch {mark})\nall:\n\t+touch {mark}\n",
    "CMakeLists.txt": 'execute_process(COMMAND touch "{mark}")\n',
    "yarn.cjs": "require('fs').writeFileSync('{mark}', '')\n",
    ".eslintrc.js": "require('fs').writeFileSync('{mark}', '')\n",
    "ls": "#!/bin/sh\ntouch {mark}\n",
    "git": "#!/bin/sh\ntouch {mark}\n",
    ".exrc": "!touch {mark}\n",
    ".vimrc": "!touch {mark}\n",
    ".gdbinit": "shell touch {mark}\n",
    "build.rs": 'fn main() {{ std::fs::write("{mark}", "").unwrap(); }}\n',
    "Rakefile": "File.write('{mark}', '')\n",
    "Gemfile": "File.write('{mark}', '')\n",
    "build.gradle": "new File('{mark}').text = ''\n",
    ".Rprofile": "file.create('{mark}')\n",
}
"""Files that programs which run what lies in the working directory would run; each leaves a mark in the home folder."""

_NAMES = """
a.txt b.txt words.txt a.csv b.csv data.csv a.log a.yaml b.yaml a.c a.h a.xml a.json b.json data.json a.py b.py a.js a.sh
a.go a.html a.md README.md a.patch a.diff a.conf a.b64 a b c app SUMS src/a.py src/main.py src/b.c docs/a.md lib/x.py
scripts/run.sh scripts/a.sh cmd/main.go pkg/p.go Dockerfile package.json pyproject.toml requirements.txt go.mod
Cargo.toml tsconfig.json .gitignore rules/a.yaml tests/test_a.py logs/1.log deb/DEBIAN/control
"""
_PLAIN = {
    "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "touch ' + _RAN + 'script"}}\n',
    ".yarnrc.yml": "yarnPath: yarn.cjs\n",
    "go.mod": "module example.org/x\n\ngo 1.20\n\nrequire example.org/y v1.0.0\n",
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nbuild = "build.rs"\n',
    ".gitignore": "*.pyc\nbuild/\na.bundle\n",
    ".gitmodules": "",
    "Dockerfile": "FROM scratch\n",
    "deb/DEBIAN/control": "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: x\n",
}
_HOME_FILES = {
    ".gitconfig": "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n",
    ".ssh/id_ed25519": "not a key\n",
    ".ssh/config": "Host x\n  HostName 192.0.2.1\n",
    ".aws/credentials": "[default]\naws_secret_access_key = none\n",
    ".netrc": "machine example.org login a password none\n",
    ".git-credentials": "https://a:none@example.org\n",
    "notes.txt": _TEXT,
}
_BUILD = """
git init -q -b main . && git add -A && git commit -q -m first && git tag v1.0 && git tag -a v1.1 -m annotated
printf 'more\\n' >> a.txt && git commit -q -am second && git branch topic && git branch feature/x HEAD~1
git mv b.txt moved.txt && git mv moved.txt b.txt && printf 'y = 2\\n' >> a.py && git commit -q -am third
printf 'stashed\\n' >> b.txt && git stash -q && git notes add -m note HEAD
git clone -q --bare . ../remote.git && git remote add origin /home/user/remote.git
git update-ref refs/remotes/origin/main HEAD~1 && git config branch.main.remote origin
git config branch.main.merge refs/heads/main && git bundle create -q a.bundle main && git gc -q
"""
_DIRTY = (
    "printf 'changed\\n' >> a.txt && printf 's\\n' >> a.py && git add a.py && rm b.yaml && echo new > untracked.txt"
)


def build(folder: str, state: State) -> None:
    """Makes `folder`/user in the given state. Runs git, as the user it is called as."""
    home = os.path.join(folder, "user")
    project = os.path.join(home, "project")
    for name, text in _HOME_FILES.items():
        _write(os.path.join(home, name), text.encode())
    for name in (*_NAMES.split(), *_PLAIN, *DECOYS):
        make(project, name)
    _archives(project)
    os.symlink("a.txt", os.path.join(project, "link"))
    os.makedirs(os.path.join(project, "empty"))
    _age(project, 7200)
    if state.stat:
        _run(_BUILD, project, home)
        if state.tree == "dirty":
            _run(_DIRTY, project, home)
        _age(project, 7200)
        _run("git update-index -q --refresh || true", project, home)
        if state.stat == "stale":
            _age(project, 3600)


def make(project: str, name: str) -> None:
    """One file of the project, with content that goes with its name."""
    ending = name.rpartition(".")[2]
    text = _PLAIN.get(name) or TEXTS.get(ending, _TEXT)
    if name in DECOYS:
        text = DECOYS[name].replace("{mark}", _RAN + name)
    path = os.path.join(project, name)
    _write(path, _packed(ending, text.encode()))
    if ending == "sh" or text.startswith("#!"):
        os.chmod(path, 0o755)


def _packed(ending: str, data: bytes) -> bytes:
    if ending in ("gz", "tgz"):
        return gzip.compress(_tar() if ending == "tgz" else data)
    if ending == "bz2":
        return bz2.compress(data)
    if ending in ("xz", "lzma"):
        return lzma.compress(data)
    if ending == "tar":
        return _tar()
    if ending in ("zip", "xlsx", "jar", "whl"):
        return _zip()
    return data


def _tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("x/a.txt")
        entry.size = len(_TEXT)
        archive.addfile(entry, io.BytesIO(_TEXT.encode()))
    return buffer.getvalue()


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x/a.txt", _TEXT)
    return buffer.getvalue()


def _archives(project: str) -> None:
    """Binary files: archives, a database, programs, and what openssl and ssh-keygen make where they are installed."""
    for name in ("a.gz", "b.gz", "a.log.gz", "a.bz2", "a.xz", "a.tar", "a.tgz", "a.zip", "a.xlsx"):
        make(project, name)
    for name in ("a.bin", "a.o", "libx.so", "b.bin"):
        shutil.copyfile("/bin/true", os.path.join(project, name))
    with sqlite3.connect(os.path.join(project, "app.db")) as database:
        database.execute("create table t (id integer, name text)")
        database.execute("insert into t values (1, 'alpha')")
    for tool, words in _TOOLS.items():
        if shutil.which(tool):
            subprocess.run([tool, *words.split()], cwd=project, capture_output=True, check=False)
    for name in ("key.tmp", "key.tmp.pub"):
        if os.path.exists(os.path.join(project, name)):
            os.replace(os.path.join(project, name), os.path.join(project, "a.pub" if name.endswith("pub") else "k"))
    for name in ("k", "key.out"):
        if os.path.exists(os.path.join(project, name)):
            os.remove(os.path.join(project, name))


_TOOLS = {
    "openssl": "req -x509 -newkey ed25519 -nodes -keyout key.out -out a.crt -subj /CN=x",
    "ssh-keygen": "-q -t ed25519 -N= -f key.tmp",
    "zstd": "-q a.log -o a.zst",
    "7z": "a a.7z a.txt",
    "ar": "rc a.a a.o",
    "dpkg-deb": "-b deb a.deb",
}


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _age(project: str, seconds: int) -> None:
    """Sets the files' modification times back: they are older than the index, so git need not read them again."""
    base = int(os.stat(project).st_ctime)
    for folder, folders, names in os.walk(project):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            os.utime(os.path.join(folder, name), (base - seconds, base - seconds), follow_symlinks=False)


def _run(script: str, project: str, home: str) -> None:
    environment = {"PATH": os.defpath + ":/usr/local/bin", "HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    done = subprocess.run(["sh", "-ec", script], cwd=project, env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        raise OSError(0, f"the fixture could not be made: {done.stderr.decode(errors='replace')[-300:]}")
