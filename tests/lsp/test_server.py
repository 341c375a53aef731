"""The language server, asked by a real client over its standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

lsp = pytest.importorskip("lsprotocol.types")
client = pytest.importorskip("pygls.lsp.client")

TEXT = '{\n  "permissions": {\n    "allow": ["Bash(ls:*)", "Bash (wc:*)", "Bash(find:*)"]\n  }\n}\n'


async def _talk(folder: Path) -> dict[str, Any]:
    uri = (folder / ".claude" / "settings.json").as_uri()
    made = client.BaseLanguageClient("test", "1")
    published: list[Any] = []
    arrived = asyncio.Event()

    @made.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def diagnostics(parameters: Any) -> None:
        published.append(parameters)
        arrived.set()

    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    await made.start_io(sys.executable, "-m", "guard.cli.main", "lsp", env=environment)
    try:
        started = await made.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        made.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(uri, "json", 1, TEXT)
        made.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await asyncio.wait_for(arrived.wait(), 30)
        opened = published[-1].diagnostics
        name = lsp.TextDocumentIdentifier(uri)
        hover = await made.text_document_hover_async(lsp.HoverParams(name, lsp.Position(2, 48)))
        span = lsp.Range(lsp.Position(2, 30), lsp.Position(2, 31))
        actions = await made.text_document_code_action_async(
            lsp.CodeActionParams(name, span, lsp.CodeActionContext([]))
        )
        arrived.clear()
        change = lsp.TextDocumentContentChangeWholeDocument(text=TEXT.replace(', "Bash (wc:*)", "Bash(find:*)"', ""))
        made.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, uri), [change])
        )
        await asyncio.wait_for(arrived.wait(), 30)
        await made.shutdown_async(None)
        made.exit(None)
    finally:
        await made.stop()
    return {
        "capabilities": started.capabilities,
        "opened": opened,
        "hover": hover,
        "actions": actions,
        "changed": published[-1].diagnostics,
        "uri": uri,
    }


def test_open_hover_action_change(tmp_path: Path) -> None:
    said = asyncio.run(asyncio.wait_for(_talk(tmp_path), 100))
    assert said["capabilities"].hover_provider
    assert said["capabilities"].code_action_provider
    found = {one.code: one for one in said["opened"]}
    assert set(found) == {"N202", "B107"}
    assert found["N202"].range == lsp.Range(lsp.Position(2, 29), lsp.Position(2, 40))
    assert "find . -delete" in found["B107"].message
    assert "B107 unsafe-option" in said["hover"].contents.value
    (action,) = said["actions"]
    (edit,) = action.edit.changes[said["uri"]]
    assert (action.title, action.is_preferred, edit.new_text) == ("N202: take the blank out", False, "Bash(wc:*)")
    assert list(said["changed"]) == []


def test_our_own_files_are_looked_at_as_they_are_edited() -> None:
    from guard.lsp.server import looked_at

    root = os.getcwd()
    with open(os.path.join(root, "rules", "commands", "git", "log.yaml"), encoding="utf-8") as file:
        log = file.read()
    cases = [
        ("rules/commands/git/log.yaml", log, set()),
        ("rules/commands/git/log.yaml", log.replace("summary:", "sumary:", 1), {"O801"}),
        ("rules/commands/wc.yaml", "summary: x\n", {"O801"}),
        ("workflows/new.yaml", "name: n\ndescription: d\nsteps:\n  - {id: a, promt: x}\n", {"W901"}),
        ("workflows/board.yaml", "name: b\nstages: []\n", {"W906"}),
        ("notes.txt", "rm\n", set()),
    ]
    for path, text, wanted in cases:
        opened = looked_at(os.path.join(root, path), text, {})
        assert {one.code for one in opened.found} == wanted, (path, opened.found)


def test_positions_count_utf16() -> None:
    from guard.lsp.server import looked_at

    opened = looked_at("/x/.claude/settings.json", '{"\U0001f600": 1, "permissions": {"allow": ["Bash (ls)"]}}', {})
    (one,) = [one for one in opened.found if one.code == "N202"]
    assert opened.span(one).start == lsp.Position(0, 37)
