"""sed scripts: tables of what they do, and real seds as witnesses that what only reads does only that."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.languages import sed, sed_command
from tests.languages import witness
from tests.languages.scripts import call, only_reads, script, shown

CALL = call("sed")

READING = [
    "1,240p",
    "s#/usr/e/w#x#",
    r"s/(o+)n/\1N/g; /TODO/d",
    "/one/,/two/p;$=",
    "/>/p",
    "s/[/]e/x/",
    "s/[/]/w x/",
    "s/[/x/w out;]/y/",
    "s/[[:space:]/]/e/",
    "s/[^]/]/e/",
    "s/[]/]/e/g",
    "/[/w]/p",
    "s/a/b/;s/c/d/",
    "5{p;q}",
    "/a/{/b/!{s/x/y/;p};d}",
    "$d",
    r"1i\text",
    "1i text; w out",
    "a\\\nw out",
    "a\\\nw out\\\ne touch p",
    "$!{$!N;P;D}",
    ":a;N;$!ba;s/\\n/ /g",
    ":a\ns/x/y/\nta",
    "b end;p;:end",
    "s/a/w out/",
    "s/a/\\/w out/",
    "s/a\\/w/b/",
    "s|a/e|w|gpi2",
    "s/a/b\\\nw out/",
    r"\,/w x,p",
    "/a/I,+3p",
    "/a/,~4p",
    "0,/re/d",
    "0~3p",
    "2 , 4 ! p",
    "y/abc/wex/",
    "y/[]/()/",
    "# w out\np",
    "#n",
    "l 5;l;L;q 1",
    "n;n;F;z;x;h;H;g;G;=",
    "}",
    "",
    "s/é/w/",
    "v 4.2",
    "s/\\[/w/",
    "s/[[:space:]]*$//",
    "s/\\(.*\\)e/\\U\\1/",
    "p}",
]

ACTING = [
    ("w out", ["write out: w out"]),
    ("/x/ w  out;p", ["write out;p: /x/ w  out;p"]),
    ("1,2{w out}\n}", ["write out}: w out}"]),
    ("W out", ["write out: W out"]),
    ("s/a/b/w out", ["write out: w out"]),
    ("s/a/b/gw out\np", ["write out: w out"]),
    ("w /dev/stdout", ["write /dev/stdout: w /dev/stdout"]),
    ("w /dev/stdout ", ["write /dev/stdout : w /dev/stdout "]),
    ("r b.txt", ["read b.txt"]),
    ("R b.txt\np", ["read b.txt"]),
    ("s/a/b/e", ["exec sed-exec: e"]),
    ("s/a/b/ge;p", ["exec sed-exec: e"]),
    ("s/a/b/pe w out", ["exec sed-exec: e", "write out: w out"]),
    ("1e touch p", ["shell touch p: touch p"]),
    ("1e touch p\\\nq", ["exec sed-exec: 1e touch p\\\nq"]),
    ("1e", ["exec sed-exec: 1e"]),
    ("5!e", ["exec sed-exec: 5!e"]),
    # busybox needs nothing between two commands
    ("pw out", ["write out: w out"]),
    ("q5w out", ["write out: w out"]),
    ("{p}w out", ["write out: w out"]),
    # an address may be missing in busybox
    (",5w out", ["write out: ,5w out"]),
    # where a label ends
    ("b x;w out", ["write out: w out"]),
    ("b x#;w out", ["write out: w out"]),
    ("b x w out", ["write out: w out"]),
    (":x;a\\\nw out", ["write out: w out"]),
    # where a bracket expression ends
    ("s/[[:x:]/]/w out/", ["write out/: w out/"]),
    ("y/[/]/;w out\ny/]/[/", ["write out: w out"]),
    ("a\\text\nw out", ["write out: w out"]),
    ("a text\\\\\nw out", ["write out: w out"]),
    ("i\\\ntext\nw out", ["write out: w out"]),
    ("}w out", ["write out: w out"]),
    ("# x\nw out", ["write out: w out"]),
    # not understood
    ("s/a/b", ["opaque sed-syntax: "]),
    ("s/a/b/k", ["opaque sed-syntax: k"]),
    ("s\\a\\b\\", ["opaque sed-syntax: \\"]),
    ("s1a1b1", ["opaque sed-syntax: 1"]),
    ("s[a[b[", ["opaque sed-syntax: ["]),
    ("séaébé", ["opaque sed-syntax: é"]),
    ("s/\\c/e/x/", ["opaque sed-syntax: \\"]),
    ("s/a\nb/c/", ["opaque sed-syntax: \n"]),
    ("k", ["opaque sed-syntax: k"]),
    ("5", ["opaque sed-syntax: "]),
    ("a", ["opaque sed-syntax: a"]),
    (":\\\n#x;w out", ["opaque sed-syntax: \\"]),
    ("r \\\na\\\nw out", ["opaque sed-syntax: \\"]),
    ("a\\\\\nw out", ["opaque sed-syntax: \\"]),
    ("a\\ \nw out", ["opaque sed-syntax:  "]),
    ("s/[a/b/", ["opaque sed-syntax: ["]),
    ("# x\rw out", ["opaque sed-syntax: \r"]),
    ("w out\nk", ["write out: w out", "opaque sed-syntax: k"]),
]


@pytest.mark.parametrize("text", READING)
def test_reading(text: str) -> None:
    assert sed.judge(script(text), CALL) == []


@pytest.mark.parametrize(("text", "expected"), ACTING)
def test_acting(text: str, expected: list[str]) -> None:
    assert shown(sed.judge(script(text), CALL), text) == expected


@pytest.mark.parametrize(
    ("text", "domain", "values", "expected"),
    [
        ("¤p", "number", (), []),
        ("¤,¤p", "number", (), []),
        ("s/a/b/¤", "number", (), []),
        ("s/a/\\¤/", "number", (), []),
        ("¤{p;q}", "number", (), []),
        ("w out¤", "number", (), ["write out1: w out¤", "write out: w out"]),
        ("1e touch ¤", "number", (), ["exec sed-exec: 1e touch ¤", "exec sed-exec: 1e touch "]),
        ("s¤a¤b¤", "number", (), ["opaque sed-syntax: ¤"]),
        ("/¤/p", "any", (), ["opaque script-dynamic: ¤"]),
        ("/¤/p", "plain", (), ["opaque script-dynamic: ¤"]),
        ("/¤/p", "any", ("a", "b"), []),
        ("/¤/p", "any", ("a", "x/w out\n/"), ["write out: /w out\n"]),
        ("¤¤¤¤¤¤¤p", "number", (), ["opaque script-dynamic: ¤"]),
    ],
)
def test_holes(text: str, domain: str, values: tuple[str, ...], expected: list[str]) -> None:
    found = shown(sed.judge(script(text, domain, values), CALL), text)
    assert [line.split(":")[0] for line in found][: len(expected)] == [line.split(":")[0] for line in expected]
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("p", "a.txt"), []),
        (("w out", "a.txt"), ["write out"]),
        (("-e=p", "w out"), []),
        (("-e=1a\\", "-e=w out", "a.txt"), []),
        (("-e=a text", "-e=w out"), ["write out"]),
        (("-n", "-e={p", "-e=}"), []),
        # the BSDs stop looking for options at the first operand
        (("w out", "-e=p"), ["write out"]),
        (("a.txt", "-e=p"), []),
        (("w out", "-f=x"), ["write out"]),
        (("-l=5", "p"), []),
        (("-l=w out", "p"), ["opaque sed-line-length"]),
        (("--version",), []),
        (("-i", "s/a/b/", "a.txt", "b.txt"), ["write a.txt", "write b.txt"]),
        (("-i", "", "s/a/b/", "a.txt"), ["write a.txt"]),
        (("-i=.bak", "-e=p", "a.txt"), ["write a.txt", "write sed-in-place"]),
        (("-i", "p"), ["write sed-in-place"]),
    ],
)
def test_command_line(line: tuple[str, ...], expected: list[str]) -> None:
    found = shown(sed_command.judge(call("sed", *line)), " ".join(line))
    assert [text.split(":")[0] for text in found] == expected


PIECES = [
    *("s", "/", "a", "b", "w p", "e", "w", " ", "p", "\n", "\\", "\\\n", "[", "[/]", "[^/]", "]", "}", "{", "#", ";"),
    *(
        "y",
        "1",
        "$",
        "2,",
        "/x/",
        "/one/I",
        "!",
        "t",
        ":a",
        ":",
        " x",
        "a\\",
        "a ",
        "i\\\n",
        "c",
        "r in",
        "R in",
        "W p",
    ),
    *("e touch p", "1e touch p", "g", "2", "I", "M", "q", "l", "=", "n", "D", "\\/", "s/a/b/", "s,a,b,", "y/ab/cd/"),
    *(
        "|",
        "[[:space:]",
        "[:",
        ".]",
        "&",
        "\\n",
        "\\c",
        "~2",
        "+1",
        "0",
        "w p\n",
        "a\\\n",
        "\\;",
        "b end",
        "F",
        "v",
        "L",
    ),
    *("\\\\", "[]", "[^]", "s|", "+", "x", "d", "s/.*/touch p/"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_never_raises(text: str) -> None:
    sed.judge(script(text), CALL)


@given(st.text(max_size=30))
def test_any_text(text: str) -> None:
    sed.judge(script(text.replace("¤", "")), CALL)


@pytest.mark.skipif(not witness.available(), reason="needs bubblewrap")
def test_witness_sees() -> None:
    found = {(deed.script, deed.program): deed.files for deed in witness.deeds("sed", ["p", "w q", "1e date"])}
    assert found["w q", "sed"] == ["in", "q"]
    assert found["1e date", "sed"] == ["in", "ran-shell"]
    assert ("p", "sed") not in found


@pytest.mark.skipif(not witness.available(), reason="needs bubblewrap")
def test_real_seds_agree() -> None:
    """Scripts that we say only read leave nothing behind; `DEVKIT_GUARD_FUZZ` runs more of them."""
    random = Random(int(os.environ.get("DEVKIT_GUARD_SEED", "1")))
    harmless: list[str] = [*READING, *(text for text, _ in ACTING)]
    size = int(os.environ.get("DEVKIT_GUARD_FUZZ", "200"))
    harmless = [text for text in harmless if only_reads(sed.judge(script(text), CALL))]
    while len(harmless) < size:
        text = "".join(random.choices(PIECES, k=random.randint(2, 9)))
        text += random.choice(["", "", "\nw p", ";w p", " s/a/b/w p", "}w p", "\n1e date", "s/.*/date/e"])
        if only_reads(sed.judge(script(text), CALL)):
            harmless.append(text)
    assert witness.deeds("sed", harmless) == []
