"""Takes secrets out of command lines before they are kept. It would rather take too much than too little.

By sight: the fixed beginnings of tokens, values after a name such as `password` or `--token`, `Authorization` headers,
passwords in URLs, key blocks, and long words that look random. A secret that looks like an ordinary word and stands
after no such name cannot be told from one.
"""

from __future__ import annotations

HIDDEN = "[redacted]"
_PREFIXES = (
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-"),
    *("sk-", "sk_live_", "sk_test_", "rk_live_", "pk_live_", "whsec_", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xapp-"),
    *("AKIA", "ASIA", "AIza", "ya29.", "GOCSPX-", "npm_", "pypi-", "hf_", "dop_v1_", "shpat_", "SG.", "eyJ"),
    *("lin_api_", "ntn_", "secret_", "figd_", "tskey-", "hvs.", "hvb.", "atlasv1.", "dapi", "sntrys_", "r8_", "gsk_"),
)
_NAMES = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key", "access_key"),
    *("access-key", "private_key", "private-key", "credential", "auth", "bearer", "cookie", "session_key", "pat"),
)
_USER_OPTIONS = ("-u", "--user", "--proxy-user", "-U")
_QUOTES = "\"'`"
_BREAKS = frozenset(" \t\n;|&<>(){}[],\\" + _QUOTES)


def redacted(text: str) -> str:
    """The text with what looks like a secret as `[redacted]`."""
    if "-----BEGIN" in text:
        start = text.index("-----BEGIN")
        end = text.find("-----END", start)
        after = (
            len(text)
            if end < 0
            else (text.find("-----", end + 8) + 5 if text.find("-----", end + 8) > 0 else len(text))
        )
        return redacted(text[:start]) + HIDDEN + redacted(text[after:])
    found: list[str] = []
    before = ""  # the word before, which may be the name of what follows
    for word, gap in _words(text):
        hidden, before = _word(word, before, gap)
        found += [hidden, gap]
    return "".join(found)


def _words(text: str) -> list[tuple[str, str]]:
    """Words and the characters behind each, which together are the text."""
    found, start = [], 0
    while start < len(text):
        end = start
        while end < len(text) and text[end] not in _BREAKS:
            end += 1
        after = end
        while after < len(text) and text[after] in _BREAKS:
            after += 1
        found.append((text[start:end], text[end:after]))
        start = after
    return found


def _word(word: str, before: str, gap: str) -> tuple[str, str]:
    """The word without its secret, and what the next word has to know of it."""
    lower = word.lower()
    if word in ("=", ":") and before == "bare":  # "password": "…"
        return word, "name"
    if before == "name" and word not in ("=", ":", "-", "--"):
        if lower in ("basic", "bearer", "digest", "token", "negotiate"):
            return word, "name"
        return (word, "") if word.startswith(("-", "$")) else (HIDDEN, "")
    if before == "user" and ":" in word and not word.startswith("$"):
        return word.split(":", 1)[0] + ":" + HIDDEN, ""
    address = word.find("://")
    if address > 0 and "@" in word[address:]:
        return _address(word, address + 3), ""
    for mark in ("=", ":"):
        name, found, value = word.partition(mark)
        if found and _names(name):
            follows = not value and (mark == ":" or not gap[:1].isspace())
            return (name + mark + HIDDEN, "") if value and value[0] != "$" else (word, "name" if follows else "")
        if found and name in _USER_OPTIONS and ":" in value:
            return f"{name}{mark}{value.partition(':')[0]}:{HIDDEN}", ""
    head, mark, value = word.rpartition("=")
    if _looks_secret(value):
        return head + mark + HIDDEN, ""
    if word in _USER_OPTIONS:
        return word, "user"
    if not _names(lower):
        return word, ""
    return word, "name" if word.startswith("-") else "bare"


def _names(word: str) -> bool:
    """Whether a word is the name of a secret: `--api-key`, `DB_PASSWORD`, `X-Auth-Token`."""
    lower = word.lower().lstrip("-")
    if lower.startswith(("x-", "proxy-")) or "authorization" in lower:
        return "auth" in lower or "token" in lower or "key" in lower
    return any(
        lower == name or lower.endswith(("_" + name, "-" + name, name))
        for name in _NAMES
        if name not in ("pat", "auth")
    ) or (lower in ("pat", "auth") or lower.endswith(("_pat", "-pat", "_auth", "-auth")))


def _address(word: str, start: int) -> str:
    host = word.index("@", start)
    name, colon, _ = word[start:host].partition(":")
    if colon:
        return f"{word[:start]}{name}:{HIDDEN}{word[host:]}"
    return f"{word[:start]}{HIDDEN}{word[host:]}" if _looks_secret(name) else word


def _looks_secret(word: str) -> bool:
    """Known beginnings, or 32 and more letters of both cases and digits that are no path and no hash."""
    if any(word.startswith(prefix) and len(word) >= len(prefix) + 12 for prefix in _PREFIXES):
        return True
    if len(word) < 32 or word.count("/") > 2 or word.startswith(("/", "./", "~", "$", "-")):
        return False
    plain = sum(char.isalnum() for char in word)
    kinds = any(map(str.isdigit, word)), any(map(str.isupper, word)), any(map(str.islower, word))
    return all(kinds) and plain >= 0.9 * len(word)
