"""Verdicts and diagnostics → text and JSON; `excerpt` and `sarif` for findings. Pure: returns text, prints nothing."""

from guard.report.diagnostics import as_github, as_json, as_text
from guard.report.outline import outline
from guard.report.verdicts import explained, record, sentence, visible

__all__ = ["as_github", "as_json", "as_text", "explained", "outline", "record", "sentence", "visible"]
