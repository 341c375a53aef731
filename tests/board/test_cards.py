from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.board.caller import Caller
from guard.board.cards import Board, open_board
from guard.board.files import FileStore
from guard.board.lease import Lease
from guard.board.rejections import MESSAGES, BoardError
from guard.board.storage import Change
from guard.model.errors import RuleError
from tests.board.boards import ALPHA, BETA, DESIGN, PIPELINE, Hands, board, brought_to, changed_artifact, refused, tree


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def opened(tmp_path: Path, clock: Hands) -> Board:
    return board(tmp_path, clock)


def unchanged(root: str, action: Callable[[], object]) -> tuple[str, str]:
    """The refusal of an action, which must not have written anything."""
    before = tree(Path(root))
    found = refused(action)
    assert tree(Path(root)) == before
    return found


Case = tuple[Callable[[Board], Callable[[], object]], str]


def held(opened: Board) -> str:
    card = brought_to(opened, "ready")
    return opened.take(BETA, card.id, card.revision)[0].id


def torn(opened: Board) -> str:
    card = opened.create(ALPHA, "Torn", "")
    with open(os.path.join(opened.store.folder(card.id), "journal.jsonl"), "ab") as file:
        file.write(b'{"rev":2')
    return card.id


def broken(opened: Board) -> str:
    card = opened.create(ALPHA, "Broken", "")
    with open(os.path.join(opened.store.folder(card.id), "journal.jsonl"), "ab") as file:
        file.write(b'{"rev":7}\n')
    return card.id


def family(opened: Board) -> tuple[str, str]:
    parent = opened.create(ALPHA, "Parent", "")
    return parent.id, opened.create(ALPHA, "Child", "", parent=parent.id).id


REFUSALS: dict[str, Case] = {
    "empty-title": (
        lambda b: lambda: b.create(ALPHA, " \n\t", ""),
        "A card needs a title. Call again with a title of one line that says what is to be done.",
    ),
    "invalid-slug": (
        lambda b: lambda: b.create(ALPHA, "A", "", slug="Not a slug"),
        "'Not a slug' is not a slug. Use 1 to 48 lower-case letters, digits and dashes, starting with a letter or"
        " digit, or leave slug out.",
    ),
    "unknown-parent": (
        lambda b: lambda: b.create(ALPHA, "A", "", parent="0009-none"),
        "There is no card '0009-none'. Call devflow_list and pass the id of an existing card, or leave parent out.",
    ),
    "nested-parent": (
        lambda b: (lambda ids: lambda: b.create(ALPHA, "A", "", parent=ids[1]))(family(b)),
        "'0002-child' is itself a child of '0001-parent', and parents are one level deep. Call again with parent"
        " '0001-parent', or leave parent out.",
    ),
    "parent-settled": (
        lambda b: (lambda card: lambda: b.create(ALPHA, "A", "", parent=card.id))(brought_to(b, "done")),
        "'0001-cache-the-index' is done and takes no more children. Call again with the id of an open card, or leave"
        " parent out.",
    ),
    "unknown-card": (
        lambda b: lambda: b.card("0001-none"),
        "There is no card '0001-none'. Call devflow_list for the ids of this board.",
    ),
    "revision-mismatch": (
        lambda b: (lambda card: lambda: b.transition(ALPHA, card.id, "designing", 4))(brought_to(b, "draft")),
        "'0001-cache-the-index' is at revision 1, not 4. Call devflow_show, decide again, and pass its stageRevision.",
    ),
    "illegal-edge": (
        lambda b: (lambda card: lambda: b.transition(ALPHA, card.id, "done", 1))(brought_to(b, "draft")),
        "'0001-cache-the-index' cannot move from draft to done. From draft it can move to: designing, blocked.",
    ),
    "reason-required": (
        lambda b: (lambda card: lambda: b.transition(ALPHA, card.id, "developing", card.revision, ""))(
            brought_to(b, "testing")
        ),
        "Moving '0001-cache-the-index' back from testing to developing needs a reason. Call again with a reason that"
        " says what has to change.",
    ),
    "gate-unsatisfied": (
        lambda b: (lambda card: lambda: b.transition(ALPHA, card.id, "ready", 2))(brought_to(b, "designing")),
        "'0001-cache-the-index' stays in designing: the gate to ready is not satisfied. An artifact of kind 'design' is"
        " missing. Attach a corrected artifact with devflow_attach_artifact; do not move the card before that.",
    ),
    "claimed": (
        lambda b: (lambda card: lambda: b.take(ALPHA, card, 6))(held(b)),
        "'0001-cache-the-index' is held by beta (session-), renewed 0 s ago. Take another card, or call "
        "devflow_takeover once the lease is older than 15 min.",
    ),
    "not-owner": (
        lambda b: (lambda card: lambda: b.transition(ALPHA, card, "reviewing", 6))(held(b)),
        "'0001-cache-the-index' is held by beta (session-), not by this session. Leave it to its holder, or take a free"
        " card with devflow_take.",
    ),
    "no-artifact": (
        lambda b: (lambda card: lambda: b.artifact(card.id, "report"))(brought_to(b, "ready")),
        "'0001-cache-the-index' has no artifact of kind 'report'. Registered kinds: design. Attach one with"
        " devflow_attach_artifact.",
    ),
    "artifact-form": (
        lambda b: (lambda card: lambda: b.attach(ALPHA, card.id, 1, path="x", kind="design"))(brought_to(b, "draft")),
        "Both path and kind or content were given. Pass either path, a file that is already under the card's folder, or"
        " kind and content, never both.",
    ),
    "invalid-kind": (
        lambda b: (lambda card: lambda: b.attach(ALPHA, card.id, 1, kind="../x", content=""))(brought_to(b, "draft")),
        "'../x' is not a kind of artifact. Use 1 to 32 lower-case letters, digits and dashes, starting with a letter.",
    ),
    "invalid-journal": (
        lambda b: (lambda card: lambda: b.card(card))(broken(b)),
        ".devflow/tasks/0001-broken/journal.jsonl:2: rev: expected 2 (got 7). Run `devkit-engine board doctor"
        " 0001-broken` in {root}.",
    ),
    "too-long": (
        lambda b: lambda: b.create(ALPHA, "A", "x" * (1 << 20) + "y"),
        "The body is longer than 1048576 characters. Shorten it, or attach the rest as further artifacts.",
    ),
    "not-settled": (
        lambda b: (lambda card: lambda: b.archive(ALPHA, card.id, 1))(brought_to(b, "draft")),
        "'0001-cache-the-index' is draft, not settled. Move it to a final stage, or archive it with a reason.",
    ),
    "storage-failed": (
        lambda b: (lambda card: lambda: b.artifact(card, "design"))(changed_artifact(b)),
        "0001-cache-the-index/artifacts/3-design.md: it was changed after it was registered at revision 3. The board is"
        " unchanged; free space or permission is needed, then call again.",
    ),
}
ELSEWHERE = {
    "no-session": "tests/mcp/test_board_sessions.py",
    "write-contended": "test_a_change_in_between, below",
}


