"""An OpenAI-compatible endpoint that does what the directives in the last user message say, for a real CLI's tests.

One directive a call, counted by the assistant messages since that message. Understands text, reasoning, tool(s),
chunks, delay, first, finish, status, body, retry_after, drop, prompt_tokens.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from wave_bridge.embedded.models.directives import parse, pieces


class FakeModel(ThreadingHTTPServer):
    """Serves on a free loopback port; `requests` holds the bodies that came."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: FakeModel

    def log_message(self, *args: object) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(body)
        self.server.headers.append(dict(self.headers))
        directive = _directive(body["messages"])
        time.sleep(directive.get("first", 0))
        status = directive.get("status", 200)
        self.send_response(status)
        if "retry_after" in directive:
            self.send_header("retry-after", str(directive["retry_after"]))
        self.send_header("content-type", "text/event-stream" if status == 200 else "application/json")
        self.send_header("connection", "close")
        self.end_headers()
        if status != 200:
            self.wfile.write(json.dumps(directive.get("body", "")).encode())
            return
        try:
            self._stream(directive)
        except ConnectionError:
            return

    def _stream(self, directive: dict[str, Any]) -> None:
        deltas = list(_deltas(directive))
        for delta in deltas[: -(-len(deltas) // 2)] if directive.get("drop") else deltas:
            self._chunk({"choices": [{"index": 0, "delta": delta}]})
            time.sleep(directive.get("delay", 0))
        if directive.get("drop"):
            return
        finish = directive.get("finish") or ("tool_calls" if _tools(directive) else "stop")
        prompt, completion = directive.get("prompt_tokens", 100), 20
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        self._chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def _chunk(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.flush()


def _directive(messages: list[dict[str, Any]]) -> dict[str, Any]:
    place = max(place for place, message in enumerate(messages) if message["role"] == "user")
    script = parse(_text(messages[place]["content"]))
    number = sum(message["role"] == "assistant" for message in messages[place:])
    return script[number] if number < len(script) else {"text": "(end of script)"}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _deltas(directive: dict[str, Any]):
    chunks = directive.get("chunks", 3)
    for piece in pieces(directive.get("reasoning", ""), chunks):
        yield {"reasoning_content": piece}
    for piece in pieces(directive.get("text", ""), chunks):
        yield {"content": piece}
    for index, call in enumerate(_tools(directive)):
        function = {"name": call["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
        for piece in pieces(call.get("raw") or json.dumps(call["args"]), chunks):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _tools(directive: dict[str, Any]) -> list[dict[str, Any]]:
    return [*([directive["tool"]] if "tool" in directive else []), *directive.get("tools", [])]
