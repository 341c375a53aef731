"""What a veto offers instead is allowed itself: in rules, in code, and in the reason that an agent reads."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
from collections.abc import Iterator

import pytest

from guard import classify, judge, languages
from guard.lint import alternatives
from guard.lint.rules import EXAMPLE_PLACE
from guard.model.grant import Grant
from guard.report.verdicts import sentence
from guard.rulebook import Rulebook, build
from guard.rulebook.load import data_folder
from guard.rulebook.yaml_source import Value

BOOK = Rulebook()
RULES = data_folder("rules")
PASSED_ON = {"offered", "instead", "instead or None", "hint", "outcome.instead", "option.instead"}
"""Expressions in code by which the alternative of a rule reaches a reason."""


def offered(value: Value) -> Iterator[str]:
    inner = value.data
    for key, one in inner.items() if isinstance(inner, dict) else ():
        if key == "instead":
            yield one.text(key)
        else:
            yield from offered(one)
    for one in inner if isinstance(inner, list) else ():
        yield from offered(one)


def test_in_rules() -> None:
    texts = {text for path in build.sources(RULES) for text in offered(build.read(RULES, path))}
    assert len(texts) > 300
    assert {text: why for text in texts if (why := alternatives.problem(text, EXAMPLE_PLACE, BOOK))} == {}


def modules() -> list[str]:
    return [
        f"{package.__name__}.{module.name}"
        for package in (classify, languages)
        for module in pkgutil.iter_modules(package.__path__)
    ]


def in_code() -> list[str]:
    found = []
    for name in modules():
        module = importlib.import_module(name)
        text = getattr(module, "_INSTEAD", None) or getattr(module, "INSTEAD", ())
        found += [text] if isinstance(text, str) else list(getattr(text, "values", tuple)())
    return found


@pytest.mark.parametrize("text", in_code())
def test_in_code(text: str) -> None:
    assert alternatives.problem(text, EXAMPLE_PLACE, BOOK) == ""


def test_code_keeps_them_under_one_name() -> None:
    others = set()
    for name in modules():
        path = str(importlib.import_module(name).__file__)
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                given = [keyword.value for keyword in node.keywords if keyword.arg == "instead"]
                given += node.args[4:5] if ast.unparse(node.func) == "Reason" else []
                others |= {
                    (os.path.basename(path), ast.unparse(one)) for one in given if "INSTEAD" not in ast.unparse(one)
                }
    assert {(path, text) for path, text in others if text not in PASSED_ON} == set()


SED = "`sed 's/OLD/NEW/' FILE` (without -i) prints the changed text, `sed -n '1,50p' FILE` lines of the file"
FIND = "`find . -name PATTERN -print` lists what is found, `find . -name PATTERN -exec grep -n TEXT {} +` searches it"
REDIRECT = "the command without the redirect; `cat FILE` shows a file as it is"
GIT = "`git log`, `git show REV:PATH`, `git diff` and `git status` only read"
PYTHON = "`cat FILE` shows the code, `jq . FILE` reads JSON, `grep -n PATTERN FILE` searches"
MISTAKES = [
    ("sed -i 's/a/b/' x.py", "`-i`: -i rewrites the files", SED),
    ("sed 'w out' x.py", "`w out`: sed's w writes a file", SED),
    ("git log > log.txt", "`> log.txt`: a redirect writes this file", REDIRECT),
    ("git stash", "`git stash`: git stash moves the changes away", "`git stash list`"),
    ("git branch feature", "`feature`: a name creates a branch", "`git branch --list PATTERN`"),
    (
        "git checkout main",
        "`git checkout main`: changes files of the work tree and HEAD",
        "`git show REV:PATH` prints a file of another revision, `git branch --list` the branches",
    ),
    (
        "git pull",
        "`git pull`: asks the remote and changes the repository and the work tree",
        "`git log HEAD..@{u}` shows what was fetched before; "
        "`git ls-remote` asks the server, where net_read is granted",
    ),
    ("git frobnicate", "`frobnicate`: `git frobnicate` is not a subcommand that the rule knows", GIT),
    ("git diff --ext-diff", "`--ext-diff`: --ext-diff runs the external diff program of the configuration", GIT),
    (
        "cat .env",
        "`.env`: reads variables of a project, often passwords (a sample such as .env.example may be read)",
        "`ls -la PATH` shows only that it is there",
    ),
    (
        "npm install",
        "`npm install`: installs, publishes or changes files, and runs scripts of packages",
        "`cat package.json`, `cat package-lock.json` or `ls node_modules`",
    ),
    (
        "npm test",
        "`npm test`: runs scripts or programs of the project",
        "`jq .scripts package.json` prints the scripts",
    ),
    ("pip install x", "`pip install x`: fetches or installs packages, which run code of theirs", "`pip list`"),
    ("find . -name x -delete", "`-delete`: `-delete` removes what is found", FIND),
    ("find . -frobnicate", "`-frobnicate`: `-frobnicate` is not a test or action of find that the rule knows", FIND),
    ("find . -exec rm {} +", "`{}`: rm removes files", "`ls -la PATH`"),
    (
        "ls | tee out.txt",
        "`out.txt`: tee writes this file",
        "the command without tee, whose output is printed anyway; `cat FILE` prints a file",
    ),
    ("mkdir a", "`a`: mkdir makes folders", "`ls -la PATH`"),
    ("touch a", "`a`: touch makes files and changes their times", "`stat PATH` or `ls -la PATH`"),
    ("rm -r a", "`a`: rm removes files", "`ls -la PATH`"),
    (
        "curl -o x https://host.example/x",
        "`x`: `-o` writes this file",
        "`curl -s URL`, where net_read is granted",
    ),
    (
        "docker exec web sh",
        "`docker exec web sh`: changes or runs containers",
        "`docker logs NAME` or `docker inspect NAME`",
    ),
    ("python3 -c 'print(1)'", "`python3 -c 'print(1)'`: runs Python code", PYTHON),
    (
        "python -m json.tool a.json",
        "`python -m json.tool a.json`: without -I a file json.py of the working directory would run",
        "`jq . FILE` or `python3 -I -m json.tool FILE`",
    ),
    (
        "make",
        "`make`: runs what the makefile says, with -n and -p too",
        "`cat Makefile`, or `grep -n '^[a-z]*:' Makefile` for the targets",
    ),
    (
        "awk -i inplace '{print}' a",
        "`-i inplace`: loads awk code; `-i inplace` rewrites the files",
        "`awk '{print $1}' FILE` prints the changed text",
    ),
    (
        "awk '{print > \"o\"}' a",
        '`> "o"`: awk\'s redirection writes a file',
        "`awk '{print $1}' FILE`: print without a redirection goes to the standard output",
    ),
    (
        "sort -o f f",
        "`f`: -o writes the result to this file",
        "`sort FILE` without -o: the sorted lines go to the standard output",
    ),
    (
        'sort "$f"',
        '`"$f"`: decided at run time, and could be read as an option: write it out, or put `--` before it',
        "`sort FILE` prints the sorted lines",
    ),
    (
        "ls | xargs rm",
        "`xargs rm`: decided at run time, and could be read as an option: write it out, or put `--` before it",
        "`ls -la PATH`",
    ),
    (
        "perl -pi -e s/a/b/ x",
        "`-pi`: -i rewrites the files",
        "`sed 's/OLD/NEW/' FILE` prints the changed text, `awk '{print $1}' FILE` columns, "
        "`grep -n PATTERN FILE` matches",
    ),
    (
        "tar xzf a.tgz",
        "`xzf`: writes the members of the archive",
        "`tar -tf ARCHIVE` lists the members, `tar -xOf ARCHIVE MEMBER` prints one",
    ),
    (
        "unzip a.zip",
        "`unzip a.zip`: `unzip` extracts files without one of -l, -p, -c, -t, -v, -z, -Z",
        "`unzip -l ARCHIVE`, or `unzip -p ARCHIVE MEMBER`",
    ),
    ("systemctl restart nginx", "`systemctl restart nginx`: changes the state of units", "`systemctl status UNIT`"),
    (
        "bash run.sh",
        "`run.sh`: runs a script file",
        "`cat FILE` shows the script, `bash -n FILE` checks its syntax",
    ),
    (
        "./run.sh",
        "`./run.sh`: `./run.sh` is a program outside of the system's own folders",
        "`file FILE` tells what it is, `cat FILE` shows a script",
    ),
    (
        "sleep 5 &",
        "`sleep 5`: runs in the background and may outlive the command",
        "the command without &, or with a plain `wait` behind it",
    ),
    ("ls --nosuch", "`--nosuch`: `--nosuch` is not an option that the rule of `ls` knows", "`ls -la PATH`"),
]


@pytest.mark.parametrize(("command", "why", "instead"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_what_an_agent_reads(command: str, why: str, instead: str) -> None:
    verdict = judge.command(command, EXAMPLE_PLACE, Grant(), BOOK)
    assert sentence(verdict.reasons[0], command) == f"{why}. Instead: {instead}."
    assert alternatives.problem(instead, EXAMPLE_PLACE, BOOK) == ""


def test_reading_over_the_network_is_offered_nothing_else() -> None:
    verdict = judge.command("curl -s https://host.example", EXAMPLE_PLACE, Grant(), BOOK)
    assert [reason.instead for reason in verdict.reasons] == [None]
