"""Workflows: what an agent is to do step by step, and what it may do while a step is open.

`grants_for`, `observe_call` and `own_tool` are for the hook and cheap to import. `reader` makes a Workflow of a YAML
file, `engine` is the pure state machine, `sessions` keeps states in the store, `service` joins them with real commands.
"""

from guard.workflow.grants import grants_for
from guard.workflow.own_tools import own_tool
from guard.workflow.sighting import observe_call

__all__ = ["grants_for", "observe_call", "own_tool"]
