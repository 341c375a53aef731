"""Diagnostics while a rule file is edited, the page of a check on hover, and its fixes as code actions."""

from __future__ import annotations

import os
import tempfile
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

import guard
from guard.lint import config, discover, pages, run
from guard.lint.discover import Target
from guard.lint.foreign import FORMATS
from guard.lint.session import Session
from guard.lint.source import Source
from guard.model.diagnostic import Diagnostic, Fix
from guard.model.errors import GuardError

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}
SOURCE = "devkit-guard"


class Open:
    """The last findings in one open document."""

    def __init__(self, source: Source, found: list[Diagnostic]) -> None:
        self.source = source
        self.found = found

    def range_of(self, start: int, end: int) -> lsp.Range:
        """A range of offsets as lines and UTF-16 columns from 0."""
        return lsp.Range(self.position(start), self.position(end))

    def position(self, offset: int) -> lsp.Position:
        """An offset as a line and a UTF-16 column, both from 0."""
        line, column = self.source.place(offset)
        text = self.source.text[offset - column + 1 : offset]
        return lsp.Position(line - 1, len(text.encode("utf-16-le", "surrogatepass")) // 2)

    def span(self, one: Diagnostic) -> lsp.Range:
        """Where a finding is."""
        start = self.source.offset(one.line, one.column)
        end = self.source.offset(one.end_line, one.end_column) if one.end_line else start + 1
        return self.range_of(start, max(end, start))


def server() -> LanguageServer:
    """The server with its four answers; holds the open documents and what was judged so far."""
    made = LanguageServer(SOURCE, f"v{guard.__version__}", text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    documents: dict[str, Open] = {}
    sessions: dict[str, Session] = {}

    def publish(uri: str) -> None:
        document = made.workspace.get_text_document(uri)
        opened = looked_at(_path(uri), document.source, sessions)
        documents[uri] = opened
        found = [diagnostic(opened, one) for one in opened.found]
        made.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, document.version))

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(parameters: lsp.DidOpenTextDocumentParams) -> None:
        publish(parameters.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(parameters: lsp.DidChangeTextDocumentParams) -> None:
        publish(parameters.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(parameters: lsp.DidCloseTextDocumentParams) -> None:
        documents.pop(parameters.text_document.uri, None)
        made.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(parameters.text_document.uri, []))

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(parameters: lsp.HoverParams) -> lsp.Hover | None:
        opened = documents.get(parameters.text_document.uri)
        here = [one for one in opened.found if _within(opened.span(one), parameters.position)] if opened else []
        if not opened or not here:
            return None
        text = "\n---\n".join(_markdown(one) for one in here)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), opened.span(here[0]))

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
    def code_action(parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = parameters.text_document.uri
        opened = documents.get(uri)
        if opened is None:
            return []
        touched = [one for one in opened.found if one.fix and _overlaps(opened.span(one), parameters.range)]
        return [_action(opened, uri, one, one.fix) for one in touched if one.fix is not None]

    return made


def looked_at(path: str, text: str, sessions: dict[str, Session]) -> Open:
    """Lints the text that an editor holds for the file at `path`."""
    source = Source(path, text)
    form = discover.form_of(path)
    if form is None and path.endswith((".yaml", ".yml")) and "\nsteps:" in f"\n{text}":
        form = "workflow"
    if form is None:
        return Open(source, [])
    folder = os.path.dirname(path)
    try:
        session = sessions.setdefault(folder, Session(config.find(folder)))
        if form in FORMATS:
            return Open(source, session.wanted(run.lint(source, form, session.searcher)))
        return Open(source, _own(session, source, form))
    except GuardError as error:
        return Open(source, [Diagnostic(path, 1, 1, "F001", str(error), "error", "unreadable")])


def _own(session: Session, source: Source, form: str) -> list[Diagnostic]:
    """Our own files are read from disk by their readers: the text is put into a folder that looks like its own."""
    above = os.path.dirname(source.path)
    inner = ""
    if form == "rules":
        above, _, inner = source.path.rpartition(f"{os.sep}commands{os.sep}")
        inner = os.path.join("commands", os.path.dirname(inner))
    with tempfile.TemporaryDirectory() as folder:
        _linked(above, folder)
        here = folder
        for part in filter(None, inner.split(os.sep)):
            real, here = os.path.join(above, os.path.relpath(here, folder), part), os.path.join(here, part)
            if os.path.islink(here):
                os.unlink(here)
            os.mkdir(here)
            _linked(real, here)
        path = os.path.join(here, os.path.basename(source.path))
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.text)
        found = session.lint(Target(path, form, folder if form == "rules" else ""))
    return [one._replace(path=source.path) for one in found]


def _linked(real: str, folder: str) -> None:
    """Links to everything in a folder but what is compiled from it."""
    for name in os.listdir(real) if os.path.isdir(real) else ():
        if name != ".compiled":
            os.symlink(os.path.join(real, name), os.path.join(folder, name))


def diagnostic(opened: Open, one: Diagnostic) -> lsp.Diagnostic:
    """A finding as the protocol has it."""
    message = one.message + (f"\nwitness: {one.witness}" if one.witness else "")
    return lsp.Diagnostic(opened.span(one), message, SEVERITIES[one.severity], one.code, source=SOURCE)


def _markdown(one: Diagnostic) -> str:
    witness = f"\n\nWitness: `{one.witness}` {one.effect}" if one.witness else ""
    return f"{pages.page(one.code) or one.message}{witness}"


def _action(opened: Open, uri: str, one: Diagnostic, fix: Fix) -> lsp.CodeAction:
    edits = [lsp.TextEdit(opened.range_of(edit.start, edit.end), edit.text) for edit in fix.edits]
    return lsp.CodeAction(
        f"{one.code}: {fix.message}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(opened, one)],
        is_preferred=fix.safe,
        edit=lsp.WorkspaceEdit(changes={uri: edits}),
    )


def _path(uri: str) -> str:
    return unquote(urlparse(uri).path) or uri


def _within(span: lsp.Range, position: lsp.Position) -> bool:
    return _key(span.start) <= _key(position) <= _key(span.end)


def _overlaps(span: lsp.Range, other: lsp.Range) -> bool:
    return _key(span.start) <= _key(other.end) and _key(other.start) <= _key(span.end)


def _key(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character
