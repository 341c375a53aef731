"""Our own workflow and board files: what their readers refuse, and what is well-formed but cannot be meant."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from guard.board import definition as board
from guard.lint.own_pages import own
from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.rulebook.grant_reader import read_sets
from guard.rulebook.yaml_source import Value, read_file
from guard.workflow import catalog
from guard.workflow.definition import Prompt, Workflow, WorkflowStep, texts
from guard.workflow.reader import read_principles

WRITING = frozenset(
    [
        "write",
        "writes",
        "edit",
        "edits",
        "create",
        "creates",
        "fix",
        "fixes",
        "mend",
        "mends",
        "implement",
        "implements",
        "change",
        "changes",
        "update",
        "updates",
        "add",
        "adds",
        "refactor",
        "remove",
        "removes",
        "rename",
        "rewrite",
        "record",
        "document",
        "documents",
        "test",
        "tests",
        "build",
        "builds",
        "make",
        "tidy",
        "describe",
        "put",
        "save",
        "report",
        "reports",
        "answer",
        "draft",
        "design",
    ]
)
SENDING = frozenset(
    [
        "push",
        "send",
        "post",
        "comment",
        "publish",
        "upload",
        "open",
        "submit",
        "reply",
        "request",
        "release",
        "deploy",
        "merge",
        "pull",
        "pr",
    ]
)
FETCHING = frozenset(
    [
        "fetch",
        "web",
        "search",
        "online",
        "source",
        "sources",
        "look",
        "download",
        "docs",
        "documentation",
        "read",
        "internet",
        "url",
    ]
)
LISTS: dict[str, Callable[[str], object]] = {"principles": read_principles, "sets": read_sets}
"""Readers of the files that workflows take things from by name."""
WORDS_OF = {"write": WRITING, "delete": WRITING, "net_write": SENDING, "net_read": FETCHING | SENDING}


def check_board(path: str, shown: str) -> list[Diagnostic]:
    """Findings in a pipeline file."""
    _, mistakes = board.check(path, shown)
    return [own(mistake, "W906", mistake.message) for mistake in mistakes]


def check_lists(path: str, shown: str, form: str) -> list[Diagnostic]:
    """Findings in a file of principles or of sets."""
    try:
        LISTS[form](path)
    except RuleError as error:
        return [own(RuleError(shown, error.line, error.column, ""), "W901", error.message)]
    return []


def check_workflow(path: str, shown: str) -> list[Diagnostic]:
    """Findings in a workflow file."""
    try:
        workflow = catalog.load(path, shown)
        top = read_file(path, shown).mapping("workflow")
    except RuleError as error:
        at = error if error.path == shown else RuleError(error.path, error.line, error.column, "")
        return [own(at, "W901", error.message)]
    entries = {entry.mapping("step")["id"].text("id"): entry for entry in top["steps"].sequence("steps")}
    found = [
        *_unreachable(workflow, entries),
        *_loops(workflow, entries),
        *_gates(entries),
        *_grants(workflow, top, entries),
    ]
    return sorted(found, key=lambda one: (one.line, one.column, one.code))


def is_workflow(path: str) -> bool:
    """Whether a YAML file has steps at its top, which is what tells a workflow from other YAML."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return any(line.startswith("steps:") for line in file)
    except OSError:
        return False


def _always_jumps(step: WorkflowStep) -> str | None:
    """The step that this one always jumps to, because it must say the word for it."""
    for goto in step.goto:
        if any(goto.when in required for required in step.require.contains):
            return goto.step
    return None


def _unreachable(workflow: Workflow, entries: dict[str, Value]) -> Iterator[Diagnostic]:
    reached, pending = set(), [0]
    while pending:
        at = pending.pop()
        if at >= len(workflow.steps) or at in reached:
            continue
        reached.add(at)
        step = workflow.steps[at]
        always = _always_jumps(step)
        pending += [workflow.position(goto.step) for goto in step.goto]
        if always is None or workflow.position(always) <= at:  # going back ends after its number of visits
            pending.append(at + 1)
    for index, step in enumerate(workflow.steps):
        if index not in reached:
            yield own(entries[step.id].fail(""), "W902", f"step '{step.id}': the step before it always jumps elsewhere")


