"""What the steps of the shipped workflows let an agent do: the commands and files that their prompts lead to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guard import judge
from guard.classify import Place, paths
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook
from guard.workflow import catalog
from guard.workflow.definition import Prompt

BOOK = Rulebook()
TESTS = [
    "pytest -q tests/test_a.py",
    "python3 -m pytest -q",
    ".venv/bin/pytest -q",
    "uv run pytest",
    "poetry run pytest -q",
    "timeout 60 pytest -q",
    "time pytest -q",
    "env LC_ALL=C pytest",
    "PYTHONPATH=. pytest -q",
    "cd src && pytest -q 2>&1 | tail -20",
    "tox",
    "npm test",
    "npm run test -- --watch=false",
    "pnpm test",
    "yarn test",
    "bun test",
    "npx jest",
    "npx vitest run",
    "cargo test --all",
    "cargo nextest run",
    "go test ./...",
    "make test",
    "make check",
    "./gradlew test",
    "mvn -q test",
    "dotnet test",
    "bundle exec rspec",
]
FORGE = ["gh pr diff 1", "gh pr view 1 --json title", "gh issue view 1", "gh pr diff 1 | head -50"]
CHECKS = [
    *("ruff check --fix .", "black .", "isort .", "mypy src", "pre-commit run --all-files", "tox -e lint", "make lint"),
    *("npx eslint .", "npx prettier --check .", "npx tsc --noEmit", "npm run build", "cargo build", "go build ./..."),
]
COMMITS = [
    *("git add -A", "git commit -m 'why'", "git commit --amend --no-edit", "git reset --soft HEAD~1"),
    *("git restore --staged .", "git restore --staged -- a.py", "git reset -- a.py"),
]
OTHERS = [
    *("make deploy", "make test deploy", "./gradlew test publish", "mvn test deploy", "tox -x testenv.commands=x"),
    *("npm publish", "gh pr merge 1", "gh pr create --fill", "sh -c 'pytest; x'", "pytest; npm publish"),
]
REWRITES = [
    *("git rm -rf .", "git mv src .agents", "git reset --soft --hard HEAD~1", "git restore --staged --worktree ."),
    *("git reset --hard", "git clean -fd", "git push"),
]


def grant(workflow: str, step: str) -> Grant:
    found = catalog.load(os.path.join(catalog.shipped(), f"{workflow}.yaml"))
    return found.steps[found.position(step)].grant


def refused(commands: list[str], given: Grant, home: Path) -> list[str]:
    place = Place(str(home), str(home))
    verdicts = {text: judge.command(text, place, given, BOOK, str(home)) for text in commands}
    return [text for text, verdict in verdicts.items() if verdict.decision is not Decision.ALLOW]


READING = [
    *(("bugfix", "reproduce"), ("bugfix", "locate"), ("bugfix", "review"), ("feature", "review")),
    *(("refactor", "compare"), ("pr-ready", "inspect"), ("pr-ready", "read-once-more"), ("pr-ready", "describe")),
    *(("tri-review", "gather"), ("tri-review", "review-tests"), ("mega-pr", "code-review")),
]


@pytest.mark.parametrize(("workflow", "step"), READING)
def test_steps_that_look_may_run_tests_and_read_pull_requests(workflow: str, step: str, repository: Path) -> None:
    (repository / "src").mkdir()
    given = grant(workflow, step)
    assert refused([*TESTS, *FORGE], given, repository) == []
    every = [*OTHERS, *REWRITES, *CHECKS[:3], "git add -A"]
    assert refused(every, given, repository) == every


@pytest.mark.parametrize(("workflow", "step"), [("bugfix", "mend"), ("feature", "build"), ("refactor", "change")])
def test_steps_that_mend_may_check(workflow: str, step: str, repository: Path) -> None:
    (repository / "src").mkdir()
    given = grant(workflow, step)
    assert refused([*TESTS, *CHECKS], given, repository) == []
    assert refused(REWRITES, given, repository) == REWRITES


@pytest.mark.parametrize(("workflow", "step"), [("pr-ready", "tidy"), ("mega-pr", "mend")])
def test_steps_that_tidy_may_commit(workflow: str, step: str, repository: Path) -> None:
    (repository / "src").mkdir()
    given = grant(workflow, step)
    assert refused([*TESTS, *CHECKS, *COMMITS], given, repository) == []
    assert refused(REWRITES, given, repository) == REWRITES


TEST_FILES = [
    *("tests/a.py", "test_root.py", "conftest.py", "packages/a/tests/x.py", "src/__tests__/a.ts", "__tests__/a.js"),
    *("src/app/a.spec.ts", "app/a_test.go", "src/test/java/FooTest.java", "pkg/foo/testdata/x", "src/lib.rs"),
    *("e2e/a.ts", "cypress/e2e/a.cy.ts", "spec/models/a_spec.rb"),
]
OTHER_FILES = ["src/calc.py", "app/main.go", "package.json", "src/test.py/../calc.py", "contest/a.py", "src/latest.py"]


@pytest.mark.parametrize(("workflow", "step"), [("bugfix", "failing-test"), ("feature", "tests"), ("refactor", "pin")])
def test_steps_that_write_tests_reach_the_files_of_tests_only(workflow: str, step: str, repository: Path) -> None:
    given, place = grant(workflow, step), Place(str(repository), str(repository))

    def may(path: str) -> bool:
        return paths.may_write(BOOK, path, place, str(repository), given.write) is None

    assert [path for path in TEST_FILES if not may(path)] == []
    assert [path for path in OTHER_FILES if may(path)] == []


@pytest.mark.parametrize("workflow", ["pr-ready", "mega-pr"])
def test_the_text_of_a_pull_request_is_no_place_for_anything_else(workflow: str, repository: Path) -> None:
    given, place = grant(workflow, "describe"), Place(str(repository), str(repository))
    files = ("reports/pr.md", ".github/pull_request.md", ".github/workflows/ci.yml", ".github/copilot-instructions.md")
    may = [paths.may_write(BOOK, path, place, str(repository), given.write) is None for path in files]
    assert may == [True, True, False, False]


def test_every_word_that_decides_is_asked_for_as_a_line() -> None:
    for path in sorted(Path(catalog.shipped()).glob("*.yaml")):
        if path.name in catalog.NOT_WORKFLOWS:
            continue
        for step in catalog.load(str(path)).steps:
            words = [jump.when for jump in step.goto]
            if isinstance(step.does, Prompt) and step.does.loop is not None and step.does.loop.until is not None:
                words.append(step.does.loop.until)
            regex = step.require.last_line_regex or ""
            assert not words or (regex.startswith("^") and regex.endswith("$")), (path.name, step.id)
