"""A model's server that minds what it is asked: the last message of a request says how it fails."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from pitboss_tournament.models.fake_server import server_url

GOOD: Final = {
    "choices": [{"message": {"content": '{"choose": 0}'}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}
BODIES: Final[dict[str, bytes]] = {
    "NO-JSON": b"<html>",
    "NO-CHOICES": b'{"choices": []}',
    "DEEP": b"[" * 100_000,
    "DIGITS": b'{"choices": ' + b"9" * 100_000 + b"}",
}
BOMB: Final = gzip.compress(gzip.compress(bytes(64 << 20)))  # of 64 MiB
UNPAID_WISHES: Final = ("401", "403", "404", "500", "503", "307")
PAID_WISHES: Final = ("DROP", "HALF", "FLOOD", "BOMB", *BODIES)  # after them the server may have been at work
WISHES: Final = (*UNPAID_WISHES, *PAID_WISHES)


@contextmanager
def serve_wishes() -> Iterator[str]:
    """Serve on loopback; yields the address. DIE drops this request and the next one."""
    dying = threading.Semaphore(0)
    released = threading.Event()

    class WishHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Fail as the last message says, or answer."""
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            wish: str = asked["messages"][-1]["content"]
            if wish == "DIE":
                dying.release()
            if wish in ("DROP", "DIE") or dying.acquire(blocking=False):
                self.close_connection = True
            elif wish == "HANG":
                released.wait()
            elif wish.isdecimal():
                self.answer(int(wish), b'{"error": "blocked by policy"}')
            elif wish == "HALF":
                self.answer(200, b'{"choices": [', length=900)
            elif wish == "FLOOD":
                self.flood()
            elif wish == "BOMB":
                self.answer(200, BOMB, None, **{"Content-Encoding": "gzip, gzip"})
            else:
                self.answer(200, BODIES.get(wish, json.dumps(GOOD).encode()))

        def answer(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
            """Send an answer that says of itself that it is so long."""
            self.send_response(status)
            for name, value in {"Content-Length": str(length or len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = length is not None

        def flood(self) -> None:
            """Send an answer that does not end."""
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            try:
                while True:
                    self.wfile.write(bytes(1 << 20))
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), WishHandler) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server_url(server)
        finally:
            released.set()
            server.shutdown()
