"""What is read: the whole reading of one text for every construct."""

from __future__ import annotations

import pytest

from guard.shell import read
from tests.shell.shown import shown

_READINGS = [
    ("", ""),
    ("# c", ""),
    ("m1 a b", "[m1 a b]"),
    ("m1; m2;", "<[m1] ; [m2] ;>"),
    ("m1 & m2", "<[m1] & [m2] ;>"),
    ("m1 && m2 || m3; m4", "<<[m1] && [m2] || [m3] ;> ; [m4] ;>"),
    ("m1 | m2 |& m3", "([m1] | [m2] | [m3])"),
    ("! m1 | m2", "! ([m1] | [m2])"),
    ("time -p m1 a", "time ([m1 a])"),
    ("a=1 b='x y' m1", "[a=1 b='x y' m1]"),
    ("x=1", "[x=1]"),
    ("x+=1 m1", "[x+=1 m1]"),
    ("a=~/b:~c m1", "[a=~/b:~c m1]"),
    ("a=(1 'b c' $x)", "[a=(1 'b c' ${x})]"),
    ("> w m1 a", "[m1 a >w]"),
    ("m1 > w a 2>&1", "[m1 a >w 2>&1]"),
    ("m1 &>> w <&- 2>/dev/null", "[m1 &>>w <&- 2>/dev/null]"),
    ('m1 <<< "$x"', '[m1 <<<"${x}]'),
    ("m1 < <(m2 a)", "[m1 <<([m2 a])]"),
    ("( m1; m2 ) > w", "sub(<[m1] ; [m2] ;>) >w"),
    ("{ m1; }", "group([m1])"),
    ("if m1; then m2; elif m3; then m4; else m5; fi", "if([m1] then [m2] [m3] then [m4] else [m5])"),
    ("for i in a *.py; do m1 $i; done", "for(i in a /*/.py: [m1 ${i}])"),
    ("for i; do m1; done", "for(i in args: [m1])"),
    ("for ((i=0; i<n; i++)); do m1; done", "for($((i i n i i= i=)): [m1])"),
    ("while m1; do m2; done < f", "while([m1]: [m2]) <f"),
    ("until m1\ndo m2\ndone", "while([m1]: [m2])"),
    ("case $x in a|'b') m1;; *) ;; esac", "case(${x}: a|'b') [m1] /*/) -)"),
    ("[[ -f a && ! $x =~ ^(a|b)$ ]] && m1", "<cond(-f a && ! ${x} =~ ^(a|b)$) && [m1] ;>"),
    ("(( x += $y ))", "arith($((x ${y} x=)))"),
    ("f() { m1; } > w", "function(f: group([m1]) >w)"),
    ("function f { m1; }; f", "<function(f: group([m1])) ; [f] ;>"),
    ("m1 a'b c'\"d $x\"\\ e $'\\t\\x41'", "disagreement: tree-sitter reads something else"),
    ("m1 '' \"\"", "[m1 '' '']"),
    ("m1 a''", "[m1 a]"),
    ('m1 $x ${y} "$@" $1 $?', '[m1 ${x} ${y} "${@} ${1} ${?}]'),
    (
        'm1 ${x:-a $y} ${x#*/} "${x/a/$(m2)}" ${#x} ${x:1:n} ${x[@]} ${x@Q}',
        "[m1 ${x:- a ${y}} ${x# /*//} \"${x/ 'a' \"$([m2])} ${x#length} ${x: $(()) $((n))} ${x[@]} ${x@Q}]",
    ),
    ('m1 $(m2 "$(m3)") `m4 a`', '[m1 $([m2 "$([m3])]) $([m4 a])]'),
    ("m1 $((1 + x * $y))", "[m1 $((x ${y}))]"),
    ("m1 * ?.[a-z] [!a]", "[m1 /*/ /?/./[a-z]/ /[!a]/]"),
    ("m1 ~ ~root/x a~ x=~", "[m1 ~ ~root/x a~ x=~]"),
    ("m1 {a,b}c {1..3} {} {a} x{1,{2,3}}", "[m1 ac bc 1 2 3 {} {a} x1 x2 x3]"),
    ("m1 a\\;b \\$x", "[m1 a';'b '$'x]"),
    ("m1 a#b #c", "[m1 a#b]"),
    ("m1 \\\n  a \\\n  -b", "[m1 a -b]"),
    ("m1 <<E\nhi $x \\$y\nE\nm2", "<[m1 <<'hi '\"${x}' ''$''y\n'] ; [m2] ;>"),
    ("m1 <<'E' | m2\n$(m3)\nE", "([m1 <<'$(m3)\n'] | [m2])"),
    ("m1 <<-E\n\thi\n\tE", "[m1 <<-'hi\n']"),
    ("m1 \"$(m2 <<'E'\na b\nE\n)\"", "[m1 \"$([m2 <<'a b\n'])]"),
    ("m1 -- -x = == a=b", "[m1 -- -x = == a=b]"),
    ('m1 $ a$ "b$"', "[m1 $ a$ 'b$']"),
    ("git log @{u}..HEAD stash@{0}", "[git log @{u}..HEAD stash@{0}]"),
    ("é日 'ü'", "[é日 'ü']"),
]


@pytest.mark.parametrize(("text", "expected"), _READINGS)
def test_reading(text: str, expected: str) -> None:
    assert shown(read(text)) == expected
