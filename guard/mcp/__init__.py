"""The MCP server over stdio: translates tool calls into `workflow` and `board` calls; no logic of its own.

`tool` is what a module of tools provides, `server` runs them, `workflow_tools` and `board_tools` list them.
"""
