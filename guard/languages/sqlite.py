"""sqlite3: only what is proved to read: a database opened with -readonly and SELECTs that call known pure functions.

`-readonly` alone proves nothing: writefile(), ATTACH, VACUUM INTO, .output and .shell do not care. Statements on
standard input are not known. What the database itself can do (views that call edit(), WAL files) is the business of
`guard.classify.database`.
Source: https://www.sqlite.org/cli.html
"""

from __future__ import annotations

from guard.languages.texts import Sample, samples, union
from guard.model.argument import Argument, Outcome, ReadsPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation

_FUNCTIONS_NAMES = (
    "abs avg bm25 changes char coalesce count cume_dist date datetime dense_rank first_value format glob "
    "group_concat hex ifnull iif instr json json_array json_array_length json_each json_extract json_group_array "
    "json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_tree "
    "json_type json_valid julianday lag last_insert_rowid last_value lead length like likelihood likely lower "
    "ltrim max min nth_value ntile nullif percent_rank printf quote random rank replace round row_number rtrim "
    "sign soundex sqlite_version strftime string_agg substr substring sum time total total_changes trim typeof "
    "unhex unicode unixepoch unlikely upper zeroblob ceil ceiling floor trunc ln log log10 log2 exp pow power "
    "sqrt mod pi sin cos tan asin acos atan atan2 degrees radians concat concat_ws octet_length timediff "
    "generate_series pragma_table_info pragma_table_xinfo pragma_index_list pragma_index_info "
    "pragma_foreign_key_list pragma_table_list pragma_database_list"
)
_FUNCTIONS = frozenset(_FUNCTIONS_NAMES.split())
_CHANGING = frozenset(["insert", "update", "delete", "into"])  # what may follow WITH
# Words before a parenthesis that are not function names.
_WORDS_NAMES = (
    "select from where and or not in exists as on over values with recursive union all except intersect case when "
    "then else using join left inner cross outer by having limit offset is between like glob filter partition "
    "distinct materialized cast collate order group end"
)
_WORDS = frozenset(_WORDS_NAMES.split())
_FIRST = frozenset(["select", "with", "values", "explain"])
_FILES = frozenset(["fsdir", "zipfile"])
_PRAGMAS_NAMES = (
    "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list database_list "
    "collation_list function_list module_list compile_options"
)
_PRAGMAS = frozenset(_PRAGMAS_NAMES.split())
_VALUES = frozenset(["user_version", "schema_version", "page_count", "page_size", "journal_mode", "encoding"])
_DOTS_NAMES = (
    ".tables .schema .indexes .indices .mode .headers .header .databases .dbinfo .show .width .separator "
    ".nullvalue .help .print .echo .bail .timeout .stats .fullschema"
)
_DOTS = frozenset(_DOTS_NAMES.split())
_QUOTES = {"'": "'", '"': '"', "`": "`", "[": "]"}
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


def judge(call: Invocation) -> list[Outcome]:
    """The outcomes of the whole call."""
    if call.given("-version", "-help") is not None and not call.operands:
        return []
    if not call.operands:
        return [opaque("sqlite-stdin", "the statements come from standard input", call.span, rule=call.rule)]
    database, *statements = call.operands
    commands = [option.value for option in call.options if option.name == "-cmd" and option.value is not None]
    found: list[Outcome] = [ReadsPath(database)]
    if call.given("-readonly") is None:
        message = "without -readonly the database may be created, rolled back or changed"
        reason = Reason("sqlite-write", message, database.span, call.rule)
        found.append(Effect(Kind.WRITE, reason, database.text))
    if not statements:
        found.append(opaque("sqlite-stdin", "the statements come from standard input", call.span, rule=call.rule))
    for script in (*commands, *statements):
        found += _script(script, call.rule)
    return union(found)


def _script(script: Argument, rule: str) -> list[Outcome]:
    texts = samples(script)
    if isinstance(texts, Effect):
        return [texts]
    return [outcome for sample in texts for outcome in _sample(sample, rule)]


def _sample(sample: Sample, rule: str) -> list[Outcome]:
    text = sample.text
    if text.startswith("."):
        name = text.split(maxsplit=1)[0]
        plain = all(char.isalnum() or char in " ._%*" for char in text)
        if name in _DOTS and plain:
            return []
        message, end = f"the command {name} is not known to read only", len(name)
        return [opaque("sqlite-dot", message, sample.span(0, end), rule=rule)]
    statement: list[str] = []
    found: list[Outcome] = []
    place = 0
    while place < len(text):
        start = place
        token, place = _token(text, place)
        if not token or token.startswith("\n."):
            return [*found, opaque("sqlite-syntax", "SQL not understood", sample.span(start, start + 1), rule=rule)]
        word = token.lower()
        problem = _problem(statement, word)
        if problem:
            reason = Reason("sqlite-statement", problem, sample.span(start, place), rule)
            found.append(Effect(Kind.WRITE, reason))
        if word == ";":
            statement = []
        elif word != " ":
            statement.append(word)
    return found


def _problem(statement: list[str], word: str) -> str:
    """What is wrong with `word` after the words of its statement, or nothing."""
    if not statement:
        if word in _FIRST or word in (" ", ";", "pragma"):
            return ""
        return f"a statement that is not a SELECT ({word})"
    if statement[0] == "pragma":
        return _pragma_problem(statement, word)
    if word in _CHANGING and statement[0] == "with":
        return f"{word} changes a database"
    if word.strip("\"'`[]") in _FILES:
        return f"{word} reads other files"
    last = statement[-1]
    if word == "(" and last not in _FUNCTIONS and last not in _WORDS and (last[0] in _NAME or last[0] in _QUOTES):
        # `WITH name(column)` looks like a call: not worth telling apart.
        return f"the function {last} is not known to read only"
    return ""


def _pragma_problem(statement: list[str], word: str) -> str:
    if len(statement) == 1:
        return "" if word in _PRAGMAS or word in _VALUES or word == " " else f"the pragma {word} may change something"
    if word in (" ", ";"):
        return ""
    return "" if statement[1] in _PRAGMAS else f"the pragma {statement[1]} with a value changes it"


def _token(text: str, place: int) -> tuple[str, int]:
    """The token at `place` and the place behind it: word, quoted text, blank or one other character; empty: error."""
    char = text[place]
    if char in _QUOTES:
        close = _QUOTES[char]
        end = text.find(close, place + 1)
        while end >= 0 and close != "]" and text.startswith(close, end + 1):
            end = text.find(close, end + 2)
        return ("", place) if end < 0 else (text[place : end + 1], end + 1)
    if text.startswith("--", place):
        end = text.find("\n", place)
        return " ", len(text) if end < 0 else end
    if text.startswith("/*", place):
        end = text.find("*/", place + 2)
        return ("", place) if end < 0 else (" ", end + 2)
    if char == "\n" and text[place + 1 :].lstrip(" \t").startswith((".", "/", "#")):
        return "", place  # the shell reads a command of its own there
    if char in " \t\n":
        return " ", place + 1
    if char in _NAME:
        end = place
        while end < len(text) and text[end] in _NAME:
            end += 1
        return text[place:end], end
    if not char.isascii() or char < " ":
        return "", place
    return char, place + 1
