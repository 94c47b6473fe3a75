"""A fake of a model's server on loopback: what a chat completion chooses follows from the name of the model.

It reads the legal actions from the response format and from the lines `3: play S5` of the last message, as {legal}
writes them. Equal requests get equal answers, except from `scripted`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple

from pitboss.foreign_input import InputRefused, read_json

SLOW_ANSWER_SECONDS: Final = 1.0

_LEGAL_LINE: Final = re.compile(r"^(\d+): (.+)$", re.MULTILINE)
_GIVING_UP: Final = ("fold", "pass", "draw", "concede")


class FakeAnswer(NamedTuple):
    """What the fake says."""

    text: str
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200


class FakeModels:
    """The models of a fake server."""

    def __init__(self, script: Sequence[str] = (), token_factor: int = 1) -> None:
        """`script`: the answers of the model `scripted`, over and over; `token_factor`: by which tokens are counted."""
        self.token_factor = token_factor
        self.calls = 0  # answered so far
        self.released = threading.Event()  # set to let `slow` and `hang` answer
        self._script = list(script)
        self._next = 0
        self._sent_away: set[bytes] = set()  # digests of requests
        self._lock = threading.Lock()

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Answer a request."""
        with self._lock:
            self.calls += 1
        model = FAKE_MODELS.get(str(body.get("model")))
        if model is None:
            return FakeAnswer(
                f"there is no model {body.get('model')!r}; there are {', '.join(FAKE_MODELS)}", status=404
            )
        return model(self, body)

    def say_next(self, body: dict[str, Any]) -> FakeAnswer:
        """Say the next answer of the script."""
        if not self._script:
            return FakeAnswer("the model 'scripted' needs a script", status=400)
        with self._lock:
            text = self._script[self._next % len(self._script)]
            self._next += 1
        return FakeAnswer(text)

    def sends_away(self, body: dict[str, Any]) -> bool:
        """Tell whether a request is sent away as a busy server does: each second time."""
        digest = _digest_messages(body)
        with self._lock:
            self._sent_away ^= {digest}
            return digest in self._sent_away

    def wait(self, seconds: float | None) -> None:
        """Let time pass."""
        self.released.wait(seconds)


def _choose(index: int) -> FakeAnswer:
    return FakeAnswer(f'I have thought about it. {{"choose": {index}}}')


def _choose_at_random(fake: FakeModels, body: dict[str, Any]) -> FakeAnswer:
    return _choose(int.from_bytes(_digest_messages(body)) % max(1, count_legal(body)))


def _choose_first_that_holds_on(fake: FakeModels, body: dict[str, Any]) -> FakeAnswer:
    legal = {int(number): action for number, action in _LEGAL_LINE.findall(_read_prompt(body))}
    return _choose(next((at for at, action in legal.items() if not _is_giving_up(action)), 0))


def _is_giving_up(action: str) -> bool:
    return any(action.startswith(word) or f'"{word}' in action for word in _GIVING_UP)


def _digest_messages(body: dict[str, Any]) -> bytes:
    return hashlib.blake2b(json.dumps(body["messages"]).encode(), digest_size=8).digest()


def _be_slow(fake: FakeModels, body: dict[str, Any]) -> FakeAnswer:
    fake.wait(SLOW_ANSWER_SECONDS)
    return _choose_at_random(fake, body)


def _hang(fake: FakeModels, body: dict[str, Any]) -> FakeAnswer:
    fake.wait(None)
    return _choose(0)


def _be_busy_first(fake: FakeModels, body: dict[str, Any]) -> FakeAnswer:
    return FakeAnswer("too many requests", status=429) if fake.sends_away(body) else _choose_at_random(fake, body)


FAKE_MODELS: Final[dict[str, Callable[[FakeModels, dict[str, Any]], FakeAnswer]]] = {
    "random": _choose_at_random,
    "heuristic": _choose_first_that_holds_on,
    "scripted": FakeModels.say_next,
    "illegal": lambda fake, body: _choose(999_999),
    "garbage": lambda fake, body: FakeAnswer("I would rather not say: {choose 1}"),
    "truncated": lambda fake, body: FakeAnswer("Let me think. First of all", finish="length"),
    "empty": lambda fake, body: FakeAnswer(""),
    "refused": lambda fake, body: FakeAnswer("", refusal="I do not gamble."),
    "slow": _be_slow,
    "hang": _hang,
    "429": _be_busy_first,
    "500": lambda fake, body: FakeAnswer("out of memory", status=500),
}


def count_legal(body: dict[str, Any]) -> int:
    """Return how many legal actions a request offers."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if indexes := schema.get("properties", {}).get("choose", {}).get("enum"):
        return len(indexes)
    return len(_LEGAL_LINE.findall(_read_prompt(body)))


def make_fake_server(fake: FakeModels, port: int = 0, key: str = "") -> ThreadingHTTPServer:
    """Return a server on loopback that listens; a free port by default. With a key it lets in nobody else."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: else the second waits for the client's word on the first

        def do_POST(self) -> None:
            """Answer a chat completion."""
            content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            said = self.headers.get("Authorization")
            try:
                if key and said != f"Bearer {key}":
                    self._send(FakeAnswer(f"incorrect key: {said}", status=401), {})
                    return
                body = read_json(content, dict[str, Any])
                self._send(fake.answer(body), body)
            except (InputRefused, ValueError, KeyError, TypeError) as error:
                self._send(FakeAnswer(f"no request: {error}", status=400), {})

        def _send(self, answer: FakeAnswer, body: dict[str, Any]) -> None:
            text = json.dumps(_completion(answer, body, fake.token_factor)).encode()
            try:
                self.send_response(answer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                if answer.status == 429:
                    self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(text)
            except OSError:
                self.close_connection = True  # nobody waits any more

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return _FakeServer(("127.0.0.1", port), Handler)


class _FakeServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that has gone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as typeshed has them


def server_url(server: ThreadingHTTPServer) -> str:
    """Return what a tournament file says of a server: its `url`."""
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def _completion(answer: FakeAnswer, body: dict[str, Any], token_factor: int) -> dict[str, Any]:
    if answer.status != 200:
        return {"error": {"message": answer.text}}
    sent = sum(len(message["content"]) for message in body["messages"])
    return {
        "object": "chat.completion",
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": answer.text, "refusal": answer.refusal},
                "finish_reason": answer.finish,
            }
        ],
        "usage": {
            "prompt_tokens": token_factor * (sent // 4),
            "completion_tokens": token_factor * (len(answer.text) // 4 + 1),
        },
    }


def _read_prompt(body: dict[str, Any]) -> str:
    """Return what the model was asked before its bad answers, if it gave any."""
    return "\n".join(str(message["content"]) for message in body["messages"] if message["role"] == "user")
