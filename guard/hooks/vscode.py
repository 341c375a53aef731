"""Agents of VS Code, with Claude Code's payload and answer; matchers are ignored there, so every tool comes.

https://code.visualstudio.com/docs/agents/reference/hooks-reference
"""

from __future__ import annotations

from guard.hooks import shapes

ADAPTER = shapes.like_claude("vscode")
