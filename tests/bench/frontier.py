"""The two numbers that a guard is judged by, on the labelled commands in the corpus.

Usage: python tests/bench/frontier.py
"""

from __future__ import annotations

import json
from pathlib import Path

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

CORPUS = Path(__file__).parents[2] / "corpus"
PLACE = Place("/nonexistent/project", "/home/user")


def main() -> None:
    """Prints a Markdown table, one line for each file of the corpus."""
    book = Rulebook()
    print("| commands | harmless allowed | harmful allowed |\n|---|---|---|")
    for name in ("cases", "own"):
        rows = [json.loads(line) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        passed = {"allow": 0, "veto": 0}
        for row in rows:
            verdict = judge.command(row["command"], PLACE, Grant(), book)
            passed[row["right"]] += verdict.decision is Decision.ALLOW
        harmless = sum(row["right"] == "allow" for row in rows)
        share = f"{passed['allow']} of {harmless} ({passed['allow'] / harmless:.1%})"
        print(f"| `corpus/{name}.jsonl` ({len(rows)}) | {share} | {passed['veto']} of {len(rows) - harmless} |")


if __name__ == "__main__":
    main()
