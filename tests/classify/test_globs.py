"""Tables of paths: what matches, what is above a match, what is not known."""

from __future__ import annotations

import pytest

from guard.classify.globs import Globs

TABLE = Globs(
    {
        "~/.ssh/id_*": "key",
        "~/.config/*/token": "token",
        "/etc/shadow": "shadow",
        "/proc/*/environ": "environment",
        ".env": "variables",
        "*.pem": "certificate",
        "keys/**": "keys",
        ".aws/credentials": "credentials",
    }
)
HOME = "/home/user"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/home/user/.ssh/id_rsa", "key"),
        ("~/.ssh/ID_RSA", "key"),
        ("~other/.ssh/id_rsa", "key"),
        ("/home/user/.ssh/config", None),
        ("/home/user/.ssh", "key"),
        ("/home/user/.ssh/*", "key"),
        ("/home/user/.ssh/../.ssh/./id_rsa", "key"),
        ("/home/user2/.ssh/id_rsa", "key"),
        ("/home/user2/.ssh", "key"),
        ("/home/*/.ssh", "key"),
        ("/home/user2", None),
        ("/root/.ssh/id_rsa", "key"),
        ("/root/.ssh", "key"),
        ("/root", None),
        ("/Users/user2/.config", "token"),
        ("/srv/user2/.ssh/id_rsa", None),
        ("/home/user", None),
        ("/home/user/.config", "token"),
        ("/home/user/.config/app", None),
        ("/home/user/.config/app/token", "token"),
        ("/etc/shadow", "shadow"),
        ("/etc//shadow", "shadow"),
        ("/etc/sha*", "shadow"),
        ("/etc", None),
        ("/etc/*", "shadow"),
        ("/srv/etc/shadow", None),
        ("etc/shadow", None),
        ("/proc/1/environ", "environment"),
        (".env", "variables"),
        ("a/b/.env", "variables"),
        (".env.example", None),
        (".e*", "variables"),
        ("*env", None),
        ("*", None),
        ("src/*", None),
        ("a.pem", "certificate"),
        ("*.pem", "certificate"),
        ("a*", None),
        ("a/keys/b/c", "keys"),
        ("keys", "keys"),
        ("/x/.aws/credentials", "credentials"),
        ("credentials", None),
        ("", None),
        (".", None),
    ],
)
def test_find(path: str, why: str | None) -> None:
    found = TABLE.find(path, HOME)
    assert (found and found.why) == why


@pytest.mark.parametrize(
    ("path", "covered"),
    [("/home/user/.ssh/id_*", True), ("/home/user/.ssh/*", False), ("/home/user/.ssh", False), ("x/*.pem", True)],
)
def test_covers_everything_that_the_path_can_be(path: str, covered: bool) -> None:
    assert TABLE.covers(path, HOME) is covered


def test_no_home() -> None:
    assert TABLE.find("/srv/user/.ssh/id_rsa", None) is None
    assert TABLE.find("/home/user/.ssh/id_rsa", None) is not None
