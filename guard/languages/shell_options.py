"""set and shopt: options that change how the rest of the text is read, or what assignments reach, are opaque.

Source: https://www.gnu.org/software/bash/manual/html_node/The-Set-Builtin.html
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, opaque
from guard.model.invocation import Invocation

_LETTERS = frozenset("CEbefhmuvx")
_NAMES = frozenset(
    {
        *("emacs", "errexit", "errtrace", "functrace", "hashall", "ignoreeof", "monitor", "noclobber", "noglob"),
        *("notify", "nounset", "pipefail", "verbose", "vi", "xtrace"),
    }
)
_SHOPT = frozenset(
    {
        *("cdspell", "checkhash", "checkwinsize", "cmdhist", "direxpand", "dirspell", "dotglob", "execfail"),
        *("failglob", "globasciiranges", "globskipdots", "globstar", "histappend", "hostcomplete", "huponexit"),
        *("inherit_errexit", "lithist", "nocaseglob", "nocasematch", "no_empty_cmd_completion", "nullglob"),
        *("progcomp", "shift_verbose", "sourcepath", "xpg_echo"),
    }
)


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for every option that is not known to leave the reading as it is."""
    return _shopt(call) if call.program == "shopt" else _set(call)


def _set(call: Invocation) -> list[Outcome]:
    words = call.operands
    index = 0
    found: list[Outcome] = []
    while index < len(words):
        word = words[index]
        text = word.text
        if text is None:
            if word.may_start_with("-") or word.may_start_with("+"):
                found.append(_unknown(call, word, "decided at run time, and could be an option; put `--` before it"))
            return found
        if text in ("-", "--") or len(text) < 2 or text[0] not in "-+":
            return found
        index += 1
        if not set(text[1:]) <= _LETTERS | {"o"}:
            found.append(_unknown(call, word, "not an option that is known to leave the reading of the text as it is"))
        for _ in range(text.count("o")):
            if index < len(words):
                if words[index].text not in _NAMES:
                    found.append(_unknown(call, words[index], "not an option that is known to be harmless"))
                index += 1
    return found


def _shopt(call: Invocation) -> list[Outcome]:
    if not call.given("-s", "-u"):
        return []
    names = _NAMES if call.given("-o") else _SHOPT
    message = "not an option that is known to leave the reading of the text as it is"
    return [_unknown(call, word, message) for word in call.operands if word.text not in names]


def _unknown(call: Invocation, word: Argument, message: str) -> Effect:
    return opaque("shell-option", message, word.span, rule=call.rule)
