"""sh, bash, dash, ash: `-c TEXT` is read and judged, `-n` only parses, a script file or a program on stdin is opaque.

The text is read as bash reads it. dash and busybox differ, and sh may be any of them: what they would read as something
else (`[[`, `((`, `$'…'`, brace expansion, …) is refused for them.
Sources: bash(1), section Options; https://www.gnu.org/software/bash/manual/html_node/Invoking-Bash.html, dash(1).
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome, ReadsPath, RunsShell, Text
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation
from guard.model.syntax import Span

_INSTEAD = "bash, which is certain to read the text so: `bash -c 'ls'`"
_LONG_ALONE = frozenset(["login", "noediting", "noprofile", "norc", "posix"])
_LONG_PRINTS = frozenset(["help", "version"])
_LONG_OTHER = frozenset(
    {
        *("debug", "debugger", "dump-po-strings", "dump-strings", "init-file", "pretty-print", "protected", "rcfile"),
        *("restricted", "verbose", "wordexp"),
    }
)
_STRICT = frozenset("eu")
_LETTERS = frozenset("CETbcefhilmnosuvx")
_OPTION_NAMES = frozenset(
    {
        *("emacs", "errexit", "errtrace", "functrace", "hashall", "monitor", "noclobber", "noglob", "notify"),
        *("nounset", "pipefail", "verbose", "vi", "xtrace"),
    }
)
_IN_OPTIONS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+")
_DIFFERS = (
    "$'",
    "[[",
    "&>",
    "function",
    "RANDOM",
    "SECONDS",
    "EPOCH",
    "BASH",
    "UID",
    "HISTCMD",
    "DIRSTACK",
    "PIPESTATUS",
)
_SPLITS = ("export", "local", "readonly")


class _Options:
    """What the options ask for. `rest` are the words behind them; `problem` is set where they are not understood."""

    def __init__(self) -> None:
        self.command = self.stdin = self.noexec = self.interactive = self.prints = self.strict = False
        self.rest: tuple[Argument, ...] = ()
        self.problem: tuple[str, Span] | None = None


def judge(call: Invocation) -> list[Outcome]:
    """What the shell is given to run."""
    options = _read(call.operands)
    if options.problem is not None:
        message, span = options.problem
        return [opaque("shell-option", message, span, rule=call.rule)]
    if options.prints:
        return []
    if options.noexec and not options.interactive:
        return _parses(call, options)
    if not options.command and options.rest and not options.stdin:
        reason = Reason("shell-script", "runs a script file", options.rest[0].span, call.rule)
        return [Effect(Kind.EXEC, reason, options.rest[0].text)]
    found = _text(call, options) if options.command else _from_stdin(call, options)
    return [one._replace(strict=options.strict) if isinstance(one, RunsShell) else one for one in found]


def _text(call: Invocation, options: _Options) -> list[Outcome]:
    if not options.rest:
        return [opaque("shell-text", "`-c` without a text", call.span, rule=call.rule)]
    return shell_text(call, options.rest[0], options.rest[1:], options.interactive)


def shell_text(
    call: Invocation, text: Argument, parameters: tuple[Argument, ...] = (), interactive: bool = False
) -> list[Outcome]:
    """The outcome of `text` being run by the shell `call.program`, any program but bash meaning some `sh`."""
    known = text.text
    if known is not None and call.program != "bash" and differs(known):
        message = "dash and busybox read this text differently from bash, and `sh` may be one of them"
        return [opaque("shell-dialect", message, text.span, rule=call.rule, instead=_INSTEAD)]
    if interactive and (known is None or "!" in known):
        return [opaque("shell-history", "an interactive shell expands `!`", text.span, rule=call.rule)]
    return [RunsShell(text, parameters)]


def differs(text: str) -> bool:
    """Whether dash or busybox may take the text for something else; quoted text counts too, which only refuses more."""
    if any(mark in text for mark in _DIFFERS):
        return True
    if any(word in text for word in _SPLITS) and ("$" in text or "`" in text):
        return True  # older ones split `export X=$y` into words
    position = text.find("((")
    while position >= 0:
        if text[position - 1 : position] != "$":
            return True
        position = text.find("((", position + 2)
    return _has_brace_expansion(text)


def _has_brace_expansion(text: str) -> bool:
    for position, char in enumerate(text):
        if char != "{" or text[position - 1 : position] == "$":
            continue
        for inner in text[position + 1 :]:
            if inner.isspace() or inner == "}":
                break
            if inner in ",.":
                return True
    return False


def _parses(call: Invocation, options: _Options) -> list[Outcome]:
    if options.command:
        return []
    if options.rest and not options.stdin:
        return [ReadsPath(options.rest[0])]
    if call.stdin is not None:
        return []
    message = "`-n` is ignored when the shell reads commands from a terminal"
    return [opaque("shell-stdin", message, call.span, rule=call.rule)]


def _from_stdin(call: Invocation, options: _Options) -> list[Outcome]:
    """A program on standard input: commands in it may read parts of it, so only a single line is certain."""
    text = None if call.stdin is None else call.stdin.text
    if call.stdin is None or text is None or "\n" in text.rstrip("\n"):
        message = "reads its program from standard input"
        return [opaque("shell-stdin", message, call.span, rule=call.rule)]
    return shell_text(call, call.stdin, (), options.interactive)


def _read(words: tuple[Argument, ...]) -> _Options:
    options = _Options()
    index = 0
    while index < len(words):
        text = words[index].text or ""
        name = text[2:]
        if not text.startswith("--") or not name:
            break
        if name in _LONG_PRINTS:
            options.prints = True
        elif name not in _LONG_ALONE:
            options.problem = (f"`{text}` is not an option that the rule knows", words[index].span)
            return options
        index += 1
    while index < len(words):
        word = words[index]
        text = word.text or ""
        if word.text is None and options.command and not options.noexec:
            break  # the text, or an option in its place: not known either way
        if word.text is None and _could_be_option(word):
            options.problem = ("decided at run time, and could be an option", word.span)
            return options
        if text in ("-", "--"):
            index += 1
            break
        if len(text) < 2 or text[0] not in "-+":
            break
        if text[1:] in _LONG_ALONE | _LONG_PRINTS | _LONG_OTHER or not _cluster(options, text):
            options.problem = (f"`{text}` is not an option that the rule knows", word.span)
            return options
        index += 1
        for _ in range(text.count("o")):
            value = words[index].text if index < len(words) else None
            options.strict |= value in ("errexit", "nounset")
            if value not in _OPTION_NAMES:
                options.problem = ("this shell option is not known to be harmless", word.span)
                return options
            index += 1
    options.rest = words[index:]
    return options


def _cluster(options: _Options, text: str) -> bool:
    """Takes note of `-abc` or `+abc`; whether all letters are known."""
    on = text[0] == "-"
    letters = text[1:]
    if not set(letters) <= _LETTERS or (not on and set(letters) & set("cils")):
        return False
    options.command |= "c" in letters
    options.stdin |= "s" in letters
    options.interactive |= "i" in letters
    options.strict |= on and not _STRICT.isdisjoint(letters)
    if "n" in letters:
        options.noexec = on
    return True


def _could_be_option(word: Argument) -> bool:
    """Whether it may be an option; one with a character that no option has makes the shell refuse."""
    known = "".join(piece.text for piece in word.pieces if isinstance(piece, Text))
    return (word.may_start_with("-") or word.may_start_with("+")) and set(known) <= _IN_OPTIONS
