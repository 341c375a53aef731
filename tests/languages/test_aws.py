"""The AWS command line: services, operations and arguments."""

from __future__ import annotations

import pytest

from guard.languages import aws
from tests.languages.calls import call, summary

ASKS = ["net_read net_read-call"]
ACTS = ["net_write net_write-call"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--version", []),
        ("ec2 describe-instances --query Reservations[]", ASKS),
        ("--profile dev --region x s3 ls", ASKS),
        ("--output=json sts get-caller-identity", ASKS),
        ("logs filter-log-events --log-group-name a", ASKS),
        ("ec2 terminate-instances --instance-ids i-1", ACTS),
        ("s3 cp a s3://b", ACTS),
        ("s3 sync $ x", [*ACTS, "net_write net-write-argument"]),
        ("kinesis get-records", ACTS),
        ("unknown-service list-things", ACTS),
        ("secretsmanager get-secret-value --secret-id x", ["read_secret read_secret-call"]),
        ("lambda get-function --function-name x", ["read_secret read_secret-call"]),
        ("s3api get-object --bucket b --key k out", ["write write-call"]),
        ("ec2 describe-instances --filters file://a.json", [*ASKS, "net_write net-write-argument"]),
        ("ec2 describe-instances --filters=$", [*ASKS, "net_write net-write-argument"]),
        ("ec2 describe-instances --cli-input-json x", [*ASKS, "net_write net-write-option"]),
        ("ec2 describe-instances --endpoint-url http://host.example", [*ASKS, "net_write net-write-option"]),
        ("--endpoint-url http://host.example s3 ls", ["opaque unknown-call"]),
        ("ec2", ["opaque unknown-call"]),
        ("", ["opaque unknown-call"]),
        ("$ describe-x", ["opaque unknown-call"]),
        ("ec2 $", ["opaque dynamic-subcommand"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(aws.judge(call("aws", line))) == expected
