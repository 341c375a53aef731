"""How each vendor's program is run once, without a person, against a model on this machine.

In arguments, variables and files `{url}` stands for the model, `{home}` for the home folder, `{work}` for the folder of
the call. `broken` is what becomes of the call if the registered program is gone.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from guard.setup.reading import REFUSED, RUNS


class Program(NamedTuple):
    """One runtime; `package` is what to install."""

    package: str
    command: tuple[str, ...]
    broken: str
    environ: dict[str, str]
    files: dict[str, str]


ASK = "make the file"
CODEX = """model = "probe"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "KEY"
"""
KIMI = """default_model = "probe"
[providers.local]
type = "openai"
base_url = "{url}/v1"
api_key = "k"
[models.probe]
provider = "local"
model = "probe"
max_context_size = 100000
"""
VIBE = """active_model = "probe"
enable_telemetry = false
enable_update_checks = false
enable_auto_update = false
[[providers]]
name = "local"
api_base = "{url}/v1"
api_key_env_var = ""
api_style = "openai"
backend = "generic"
[[models]]
name = "probe"
provider = "local"
alias = "probe"
"""
HERMES = """model:
  default: probe
  provider: custom
  base_url: {url}/v1
  api_key: k
  context_length: 131072
hooks_auto_accept: true
"""
OPENCODE = {
    "provider": {
        "local": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": "{url}/v1", "apiKey": "k"},
            "models": {"probe": {"name": "probe", "tool_call": True}},
        }
    },
    "model": "local/probe",
    "permission": {"bash": "allow"},
    "autoupdate": False,
}
DROID = {
    "customModels": [
        {
            "model": "probe",
            "displayName": "Probe",
            "baseUrl": "{url}/v1",
            "apiKey": "k",
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 1000,
        }
    ]
}
CLINE = 'cline auth -p openai -k k -m probe -b "$URL/v1" >/dev/null 2>&1; exec cline -P openai -m probe -k k "$ASK"'
PROGRAMS = {
    "claude": Program(
        "npm: @anthropic-ai/claude-code",
        ("claude", "-p", ASK, "--dangerously-skip-permissions", "--model", "claude-sonnet-4-5"),
        REFUSED,
        {
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": "k",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        },
        {},
    ),
    "codex": Program(
        "npm: @openai/codex",
        ("codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", ASK),
        RUNS,
        {"KEY": "k"},
        {".codex/config.toml": CODEX},
    ),
    "gemini": Program(
        "npm: @google/gemini-cli",
        ("gemini", "-y", "-m", "gemini-2.5-flash", "-p", ASK),
        REFUSED,
        {"GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_API_KEY": "k", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
        {".gemini/settings.json": json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}})},
    ),
    "qwen": Program(
        "npm: @qwen-code/qwen-code",
        ("qwen", "-y", "-p", ASK),
        RUNS,
        {"OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "probe"},
        {".qwen/settings.json": json.dumps({"security": {"auth": {"selectedType": "openai"}}})},
    ),
    "copilot": Program(
        "npm: @github/copilot",
        ("copilot", "-p", ASK, "--allow-all-tools"),
        REFUSED,
        {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_MODEL": "probe",
            "COPILOT_AUTO_UPDATE": "false",
        },
        {},
    ),
    "opencode": Program(
        "npm: opencode-ai",
        ("opencode", "run", ASK),
        REFUSED,
        {"OPENCODE_DISABLE_MODELS_FETCH": "1"},
        {".config/opencode/opencode.json": json.dumps(OPENCODE)},
    ),
    "droid": Program(
        "npm: @factory/cli",
        ("droid", "exec", "--skip-permissions-unsafe", "-m", "custom:Probe-0", ASK),
        RUNS,
        {"FACTORY_API_KEY": "fk-probe"},
        {".factory/settings.json": json.dumps(DROID)},
    ),
    "cline": Program("npm: cline", ("sh", "-c", CLINE), RUNS, {"URL": "{url}", "ASK": ASK}, {}),
    "kimi": Program("npm: @moonshot-ai/kimi-code", ("kimi", "-p", ASK), RUNS, {}, {".kimi-code/config.toml": KIMI}),
    "vibe": Program(
        "pip: mistral-vibe", ("vibe", "--auto-approve", "-p", ASK), REFUSED, {}, {".vibe/config.toml": VIBE}
    ),
    "hermes": Program(
        "pip: hermes-agent",
        ("hermes", "chat", "--yolo", "-q", ASK),
        RUNS,
        {},
        {".hermes/config.yaml": HERMES},
    ),
    "openhands": Program(
        "pip: openhands",
        ("openhands", "--headless", "--override-with-envs", "--always-approve", "-t", ASK),
        RUNS,
        {"LLM_API_KEY": "k", "LLM_BASE_URL": "{url}/v1", "LLM_MODEL": "openai/probe"},
        {},
    ),
}
