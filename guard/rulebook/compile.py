"""Rule files → compiled rows, with every mistake located. Strict: an unknown key, type or effect is an error.

Runs when a package is built, in `lint`, and when a compiled file is missing or stale; never on the plain hook path.
"""

from __future__ import annotations

from typing import Any, NoReturn

from guard.model.effect import Kind
from guard.rulebook.schema import COUNTS, SYNTAXES, TYPES
from guard.rulebook.yaml_source import Value

KINDS = tuple(kind.value for kind in Kind)
PRINTS = ("number", "numbers", "hex", "plain", "undashed", "input", "beginning", "worktree", "directory")
_READING = ("", "read", "cache")
_TOP = {"source", "aliases", "name", "builtin", "split", "groups", "override"}
_NODE = {
    *("summary", "syntax", "abbreviate", "numeric", "any", "inert", "effect", "message", "instead", "prints"),
    *(
        "prints_max_operands",
        "language",
        "requires",
        "include",
        "options",
        "operands",
        "subcommands",
        "bare",
        "prints_for",
        "prints_by",
        "prints_names",
        "check",
        "refuses_numbers",
    ),
    *("otherwise", "examples", "source"),
}
_OPTION = {"takes", "effect", "message", "instead", "prints"}
_OPERAND = {"with", "unless", "effect", "message", "instead", "starts", "else", "default"}
_SPELLING = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.@#?%:!,/")

Groups = dict[str, Value]


def top(value: Value, program: str) -> tuple[list[Any], list[str]]:
    """The compiled row of a rule file's top and its aliases. Raises RuleError."""
    keys = value.mapping("rule")
    for key in ("summary", "source", "examples"):
        if key not in keys:
            raise value.fail(f"missing key '{key}'")
    groups = keys["groups"].mapping("groups") if "groups" in keys else {}
    name = keys["name"].text("name") if "name" in keys else program
    aliases = [entry.text("alias") for entry in keys["aliases"].sequence("aliases")] if "aliases" in keys else []
    return _Compiler(groups).node(value, name, "gnu", _TOP), aliases


def part(value: Value, name: str, syntax: str, groups: Groups) -> list[Any]:
    """The compiled row of one subcommand's own file (`split: true`); `groups` are those of the program's file."""
    return _Compiler(groups).node(value, name, syntax, set())


def examples(value: Value) -> list[tuple[str, Value]]:
    """All (`allow` or `veto`, command) pairs of a rule file, those of its subcommands too."""
    found: list[tuple[str, Value]] = []
    data = value.data
    if not isinstance(data, dict):
        return found
    for key, inner in data.items():
        if key == "examples":
            for verdict, lines in inner.mapping("examples").items():
                if verdict not in ("allow", "veto"):
                    raise lines.fail(f"unknown key '{verdict}': expected allow or veto")
                for line in lines.sequence(verdict):
                    line.text("example")
                    found.append((verdict, line))
        elif key in ("subcommands", "bare", "otherwise"):
            for node in inner.mapping(key).values() if key == "subcommands" else [inner]:
                found += examples(node)
    return found


