"""The board as one self-contained HTML page: no script, no network, light and dark, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

Data = dict[str, Any]

STYLE = """
:root { color-scheme: light dark;
  --ground: #f5f6f8; --panel: #ebedf1; --card: #ffffff; --line: #d9dde4; --text: #1d2530; --soft: #5b6675;
  --accent: #2a5bd7; --hold: #0b6b57; --holdback: #dcf1ea; --warn: #8a4b00; --warnback: #fdeed6;
  --bad: #a4232b; --badback: #fbe3e4; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #12161c; --panel: #1a2029; --card: #232b36; --line: #35404e; --text: #e6eaf0; --soft: #9aa7b8;
  --accent: #8db0ff; --hold: #7fdcc0; --holdback: #123c33; --warn: #f5c17c; --warnback: #40300f;
  --bad: #ff9ea3; --badback: #47191c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
header { padding: 1rem 1.25rem .5rem; }
h1 { margin: 0; font-size: 1.25rem; overflow-wrap: anywhere; }
header p { margin: .15rem 0 0; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
main { display: flex; gap: .6rem; align-items: flex-start; overflow-x: auto; padding: .75rem 1.25rem 1.5rem; }
section { flex: 1 0 11.2rem; max-width: 24rem; min-width: 0; background: var(--panel); border-radius: .6rem;
  padding: .6rem; }
section:has(> details[open]) { flex-basis: 19rem; }
section.empty { flex: 0 0 auto; background: none; border: 1px dashed var(--line); }
h2 { margin: 0 .15rem .5rem; font-size: .8rem; font-weight: 650; letter-spacing: .04em; text-transform: uppercase;
  color: var(--soft); display: flex; justify-content: space-between; gap: .6rem; }
section.empty h2 { margin-bottom: 0; }
h2 span { font-weight: 500; }
details.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-top: .5rem; }
details.card:target { border-color: var(--accent); }
details.card > summary { cursor: pointer; padding: .5rem 1.5rem .55rem .65rem; list-style: none; position: relative; }
details.card > summary::after { content: ""; position: absolute; right: .75rem; top: .85rem;
  width: .4rem; height: .4rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg); }
details.card[open] > summary::after { transform: rotate(-135deg); top: 1.05rem; }
details.card > summary:hover .title { color: var(--accent); }
details.card > summary::-webkit-details-marker { display: none; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .5rem; }
a { color: var(--accent); }
.id { color: var(--soft); font-size: .78rem; font-variant-numeric: tabular-nums; }
.title { display: block; line-height: 1.3; font-weight: 600; overflow-wrap: anywhere; }
.part { display: block; color: var(--soft); font-size: .8rem; overflow-wrap: anywhere; }
.child { margin-left: .9rem; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .35rem; }
.tag { font-size: .75rem; line-height: 1.35; padding: .1rem .5rem; border-radius: .6rem; border: 1px solid var(--line);
  color: var(--soft); overflow-wrap: anywhere; }
.tag.hold { color: var(--hold); background: var(--holdback); border-color: transparent; }
.tag.warn { color: var(--warn); background: var(--warnback); border-color: transparent; }
.tag.bad, .broken { color: var(--bad); background: var(--badback); border-color: transparent; }
.inside { border-top: 1px solid var(--line); padding: .6rem .7rem .7rem; font-size: .88rem; }
.inside h3 { margin: .8rem 0 .25rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .04em;
  color: var(--soft); }
