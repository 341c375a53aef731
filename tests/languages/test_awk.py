"""awk programs: tables of what they do, and real awks as witnesses that what only reads does only that."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.languages import awk, awk_command
from tests.languages import witness
from tests.languages.scripts import call, only_reads, script, shown

CALL = call("awk")

READING = [
    "{print $1}",
    "{s+=$2} END{print s}",
    "NR==n",
    "NR>=2{print $2}",
    '$1 > "b"',
    "$1 ~ /system/ {print}",
    "\n# print > x\n{ print $1 }",
    "/xyz/ {print $2}",
    "{print (a > b)}",
    '{print (a > b) ? "x" : "y"}',
    "{print a[b > c], f(b > c)} function f(x) {return x}",
    'BEGIN { printf("%s\\n", 1 > 2) }',
    "{x = a > b}",
    '{if ($1>2) print; else print > "/dev/stderr"}',
    "$0 ~ /[/]/",
    "/[^/]+$/{print}",
    "/[[:alpha:]/_-]/",
    '/[/"]/',
    "/a\\/b > c/",
    '{gsub(/[">|]/, "")}',
    '{print "a > b | c" > "/dev/null"}',
    "BEGIN{print length}",
    "length > 80",
    "!seen[$0]++",
    "{$1=$1}1",
    "a=b/c/d",
    "{a = b / c; d = /x > y/ ? 1 : 2}",
    "{a /= 2; b = /=/; c ^= 2; d **= 3}",
    "/^type A/,/^}/",
    "BEGIN{while (i<3) i++; do i--; while (i>0); for (k in a) delete a[k]; for (;;) break}",
    "BEGIN{switch (x) {case 1: print; break; case /re>/: default: print}}",
    'BEGIN{if (!("a" in b)) print 1; if ((1,2) in c) print}',
    'BEGIN{FS=","} $3>10 && $2!="x" {c[$1]++} END{for(k in c) print k, c[k]}',
    "function f(a,\n b)\n{ return a > b }\nf($1)",
    'BEGIN { getline; getline x; close("a"); fflush() }',
    "{print $1,\n $2 ||\n $3}",
    "{print \\\n $1}",
    'BEGIN{ARGV[1]=""; n=ARGC; for (i in ARGV) print ARGV[i]}',
    'BEGIN{PROCINFO["sorted_in"]="@ind_str_asc"; print ENVIRON["HOME"]}',
    '{ print -1 " " -1, $NF-1, $(NF-1), $i++ }',
    "{print $1.5, .5, 1e5, 0x1F}",
    "BEGIN{print toupper(substr($0, 1, 1)) substr($0, 2)}",
    "",
    "{",
][:-1]

ACTING = [
    ('{print > "o.txt"}', ['write o.txt: > "o.txt"']),
    ('{print "x" >> "o.txt"; next}', ['write o.txt: >> "o.txt"']),
    ('{print (1)(2) > "x"}', ['write x: > "x"']),
    ('{print (a, b) > "x"}', ['write x: > "x"']),
    ('{printf("%s", a) > "x"}', ['write x: > "x"']),
    ("{print $1>$2}", ["write awk-output: >$2"]),
    ('{print > $1".txt"}', ['write awk-output: > $1".txt"']),
    ('{print > "/dev/null" ".x"}', ['write awk-output: > "/dev/null" ".x"']),
    ('{print a > b > "c"}', ["write awk-output: > b", 'write c: > "c"']),
    ('{print a ? b : c > "x"}', ['write x: > "x"']),
    ('{print > "a\\x2fb"}', ['write awk-output: > "a\\x2fb"']),
    ('{print > ("x")}', ['write x: > ("x")']),
    ('{if (x) print > "x"; else print}', ['write x: > "x"']),
    ('{for (print > "x";;) break}', ['write x: > "x"']),
    ('BEGIN{print "touch p" | "sh"}', ["shell sh: sh"]),
    ('{print | "sort -n"}', ["shell sort -n: sort -n"]),
    ('{print | "sort " x}', ['exec awk-pipe: | "sort " x']),
    ('{print | x "sort"}', ['exec awk-pipe: | x "sort"']),
    ('{print |& "cat"}', ["shell cat: cat"]),
    ('BEGIN{"date" | getline d}', ["shell date: date"]),
    ('BEGIN{while (("date" | getline d) > 0) n++}', ["shell date: date"]),
    ('BEGIN{x = "date" | getline}', ["shell date: date"]),
    ('BEGIN{"da" "te" | getline}', ['exec awk-pipe: "te" | getline']),
    ('BEGIN{!"date" | getline}', ['exec awk-pipe: !"date" | getline']),
    ("BEGIN{cmd | getline x}", ["exec awk-pipe: cmd | getline x"]),
    ('BEGIN{print "date" | getline}', ['exec awk-pipe: "date" | getline']),
    ('BEGIN{system("")}', ['shell : "']),
    ('BEGIN{system("touch p")}', ["shell touch p: touch p"]),
    ('BEGIN{system ("ls")}', ["shell ls: ls"]),
    ('BEGIN{system("ls " x)}', ['exec awk-system: system("ls " x)']),
    ("{system($0)}", ["exec awk-system: system($0)"]),
    # gawk passes a changed environment on
    ('BEGIN{ENVIRON["PATH"]="."; system("ls")}', ['exec awk-system: system("ls")']),
    ('{getline x < "b.txt"}', ["read b.txt"]),
    ('{getline < "b" x}', ["read b"]),
    ("{getline < $1}", ["net_read awk-getline: getline < $1"]),
    ('{getline < ("/" $1)}', ['net_read awk-getline: getline < ("/" $1)']),
    ('{getline < "/inet/tcp/0/h/80"}', ['net_write awk-socket: "/inet/tcp/0/h/80"', "read /inet/tcp/0/h/80"]),
    ("BEGIN{ARGV[1]=$1}", ["net_read awk-argv: ARGV[1]"]),
    ("BEGIN{split(x, ARGV)}", ["net_read awk-argv: ARGV"]),
    ('@load "filefuncs"', ["exec awk-indirect: @load", "opaque awk-syntax: @"]),
    ("BEGIN{@f(1)}", ["exec awk-indirect: @f", "opaque awk-syntax: @"]),
    # where a regular expression ends
    ('/[/;system("x")#]/', ["shell x: x"]),
    ('{x ~ /[\\]/; print > "q" #]/\n}', ['write q: > "q"']),
    # not understood
    ("{print", ["opaque awk-syntax: "]),
    ("NR==", ["opaque awk-syntax: "]),
    ("{print $1))}", ["opaque awk-syntax: )"]),
    ("{f($1)}", ["opaque awk-syntax: f"]),
    ("{awk::system()}", ["opaque awk-syntax: :"]),
    ('{print "a}', ['opaque awk-syntax: "']),
    ("{x = /a}", ["opaque awk-syntax: /"]),
    ("# a \\\n{print}", ["opaque awk-syntax: \\"]),
    ("{print}\r", ["opaque awk-control: \r"]),
    ("{prïnt}", ["opaque awk-syntax: ï"]),
    ("{system}", ["opaque awk-syntax: }"]),
    ("{a | b}", ["opaque awk-syntax: |"]),
]


@pytest.mark.parametrize("text", READING)
def test_reading(text: str) -> None:
    assert only_reads(awk.judge(script(text), CALL))


@pytest.mark.parametrize(("text", "expected"), ACTING)
def test_acting(text: str, expected: list[str]) -> None:
    assert shown(awk.judge(script(text), CALL), text) == expected


@pytest.mark.parametrize(
    ("text", "domain", "values", "expected"),
    [
        ("NR==¤", "number", (), []),
        ("NR>=¤ && NR<=¤{print}", "number", (), []),
        ("{print $¤}", "number", (), []),
        ('{print > "o¤"}', "number", (), ['write awk-output: > "o¤"', 'write awk-output: > "o']),
        ('{system("kill ¤")}', "number", (), ["exec awk-system: system"]),
        ("{print ¤}", "any", (), ["opaque script-dynamic: ¤"]),
        ("{print ¤}", "any", ("1", "2"), []),
        ("{print ¤}", "any", ("1", '2 > "x"'), ["write x: "]),
        ("{print ¤}}", "number", (), ["opaque awk-syntax: }"]),
    ],
)
def test_holes(text: str, domain: str, values: tuple[str, ...], expected: list[str]) -> None:
    found = shown(awk.judge(script(text, domain, values), CALL), text)
    assert [line.split(":")[0] for line in dict.fromkeys(found)][:1] == [line.split(":")[0] for line in expected][:1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("1", "a.txt"), ["read a.txt"]),
        (("1", "FS=,", "a.txt"), ["read a.txt"]),
        (("{system($0)}", "a.txt"), ["exec awk-system", "read a.txt"]),
        (("-e=BEGIN{", "-e=print}", "{system($0)}"), ["read {system($0)}"]),
        (("-f=x", "{system($0)}"), ["read {system($0)}"]),
        (("1", "/inet/tcp/0/h/80"), ["net_read awk-socket"]),
        (("--version",), []),
    ],
)
def test_command_line(line: tuple[str, ...], expected: list[str]) -> None:
    found = shown(awk_command.judge(call("awk", *line)), " ".join(line))
    assert [text.split(":")[0] for text in found] == expected


PIECES = [
    *("{", "}", "(", ")", "print", "printf", ">", ">>", "|", '"p"', '"touch p"', "getline", "x", "$1", "$", "NR", "=="),
    *("/", "/a/", "/[/]/", "[/", "[", "]", "1", ",", ";", "\n", "+", "-", "++", "!", "~", "system", '("touch p")'),
    *("BEGIN", "END", "if(", "while(", "for(;;", "else", "do", "in", "function f(a)", "f(1)", " ", "\\\n", "#", '"'),
    *('\\"', "a", "&&", "||", "?", ":", "=", "/=", "<", '"in"', "return", "exit", "next", "delete", "a[1]", "length"),
    *('print > "p"', 'print "x" | "touch p"', '"touch p" | getline', "|&", "%", "switch(x){", "case 1:", "$NF", "gsub"),
    *("@", "\\", "print(", "print (1)", "(2)", "1>2", "exit}", '/"/', '/[/"]/', "/[]/]/", "/[[:alpha:]/]/", "/[\\]/]/"),
]
TAILS = ['print > "p"', 'system("touch p")', 'print "x" | "touch p"', '"touch p" | getline', ""]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_never_raises(text: str) -> None:
    awk.judge(script(text), CALL)


@given(st.text(max_size=30))
def test_any_text(text: str) -> None:
    awk.judge(script(text.replace("¤", "")), CALL)


def test_deep_nesting_is_opaque() -> None:
    text = "{print " + "(" * 5000 + "1" + ")" * 5000 + "}"
    assert shown(awk.judge(script(text), CALL), text) == ["opaque awk-syntax: {"]


def _program(random: Random) -> str:
    body = random.choice(["", " "]).join(random.choices(PIECES, k=random.randint(1, 8)))
    tail = random.choice(TAILS)
    return random.choice(
        [
            body,
            f"BEGIN{{{body};{tail}}}",
            f"BEGIN{{x={body};{tail}}}",
            f"$0 ~ {body} {{{tail}}}",
            f"BEGIN{{print {body}}}",
        ]
    )


@pytest.mark.skipif(not witness.available(), reason="needs bubblewrap")
def test_witness_sees() -> None:
    programs = ["1", 'BEGIN{print > "q"}', 'BEGIN{system("date")}']
    for program in {deed.program for deed in witness.deeds("awk", programs)}:
        found = {deed.script: deed.files for deed in witness.deeds("awk", programs) if deed.program == program}
        assert found == {'BEGIN{print > "q"}': ["in", "q"], 'BEGIN{system("date")}': ["in", "ran-shell"]}


@pytest.mark.skipif(not witness.available(), reason="needs bubblewrap")
def test_real_awks_agree() -> None:
    """Programs that we say only read leave nothing behind; `DEVKIT_GUARD_FUZZ` runs more of them."""
    random = Random(int(os.environ.get("DEVKIT_GUARD_SEED", "1")))
    harmless = [text for text in (*READING, *(text for text, _ in ACTING)) if only_reads(awk.judge(script(text), CALL))]
    size = int(os.environ.get("DEVKIT_GUARD_FUZZ", "150"))
    while len(harmless) < size:
        text = _program(random)
        if only_reads(awk.judge(script(text), CALL)):
            harmless.append(text)
    assert witness.deeds("awk", harmless) == []