class _Compiler:
    def __init__(self, groups: Groups) -> None:
        self.groups = groups

    def node(self, value: Value, name: str, syntax: str, extra: set[str]) -> list[Any]:
        keys = value.mapping(f"'{name}'")
        known(keys, _NODE | extra)
        syntax = one_of(keys.get("syntax"), "syntax", SYNTAXES, syntax)
        effect, on_operands = self.effect(keys.get("effect"))
        options = self.options(keys)
        accepts_any = flag(keys, "any", False)
        if accepts_any and effect in (*_READING, "net_read"):
            raise keys["any"].fail("any: only for a node whose own effect is vetoed by default")
        prints = one_of(keys.get("prints"), "prints", PRINTS, "")
        limit = keys["prints_max_operands"].number("prints_max_operands") if "prints_max_operands" in keys else -1
        claims = keys["prints_for"].mapping("prints_for") if "prints_for" in keys else {}
        language = keys["language"].text("language") if "language" in keys else ""
        return [
            name,
            value.path,
            value.line,
            plain(keys, "summary"),
            syntax,
            flag(keys, "abbreviate", syntax in ("gnu", "git", "posix")),
            flag(keys, "numeric", False),
            accepts_any,
            flag(keys, "inert", False),
            flag(keys, "builtin", False),
            flag(keys, "split", False),
            flag(keys, "override", False),
            effect,
            on_operands,
            plain(keys, "message"),
            plain(keys, "instead"),
            prints,
            limit,
            {text: one_of(claim, text, PRINTS, "") for text, claim in claims.items()},
            keys["prints_by"].text("prints_by") if "prints_by" in keys else "",
            flag(keys, "prints_names", False),
            keys["check"].text("check") if "check" in keys else "",
            flag(keys, "refuses_numbers", False),
            language,
            self.requires(keys.get("requires"), options),
            options,
            self.operands(keys.get("operands"), options),
            self.subcommands(keys.get("subcommands"), syntax),
            self.node(keys["bare"], name, syntax, set()) if "bare" in keys else None,
            self.node(keys["otherwise"], name, syntax, set()) if "otherwise" in keys else None,
        ]

    def effect(self, value: Value | None) -> tuple[str, bool]:
        if value is None:
            return "", False
        words = value.text("effect").split(" ")
        kind = words[0]
        if kind not in KINDS:
            expected(value, "effect", kind, KINDS)
        if words[1:] not in ([], ["operands"]):
            raise value.fail(f"effect: expected '{kind}' or '{kind} operands' (got '{' '.join(words)}')")
        return kind, len(words) == 2

    def options(self, keys: dict[str, Value]) -> list[Any]:
        rows: list[Any] = []
        index: dict[str, int] = {}
        own = [keys["options"]] if "options" in keys else []
        for source in [*self.included(keys), *own]:
            written: set[str] = set()
            for spellings, spec in source.mapping("options").items():
                names = [spelling.strip() for spelling in spellings.split(",") if spelling.strip()] or [spellings]
                for name in names:
                    if name[0] not in "-+" or len(name) < 2 or not set(name) <= _SPELLING:
                        raise spec.fail(f"option '{name}': expected a spelling such as -x or --word")
                    if name in written:
                        raise spec.fail(f"option '{name}' stands twice")
                rows.append(self.option(names[0], spec))
                index.update((name, len(rows) - 1) for name in names)
                written.update(names)
        return [rows, index]

    def included(self, keys: dict[str, Value]) -> list[Value]:
        found = []
        for entry in keys["include"].sequence("include") if "include" in keys else ():
            name = entry.text("include")
            if name not in self.groups:
                expected(entry, "group", name, tuple(self.groups))
            found.append(self.groups[name])
        return found

    def option(self, name: str, spec: Value) -> list[Any]:
        keys = spec.mapping(f"option '{name}'")
        known(keys, _OPTION)
        takes: list[Any] = []
        if "takes" in keys:
            value = keys["takes"]
            entries = value.data if isinstance(value.data, list) else [value]
            takes = [self.takes(entry) for entry in entries]
        effect, on_operands = self.effect(keys.get("effect"))
        prints = one_of(keys.get("prints"), "prints", (*PRINTS, "any"), "")
        return [name, takes, effect, on_operands, plain(keys, "message"), plain(keys, "instead"), prints, spec.line]

    def takes(self, value: Value) -> list[Any]:
        if not isinstance(value.data, dict):
            name = value.text("takes")
            kind = name.removesuffix("?")
            if kind not in TYPES - {"script", "values"}:
                expected(value, "type", kind, tuple(sorted(TYPES)))
            return [kind, name.endswith("?"), "", [], ""]
        keys = value.data
        if "script" in keys or "script?" in keys:
            known(keys, {"script", "script?"})
            name = next(iter(keys))
            return ["script", name.endswith("?"), keys[name].text("script"), [], ""]
        known(keys, {"values", "values?", "else"})
        name = next((key for key in keys if key.startswith("values")), "")
        if not name:
            raise value.fail("takes: expected a type, {script: …} or {values: […], else: …}")
        values = [entry.text("value") for entry in keys[name].sequence("values")]
        otherwise = self.effect(keys.get("else"))[0] or "opaque"
        return ["values", name.endswith("?"), "", values, otherwise]

    def operands(self, value: Value | None, options: list[Any]) -> list[Any]:
        rows = []
        for entry in value.sequence("operands") if value else ():
            keys = entry.mapping("operand")
            types = [key for key in keys if key not in _OPERAND]
            if len(types) != 1:
                raise entry.fail(f"operand: expected one type key (got {', '.join(types) or 'none'})")
            (kind,) = types
            if kind not in TYPES:
                expected(keys[kind], "type", kind, tuple(sorted(TYPES)))
            otherwise = self.effect(keys.get("else"))[0]
            takes: list[Any] = [kind, False, "", [], ""]
            count = "one"
            if kind == "script":
                takes[2] = keys[kind].text("script")
            elif kind == "values":
                takes[3] = [item.text("value") for item in keys[kind].sequence("values")]
                takes[4] = otherwise or "opaque"
                count = "many"
            else:
                count = one_of(keys[kind], f"count of '{kind}'", COUNTS, "one")
            effect, _ = self.effect(keys.get("effect"))
            rows.append(
                [
                    takes,
                    count,
                    names(keys.get("with"), options),
                    names(keys.get("unless"), options),
                    effect,
                    plain(keys, "message"),
                    plain(keys, "instead"),
                    plain(keys, "starts"),
                    otherwise,
                    entry.line,
                    plain(keys, "default"),
                ]
            )
        return rows

    def requires(self, value: Value | None, options: list[Any]) -> list[Any] | None:
        if value is None:
            return None
        keys = value.mapping("requires")
        known(keys, {"one_of", "else", "message", "instead"})
        if "one_of" not in keys or "else" not in keys:
            raise value.fail("requires: expected the keys one_of and else")
        otherwise = self.effect(keys["else"])[0]
        wanted = names(keys["one_of"], options)
        return [wanted, otherwise, plain(keys, "message"), plain(keys, "instead"), value.line]

    def subcommands(self, value: Value | None, syntax: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for spellings, spec in value.mapping("subcommands").items() if value else ():
            first, *others = [name.strip() for name in spellings.split(",")]
            row = self.node(spec, first, syntax, set())
            for name in (first, *others):
                if name in found:
                    raise spec.fail(f"subcommand '{name}' stands twice")
                found[name] = row if name == first else first
        return found


def known(keys: dict[str, Value], allowed: set[str]) -> None:
    """Raises for the first key that is not allowed."""
    for key, value in keys.items():
        if key not in allowed:
            expected(value, "key", key, tuple(sorted(allowed)))


def expected(value: Value, what: str, got: str, choices: tuple[str, ...]) -> NoReturn:
    """Raises `unknown what 'got': expected one of …`, with the nearest choice first."""
    from difflib import get_close_matches

    near = get_close_matches(got, choices, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(choices) or '(none)'}"
    raise value.fail(f"unknown {what} '{got}': {hint}")


def one_of(value: Value | None, what: str, choices: tuple[str, ...], default: str) -> str:
    """The text of `value` if it is one of the choices, the default where there is no value."""
    if value is None:
        return default
    if value.data not in choices:
        raise value.fail(f"{what}: expected one of {', '.join(choices)} (got {value.described()})")
    return str(value.data)


def names(value: Value | None, options: list[Any]) -> list[str]:
    """Canonical names of the listed options; an option that the node does not have is an error."""
    rows, index = options
    found = []
    for entry in value.sequence("options") if value else ():
        spelling = entry.text("option")
        if spelling not in index:
            expected(entry, "option", spelling, tuple(index))
        found.append(rows[index[spelling]][0])
    return found


def flag(keys: dict[str, Value], key: str, default: bool) -> bool:
    """The boolean at `key`."""
    return keys[key].flag(key) if key in keys else default


def plain(keys: dict[str, Value], key: str) -> str:
    """The text at `key`, empty where there is none."""
    return keys[key].text(key) if key in keys else ""
