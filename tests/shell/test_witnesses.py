"""The two independent readers: how they are loaded, and that their objection counts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from guard.model.syntax import Script, Unreadable
from guard.shell import agree, bashlex_reader, bashlex_tables, build_tables, parse, treesitter_reader, witness
from guard.shell.lexer import TracedScript

_TEXTS = ["m1 a > w | m2 'b c'", "for i in a; do m1 $(m2 `m3`) <<E\nx\nE\ndone", "x=1 m1 <(m2); [[ a ]] && (( 1 ))"]


def test_tables_are_up_to_date() -> None:
    with open(build_tables.PATH, encoding="utf-8") as file:
        assert file.read() == build_tables.render(build_tables.build())


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_tables_do_not_depend_on_the_hash_seed(seed: str) -> None:
    command = [sys.executable, "-m", "guard.shell.build_tables", "--check"]
    assert subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=False).returncode == 0


def _python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_light_import_leaves_nothing_behind() -> None:
    names = (
        "[name for name in ('inspect', 'importlib.resources', 'bashlex', 'tree_sitter_bash') if name in sys.modules]"
    )
    assert _python(f"import sys, guard.shell.agree; print({names})") == "[]"
    assert _python("import guard.shell.agree, bashlex; print(bashlex.parse('m1 a')[0].kind)") == "command"
    assert _python("import guard.shell.agree, inspect; print(inspect.isfunction(print))") == "False"


def test_parse_does_not_load_the_witnesses() -> None:
    code = "import sys, guard.shell; guard.shell.parse('m1 $(m2)'); print(any('bashlex' in n for n in sys.modules))"
    assert _python(code) == "False"


def test_another_grammar_is_built_by_bashlex_itself() -> None:
    code = (
        "from guard.shell import tables; tables.GRAMMAR += ' x'\n"
        "from guard.shell import bashlex_reader, bashlex_tables\n"
        "print(bashlex_reader.complete_command('m1 a\\n', 0, 1e18), 'inspect' in __import__('sys').modules)"
    )
    assert _python(code) == "([(1, 0, 2), (1, 3, 4)], 5) True"


def test_ready_made_and_built_tables_read_the_same() -> None:
    code = (
        "from guard.shell import tables; tables.GRAMMAR += ' x'\n"
        "from guard.shell import read\n"
        f"print([type(read(text)).__name__ for text in {_TEXTS!r}])"
    )
    assert _python(code) == str([type(parse(text)).__name__ for text in _TEXTS])


def test_the_code_that_hangs_is_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """bashlex hangs on `'…${…'` while it expands words; without a limit of -1 it would get there."""

    def reached(*_: object) -> object:
        raise AssertionError("word expansion was reached")

    monkeypatch.setattr(bashlex_tables.load().subst, "_expandwordinternal", reached)
    for text in ("m1 -e's/${//'\n", "m1 x'${'y\n", "m1 'a'$(m2)'b' \"${x:-`m3`}\" <(m4)\n"):
        tokens, end = bashlex_reader.complete_command(text, 0, 1e18)
        assert tokens
        assert end == len(text)


def test_a_script_without_a_trace_is_read_again() -> None:
    for text in _TEXTS:
        script = parse(text)
        assert isinstance(script, Script)
        assert witness(Script(*script)) is None


def _tampered(text: str, number: int, change: tuple[int, int, int]) -> TracedScript:
    script = parse(text)
    assert isinstance(script, TracedScript)
    kind, start, end = script.trace.tokens[number]
    script.trace.tokens[number] = (kind + change[0], start + change[1], end + change[2])
    return script


@pytest.mark.parametrize("text", _TEXTS)
def test_any_difference_is_an_objection(text: str) -> None:
    script = parse(text)
    assert isinstance(script, TracedScript)
    assert agree.disagreement(script, 1e18) is None
    for number in range(len(script.trace.tokens)):
        for change in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            found = agree.disagreement(_tampered(text, number, change), 1e18)
            assert isinstance(found, Unreadable)
            assert found.code == "disagreement"


def test_each_witness_objects_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    script = parse("m1 a")
    assert isinstance(script, TracedScript)
    for module, name in ((bashlex_reader, "complete_command"), (treesitter_reader, "tokens")):
        with monkeypatch.context() as patch:

            def refuse(*_: object, module: object = module) -> object:
                raise module.Refused  # type: ignore[attr-defined]

            patch.setattr(module, name, refuse)
            assert isinstance(agree.disagreement(script, 1e18), Unreadable)