.inside h3:first-child { margin-top: 0; }
.inside ul { margin: 0; padding-left: 1.1rem; }
.inside li { overflow-wrap: anywhere; }
.body { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
ol.time { list-style: none; margin: 0; padding: 0 0 0 .9rem; border-left: 2px solid var(--line); }
ol.time li { position: relative; padding-bottom: .45rem; }
ol.time li::before { content: ""; position: absolute; left: -1.3rem; top: .4rem; width: .55rem; height: .55rem;
  border-radius: 50%; background: var(--card); border: 2px solid var(--accent); }
ol.time li.transition::before { background: var(--accent); }
ol.time small { display: block; color: var(--soft); font-size: .76rem; }
ol.time q { display: block; color: var(--soft); quotes: none; font-style: italic; }
.broken { margin: .5rem 1.25rem 0; padding: .6rem .8rem; border-radius: .5rem; overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  header { padding: .9rem .8rem .25rem; } .broken { margin: .5rem .8rem 0; }
  main { flex-direction: column; align-items: stretch; gap: .5rem; padding: .6rem .8rem 1.5rem; overflow-x: visible; }
  section, section.empty { flex: none; max-width: none; }
}
@media print { main { flex-wrap: wrap; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(overview: Data, title: str, generated: str) -> str:
    """The page of `view.overview(board, history=True)`; `generated` is the time that ages refer to."""
    stages = overview["stages"]
    cards = [card for stage in stages for card in stage["cards"]]
    held = sum("lease" in card for card in cards)
    unmet = sum(bool(card["unmet"]) for card in cards)
    counts = f"{_count(len(cards), 'card')}, {held} held, {_count(unmet, 'card')} waiting for a gate"
    broken = "".join(f'<p class="broken" role="alert">{escape(entry["message"])}</p>' for entry in overview["broken"])
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(title)}</h1>\n<p>{counts} · as of {escape(generated)} · {escape(overview['root'])}</p>"
        f"</header>\n{broken}\n<main>\n{_lines(_stage(stage) for stage in stages)}\n</main>\n</body>\n</html>\n"
    )


def _stage(stage: Data) -> str:
    cards = stage["cards"]
    name, shown = escape(stage["stage"]), under_parents(cards)
    inside = _lines(_card(card, child) for card, child in shown)
    empty = "" if cards else ' class="empty"'
    return f'<section{empty} aria-label="{name}"><h2>{name} <span>{len(cards)}</span></h2>{inside}</section>'


def under_parents(cards: list[Data]) -> list[tuple[Data, bool]]:
    """The cards of one column, children that stand in it directly under their parents; (card, is such a child)."""
    here = {card["id"] for card in cards}
    found = []
    for card in cards:
        if card.get("parent") not in here:
            found.append((card, False))
            found += [(child, True) for child in cards if child.get("parent") == card["id"]]
    return found


def _card(card: Data, child: bool) -> str:
    kind = "card child" if child else "card"
    parts = [] if child or "parent" not in card else [f"part of {_link(card['parent'])}"]
    if card["children"]:
        parts.append(
            "with " + ", ".join(f"{_link(found['id'])} {escape(found['stage'])}" for found in card["children"])
        )
    return (
        f'<details class="{kind}" id="{escape(card["id"])}"><summary>'
        f'<span class="id">{_number(card["id"])}</span><span class="title">{escape(card["title"])}</span>'
        f"{_lines(f'<span class=part>{part}</span>' for part in parts)}{_tags(card)}</summary>{_inside(card)}</details>"
    )


def _link(card: str) -> str:
    return f'<a href="#{escape(card)}">{_number(card)}</a>'


def _number(card: str) -> str:
    return escape(card.partition("-")[0])


def _tags(card: Data) -> str:
    tags = []
    if "lease" in card:
        lease = card["lease"]
        kind, word = ("bad", "not heard of for") if lease["stale"] else ("hold", "renewed")
        tags.append((kind, f"{lease['holder']}: {word} {lease['age']}{'' if lease['stale'] else ' ago'}"))
    tags += [("warn", f"gate to {entry.partition(':')[0]} not met") for entry in card["unmet"]]
    if "blockedFrom" in card:
        tags.append(("", f"came from {card['blockedFrom']}"))
    if not tags:
        return ""
    spans = (f'<span class="{" ".join(["tag", *kind.split()])}">{escape(text)}</span>' for kind, text in tags)
    return f'<span class="tags">{"".join(spans)}</span>'


def _inside(card: Data) -> str:
    parts = [("Id", f'<p class="body">{escape(card["id"])}, revision {card["stageRevision"]}</p>')]
    if card["unmet"]:
        parts.append(("Not met", _list(escape(entry) for entry in card["unmet"])))
    if card["body"].strip():
        parts.append(("Card", f'<p class="body">{escape(card["body"].strip())}</p>'))
    if card["children"]:
        parts.append(("Children", _list(_child(found) for found in card["children"])))
    if card["artifacts"]:
        names = (f"{escape(found.get('kind', 'file'))}: {escape(found['path'])}" for found in card["artifacts"])
        parts.append(("Artifacts", _list(names)))
    parts.append(("History", f'<ol class="time">{"".join(_event(found) for found in card["history"])}</ol>'))
    return f'<div class="inside">{"".join(f"<h3>{name}</h3>{text}" for name, text in parts)}</div>'


def _child(found: Data) -> str:
    name = escape(found["id"])
    return f'<a href="#{name}">{name}</a> · {escape(found["stage"])} · {escape(found["title"])}'


def _event(found: Data) -> str:
    at = escape(found["at"])
    shown = at[:16].replace("T", " ")
    reason = f"<q>{escape(found['reason'])}</q>" if "reason" in found else ""
    return (
        f'<li class="{escape(found["type"])}">{escape(found["text"])}{reason}'
        f'<small><time datetime="{at}">{shown}</time> · {escape(found["by"])}</small></li>'
    )


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)