def _loops(workflow: Workflow, entries: dict[str, Value]) -> Iterator[Diagnostic]:
    for step in workflow.steps:
        keys = entries[step.id].mapping("step")
        if isinstance(step.does, Prompt) and step.does.loop is not None:
            loop = step.does.loop
            if loop.until and not loop.gate and loop.until not in step.does.text:
                message = f"loop: nothing tells the agent to say '{loop.until}', and there is no gate"
                yield own(keys["loop"].fail(""), "W905", message)
        always = _always_jumps(step)
        if always is not None and workflow.position(always) <= workflow.position(step.id):
            message = f"step '{step.id}' must say the word that sends it back to '{always}': only the count ends this"
            yield own(keys["goto"].fail(""), "W905", message)


def _gates(entries: dict[str, Value]) -> Iterator[Diagnostic]:
    for name, entry in entries.items():
        keys = entry.mapping("step")
        loop = keys["loop"].mapping("loop") if "loop" in keys else {}
        if "gate" in loop and _constant(loop["gate"].text("gate")) is False:
            yield own(loop["gate"].fail(""), "W904", f"gate of step '{name}': this command always fails")
        if "command" in keys:
            success = "expect" not in keys or keys["expect"].data == "success"
            if _constant(keys["command"].text("command")) is (not success):
                how = "fails" if success else "succeeds"
                yield own(keys["command"].fail(""), "W904", f"step '{name}': this command always {how}")
        require = keys["require"].mapping("require") if "require" in keys else {}
        regex = require.get("last_line_regex")
        if regex is not None and (
            "\\n" in regex.text("last_line_regex") or re.match(r"\^?\$\Z", regex.text("last_line_regex"))
        ):
            yield own(regex.fail(""), "W904", f"step '{name}': the last line is never empty and has no line end")


def _constant(command: str) -> bool | None:
    """Whether a command always succeeds or always fails; None where that depends."""
    text = " ".join(command.split())
    last = text.rsplit("&&", 1)[-1].rsplit(";", 1)[-1].strip()
    if last in ("false", "exit 1", "exit 2", "test 1 = 2", "[ 1 = 2 ]"):
        return False
    return True if text in ("true", ":", "exit 0") else None


def _grants(workflow: Workflow, top: dict[str, Value], entries: dict[str, Value]) -> Iterator[Diagnostic]:
    told = {name: _told(entry) for name, entry in entries.items()}
    everything = " ".join(told.values())
    inherit = [name for name, entry in entries.items() if "guard" not in entry.mapping("step")]
    if "guard" in top:
        yield from _wide(top["guard"], everything, "any step" if inherit else "the workflow")
    for name, entry in entries.items():
        keys = entry.mapping("step")
        if "guard" in keys:
            members = " ".join(text for step in workflow.steps if step.id == name for text in texts(step.does))
            yield from _wide(keys["guard"], f"{told[name]} {members}", f"step '{name}'", everything)


def _told(entry: Value) -> str:
    keys = entry.mapping("step")
    return " ".join(keys[key].text(key) for key in ("prompt", "command") if key in keys)


def _wide(guard: Value, told: str, who: str, everything: str = "") -> Iterator[Diagnostic]:
    """Effects are held against the step's own prompt; programs and paths against all of the workflow, whose steps
    hand their work on to each other."""
    keys = guard.mapping("guard")
    stems = _stems(told)
    for effect in keys["bash"].sequence("bash") if "bash" in keys else ():
        needed = WORDS_OF.get(str(effect.data))
        if needed is not None and not stems & needed:
            yield own(effect.fail(""), "W903", f"no prompt of {who} has a use for {effect.data}")
    stems |= _stems(everything)
    if "write" in keys and keys["write"].sequence("write") and not stems & WRITING:
        yield own(keys["write"].fail(""), "W903", f"no prompt of {who} says that anything is written")
    runs = keys["run"].sequence("run") if "run" in keys else []
    usual = stems & {"test", "tests", "run", "runs", "build", "check", "checks", "suite", "lint", "command", "commands"}
    for run in runs:
        first = run.data[0].data if isinstance(run.data, list) and run.data else str(run.data).split(" ")[0]
        if not usual and os.path.basename(str(first)).lstrip("@").lower() not in stems:
            yield own(run.fail(""), "W903", f"no prompt of {who} has a use for running {first}")


def _stems(text: str) -> set[str]:
    words = set(re.findall(r"[a-z0-9_.-]+", text.lower()))
    return words | {word.rstrip(".,") for word in words}
