"""The page in a real browser. DEVKIT_SCREENSHOTS=DIR keeps the pictures that are taken."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

from guard.board import page, view
from tests.board.boards import board
from tests.board.browser import Browser, browser
from tests.board.scene import scene

SIZES = {"desk": (1500, 900), "tablet": (800, 1100), "phone": (390, 844)}

# Every text against what is behind it: the smallest ratio of contrast, as WCAG counts it, with the text it is at.
CONTRAST = """
const channels = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (colour) => colour.slice(0, 3).map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (node) => {
  for (; node; node = node.parentElement) {
    const found = channels(getComputedStyle(node).backgroundColor);
    if (found.length < 4 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
let worst = [99, ""];
for (const node of document.body.querySelectorAll("*")) {
  const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  if (!own || !node.getClientRects().length) continue;
  const [a, b] = [light(channels(getComputedStyle(node).color)), light(behind(node))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < worst[0]) worst = [ratio, node.textContent.trim().slice(0, 40)];
}
return worst;
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    overview = view.overview(scene(folder), history=True)
    for entry in (overview, *overview["broken"]):  # pictures that are kept show no folder of this machine
        entry.update(
            {key: text.replace(str(folder), "/home/user/shop") for key, text in entry.items() if str(text) == text}
        )
    path = folder / "board.html"
    path.write_text(page.render(overview, "shop: task board", "2026-06-01 09:00 UTC"), encoding="utf-8")
    return path


def picture(shown: Browser, name: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("DEVKIT_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    shown.picture(folder / f"board-{name}.png")
    assert (folder / f"board-{name}.png").stat().st_size > 10_000


def test_in_a_browser(written: Path, tmp_path: Path) -> None:
    with browser() as shown:
        shown.open(written)
        grounds = {}
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                shown.show(width, height, scheme)
                assert shown.run("return innerWidth") == width
                grounds[scheme] = shown.run("return getComputedStyle(document.body).backgroundColor")
                wide = shown.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{size}: the page is wider than the window"
                picture(shown, f"{size}-{scheme}", tmp_path)
                ratio, text = shown.run(CONTRAST)
                print(f"{size}, {scheme}: smallest contrast {ratio:.1f} at '{text}'")
                assert ratio >= 4.5, text
        assert grounds == {"light": "rgb(245, 246, 248)", "dark": "rgb(18, 22, 28)"}
        stacked = shown.run("return [...document.querySelectorAll('section')].map((s) => s.getBoundingClientRect().x)")
        assert len(set(stacked)) == 1, "one column on a phone"

        names = shown.run("return [...document.querySelectorAll('section')].map((s) => s.getAttribute('aria-label'))")
        assert names == ["draft", "designing", "ready", "developing", "reviewing", "testing", "done", "blocked"]
        assert shown.run("return document.querySelectorAll('script, img, link, iframe').length") == 0
        assert shown.run("return performance.getEntriesByType('resource').length") == 0
        assert shown.run("return document.title") == "shop: task board"

        card = "document.getElementById('0009-keep-the-index-in-memory')"
        assert shown.run(f"return {card}.querySelector('.inside').checkVisibility()") is False
        shown.run(f"{card}.querySelector('summary').click()")
        assert shown.run(f"return {card}.querySelector('.inside').checkVisibility()") is True
        lines = shown.run(f"return [...{card}.querySelectorAll('ol.time li')].map((line) => line.innerText)")
        assert [line.partition("\n")[0] for line in lines] == [
            *("created", "draft → designing", "attached design", "designing → ready", "taken", "ready → developing"),
            *("developing → reviewing", "reviewing → developing"),
        ]
        assert "no test shows eviction under load" in lines[-1]
        assert shown.run(CONTRAST)[0] >= 4.5
        for scheme in ("light", "dark"):
            shown.show(*SIZES["phone"], scheme)
            shown.run(f"{card}.scrollIntoView()")
            picture(shown, f"open-{scheme}", tmp_path)
        assert shown.run("return document.documentElement.scrollWidth") <= SIZES["phone"][0]


class Structure(HTMLParser):
    """Tags that are open, and what the document refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "link", "img", "input"):
            self.open.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("src", "href", "action", "data", "srcset")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_self_contained(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    structure = Structure()
    structure.feed(text)
    assert structure.open == []
    assert all(reference.startswith("#") for reference in structure.references)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in text
    assert "default-src 'none'" in text
    assert "url(" not in text


def test_what_it_says(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for said in (
        "9 cards, 2 held, 1 card waiting for a gate · as of 2026-06-01 09:00 UTC · /home/user/shop",
        "codex (b81c44d0): renewed 42 s ago",
        "claude-code (7f3a9c2e): not heard of for ",
        "gate to ready not met",
        "came from designing",
        "ready: artifacts/3-design.md: front matter: &#x27;status&#x27; is missing; section &#x27;Decision&#x27; is",
        "devkit-engine board doctor 0010-torn --repair",
    ):
        assert said in text


def test_an_empty_board(tmp_path: Path) -> None:
    text = page.render(view.overview(board(tmp_path), history=True), "x", "now")
    assert "0 cards, 0 held, 0 cards waiting for a gate" in text


def test_children_stand_under_their_parents() -> None:
    cards = [
        {"id": "1"},
        {"id": "2", "parent": "9"},
        {"id": "3"},
        {"id": "4", "parent": "1"},
        {"id": "5", "parent": "1"},
    ]
    found = [(card["id"], child) for card, child in page.under_parents(cards)]
    assert found == [("1", False), ("4", True), ("5", True), ("2", False), ("3", False)]
