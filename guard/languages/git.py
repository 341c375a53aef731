"""git's command line where a list of options is not enough: `-c`, addresses, formats, `REV:PATH`, two-pass parsing.

Documented in git(1), git-config(1), pretty formats in git-log(1), gitremote-helpers(7). What the configuration makes
git run is not judged here but by `guard.classify.repository`.
"""

from __future__ import annotations

from guard.languages import git_settings
from guard.model.argument import NOTHING, Argument, Outcome, Printed, ReadsPath, Text
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Given, Invocation
from guard.model.syntax import Span

_INSTEAD = {
    "help": "`git log -h` prints the options of git log",
    "merge-tree": "`git merge-tree BASE A B`, with BASE from `git merge-base A B`",
}
_GLOBAL = frozenset(
    {"-C", "-c", "--config-env", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source"}
)
_SHOWS_CONTENT = frozenset({"show", "cat-file", "diff", "diff-tree", "whatchanged", "blame", "annotate", "grep"})
_FORMATS = frozenset({"--pretty", "--format", "--group"})

_ONE_PASS = 1000
_DASHES = {
    **dict.fromkeys(("archive", "fast-export", "stash"), 1),
    **dict.fromkeys(("grep", "branch", "tag", "for-each-ref", "config", "rev-parse", "ls-files"), _ONE_PASS),
}
"""How many separate option-arguments that look like options make a command line ambiguous; 2 where nothing is said.

git reads some command lines twice: first the options of the subcommand, which it takes out, then those for revisions.
In `git log --grep -q --author --output=x` the first pass takes `-q` away, so that `--author` becomes the argument of
`--grep`, and `--output=x` an option that writes.
"""

_LOCAL = frozenset(
    {
        *("rev-parse", "branch", "remote", "config", "worktree", "for-each-ref", "show-ref", "symbolic-ref", "version"),
        *(
            "check-ignore",
            "check-ref-format",
            "check-mailmap",
            "var",
            "help",
            "merge-base",
            "count-objects",
            "ls-files",
        ),
    }
)
_WALKS = frozenset({"log", "reflog", "shortlog", "rev-list"})
_CHOOSES_COMMITS = frozenset(
    {
        *("--all", "--branches", "--tags", "--remotes", "--max-count", "--skip", "--since", "--before", "--reverse"),
        *("--first-parent", "--author", "--committer", "--grep", "--merges", "--no-walk", "--topo-order", "--not"),
        *("--date-order", "--min-parents", "--max-parents", "-C", "--no-pager"),
    }
)
"""Options that choose and order commits: they read no trees, and leave what is printed of each commit as it is."""

_WALKS_LOCALLY = _CHOOSES_COMMITS | {
    *("--pretty", "--oneline", "--graph", "--decorate", "--no-decorate", "--date", "--left-right", "--count", "-c"),
    *("--abbrev-commit", "--color", "--no-color", "--summary", "--numbered", "--email", "--single-worktree"),
}

_KEEPS_SEPARATOR = frozenset(
    {
        *("log", "show", "whatchanged", "reflog", "rev-list", "rev-parse", "diff", "diff-files", "diff-index"),
        *("diff-tree", "shortlog", "blame", "annotate", "grep", "branch", "tag", "for-each-ref", "show-ref", "status"),
        *("ls-files", "ls-tree", "cat-file", "check-ignore", "check-attr", "merge-base", "name-rev", "hash-object"),
        *("config", "symbolic-ref"),
    }
)
"""Commands for which no word after `--` is an option. Others take `--` away and read, or pass on, the rest again:
`git stash list -- --output=x` writes x."""

_NAMES = frozenset({"%H", "%h", "%T", "%t"})
_HASH_FORMATS = frozenset({"%(objectname)", "%(objectname:short)"})


def judge(call: Invocation) -> list[Outcome]:
    """What this git command line could do beyond what its rule says."""
    found: list[Outcome] = []
    for option in call.options:
        if option.name == "-c" and option.value is not None:
            found += git_settings.judge(option.value, call)
        elif option.name in _FORMATS and option.value is not None:
            found += _format(option, call)
        elif option.name == "--remote" and option.value is not None:
            found += _address(option.value, call)
    if not call.path:
        return found
    help_asked = call.given("--help")
    if help_asked is not None:
        message = "--help with a subcommand starts a manual viewer or a browser"
        found.append(Effect(Kind.EXEC, Reason("git-help", message, help_asked.span, call.rule, _INSTEAD["help"])))
    found += _ambiguous(call)
    found += _after_separator(call)
    command = call.path[0]
    if command == "merge-tree":
        found += _merge_tree(call)
    elif command == "ls-remote" or call.path == ("remote", "show"):
        found += [outcome for word in call.operands[:1] for outcome in _address(word, call)]
    elif command == "request-pull":
        found += [outcome for word in call.operands for outcome in _address(word, call)]
    elif command in _SHOWS_CONTENT:
        found += [ReadsPath(path) for word in call.operands if (path := _path_in_revision(word)) is not None]
    return found


def fetches(call: Invocation) -> bool:
    """Whether this call may need objects that a partial clone does not have, and would fetch them."""
    if not call.path or call.path[0] in _LOCAL or call.given("--no-lazy-fetch") is not None:
        return False
    if call.path[0] in _WALKS or call.path == ("stash", "list"):
        names = {option.name for option in call.options}
        return call.separator is not None or not names <= _WALKS_LOCALLY or not all(map(_is_revision, call.operands))
    return True


def prints(call: Invocation) -> Printed:
    """`number` or `hex` where the output is only counts or object names, whatever the operands."""
    names = {option.name for option in call.options}
    style = call.given("--format", "--pretty")
    form = None if style is None or style.value is None else style.value.text
    if call.path == ("rev-list",) and names <= _CHOOSES_COMMITS | {"--count"}:
        return Printed("number" if "--count" in names else "hex")
    if call.path == ("for-each-ref",) and names <= {"-C", "--sort", "--count", "--format"}:
        return Printed("hex") if form in _HASH_FORMATS else NOTHING
    if call.path == ("log",) and names <= _CHOOSES_COMMITS | {"--pretty"} and form is not None:
        return Printed("hex") if form.removeprefix("tformat:").removeprefix("format:") in _NAMES else NOTHING
    return NOTHING


def may_print_signatures(call: Invocation) -> bool:
    """Whether the setting log.showSignature makes this command print what gpg says of each commit."""
    return call.path == ("log",)


def archived_commit(call: Invocation) -> str | None:
    """The commit for which `git archive` expands `$Format:…$` in files with the attribute export-subst: `%G?` runs gpg.

    None where it does not, as for a tree alone. Empty: it is not known, or the attributes of the work tree count.
    """
    if call.path != ("archive",) or call.given("--list") is not None or not call.operands:
        return None
    tree = call.operands[0].text or ""
    if tree.endswith("^{tree}"):
        return None
    return "" if call.given("--worktree-attributes") is not None else tree


def _is_revision(word: Argument) -> bool:
    """Whether an operand cannot be a path (which would make a walk read trees), as far as its text shows."""
    return word.start.startswith(("HEAD", "@")) or any(
        isinstance(piece, Text) and ".." in piece.text for piece in word.pieces
    )


def _ambiguous(call: Invocation) -> list[Outcome]:
    doubtful = [option for option in call.options if _is_separate(option) and _may_be_option(option)]
    limit = _DASHES.get(call.path[0], 2)
    if limit == 2 and any(_is_in_cluster(option, call) for option in doubtful):
        limit = 1  # of `-pn` git may take the first letter, refuse the second, and read on
    if len(doubtful) < limit:
        return []
    option = doubtful[-1]
    joined = f"{option.name}{'=' if option.name.startswith('--') else ''}VALUE"
    message = f"git may read this argument of `{option.name}` as an option of its own: write it in one word, {joined}"
    return [opaque("git-two-passes", message, option.value.span if option.value else option.span)]


def _after_separator(call: Invocation) -> list[Outcome]:
    if call.separator is None or call.path[0] in _KEEPS_SEPARATOR:
        return []
    found: list[Outcome] = []
    for word in call.operands[call.separator :]:
        if word.many or word.may_start_with("-"):
            message = f"`git {call.path[0]}` may read this as an option although it stands after `--`"
            found.append(opaque("git-two-passes", message, word.span))
    return found


def _is_separate(option: Given) -> bool:
    return option.name not in _GLOBAL and option.value is not None and option.value.span.start > option.span.start


def _is_in_cluster(option: Given, call: Invocation) -> bool:
    return any(other is not option and other.span.start == option.span.start for other in call.options)


def _may_be_option(option: Given) -> bool:
    return option.value is not None and (option.value.many or option.value.may_start_with("-"))


def _merge_tree(call: Invocation) -> list[Outcome]:
    """Three trees and no newer option: the old form, which only prints. Everything else writes objects."""
    modern = call.given("--write-tree", "--stdin", "--merge-base", "--strategy-option")
    three = len(call.operands) == 3 and not any(word.many for word in call.operands)
    if modern is None and (three or call.given("--trivial-merge") is not None):
        return []
    message = "git merge-tree writes the merged objects into the repository"
    return [Effect(Kind.REPO, Reason("git-merge-tree", message, call.span, call.rule, _INSTEAD["merge-tree"]))]


def _address(word: Argument, call: Invocation) -> list[Outcome]:
    """The address of a remote: `HELPER::…` runs the program git-remote-HELPER, and `ext::` any command."""
    known = word.start.startswith(("https://", "http://", "ssh://", "git://", "git@"))
    text = word.text
    if known or (text is not None and "::" not in text and not text.startswith("-")):
        return []
    message = "this address may name a program that git runs to reach it"
    return [Effect(Kind.EXEC, Reason("git-address", message, word.span, call.rule))]


def _format(option: Given, call: Invocation) -> list[Outcome]:
    """`%G…` and `%(signature…)` run gpg, which writes its home folder."""
    assert option.value is not None
    if not _may_verify(option.value):
        return []
    message = "this format asks for signatures, and git runs gpg for them"
    return [Effect(Kind.BUILD, Reason("git-format", message, option.span, call.rule))]


def _may_verify(value: Argument) -> bool:
    texts = value.alternatives()
    if texts is not None:
        return any(map(_asks_signature, texts))
    before = ""
    for piece in value.pieces:
        if isinstance(piece, Text):
            before += piece.text
        elif piece.values or Argument((piece,), piece.span).may_contain("%") or _is_open(before):
            return True
    return value.many or _asks_signature(before)


def _is_open(text: str) -> bool:
    """Whether a placeholder at the end of the text is not complete."""
    _, percent, name = text.rpartition("%")
    name = name.lstrip("+- ")
    return bool(percent) and (not name or (name.startswith("(") and ")" not in name))


def _asks_signature(text: str) -> bool:
    if "(signature" in text or "(*signature" in text:
        return True
    position = text.find("%")
    while position != -1:
        following = text[position + 1 : position + 3]
        if following.startswith("G") or (following[:1] in ("+", "-", " ") and following.endswith("G")):
            return True
        position = text.find("%", position + (2 if following.startswith("%") else 1))
    return False


def _path_in_revision(word: Argument) -> Argument | None:
    """The path in `HEAD:path`, `:0:path`, `:/path` and `:(top)path`, whose content is shown."""
    for index, piece in enumerate(word.pieces):
        if not isinstance(piece, Text) or ":" not in piece.text:
            continue
        start = piece.text.index(":") + 1
        if piece.text[start : start + 2] in ("0:", "1:", "2:", "3:"):
            start += 2
        if piece.text.startswith("(", start):
            end = piece.text.find(")", start)
            if end == -1 or "exclude" in piece.text[start:end]:
                return None
            start = end + 1
        rest = Text(piece.text[start:], piece.at[start:])
        pieces = (*((rest,) if rest.text else ()), *word.pieces[index + 1 :])
        return Argument(pieces, Span(word.span.start, word.span.end), word.many) if pieces else None
    return None
