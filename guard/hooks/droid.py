"""Factory Droid, with Claude Code's payload and answer. https://docs.factory.ai/reference/hooks-reference"""

from __future__ import annotations

from guard.hooks import shapes

ADAPTER = shapes.like_claude("droid")
