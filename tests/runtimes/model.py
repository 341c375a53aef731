"""A model on this machine that asks for one shell command and then stops: what a runtime needs to be run for real.

It speaks the forms that runtimes know (chat completions, responses, messages, generateContent), streamed or not, looks
in the request for the tool that runs shell commands, and keeps what it was told about the call afterwards.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

SHELLS = (
    "bash",
    "shell",
    "run_shell_command",
    "execute_command",
    "run_commands",
    "execute",
    "terminal",
    "launch-process",
    "exec_command",
)
"""Names of shell tools, in lower case; the first that a request offers is called."""


class Model:
    """The server as a context; `results` are the texts that came back as results of the call."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.results: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"model": self}))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> Model:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()

    def call(self, request: dict[str, Any]) -> tuple[str, str] | None:
        """(tool, arguments as JSON) to ask for; None where the result is there, or no shell is offered."""
        self.requests.append(request)
        said = request.get("messages") or request.get("input") or request.get("contents") or []
        results = [text for text in map(_result, said) if text]
        if results:
            self.results += results
            return None
        offered = [one for tool in request.get("tools") or [] for one in tool.get("functionDeclarations") or [tool]]
        tools = {name: schema for name, schema in map(_tool, offered) if name}
        for shell in SHELLS:
            for name, schema in tools.items():
                if name.lower() == shell:
                    return name, json.dumps(self._arguments(schema))
        return None

    def _arguments(self, schema: dict[str, Any]) -> dict[str, Any]:
        known = schema.get("properties") or {}
        key = next((name for name in ("command", "commands", "cmd") if name in known), "command")
        found: dict[str, Any] = {}
        for name in dict.fromkeys([key, *schema.get("required", ())]):
            kind, value = known.get(name, {}).get("type"), known.get(name, {}).get("enum", ["run"])[0]
            value = self.command if name == key else value
            found[name] = {"array": [value], "boolean": False, "integer": 10, "number": 10}.get(kind, value)
        return found


class Handler(BaseHTTPRequestHandler):
    """One request of a runtime."""

    model: Model
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Lists the one model."""
        self._send(json.dumps({"object": "list", "data": [{"id": "probe", "object": "model"}]}), "application/json")

    def do_POST(self) -> None:
        """Answers with the call, or with a word where it was made."""
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))) or b"{}")
        call = self.model.call(request)
        path = self.path.partition("?")[0]
        form = next((form for ending, form in FORMS.items() if path.endswith(ending)), _chat)
        whole, events = form(call)
        if request.get("stream") or ":stream" in path:
            self._send("".join(events), "text/event-stream")
        else:
            self._send(json.dumps(whole), "application/json")

    def _send(self, body: str, kind: str) -> None:
        raw = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that http.server calls
        """Nothing."""


def _tool(tool: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    inner = tool.get("function") or tool
    keys = ("parameters", "input_schema", "parametersJsonSchema")
    return str(inner.get("name", "")), next((inner[key] for key in keys if inner.get(key)), {})


def _result(message: Any) -> str:
    """The text of a result in a message, empty where it is another one."""
    if not isinstance(message, dict):
        return ""
    if message.get("role") == "tool" or message.get("type") == "function_call_output":
        return json.dumps(message.get("content") or message.get("output") or "none")
    parts = [part["functionResponse"] for part in message.get("parts") or () if "functionResponse" in part]
    if parts:
        return json.dumps(parts)
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return " ".join(json.dumps(block) for block in blocks if block.get("type") == "tool_result")


USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _chat(call: tuple[str, str] | None) -> tuple[dict[str, Any], list[str]]:
    message: dict[str, Any] = {"role": "assistant", "content": None if call else "done"}
    if call:
        function = {"name": call[0], "arguments": call[1]}
        message["tool_calls"] = [{"index": 0, "id": "call_1", "type": "function", "function": function}]
    head = {"id": "chat_1", "created": 1, "model": "probe"}
    end = "tool_calls" if call else "stop"
    whole = {"index": 0, "message": message, "finish_reason": end}
    chunks = [
        {**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in ((message, None), ({}, end))
    ]
    chunks.append({**head, "object": "chat.completion.chunk", "choices": [], "usage": USAGE})
    events = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
    return {**head, "object": "chat.completion", "choices": [whole], "usage": USAGE}, events


def _responses(call: tuple[str, str] | None) -> tuple[dict[str, Any], list[str]]:
    text = {"type": "output_text", "text": "done", "annotations": []}
    item: dict[str, Any] = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed"}
    item["content"] = [text]
    if call:
        item = {"type": "function_call", "id": "f_1", "call_id": "call_1", "name": call[0], "arguments": call[1]}
        item["status"] = "completed"
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "r_1", "object": "response", "created_at": 1, "status": "completed", "model": "probe"}
    whole |= {"output": [item], "usage": usage}
    steps: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return whole, [
        f"event: {step['type']}\ndata: {json.dumps({**step, 'sequence_number': number})}\n\n"
        for number, step in enumerate(steps)
    ]


def _messages(call: tuple[str, str] | None) -> tuple[dict[str, Any], list[str]]:
    block: dict[str, Any] = {"type": "text", "text": "done"}
    start: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call[0], "input": json.loads(call[1])}
        start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": call[1]}
    reason = "tool_use" if call else "end_turn"
    usage = {"input_tokens": 1, "output_tokens": 1}
    whole: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "probe",
        "content": [block],
    }
    whole |= {"stop_reason": reason, "stop_sequence": None, "usage": usage}
    steps: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return whole, [f"event: {step['type']}\ndata: {json.dumps(step)}\n\n" for step in steps]


def _gemini(call: tuple[str, str] | None) -> tuple[dict[str, Any], list[str]]:
    part: dict[str, Any] = {"text": "done"}
    if call:
        part = {"functionCall": {"name": call[0], "args": json.loads(call[1])}}
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "probe"}
    return whole, [f"data: {json.dumps(whole)}\r\n\r\n"]


FORMS = {"/messages": _messages, "/responses": _responses, "enerateContent": _gemini}
"""By the end of the path; chat completions otherwise."""
