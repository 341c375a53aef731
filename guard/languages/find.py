"""find: starting points and expression; what `-exec`, `-delete` and the `-fprint` family do.

The grammar is flat here: every primary has a fixed number of arguments, and parentheses and operators decide only
whether an action is reached. So any action counts as reached. Tables hold for GNU, the BSDs, macOS, busybox and toybox;
where they read a word differently, all readings are judged. A find that does not know a primary, or meets a path after
the expression, refuses before it acts.
Source: https://www.gnu.org/software/findutils/manual/html_node/find_html/Invoking-find.html
"""

from __future__ import annotations

from guard.languages.arguments import may_equal, replaced, unknown
from guard.model.argument import Argument, Hole, Outcome, Printed, ReadsPath, RunsArgv, Text, WritesPath, exact
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation
from guard.model.syntax import Span

_OPERATORS = frozenset(["(", ")", "!", ",", "-not", "-a", "-and", "-o", "-or"])
_ALONE = (
    "-acl -daystart -empty -executable -false -follow -help --help -ignore_readdir_race -ls -mount -nogroup "
    "-noignore_readdir_race -noleaf -nouser -nowarn -print -print0 -printx -prune -quit -readable -sparse -true "
    "-version --version -warn -writable -xattr -xdev"
)
_WITH_ARGUMENT = (
    "-Bmin -Bnewer -Btime -amin -anewer -atime -cmin -cnewer -context -ctime -flags -fstype -gid -group -ilname -iname "
    "-inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mnewer -mtime -name -newer -path -perm "
    "-printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xattrname -xtype"
)
_DEPTH = frozenset(["-d", "-depth"])
_WRITING = {"-fls": 1, "-fprint": 1, "-fprint0": 1, "-fprintf": 2}
_RUNNING = frozenset(["-exec", "-execdir", "-ok", "-okdir"])
_PRINTING = _RUNNING | {
    *("-printx", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from"),
    *("-help", "--help", "-version", "--version"),
}
"""What prints, or names starting points, apart from `-print` and `-print0`."""
_FLAGS = frozenset("EHLPXdsx")
_IN_PRIMARIES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_NAMES = frozenset(["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"])
_ALL = [(False, "*")]
_MOST_NAMES = 64
_READINGS = 32
_STARTS = 4


def judge(call: Invocation) -> list[Outcome]:
    """Every effect of every reading of the words."""
    pending = [call.operands]
    found: list[Outcome] = []
    settled = False
    for _ in range(_READINGS):
        if not pending:
            return found
        reading = _Reading(pending.pop(), call)
        outcomes = reading.outcomes
        if settled and reading.refused:  # it refuses, but GNU find opens output files while it reads the expression
            outcomes = [outcome for outcome in outcomes if isinstance(outcome, WritesPath)]
        found += [outcome for outcome in outcomes if outcome not in found]
        settled = True
        pending += reading.others
    found.append(opaque("find-readings", "too many words that are decided at run time", call.span, rule=call.rule))
    return found


def prints(call: Invocation) -> Printed:
    """Names, each beginning with a starting point, where nothing but `-print` and `-print0` prints.

    Names may have several lines, so of those that end with one only the beginning of the first is known.
    """
    first = _leading(call.operands)
    starts: list[Argument] = []
    for word in call.operands[first:]:
        if word.text is not None and (word.text in _OPERATORS or word.text.startswith("-")):
            break
        starts.append(word)
    bases = [start.start.rstrip("/") for start in starts if start.text] or ["."]
    patterns = _named(call.operands)
    names = [name for _, name in patterns]
    names += [f"{base}/{name.removeprefix('*/')}" for base in bases for whole, name in patterns or _ALL if not whole]
    names += [] if patterns else [base or "/" for base in bases]
    texts = [word.text for word in call.operands[first + len(starts) :]]
    if None in texts or not _PRINTING.isdisjoint(texts) or any(word.may_start_with("-") for word in starts):
        return Printed(names=tuple(names[:_MOST_NAMES]))
    ended = "-print0" in texts and "-print" not in texts
    return Printed("undashed", records="undashed" if ended else "", names=tuple(names[:_MOST_NAMES]))


def _named(words: tuple[Argument, ...]) -> list[tuple[bool, str]]:
    """What `-name PATTERN` (as `*/PATTERN`) and `-path PATTERN` look for (whole path or not), `*` for all unknown."""
    found = []
    negated = [False]
    pending = False
    for index, word in enumerate(words):
        text = word.text
        if text in ("!", "-not"):
            pending = not pending
            continue
        if text == "(":
            negated.append(negated[-1] or pending)
        elif text == ")" and len(negated) > 1:
            negated.pop()
        elif text in _NAMES and index + 1 < len(words) and not (pending or negated[-1]):
            pruned = index + 2 < len(words) and words[index + 2].text == "-prune"
            known = words[index + 1].text
            if known is not None and not pruned:
                whole = text not in ("-name", "-iname")
                found.append((whole, _unknown(known) if whole else f"*/{_unknown(known)}"))
        pending = False
    return found


def _unknown(pattern: str) -> str:
    """A file name pattern with `*` for everything that stands for something else."""
    text = ""
    inside = False
    for char in pattern.replace("\\", ""):
        if char in "*?[" or inside:
            inside = char != "]" if inside else char == "["
            char = "*"
        text += "" if char == "*" and text.endswith("*") else char
    return text


class _Reading:
    """One reading of `words`. `others` are the same words with a doubtful one settled: they are to be read too.

    `refused`: a path stands behind the beginning of the expression, which is an error before anything is done.
    """

    def __init__(self, words: tuple[Argument, ...], call: Invocation) -> None:
        self.words = words
        self.call = call
        self.outcomes: list[Outcome] = []
        self.others: list[tuple[Argument, ...]] = []
        self.refused = False
        listed = any(word.text == "-files0-from" for word in words)
        self.starts: list[Argument] | None = None if listed else []
        index = self.starting_points(_leading(words))
        while index < len(words):
            index = self.primary(index)

    def problem(self, code: str, message: str, span: Span) -> None:
        self.outcomes.append(opaque(code, message, span, rule=self.call.rule))

    def settle(self, index: int, text: str) -> None:
        """Has the words read once more with `text` for the word at `index`."""
        word = self.words[index]
        self.others.append((*self.words[:index], exact(text, word.span), *self.words[index + 1 :]))

    def without(self, index: int) -> None:
        """Has the words read once more without the one at `index`, which may become nothing."""
        self.others.append((*self.words[:index], *self.words[index + 1 :]))

    def starting_points(self, index: int) -> int:
        starts: list[Argument] = []
        while index < len(self.words):
            word = self.words[index]
            text = word.text
            if text is not None and (text in _OPERATORS or (text[:1] == "-" and text != "-")):
                break
            self.undecided(word)
            starts.append(word)
            index += 1
        if all(word.many for word in starts):
            starts.append(exact(".", self.call.span))
        if self.starts is not None:
            self.starts = starts
        return index

    def undecided(self, word: Argument) -> None:
        """A word where a primary could stand, of which not all is known."""
        if word.text is None and _could_be_primary(word):
            message = "decided at run time, and could be an action such as `-delete`: start it with `./` or `/`"
            self.outcomes.append(opaque("dynamic-primary", message, word.span, rule=self.call.rule))

    def primary(self, index: int) -> int:
        word = self.words[index]
        text = word.text
        if text is None:
            self.undecided(word)
        elif text in _RUNNING:
            return self.command(index)
        elif text in _WITH_ARGUMENT.split() or (text.startswith("-newer") and len(text) == 8):
            return self.arguments(index, 1)
        elif text in _WRITING:
            if index + 1 < len(self.words):
                target = self.words[index + 1]
                self.outcomes.append(WritesPath(target, f"`{text}` writes this file", rule=self.call.rule))
            return self.arguments(index, _WRITING[text])
        elif text == "-delete":
            reason = Reason("find-delete", "`-delete` removes what is found", word.span, self.call.rule)
            self.outcomes.append(Effect(Kind.DELETE, reason))
        elif text == "-files0-from":
            if index + 1 < len(self.words) and self.words[index + 1].text != "-":
                self.outcomes.append(ReadsPath(self.words[index + 1]))
            return self.arguments(index, 1)
        elif text in _DEPTH:
            return index + 2 if index + 1 < len(self.words) and _is_depth(self.words[index + 1].text) else index + 1
        elif not text.startswith("-") or text == "-":
            self.refused = self.refused or text not in _OPERATORS
        elif text not in _OPERATORS and text not in _ALONE.split():
            self.problem("unknown-primary", f"`{text}` is not a test or action of find that the rule knows", word.span)
        return index + 1

    def arguments(self, index: int, count: int) -> int:
        """Steps over a primary and its arguments; one that may become several words, or none, shifts what follows."""
        following = index + 1 + count
        for place in range(index + 1, min(following, len(self.words))):
            if self.words[place].many:
                self.without(place)
                self.undecided(self.words[place])
        return following

    def command(self, index: int) -> int:
        """`-exec words… ;` or `-exec words… {} +`; the index after it."""
        name = self.words[index]
        end = index + 1
        while end < len(self.words):
            word = self.words[end]
            text = word.text
            if text == ";":
                break
            if text == "+" and end > index + 1 and self.words[end - 1].text == "{}":
                break
            self.may_end(index, end)
            end += 1
        if end == len(self.words):
            self.problem("find-exec", f"`{name.text}` without its end, `\\;` or `{{}} +`", name.span)
            return end
        words = self.words[index + 1 : end]
        plus = self.words[end].text == "+"
        if not words[: len(words) - plus]:
            self.problem("find-exec", f"`{name.text}` without a command", name.span)
        elif plus and (name.text in ("-ok", "-okdir") or any(_has_braces(word) for word in words[:-1])):
            self.problem("find-exec", "find programs differ in what this `+` means", self.words[end].span)
        else:
            self.runs(name, words, plus)
        return end + 1

    def may_end(self, index: int, end: int) -> None:
        """Other readings where the word at `end` ends the command of the `-exec` at `index`.

        The BSDs take any word that starts with `;` for the end, and after `{}` any that starts with `+`.
        """
        word, before = self.words[end], self.words[end - 1]
        if word.may_start_with(";"):
            self.settle(end, ";")
            if word.many:
                self.undecided(word)
        if end > index + 1 and may_equal(before, "{}"):
            if word.many:
                self.without(end)
            if word.may_start_with("+"):
                self.settle(end, "+") if before.text == "{}" else self.settle(end - 1, "{}")

    def runs(self, name: Argument, words: tuple[Argument, ...], plus: bool) -> None:
        span = name.span
        starts = self.starts
        patterns = _named(self.words)
        names = tuple(name for whole, name in patterns if not whole) if patterns else ("",)  # all: the folder itself
        if name.text in ("-execdir", "-okdir"):
            # GNU gives `./name`, the BSDs the bare name, which may start with a dash. The path tells what is read.
            argv = _substituted(words, plus, (Hole("any", span, (), names),))
            self.outcomes.append(RunsArgv(argv, directory=unknown(span)))
        paths: list[tuple[Text | Hole, ...]]
        if starts is None or any(start.may_start_with("-") for start in starts):
            paths = [(Hole("any", span, (), names),)]
        elif len(starts) > _STARTS:
            paths = [(Hole("undashed", span, (), names),)]
        else:
            paths = [(*_prefix(start), Hole("any", span, (), names)) for start in starts]
        self.outcomes += [RunsArgv(_substituted(words, plus, path)) for path in paths]


def _leading(words: tuple[Argument, ...]) -> int:
    """The index after the options that stand before the starting points."""
    index = 0
    while index < len(words):
        text = words[index].text
        if text == "--":
            return index + 1
        if text == "-D" and index + 1 < len(words) and words[index + 1].text is not None:
            index += 2
        elif text is not None and len(text) > 1 and text[0] == "-" and (set(text[1:]) <= _FLAGS or _is_level(text)):
            index += 1
        else:
            break
    return index


def _is_level(text: str) -> bool:
    return text.startswith("-O") and text[2:].isascii() and text[2:].isdigit()


def _is_depth(text: str | None) -> bool:
    """Whether the BSDs take this as the number of `-depth n`."""
    return text is not None and text.lstrip("+-")[:1].isdigit() and len(text) - len(text.lstrip("+-")) <= 2


def _could_be_primary(word: Argument) -> bool:
    """Whether a word that is not known may be a test or an action, none of which has such as `.` or `/` in its name."""
    known = "".join(piece.text for piece in word.pieces if isinstance(piece, Text))
    return word.may_start_with("-") and set(known) <= _IN_PRIMARIES


def _has_braces(word: Argument) -> bool:
    return "{}" in "".join(piece.text for piece in word.pieces if isinstance(piece, Text))


def _prefix(start: Argument) -> tuple[Text | Hole, ...]:
    """What every path found from this starting point begins with; `.` alone is a folder, so `./` does for it too."""
    pieces = _without_slashes(start.pieces)
    return (*pieces, Text("/", [start.span.end - 1])) if start.text in (".", "..") else pieces


def _without_slashes(pieces: tuple[Text | Hole, ...]) -> tuple[Text | Hole, ...]:
    """A starting point as it stands in front of names: some versions take slashes off its end."""
    *head, last = pieces or (Hole("any", Span(0, 0)),)
    if isinstance(last, Hole):
        return pieces
    text = last.text.rstrip("/")
    if not text and not head:
        return pieces
    return (*head, Text(text, last.at[: len(text)]))


def _substituted(words: tuple[Argument, ...], plus: bool, path: tuple[Text | Hole, ...]) -> tuple[Argument, ...]:
    """The words of the command with the path, or with all paths where `plus`, for `{}`."""
    if plus:
        return (*words[:-1], Argument(path, words[-1].span, many=True))
    return tuple(_filled(word, path) for word in words)


def _filled(word: Argument, path: tuple[Text | Hole, ...]) -> Argument:
    if _may_complete_braces(word):
        return unknown(word.span, many=word.many)
    return replaced(word, "{}", path)


def _may_complete_braces(word: Argument) -> bool:
    """Whether `{}` may come about from a hole (of listed values or beside a brace): then the word may be anything."""
    if word.text is not None:
        return False
    holes = [piece for piece in word.pieces if isinstance(piece, Hole)]
    texts = [piece.text for piece in word.pieces if isinstance(piece, Text)]
    return any(text.endswith("{") or text.startswith("}") for text in texts) or any(
        "{" in value or "}" in value for hole in holes for value in hole.values
    )
