"""The pure engine: tables of (workflow, events) → state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.model.grant import Grant
from guard.workflow.definition import Budget, Command, Goto, Loop, Prompt, Require, Workflow, WorkflowStep
from guard.workflow.engine import (
    Aborted,
    Event,
    Outcome,
    Ran,
    Reported,
    State,
    advance,
    begin,
    gate_of,
    has_word,
    unmet,
)

ANY = Require(False, (), None)


def prompt(name: str, *, loop: Loop | None = None, goto: tuple[Goto, ...] = (), require: Require = ANY) -> WorkflowStep:
    return WorkflowStep(name, Prompt(f"do {name}", loop), True, (), require, goto, Grant())


def command(name: str, expect: str = "success", goto: tuple[Goto, ...] = ()) -> WorkflowStep:
    return WorkflowStep(name, Command("true", expect, 5), True, (), ANY, goto, Grant())


def workflow(*steps: WorkflowStep, budget: Budget | None = None) -> Workflow:
    return Workflow("demo", "A demo.", steps, None, budget, "demo.yaml")


def played(flow: Workflow, *events: Event) -> State:
    state = begin(flow, "the input")
    for event in events:
        state = advance(flow, state, event)
    return state


def test_steps_follow_one_another() -> None:
    flow = workflow(prompt("a"), command("b"), prompt("c"))
    state = played(flow, Reported("A"), Ran(Outcome(0, "B")), Reported("C"))
    visits, outputs = {"a": 1, "b": 1, "c": 1}, {"a": "A", "b": "B", "c": "C"}
    assert state == State("done", 3, 1, visits, outputs, 0, "", "the input")


def test_an_ended_session_ignores_events() -> None:
    flow = workflow(prompt("a"))
    done = played(flow, Reported("A"))
    assert played(flow, Reported("A"), Reported("B"), Aborted("late"), Ran(Outcome(0, ""))) == done


def test_abort() -> None:
    state = played(workflow(prompt("a"), prompt("b")), Reported("A"), Aborted("wrong branch"))
    assert (state.status, state.step, state.notice) == ("aborted", 1, "aborted: wrong branch")


WORDS = [
    ("DONE", "DONE", True),
    ("all DONE.", "DONE", True),
    ("not-DONE", "DONE", True),
    ("DONE\n", "DONE", True),
    ("UNDONE", "DONE", False),
    ("DONE2", "DONE", False),
    ("DONE_", "DONE", False),
    ("done", "DONE", False),
    ("a+b", "a+b", True),
    ("xa+b", "a+b", False),
    ("two words here", "two words", True),
    ("", "DONE", False),
    ("überDONE", "DONE", False),
]


@pytest.mark.parametrize(("text", "word", "found"), WORDS)
def test_words_are_whole(text: str, word: str, found: bool) -> None:
    assert has_word(text, word) is found


@given(st.text(), st.text(min_size=1))
def test_a_word_alone_is_found_and_inside_letters_it_is_not(text: str, word: str) -> None:
    assert has_word(word, word)
    assert not has_word(f"x{word}x", word) or not (word[0].isalnum() and word[-1].isalnum()) or word in text + word


REQUIREMENTS = [
    (Require(True, (), None), "x", ()),
    (Require(True, (), None), " \n", ("the output must not be empty",)),
    (Require(False, ("a", "b"), None), "a", ("the output must contain 'b'",)),
    (Require(False, (), "^n: [0-9]+$"), "text\nn: 3\n\n", ()),
    (Require(False, (), "^n: [0-9]+$"), "n: 3\nmore", ("the last line must match /^n: [0-9]+$/ (got 'more')",)),
    (Require(False, (), "^n: [0-9]+$"), "x\n\n**n: 3**\n", ()),
    (Require(False, (), r"^\*n"), "*n*", ()),
    (Require(False, ("Expected", "straße"), None), "EXPECTED 3\nSTRASSE", ()),
    (Require(False, (), "^n"), "", ("the last line must match /^n/ (got '')",)),
]


@pytest.mark.parametrize(("require", "output", "problems"), REQUIREMENTS)
def test_requirements(require: Require, output: str, problems: tuple[str, ...]) -> None:
    step = prompt("a", require=require)
    assert unmet(step, output) == problems
    state = played(workflow(step, prompt("b")), Reported(output))
    assert (state.step, state.notice) == ((1, "") if not problems else (0, "not advanced: " + "; ".join(problems)))


def test_a_loop_ends_by_its_word() -> None:
    flow = workflow(prompt("a", loop=Loop(3, "DONE", None, 5)), prompt("b"))
    once = played(flow, Reported("not yet"))
    assert (once.step, once.iteration, once.notice) == (0, 2, "step a, round 1 of 3: no 'DONE' in the output")
    assert played(flow, Reported("not yet"), Reported("DONE")).step == 1


def test_a_loop_ends_by_its_gate() -> None:
    loop = Loop(2, None, "check", 5)
    flow = workflow(prompt("a", loop=loop), prompt("b"))
    assert gate_of(flow, begin(flow, ""), "x") == loop
    assert played(flow, Reported("x", Outcome(0, ""))).step == 1
    failed = played(flow, Reported("x", Outcome(1, "two tests fail")))
    assert (failed.step, failed.iteration) == (0, 2)
    assert failed.notice == "step a, round 1 of 2: the gate gave exit status 1\ntwo tests fail"


def test_a_loop_that_is_used_up_fails_and_says_so() -> None:
    flow = workflow(prompt("a", loop=Loop(2, "DONE", "check", 5)), prompt("b"))
    state = played(flow, Reported("x", Outcome(1, "no")), Reported("y", Outcome(None, "", "no end within 5 s")))
    assert state.status == "failed"
    assert state.notice == (
        "loop used up: step a, round 2 of 2: no 'DONE' in the output; the gate gave no end within 5 s\n"
    )


def test_no_gate_runs_for_an_output_that_is_refused_or_has_the_word() -> None:
    flow = workflow(prompt("a", loop=Loop(2, "DONE", "check", 5), require=Require(True, (), None)))
    assert gate_of(flow, begin(flow, ""), "") is None
    assert gate_of(flow, begin(flow, ""), "DONE") is None


EXITS = [
    ("success", 0, True),
    ("success", 1, False),
    ("success", None, False),
    ("failure", 1, True),
    ("failure", 125, True),
    ("failure", 0, False),
    ("failure", 126, False),  # not executable
    ("failure", 127, False),  # not found
    ("failure", -9, False),  # killed
    ("failure", None, False),  # too long
]


@pytest.mark.parametrize(("expect", "code", "passes"), EXITS)
def test_expectations_of_commands(expect: str, code: int | None, passes: bool) -> None:
    state = played(workflow(command("a", expect), prompt("b")), Ran(Outcome(code, "said")))
    assert state.step == (1 if passes else 0)
    assert state.status == "running"
    assert passes or state.notice.startswith("command of step a failed: expected exit status") is (expect == "success")
    assert state.outputs == {"a": "said"}


def test_goto_takes_the_first_that_matches() -> None:
    jumps = (Goto("SKIP", "c", 10), Goto("BACK", "a", 2))
    flow = workflow(prompt("a"), prompt("b", goto=jumps), prompt("c"))
    assert played(flow, Reported(""), Reported("BACK or SKIP")).step == 2
    assert played(flow, Reported(""), Reported("SKIPPED")).step == 2
    assert played(flow, Reported(""), Reported("BACK")).step == 0


def test_going_back_is_capped() -> None:
    flow = workflow(prompt("a"), prompt("b", goto=(Goto("BACK", "a", 2),)))
    back = (Reported(""), Reported("BACK"))
    assert played(flow, *back).visits == {"a": 2, "b": 1}
    state = played(flow, *back, *back)
    assert (state.status, state.notice) == ("failed", "step b says 'BACK', but step a was already entered 2 times")


def test_a_budget_warns_and_then_stops() -> None:
    flow = workflow(prompt("a"), prompt("b"), prompt("c"), budget=Budget(100, 50))
    warned = played(flow, Reported("", spent=60))
    assert (warned.step, warned.notice) == (1, "budget: 60 of 100 used")
    over = played(flow, Reported("", spent=60), Reported("", spent=40))
    assert (over.step, over.notice) == (2, "the budget of 100 is used up (100): abort the workflow")
    assert advance(flow, over, Reported("more")) == over


@given(st.lists(st.sampled_from(["", "x", "BACK", "DONE", "SKIP"]), max_size=60))
def test_every_run_ends_or_stays_inside(outputs: list[str]) -> None:
    flow = workflow(
        prompt("a", loop=Loop(3, "DONE", None, 5), require=Require(True, (), None)),
        prompt("b", goto=(Goto("BACK", "a", 3), Goto("SKIP", "d", 3))),
        prompt("c"),
        prompt("d"),
    )
    state = begin(flow, "")
    for output in outputs:
        before = state
        state = advance(flow, state, Reported(output))
        assert state.status in ("running", "done", "failed")
        assert state.status != "running" or (0 <= state.step < 4 and state.iteration <= 3)
        assert max(state.visits.values()) <= 3
        assert before.status == "running" or state == before


LINE = Require(False, (), "^(verdict|result): [A-Z]+$")


@pytest.mark.parametrize(
    ("output", "passes"),
    [
        ("3 tests still fail, so it is not\nresult: FIXED yet\n\nresult: OPEN", False),
        ("result: OPEN would be wrong\n\n**result: FIXED**\n", True),
    ],
)
def test_with_a_last_line_asked_for_a_loop_hears_that_line_alone(output: str, passes: bool) -> None:
    flow = workflow(prompt("a", loop=Loop(3, "result: FIXED", "check", 5), require=LINE), prompt("b"))
    assert (gate_of(flow, begin(flow, ""), output) is None) is passes
    assert played(flow, Reported(output, Outcome(1, ""))).step == int(passes)


def test_with_a_last_line_asked_for_a_jump_hears_that_line_alone() -> None:
    jump = (Goto("REWORK", "a", 3),)
    talking = Reported("The verdict: REWORK of last time is dealt with.\nverdict: ACCEPTED")
    flow = workflow(prompt("a"), prompt("b", goto=jump, require=LINE), prompt("c"))
    assert played(flow, Reported("x"), talking).step == 2
    assert played(flow, Reported("x"), Reported("`verdict: REWORK`")).step == 0
    anywhere = workflow(prompt("a"), prompt("b", goto=jump), prompt("c"))
    assert played(anywhere, Reported("x"), talking).step == 0