@pytest.mark.parametrize("code", REFUSALS)
def test_refusals(opened: Board, code: str) -> None:
    arrange, message = REFUSALS[code]
    action = arrange(opened)
    assert unchanged(opened.store.root, action) == (code, message.format(root=opened.store.root))


def test_every_code_is_pinned() -> None:
    assert set(REFUSALS) | set(ELSEWHERE) == set(MESSAGES)


def test_a_torn_journal_names_the_repair(opened: Board) -> None:
    card = torn(opened)
    assert refused(lambda: opened.card(card)) == (
        "invalid-journal",
        f".devflow/tasks/0001-torn/journal.jsonl:2: an append was cut off here. Run `devkit-engine board doctor"
        f" 0001-torn --repair` in {opened.store.root}.",
    )


def test_a_broken_card_is_alone(opened: Board) -> None:
    broken(opened)
    sound = opened.create(ALPHA, "Sound", "")
    found = list(opened.each())
    assert isinstance(found[0], BoardError)
    assert found[1:] == [sound]
    assert opened.transition(ALPHA, sound.id, "designing", 1).revision == 2
    assert opened.create(ALPHA, "Next", "").id == "0003-next"


class Interrupted(FileStore):
    """Somebody else blocks the card after the caller's checks and before its lock."""

    def commit(self, card: str, change: Change) -> None:
        Board(FileStore(self.root), PIPELINE).transition(BETA, card, "blocked", change.expected)
        before = tree(Path(self.root))
        try:
            super().commit(card, change)
        finally:
            assert tree(Path(self.root)) == before


