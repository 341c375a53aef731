"""`git -c NAME=VALUE`: which settings cannot make git run a program. All others are `exec`.

Names and meanings are those of git-config(1).
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_INSTEAD = "`git -c core.pager=cat log` or `git -c color.ui=false log`: such settings run nothing"
_SECTIONS = frozenset(
    {
        *("color", "column", "status", "advice", "user", "author", "committer", "i18n", "grep"),
        "versionsort",
    }
)
"""Sections with no key that names a program, whatever the value."""

_NAMES = {
    "core": frozenset(
        {
            *("quotepath", "abbrev", "commentchar", "commentstring", "ignorecase", "precomposeunicode", "filemode"),
            *("symlinks", "autocrlf", "eol", "safecrlf", "whitespace", "checkstat", "trustctime", "preloadindex"),
            *("longpaths", "bigfilethreshold", "warnambiguousrefs", "checkroundtripencoding"),
        }
    ),
    "log": frozenset(
        {
            *("date", "decorate", "follow", "abbrevcommit", "excludedecoration", "showroot", "mailmap", "graphcolors"),
            "initialdecorationset",
        }
    ),
    "diff": frozenset(
        {
            *("algorithm", "renames", "renamelimit", "context", "interhunkcontext", "noprefix", "mnemonicprefix"),
            *("srcprefix", "dstprefix", "relative", "statgraphwidth", "statnamewidth", "suppressblankempty"),
            *("wordregex", "wserrorhighlight", "colormoved", "colormovedws", "ignoresubmodules", "submodule"),
            *("dirstat", "indentheuristic", "autorefreshindex", "trustexitcode"),
        }
    ),
    "blame": frozenset(
        {"coloring", "date", "showemail", "showroot", "blankboundary", "markunblamablelines", "markignoredlines"}
    ),
    "merge": frozenset({"conflictstyle", "renames", "renamelimit", "directoryrenames"}),
    "branch": frozenset({"sort"}),
    "tag": frozenset({"sort", "gpgsign"}),
    "commit": frozenset({"gpgsign", "verbose"}),
    "gc": frozenset({"auto"}),
    "maintenance": frozenset({"auto"}),
    "init": frozenset({"defaultbranch"}),
    "protocol": frozenset({"version"}),
    "submodule": frozenset({"recurse"}),
}

_OFF = ("false", "no", "off", "0", "")
_VALUES = {
    "core.fsmonitor": _OFF,
    "core.pager": ("cat", *_OFF),
    "core.hookspath": ("/dev/null",),
    "credential.helper": ("",),
    "log.showsignature": _OFF,
    "safe.barerepository": ("explicit",),
}
"""Settings that are harmless with these values only."""


def judge(setting: Argument, call: Invocation) -> list[Outcome]:
    """The effect of one `-c`: none for a harmless setting."""
    if _is_harmless(setting):
        return []
    message = "this setting can make git run a program"
    return [Effect(Kind.EXEC, Reason("git-setting", message, setting.span, call.rule, _INSTEAD))]


def _is_harmless(setting: Argument) -> bool:
    name, equals, value = setting.start.partition("=")
    if setting.many or (not equals and setting.text is None):
        return False
    section, _, rest = name.partition(".")
    section, key = section.lower(), rest.rpartition(".")[2].lower()
    if not rest:
        return False
    if section in _SECTIONS:
        return True
    subsection = "." in rest
    if not subsection and key in _NAMES.get(section, ()):
        return True
    text = setting.text
    if text is None or subsection:
        return False
    given = value.lower() if equals else "true"
    if section == "pager":
        return given in ("cat", *_OFF)
    return given in _VALUES.get(f"{section}.{key}", ())
