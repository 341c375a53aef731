"""Command language of the AWS command line: `aws [options] SERVICE OPERATION [options]`.

Operations of a service that describe, list or get ask the network and change nothing, but some print secrets, some
write what they fetch to a file, and `file://` arguments send what a local file holds.
https://docs.aws.amazon.com/cli/latest/userguide/cli-usage-command-structure.html
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation
from guard.model.syntax import Span

_VALUED = ("--output", "--query", "--profile", "--region", "--color", "--cli-read-timeout", "--cli-connect-timeout")
_FLAGS = ("--debug", "--no-cli-pager", "--no-paginate", "--no-sign-request", "--no-cli-auto-prompt")
_VERBS = ("describe-", "list-", "get-", "head-", "filter-log-events", "lookup-events", "ls", "batch-get-")
# fmt: off
_SERVICES = frozenset((
    "acm", "apigateway", "apigatewayv2", "application-autoscaling", "athena", "autoscaling", "batch", "ce",
    "cloudformation", "cloudfront", "cloudtrail", "cloudwatch", "codebuild", "codecommit", "codepipeline",
    "dynamodb", "ec2", "ecr", "ecs", "efs", "eks", "elasticache", "elb", "elbv2", "events", "firehose", "iam",
    "kinesis", "kms", "lambda", "logs", "organizations", "rds", "redshift", "resourcegroupstaggingapi", "route53",
    "s3", "s3api", "scheduler", "secretsmanager", "servicequotas", "sns", "sqs", "ssm", "stepfunctions", "sts",
    "wafv2",
))
_SECRETS = frozenset((
    "get-secret-value", "batch-get-secret-value", "get-login-password", "get-session-token", "get-federation-token",
    "get-password-data", "get-parameter", "get-parameters", "get-parameters-by-path", "get-parameter-history",
    "get-authorization-token", "get-function", "get-function-configuration", "list-functions", "get-access-token",
    "get-role-credentials", "get-api-key", "get-api-keys", "get-data-key-pair", "get-caller-credentials",
    "get-login", "get-credential-report", "get-console-output",
))
_FILES = frozenset((
    "get-object", "get-object-torrent", "get-export", "get-sdk", "get-media", "get-clip", "get-job-output",
))
# fmt: on
_ACTS = ("get-query-results-stream", "get-records", "get-shard-iterator")


def judge(call: Invocation) -> list[Outcome]:
    """Effects of one call, by its service and operation."""
    words = call.operands
    if len(words) == 1 and words[0].text == "--version":
        return []
    index = _skip_options(words)
    if index is None or len(words) < index + 2:
        return [opaque("unknown-call", "not a call of a service that the guard can read", call.span, rule=call.rule)]
    service, verb = words[index].text, words[index + 1].text
    if service is None or verb is None:
        return [opaque("dynamic-subcommand", "the service or operation is decided at run time", call.span)]
    found: list[Outcome] = [_effect(service, verb, Span(words[index].span.start, words[index + 1].span.end), call)]
    for word in (*words[:index], *words[index + 2 :]):
        found += _argument(word, call)
    return found


def _skip_options(words: tuple[Argument, ...]) -> int | None:
    """The index of the service, or None where an option before it is not known."""
    index = 0
    while index < len(words):
        text = words[index].text
        if text in _VALUED:
            index += 2
        elif text in _FLAGS or (text or "").partition("=")[0] in _VALUED:
            index += 1
        else:
            return None if words[index].may_start_with("-") else index
    return None


def _effect(service: str, verb: str, span: Span, call: Invocation) -> Effect:
    kind, message = Kind.NET_READ, f"`{service} {verb}` asks the cloud with credentials"
    reads = service in _SERVICES and verb.startswith(_VERBS) and verb not in _ACTS
    if verb in _SECRETS:
        kind, message = Kind.READ_SECRET, f"`{service} {verb}` prints secrets"
    elif verb in _FILES:
        kind, message = Kind.WRITE, f"`{service} {verb}` writes what it fetches to a file"
    elif not reads or (service == "s3" and verb != "ls"):
        kind, message = Kind.NET_WRITE, f"`{service} {verb}` is not known to only read"
    return Effect(kind, Reason(f"{kind.value}-call", message, span, call.rule))


def _argument(word: Argument, call: Invocation) -> list[Outcome]:
    text = word.start
    if text.startswith(("--endpoint", "--cli-input", "--ca-bundle", "--no-verify")):
        message = "this option sends the request elsewhere or takes it from a file"
        return [Effect(Kind.NET_WRITE, Reason("net-write-option", message, word.span, call.rule))]
    value = text.partition("=")[2] if text.startswith("--") else text
    unknown = word.text is None and ("file://".startswith(value) or "fileb://".startswith(value))
    if unknown or "file://" in text or "fileb://" in text:
        message = "`file://` sends what a local file holds, and this argument is not known to be free of it"
        return [Effect(Kind.NET_WRITE, Reason("net-write-argument", message, word.span, call.rule))]
    return []
