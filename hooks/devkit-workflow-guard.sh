#!/bin/sh
# The step check's hook: devkit-workflow-guard.sh EVENT
#
# While no workflow is open, no card is held, no task board is near and the host is not planning it ends here, silent and
# without starting the guard: this runs before every tool call. Otherwise `devkit-guard hook` decides. It downloads
# nothing and changes nothing.
#
# EVENT is PreToolUse, Stop, SubagentStop, SessionStart, or Start: PreToolUse of the tool that opens a workflow, which
# the guard must see although nothing is open yet, to learn who calls it.

event=${1:-PreToolUse}
payload=
home=${HOME:-}
plugin=${CLAUDE_PLUGIN_DATA:-}
state=${XDG_STATE_HOME:-}
config=${XDG_CONFIG_HOME:-}
mode=${DEVKIT_GUARD_MODE:-}

quiet() { # no opinion; the payload is read first, as a host may not expect a closed pipe
  [ -n "$payload" ] || cat > /dev/null
  exit 0
}

holds() { # holds FOLDER: whether it has an entry, or cannot be looked into
  [ -d "$1" ] || return 1
  [ -r "$1" ] && [ -x "$1" ] || return 0
  for entry in "$1"/*; do
    [ -e "$entry" ] && return 0
  done
  return 1
}

bound() { # bound STORE: whether a session of it is open, a board that $payload names is known to it, or it cannot be told
  if [ -d "$1/open" ]; then
    holds "$1/open" && return 0
  elif [ -e "$1/engine.db" ]; then
    return 0
  fi
  for board in "$1"/boards/*; do
    [ -f "$board" ] || continue
    root=
    IFS= read -r root < "$board" || :
    [ -n "$root" ] || continue
    case $payload in *"$root"*) return 0 ;; esac
    holds "$root/.devflow/held" && return 0
  done
  return 1
}

stricter() { # stricter FILE: whether a configuration file may ask for more than the step check
  [ -f "$1" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *mode*always* | *mode*observe*) return 0 ;; esac
  done < "$1"
  return 1
}

configured() { # whether calls are judged although nothing is open: a configuration asks for it, or a task board is near
  case $mode in
    "" | step) ;;
    *) return 0 ;; # one that is not a mode is taken for the strictest
  esac
  if [ "$mode" != step ]; then
    case $config in
      /*) stricter "$config/devkit-guard/config.toml" && return 0 ;;
      *) stricter "$home/.config/devkit-guard/config.toml" && return 0 ;;
    esac
  fi
  for folder in "${CLAUDE_PROJECT_DIR:-}" "$PWD"; do
    while :; do
      case $folder in /*) ;; *) break ;; esac
      [ -d "$folder/.devflow" ] && return 0
      [ "$mode" = step ] || ! stricter "$folder/.devkit-guard/config.toml" || return 0
      folder=${folder%/*}
    done
  done
  return 1
}

named() { # whether the payload, kept in $payload, names a task board or a known workspace, or the host is planning
  { payload=$(cat); } 2> /dev/null
  case $payload in
    *[!A-Za-z0-9_].[dD][eE][vV][fF][lL][oO][wW]* | *\\[nt].[dD][eE][vV][fF][lL][oO][wW]*) return 0 ;;
    *'"permission_mode":"plan"'* | *'"permission_mode": "plan"'*) return 0 ;;
  esac
  case $state in
    /*) bound "$state/devkit" ;;
    *) bound "$home/.local/state/devkit" ;;
  esac
}

open=no
case $plugin in /*) bound "$plugin" && open=yes ;; esac
case $state in
  /*) bound "$state/devkit" && open=yes ;;
  *)
    case $home in
      /*) bound "$home/.local/state/devkit" && open=yes ;;
      *) open=yes ;; # the store is where the user data base says: only the guard can tell
    esac
    ;;
esac

case $event in
  Start | SessionStart) ;;
  PreToolUse) [ "$open" = yes ] || configured || named || exit 0 ;;
  *) [ "$open" = yes ] || configured || quiet ;;
esac

# By PATH, in the plugin's own environment, or in the checkout that the plugin was installed from.
guard=
if command -v devkit-guard > /dev/null 2>&1; then
  guard=devkit-guard
else
  for place in "$plugin/venv/bin" "${CLAUDE_PLUGIN_ROOT:-}/.venv/bin"; do
    case $place in /*) ;; *) continue ;; esac
    [ -x "$place/devkit-guard" ] && guard=$place/devkit-guard && break
  done
fi

if [ -z "$guard" ]; then
  missing="devkit: devkit-guard was not found on PATH, in the plugin's venv or beside the plugin: workflow steps cannot be checked. Install the project (pip install .) so that devkit-guard is on the PATH of the agent."
  case $event in
    SessionStart)
      printf '{"systemMessage":"%s"}\n' "$missing"
      exit 0
      ;;
    PreToolUse)
      [ "$open" = yes ] || quiet
      printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s A workflow is open, so this call is vetoed until then."}}\n' "$missing"
      printf '%s\n' "$missing" >&2
      exit 2
      ;;
  esac
  quiet
fi

# Nothing is open: at the start of a host session there is nothing to report.
[ "$event" = SessionStart ] && [ "$open" = no ] && quiet
[ -n "$payload" ] || exec "$guard" hook --agent claude
printf '%s\n' "$payload" | "$guard" hook --agent claude
