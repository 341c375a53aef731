"""tmux: formats that may run programs, and words that begin another command."""

from __future__ import annotations

import pytest

from guard.languages import tmux
from guard.model.argument import exact
from guard.model.syntax import Span
from tests.languages.calls import call, summary

RUNS = ["exec tmux-format"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("plain", []),
        ("#S:#I", []),
        ("#{session_name}", []),
        ("#{@option}", []),
        ("##(touch p)", []),
        ("#{?window_active,*,-}", []),
        ("#{?#{==:#{host},a},#{b:pane_current_path},x}", []),
        ("#{=21:pane_title}", []),
        ("#{t:window_activity}", []),
        ("#[fg=red]#{pane_id}", []),
        ("#(touch·p)", RUNS),
        ("###(touch·p)", RUNS),
        ("#{?window_active,#(touch·p),x}", RUNS),
        ("#[fg=#(touch·p)]", RUNS),
        ("#{E:pane_title}", RUNS),
        ("#{T:pane_title}", RUNS),
        ("#{=5;E:pane_title}", RUNS),
        ("#{W:#{window_name}}", RUNS),
        ("#{unclosed", RUNS),
        ("#{=/#{E:x}/:pane_title}", RUNS),
        ("$", RUNS),
    ],
)
def test_formats(text: str, expected: list[str]) -> None:
    listing = call("tmux", options=(("-F", text),))._replace(path=("list-windows",))
    assert summary(tmux.judge(listing)) == expected
    shown = call("tmux", text)._replace(path=("display-message",))
    assert summary(tmux.judge(shown)) == (expected if text else [])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("a", "b"), []),
        (("a;", "b"), ["exec command-separator"]),
        (("a", "b;"), ["exec command-separator"]),
        ((";",), ["exec command-separator"]),
        (("a;b",), []),
    ],
)
def test_separators(words: tuple[str, ...], expected: list[str]) -> None:
    operands = tuple(exact(text, Span(index, index + 1)) for index, text in enumerate(words))
    assert summary(tmux.judge(call("tmux")._replace(path=("show-options",), operands=operands))) == expected


def test_unknown_target_before_other_words() -> None:
    later = exact("x", Span(9, 10))
    target = call("tmux", options=(("-t", "$"),))._replace(path=("show-options",))
    assert summary(tmux.judge(target)) == []
    assert summary(tmux.judge(target._replace(operands=(later,)))) == ["exec command-separator"]


def test_without_command() -> None:
    assert summary(tmux.judge(call("tmux"))) == ["process starts-session"]
    assert summary(tmux.judge(call("tmux", options=(("-V", None),)))) == []
