"""Diagnostics as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from guard.model.diagnostic import Diagnostic, Fix
from guard.model.record import NamedTuple

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class RuleInfo(NamedTuple):
    """What SARIF says of a check: `summary` is one sentence, `page` the whole text."""

    code: str
    name: str
    summary: str
    page: str
    severity: str


def as_sarif(found: list[Diagnostic], rules: Sequence[RuleInfo], version: str, texts: Mapping[str, str]) -> str:
    """One run with the rules that have results, the results, and their fixes."""
    used = {one.code for one in found}
    listed = [rule for rule in rules if rule.code in used]
    index = {rule.code: number for number, rule in enumerate(listed)}
    run = {
        "tool": {
            "driver": {
                "name": "devkit-guard",
                "version": version,
                "semanticVersion": version,
                "rules": [_rule(rule) for rule in listed],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder that was linted."}}},
        "results": [_result(one, index, texts) for one in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: RuleInfo) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")) or rule.code,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.page},
        "help": {"text": rule.page},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _result(one: Diagnostic, index: dict[str, int], texts: Mapping[str, str]) -> dict[str, Any]:
    message = one.message
    if one.witness:
        message += f"\nWitness: {one.witness}" + (f" ({one.effect})" if one.effect else "")
    if one.help:
        message += f"\nHelp: {one.help}"
    location: dict[str, Any] = {"artifactLocation": _artifact(one.path)}
    if one.line:
        location["region"] = _region(one)
    result: dict[str, Any] = {
        "ruleId": one.code,
        "level": LEVELS[one.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"devkitGuard/v1": f"{zlib.crc32(f'{one.code} {one.path} {one.message}'.encode()):08x}"},
    }
    if one.code in index:
        result["ruleIndex"] = index[one.code]
    if one.witness:
        result["properties"] = {"witness": one.witness, "effect": one.effect}
    if one.fix and one.fix.edits:
        result["fixes"] = [_fix(one.path, one.fix, texts.get(one.path, ""))]
    return result


def _region(one: Diagnostic) -> dict[str, int]:
    region = {"startLine": one.line, "startColumn": max(one.column, 1)}
    if one.end_line:
        region |= {"endLine": one.end_line, "endColumn": max(one.end_column, 1)}
    return region


def _artifact(path: str) -> dict[str, str]:
    uri = quote(path.replace("\\", "/"), safe="/~")
    return {"uri": "file://" + uri} if path.startswith("/") else {"uri": uri, "uriBaseId": "SRCROOT"}


def _fix(path: str, fix: Fix, text: str) -> dict[str, Any]:
    replacements = []
    for edit in fix.edits:
        start, end = _place(text, edit.start), _place(text, edit.end)
        region = {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}
        replacements.append({"deletedRegion": region, "insertedContent": {"text": edit.text}})
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": fix.message}, "artifactChanges": [change]}


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
