"""Files of 10,000 rules: time and memory grow with the number of rules, not with its square."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable

import pytest

from guard.lint.run import lint
from guard.lint.source import Source
from guard.lint.witness import Searcher


def _claude(count: int) -> str:
    allow = [f"Bash(ls dir{number}:*)" if number % 2 else f"Bash(git status src/{number})" for number in range(count)]
    deny = [f"Read(//srv/{number}/**)" for number in range(count // 10)]
    return json.dumps({"permissions": {"allow": allow, "deny": deny}}, indent=1)


def _opencode(count: int) -> str:
    bash = {"*": "ask", **{f"wc f{number} *": "allow" for number in range(count)}}
    return json.dumps({"permission": {"bash": bash}}, indent=1)


def _codex(count: int) -> str:
    return "".join(f'prefix_rule(pattern=["head", "f{number}"], decision="allow")\n' for number in range(count))


def _gemini(count: int) -> str:
    rule = '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls d{}"\ndecision = "allow"\npriority = {}\n\n'
    return "".join(rule.format(number, number % 900) for number in range(count))


@pytest.mark.parametrize(
    ("form", "make", "count"),
    [
        ("claude", _claude, 10_000),
        ("opencode", _opencode, 1_000),
        ("codex-rules", _codex, 1_000),
        ("gemini-policy", _gemini, 1_000),
    ],
)
def test_linear(form: str, make: Callable[[int], str], count: int) -> None:
    seconds = []
    for size in (count // 4, count):
        source = Source(".claude/settings.json", make(size))
        start = time.process_time()
        found = lint(source, form, Searcher())
        seconds.append(time.process_time() - start)
        assert {one.code for one in found} <= {"R401"}, found[:3]
    print(f"{form}: {count} rules in {seconds[1]:.1f} s, {count // 4} in {seconds[0]:.1f} s")
    assert seconds[1] < 8 * seconds[0] + 1
    assert seconds[1] < 90


def test_memory() -> None:
    text = _claude(10_000)
    searcher = Searcher()
    lint(Source(".claude/settings.json", _claude(10)), "claude", searcher)
    tracemalloc.start()
    lint(Source(".claude/settings.json", text), "claude", searcher)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{len(text)} bytes of rules, peak {peak >> 20} MiB")
    assert peak < 400 << 20
