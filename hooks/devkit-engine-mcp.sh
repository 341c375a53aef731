#!/bin/sh
# Starts the MCP server of the plugin: devkit-engine by PATH, in the plugin's own environment, or beside the plugin.

for place in "${CLAUDE_PLUGIN_DATA:-}/venv/bin" "${CLAUDE_PLUGIN_ROOT:-}/.venv/bin"; do
  case $place in /*) ;; *) continue ;; esac
  PATH=$PATH:$place
done
command -v devkit-engine > /dev/null 2>&1 && exec devkit-engine mcp
echo "devkit: devkit-engine was not found on PATH, in the plugin's venv or beside the plugin: install the project (pip install .)" >&2
exit 127