CHANGES: dict[str, Callable[[Board, str], object]] = {
    "transition": lambda b, card: b.transition(ALPHA, card, "blocked", 2),
    "take": lambda b, card: b.take(ALPHA, card, 2),
    "attach": lambda b, card: b.attach(ALPHA, card, 2, kind="design", content=DESIGN),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_between(opened: Board, name: str) -> None:
    card = brought_to(opened, "designing")
    late = Board(Interrupted(opened.store.root), PIPELINE)
    assert refused(lambda: CHANGES[name](late, card.id)) == (
        "write-contended",
        "'0001-cache-the-index' was being changed at the same moment and nothing was written. Call devflow_show and"
        " try again with its stageRevision.",
    )
    assert opened.card(card.id).claim is None


def test_create(opened: Board) -> None:
    card = opened.create(ALPHA, "  Cache\nthe index ", "Body\n", parent=None)
    assert (card.id, card.title, card.stage, card.revision) == ("0001-cache-the-index", "Cache the index", "draft", 1)
    assert opened.card(card.id) == card
    assert opened.create(ALPHA, "Other", "", slug="x-1").id == "0002-x-1"
    assert opened.create(ALPHA, "\ud800 \0", "\udfff").title == "? \ufffd"


def test_numbers_go_on_after_the_archive(opened: Board) -> None:
    card = brought_to(opened, "done")
    opened.archive(ALPHA, card.id, card.revision)
    assert opened.create(ALPHA, "Next", "").id == "0002-next"


def test_take_moves_and_leases(opened: Board, clock: Hands) -> None:
    card = brought_to(opened, "ready")
    taken, lease = opened.take(ALPHA, card.id, card.revision)
    assert (taken.stage, taken.revision, taken.claim and taken.claim.lease) == ("developing", 6, lease.id)
    clock.pass_by(40)
    assert opened.holding(taken) == ("session-alpha", "alpha (session-)", 40.0, False)
    assert opened.renew(card.id, lease)
    assert opened.holding(taken) == ("session-alpha", "alpha (session-)", 0.0, False)
    released = opened.release(ALPHA, card.id, 6)
    assert (released.stage, released.claim, opened.holding(released)) == ("developing", None, None)
    assert not opened.renew(card.id, lease)
    assert not os.path.exists(os.path.join(opened.store.folder(card.id), "claim.json"))
    again, _ = opened.take(BETA, card.id, 7)
    assert (again.stage, again.revision) == ("developing", 8)


@pytest.mark.parametrize("stage", ["draft", "done"])
def test_what_cannot_be_taken(opened: Board, stage: str) -> None:
    card = brought_to(opened, stage)
    code, message = unchanged(opened.store.root, lambda: opened.take(ALPHA, card.id, card.revision))
    assert code == "illegal-edge"
    assert message.startswith(f"'0001-cache-the-index' cannot move from {stage} to developing.")


def test_a_lease_in_doubt_is_the_journals(opened: Board, clock: Hands) -> None:
    """A claim.json without its `claimed` record, or the other way round, as a crash may leave them."""
    card = brought_to(opened, "ready")
    taken, _ = opened.take(ALPHA, card.id, card.revision)
    path = os.path.join(opened.store.folder(card.id), "claim.json")
    with open(path, "rb") as file:
        saved = file.read()
    os.unlink(path)
    clock.pass_by(1000)
    assert opened.holding(opened.card(card.id)) == ("session-alpha", "alpha (session-)", 1000.0, True)
    opened.release(ALPHA, card.id, taken.revision)
    with open(path, "wb") as file:
        file.write(saved)
    assert opened.holding(opened.card(card.id)) is None
    assert opened.take(BETA, card.id, 7)[0].revision == 8


def test_takeover(opened: Board, clock: Hands) -> None:
    card = brought_to(opened, "ready")
    assert refused(lambda: opened.takeover(BETA, card.id, 4))[1].startswith(f"'{card.id}' is held by nobody, not by")
    lease = opened.take(ALPHA, card.id, card.revision)[1]
    clock.pass_by(899)
    assert refused(lambda: opened.takeover(BETA, card.id, 6))[0] == "claimed"
    clock.pass_by(1)
    over, _ = opened.takeover(BETA, card.id, 6)
    assert [(record.type, record.by["session"]) for record in over.history[-2:]] == [
        ("claim-expired", "session-beta"),
        ("claimed", "session-beta"),
    ]
    assert over.history[-2].data == {"holder": "session-alpha", "age": 900}
    assert not opened.renew(card.id, lease)
    assert refused(lambda: opened.release(ALPHA, card.id, over.revision))[0] == "not-owner"
    assert opened.takeover(ALPHA, card.id, 8, force=True)[0].revision == 10


class Awake(FileStore):
    """The holder's machine wakes up, and renews, after the lease was found stale and before it is taken over."""

    lease_of_ann: Lease

    def commit(self, card: str, change: Change) -> None:
        self.renew(card, self.lease_of_ann)
        super().commit(card, change)


def test_a_holder_that_wakes_up_is_not_robbed(opened: Board, clock: Hands) -> None:
    card = brought_to(opened, "ready")
    _, lease = opened.take(ALPHA, card.id, card.revision)
    clock.pass_by(1000)
    store = Awake(opened.store.root)
    store.lease_of_ann = lease._replace(renewed=clock.now)
    late = Board(store, PIPELINE, clock)
    assert refused(lambda: late.takeover(BETA, card.id, 6))[0] == "write-contended"
    assert opened.holding(opened.card(card.id)) == ("session-alpha", "alpha (session-)", 0.0, False)
    assert opened.transition(ALPHA, card.id, "reviewing", 6).stage == "reviewing"


def test_a_clock_that_jumps_robs_nobody(opened: Board, clock: Hands) -> None:
    card = brought_to(opened, "ready")
    opened.take(ALPHA, card.id, card.revision)
    clock.now = clock.now._replace(wall=clock.now.wall + 86400)
    assert refused(lambda: opened.takeover(BETA, card.id, 6))[0] == "claimed"
    clock.now = clock.now._replace(wall=0.0, monotonic=clock.now.monotonic + 900)
    assert opened.takeover(BETA, card.id, 6)[0].revision == 8


def test_the_hosts_session_outlives_its_server(opened: Board) -> None:
    first = Caller("agent", "connection-1", "claude-code", "host-1")
    second = Caller("agent", "connection-2", "claude-code", "host-1")
    other = Caller("agent", "connection-3", "claude-code", "host-2")
    card = brought_to(opened, "ready")
    opened.take(first, card.id, card.revision)
    assert refused(lambda: opened.transition(other, card.id, "reviewing", 6))[0] == "not-owner"
    assert opened.transition(second, card.id, "reviewing", 6).stage == "reviewing"


def test_of_two_sub_agents_only_one_holds(opened: Board) -> None:
    first = Caller("agent", "connection-1", "claude-code", "host-1", "sub-1")
    card = brought_to(opened, "ready")
    opened.take(first, card.id, card.revision)
    assert refused(lambda: opened.release(first._replace(agent="sub-2"), card.id, 6))[0] == "not-owner"
    assert opened.transition(first._replace(agent=None), card.id, "reviewing", 6).stage == "reviewing"
    assert opened.release(first, card.id, 7).claim is None


def test_done_ends_the_lease(opened: Board) -> None:
    card = brought_to(opened, "testing")
    taken, _ = opened.take(ALPHA, card.id, card.revision)
    done = opened.transition(ALPHA, card.id, "done", taken.revision)
    assert (done.stage, done.claim, done.history[-1].type) == ("done", None, "released")
    assert os.listdir(os.path.join(opened.store.root, ".devflow", "held")) == []


def test_archive_and_restore(opened: Board) -> None:
    card = brought_to(opened, "done")
    opened.archive(ALPHA, card.id, card.revision)
    assert list(opened.each()) == []
    assert os.path.basename(os.path.dirname(opened.store.folder(card.id))) == "2026-05"
    assert opened.card(card.id).archived
    assert refused(lambda: opened.transition(ALPHA, card.id, "blocked", card.revision + 1))[0] == "unknown-card"
    assert refused(lambda: opened.create(ALPHA, "A", "", parent=card.id))[1].startswith(f"'{card.id}' is archived and")
    restored = opened.restore(ALPHA, card.id, card.revision + 1)
    assert list(opened.each()) == [restored]
    draft = brought_to(opened, "draft")
    opened.archive(ALPHA, draft.id, 1, reason="not wanted")
    assert [found.id for found in opened.each() if not isinstance(found, BoardError)] == [card.id]


def test_an_archive_that_was_cut_off_is_finished(opened: Board) -> None:
    card = brought_to(opened, "done")
    opened.archive(ALPHA, card.id, card.revision)
    os.rename(opened.store.folder(card.id), os.path.join(opened.store.root, ".devflow", "tasks", card.id))
    assert list(opened.each()) == []
    opened.archive(ALPHA, card.id, card.revision + 1)
    assert "archive" in opened.store.folder(card.id)
    assert opened.card(card.id).revision == card.revision + 1


def test_a_link_in_the_place_of_the_board_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".devflow").symlink_to(tmp_path / "elsewhere")
    opened = board(tmp_path / "work")
    code, message = refused(lambda: opened.create(ALPHA, "A", ""))
    assert code == "storage-failed"
    assert message.startswith(".devflow: is not a folder of its own (a symbolic link or a file).")
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_workspace_has_its_own_pipeline(tmp_path: Path) -> None:
    (tmp_path / ".devkit-guard").mkdir()
    own = tmp_path / ".devkit-guard" / "board.yaml"
    own.write_text("name: x\nstages:\n- {id: todo, next: [over], take: todo}\n- {id: over, final: true}\n")
    opened = open_board(str(tmp_path), {})
    card = opened.create(ALPHA, "A", "")
    assert opened.transition(ALPHA, card.id, "over", 1).stage == "over"
    own.write_text("name: x\nstages: []\n")
    with pytest.raises(RuleError, match=r"board\.yaml:2:1: stages: expected the stage of new cards first"):
        open_board(str(tmp_path), {})
