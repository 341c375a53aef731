"""The shipped lists: which paths hold credentials, which variables may be set."""

from __future__ import annotations

import pytest

from guard.classify.environment import assigned
from guard.classify.targets import secret
from guard.model.argument import exact
from guard.model.syntax import Span
from guard.rulebook import Rulebook

BOOK = Rulebook()


@pytest.mark.parametrize(
    "path",
    [
        "~/.ssh/id_ed25519",
        "/home/u/.ssh/id_rsa",
        "/home/u/.SSH/ID_RSA",
        "id_ecdsa",
        "~/.aws/credentials",
        "~/.netrc",
        "/srv/x/.netrc",
        "~/.git-credentials",
        "~/.config/gh/hosts.yml",
        "~/.docker/config.json",
        "~/.kube/config",
        "~/.npmrc",
        "~/.pypirc",
        "~/.gnupg/private-keys-v1.d/a.key",
        ".env",
        "app/.env.production",
        "deploy/prod.env",
        "tls/server.key",
        "tls/server.pem",
        "infra/terraform.tfstate",
        "/etc/shadow",
        "/proc/1/environ",
        "/run/secrets/token",
    ],
)
def test_credentials(path: str) -> None:
    assert secret(BOOK, path, "/home/u") is not None


@pytest.mark.parametrize(
    "path",
    [
        "~/.ssh/id_ed25519.pub",
        "~/.ssh/known_hosts",
        "~/.ssh/config",
        "~/.gitconfig",
        "~/.bashrc",
        ".npmrc",
        ".env.example",
        ".env.production.example",
        ".env.sample",
        "src/env.py",
        "environment.yaml",
        "tls/ca.pem",
        "tls/fullchain.pem",
        "/etc/passwd",
        "/proc/self/environ",
        "package.json",
        "rules/secrets.yaml",
        "*.json",
        "*.md",
        "config/*.yml",
    ],
)
def test_ordinary_files(path: str) -> None:
    assert secret(BOOK, path, "/home/u") is None


@pytest.mark.parametrize(
    ("name", "value", "exported", "harmless"),
    [
        ("LC_ALL", "C", True, True),
        ("TZ", "UTC", True, True),
        ("FOO", "1", True, True),
        ("OTHER", "1", True, False),
        ("OTHER", "1", False, True),
        ("GIT_ROOT", "x", False, True),
        ("PYTHON", "python3", False, True),
        ("GIT_PAGER", "cat", True, True),
        ("GIT_PAGER", "less", True, False),
        ("GIT_OPTIONAL_LOCKS", "0", True, True),
        ("GIT_TRACE", "1", True, True),
        ("GIT_TRACE", "/tmp/a", True, False),
        ("GIT_DIR", "x", False, False),
        ("GIT_CONFIG_COUNT", "1", True, False),
        ("LESS", "-R", True, True),
        ("LESS", "+!touch p", True, False),
        ("RIPGREP_CONFIG_PATH", "", True, True),
        ("PATH", ".", False, False),
        ("LD_PRELOAD", "./p.so", True, False),
        ("HOME", "x", True, False),
        ("POSIXLY_CORRECT", "1", True, False),
    ],
)
def test_variables(name: str, value: str, exported: bool, harmless: bool) -> None:
    found = assigned(BOOK, name, exact(value, Span(0, 1)), exported, Span(0, 1))
    assert (found is None) is harmless
