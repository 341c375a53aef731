"""A card's whole life, played by two sessions: two real clients, each with a real server process of its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession

from guard.board.card import replay
from guard.board.journal import parse
from tests.board.boards import DESIGN
from tests.mcp.client import ENGINE, connected, refused

Environ = dict[str, str]
Data = dict[str, Any]


async def done(client: ClientSession, tool: str, **arguments: Any) -> Data:
    result = await client.call_tool(f"devflow_{tool}", arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def no(client: ClientSession, tool: str, **arguments: Any) -> str:
    return await refused(client, f"devflow_{tool}", **arguments)


def drawn(environ: Environ, root: Path) -> str:
    """The board as the terminal shows it."""
    command = [ENGINE, "board", "--root", str(root)]
    run = subprocess.run(command, env={**environ, "COLUMNS": "200"}, capture_output=True, text=True, check=True)
    return run.stdout


def test_a_whole_life(environ: Environ, tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    boards = anyio.run(life, environ, root)
    for stage, text in boards:
        print(f"--- {stage}\n{text}")
    assert [stage for stage, _ in boards] == [
        *("draft", "designing", "ready", "developing", "reviewing", "developing", "reviewing", "testing"),
        *("blocked", "testing", "done"),
    ]
    for stage, text in boards:
        assert f"{stage} 1" in text
        assert "0001 Cache the index" in text
    assert "! gate to ready not met" in boards[1][1]
    assert "● mcp (" in boards[3][1]
    assert "●" not in boards[-1][1]


async def life(environ: Environ, root: Path) -> list[tuple[str, str]]:
    boards = []

    def moved(found: Data, stage: str) -> int:
        assert found["stage"] == stage
        boards.append((stage, drawn(environ, root)))
        revision: int = found["stageRevision"]
        return revision

    async with connected(environ, str(root)) as alpha, connected(environ, str(root)) as beta:
        made = await done(alpha, "create", title="Cache the index", body="Searches read it anew.\n", slug="cache")
        card, revision = made["id"], moved(made, "draft")
        assert (card, revision) == ("0001-cache", 1)
        part = await done(beta, "create", title="Measure it", body="", parent=card)
        assert part["parent"] == card
        await done(beta, "transition", id=part["id"], to="blocked", expectedRevision=1)
        await done(beta, "transition", id=part["id"], to="draft", expectedRevision=2)

        shown = await done(alpha, "show", id=card)
        assert shown["body"] == "Searches read it anew.\n"
        assert [child["id"] for child in shown["children"]] == ["0002-measure-it"]
        assert Path(shown["path"]).read_text().endswith("# Cache the index\n\nSearches read it anew.\n")
        assert (await done(beta, "show", id=part["id"]))["parentTitle"] == "Cache the index"
        assert "artifactGates" not in shown

        found = await done(alpha, "transition", id=card, to="designing", expectedRevision=revision)
        (gate,) = found["artifactGates"]
        assert (gate["to"], gate["satisfied"], gate["requires"][0]["status"]) == ("ready", False, "missing")
        assert gate["instruction"].startswith("Do not move this card to ready before the gate is satisfied")
        assert gate["requires"][0]["templateText"].startswith("---\ntitle:\n")
        revision = moved(found, "designing")

        found = await done(
            alpha, "attach_artifact", id=card, expectedRevision=revision, kind="design", content="---\ntitle: X\n---\n"
        )
        (needed,) = found["artifactGates"][0]["requires"]
        defects = [
            "front matter: 'status' is missing",
            *(f"section '{name}' is missing" for name in ("Context", "Decision", "Alternatives", "Acceptance")),
        ]
        assert (needed["status"], needed["defects"]) == ("malformed", defects)
        assert needed["newest"] == {
            "kind": "design", "path": "artifacts/3-design.md", "revision": 3, "stage": "designing",
        }  # fmt: skip
        revision = found["stageRevision"]
        message = await no(alpha, "transition", id=card, to="ready", expectedRevision=revision)
        assert message == (
            "gate-unsatisfied: '0001-cache' stays in designing: the gate to ready is not satisfied."
            f" artifacts/3-design.md: {'; '.join(defects)}. Attach a corrected artifact with devflow_attach_artifact;"
            " do not move the card before that."
        )
        found = await done(alpha, "attach_artifact", id=card, expectedRevision=revision, kind="design", content=DESIGN)
        assert found["artifactGates"][0]["satisfied"]
        assert "instruction" not in found["artifactGates"][0]
        read = await done(beta, "read_artifact", id=card, kind="design")
        assert (read["content"], read["path"], read["revision"]) == (DESIGN, "artifacts/4-design.md", 4)
        found = await done(alpha, "transition", id=card, to="ready", expectedRevision=found["stageRevision"])
        revision = moved(found, "ready")

        assert (await no(beta, "take", id=card, expectedRevision=revision - 1)).startswith("revision-mismatch: ")
        revision = moved(await done(alpha, "take", id=card, expectedRevision=revision), "developing")
        assert (await no(beta, "take", id=card, expectedRevision=revision)).startswith(
            "claimed: '0001-cache' is held by"
        )
        for tool, arguments in {
            "transition": {"to": "reviewing"},
            "attach_artifact": {"kind": "notes", "content": ""},
            "release": {},
        }.items():
            message = await no(beta, tool, id=card, expectedRevision=revision, **arguments)
            assert message.startswith("not-owner: '0001-cache' is held by mcp (")
        assert (await no(beta, "takeover", id=card, expectedRevision=revision)).startswith("claimed: ")

        found = await done(alpha, "transition", id=card, to="reviewing", expectedRevision=revision)
        revision = moved(found, "reviewing")
        message = await no(alpha, "transition", id=card, to="developing", expectedRevision=revision)
        assert message.startswith("reason-required: ")
        found = await done(
            alpha, "transition", id=card, to="developing", expectedRevision=revision, reason="no test of eviction"
        )
        revision = moved(found, "developing")
        found = await done(alpha, "transition", id=card, to="reviewing", expectedRevision=revision)
        revision = moved(found, "reviewing")
        found = await done(alpha, "release", id=card, expectedRevision=revision)
        found = await done(beta, "take", id=card, expectedRevision=found["stageRevision"])
        assert (found["stage"], found["lease"]["stale"]) == ("reviewing", False)
        found = await done(beta, "transition", id=card, to="testing", expectedRevision=found["stageRevision"])
        revision = moved(found, "testing")
        found = await done(beta, "transition", id=card, to="blocked", expectedRevision=revision)
        assert (found["blockedFrom"], found["moves"]) == ("testing", [{"to": "testing", "reasonRequired": False}])
        revision = moved(found, "blocked")
        assert (await no(beta, "transition", id=card, to="done", expectedRevision=revision)).startswith(
            "illegal-edge: "
        )
        revision = moved(await done(beta, "transition", id=card, to="testing", expectedRevision=revision), "testing")
        found = await done(beta, "transition", id=card, to="done", expectedRevision=revision)
        assert (found["moves"], "lease" in found) == ([], False)
        revision = moved(found, "done")
        message = await no(beta, "transition", id=card, to="blocked", expectedRevision=revision)
        assert message.endswith("From done it can move to: nothing, done is final.")
        message = await no(beta, "create", title="Late", body="", parent=card)
        assert message.startswith("parent-settled: '0001-cache' is done and takes no more children.")

        listed = await done(alpha, "list")
        assert [(found["id"], found["stage"]) for found in listed["cards"]] == [
            ("0001-cache", "done"),
            ("0002-measure-it", "draft"),
        ]
        assert [found["id"] for found in (await done(alpha, "list", parent=card))["cards"]] == ["0002-measure-it"]
        assert [found["id"] for found in (await done(alpha, "list", stage="done"))["cards"]] == ["0001-cache"]
        assert listed["hint"] == "Call devflow_show with a card's id before moving it."
    check_journal(root / ".devflow" / "tasks" / card)
    return boards


def check_journal(folder: Path) -> None:
    records = parse((folder / "journal.jsonl").read_bytes())
    card = replay(folder.name, records)
    assert (card.stage, card.claim) == ("done", None)
    assert [record.type for record in records] == [
        *("created", "transition", "artifact", "artifact", "transition", "claimed", "transition", "transition"),
        *("transition", "transition", "released", "claimed", "transition", "transition", "transition", "transition"),
        "released",
    ]
    assert records[4].data["checks"] == [{"kind": "design", "path": "artifacts/4-design.md", "revision": 4}]
    assert records[8].data["reason"] == "no test of eviction"
    assert len({record.by["session"] for record in records}) == 2
    assert {record.by["kind"] for record in records} == {"agent"}
    lines = (folder / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["rev"] for line in lines] == list(range(1, len(lines) + 1))
