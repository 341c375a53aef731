"""What is taken out of command lines before they are kept, and what stays."""

from __future__ import annotations

import pytest

from guard.store.redact import HIDDEN, redacted

TOKEN = "ghp_" + "a1B2" * 9
RANDOM = "Zk3" * 12
SECRETS = {
    f"gh auth login --with-token {TOKEN}": TOKEN,
    f"echo {TOKEN}": TOKEN,
    f"export GITHUB_TOKEN={TOKEN}": TOKEN,
    f"curl -H 'PRIVATE-TOKEN: {RANDOM}' https://x.org": RANDOM,
    "curl -H 'Authorization: Bearer abc123' x.org": "abc123",
    'curl -H "authorization: Basic dXNlcjpwYXNz" x.org': "dXNlcjpwYXNz",
    "curl -H 'X-Api-Key: hunter22' x.org": "hunter22",
    "curl -u user:hunter2 https://x.org": "hunter2",
    "curl --user=user:hunter2 https://x.org": "hunter2",
    "git clone https://me:hunter2@github.com/a/b": "hunter2",
    f"git clone https://{TOKEN}@github.com/a/b": TOKEN,
    "mysql --password=hunter2 -e 'select 1'": "hunter2",
    "psql 'postgres://u:hunter2@db/x'": "hunter2",
    "DB_PASSWORD=hunter2 ./run": "hunter2",
    "tool --api-key hunter2 go": "hunter2",
    "tool --api-key=hunter2 go": "hunter2",
    "tool --token 'hunter2 and more'": "hunter2",
    "aws configure set aws_secret_access_key wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1": "wJalrXUtnFEMI",
    "printf AKIAIOSFODNN7EXAMPLE1": "AKIAIOSFODNN7EXAMPLE1",
    f"echo {RANDOM}": RANDOM,
    "echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh": "eyJhbGci",
    """curl -d '{"password":"hunter2"}' x.org""": "hunter2",
    "echo '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----' > k": "MIIabc",
    "echo '-----BEGIN PRIVATE KEY-----\nMIIabc": "MIIabc",
}


@pytest.mark.parametrize("command", SECRETS)
def test_secrets_go(command: str) -> None:
    assert SECRETS[command] not in redacted(command)
    assert HIDDEN in redacted(command)


@pytest.mark.parametrize(
    "command",
    [
        "ls -la | head -5",
        "git show 0123456789abcdef0123456789abcdef01234567 -- src/app.py",
        "sha256sum e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "rg -n 'password' src/auth/session_token.py",
        "grep -rn token= src",
        "cat docs/passwords.md",
        "curl https://example.org/a?b=c",
        "git log --author=me --format='%h %an'",
        "echo $GITHUB_TOKEN",
        "tool --token $TOKEN",
        "find /usr/share/doc/A1/b2/C3/libpython3.11-minimal/copyright -type f",
        "python -m pytest tests/store/test_decisions.py::test_a_record_is_one_line_with_id_and_time",
        "ssh user@host",
        "",
    ],
)
def test_other_words_stay(command: str) -> None:
    assert redacted(command) == command


def test_the_rest_of_the_text_stays_byte_for_byte() -> None:
    text = "a;b|c  'd'\t--password=x\n{e,f} $(g) `h` \\\n i"
    assert redacted(text) == text.replace("=x", f"={HIDDEN}")
