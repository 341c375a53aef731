"""Qwen Code: Claude Code's names of events and answers. https://qwenlm.github.io/qwen-code-docs/"""

from __future__ import annotations

from guard.hooks import shapes

ADAPTER = shapes.like_claude("qwen")._replace(ask=None)
