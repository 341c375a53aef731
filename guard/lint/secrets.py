"""Secrets in rules: the forms that tokens have, and names of files that hold them."""

from __future__ import annotations

import re

FORMS = (
    ("a password in a URL", re.compile(r"://[^/\s:@\"']+:[^/\s@\"'*$]+@")),
    ("a name and password", re.compile(r"(?:^|\s)(?:-u|--user)[= ]?['\"]?[^\s:'\"$*]+:[^\s'\"$*]+")),
    ("an authorization header", re.compile(r"(?i)authorization:\s*(?:bearer|basic|token)\s+[^\s\"'$*\\]+")),
    (
        "an API key",
        re.compile(r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[opusr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})"),
    ),
    ("an access key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{30,}")),
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    (
        "a value of a secret variable",
        re.compile(r"(?i)\b[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY)=['\"]?[^\s'\"$*:)]{4,}"),
    ),
)
NAMES = (
    ".env",
    ".ssh",
    ".aws",
    ".netrc",
    ".npmrc",
    ".pgpass",
    "secret",
    "credential",
    "id_rsa",
    "token",
    ".pem",
    ".key",
)


def found_in(text: str) -> str:
    """What kind of secret stands in the text; empty where none is seen."""
    return next((what for what, form in FORMS if form.search(text)), "")


def is_secret(path: str) -> bool:
    """Whether the name of a path says that it holds secrets."""
    return any(name in path.lower() for name in NAMES)
