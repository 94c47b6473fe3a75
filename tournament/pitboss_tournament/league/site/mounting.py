"""A league below a path: its pages say addresses that begin with /, and here the path is put in front of them.

The application knows nothing of the path. Requests lose it, and answers get it where they name an address of this
server: in links, forms and redirects, in what scripts fetch, and as the path of cookies, so that leagues below other
paths of the same address have sessions of their own. Texts that people have written have their quotation marks
escaped, so that no text is taken for a link.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_TYPE: Final = b"text/html"
SCRIPT_TYPES: Final = (b"text/javascript", b"application/javascript")
STEP_TYPE: Final = b"application/json"  # an answer to a script may say where it goes on
PAGE_LINK: Final = re.compile(rb"""\b(href|src|action|formaction)="/(?!/)""")
SCRIPT_ADDRESS: Final = re.compile(rb"""((?:\bfetch|\bEventSource|\bassign|\bURL)\(\s*[`"'])/(?![/*])""")
STEP_ADDRESS: Final = re.compile(rb"""("go":\s*")/(?!/)""")
SCRIPT_ORIGIN: Final = re.compile(rb"(textContent = location\.origin)\b")


class MountedApp:
    """An ASGI application that answers below a path, such as /racko."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix
        self._bytes = prefix.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request without the path, and put the path into the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if path != self._prefix and not path.startswith(f"{self._prefix}/"):
            await _answer(send, 404, b"this league is at another path", [])
            return
        if path == self._prefix:
            await _answer(send, 308, b"", [(b"location", self._bytes + b"/")])
            return
        raw: bytes = scope.get("raw_path") or path.encode()
        below: MutableMapping[str, Any] = {
            **scope,
            "path": path[len(self._prefix) :],
            "raw_path": raw[len(self._bytes) :] if raw.startswith(self._bytes) else raw,
            "app_root_path": self._prefix,
            "headers": [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"],
        }
        await self._app(below, receive, AnswerRewriter(self._bytes, send))


class AnswerRewriter:
    """Sends an answer on: pages and scripts whole, with the path in their addresses; all else as it comes."""

    def __init__(self, prefix: bytes, send: Send) -> None:
        self._prefix = prefix
        self._send = send
        self._start: Message | None = None  # of an answer that is held back
        self._kind = b""
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """Send a message on, or hold it back until the answer is whole."""
        if message["type"] == "http.response.start":
            headers = [(name, self._rewrite_header(name.lower(), value)) for name, value in message["headers"]]
            kinds = [value.partition(b";")[0].strip() for name, value in headers if name.lower() == b"content-type"]
            message = {**message, "headers": headers}
            if kinds and kinds[0] in (PAGE_TYPE, STEP_TYPE, *SCRIPT_TYPES):
                self._start, self._kind = message, kinds[0]
                return
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send_whole()
            return
        await self._send(message)

    async def _send_whole(self) -> None:
        assert self._start is not None
        body = self._rewrite_body(self._body)
        kept = [(name, value) for name, value in self._start["headers"] if name.lower() != b"content-length"]
        headers = [*kept, (b"content-length", str(len(body)).encode())]
        await self._send({**self._start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    def _rewrite_header(self, name: bytes, value: bytes) -> bytes:
        if name == b"location" and value.startswith(b"/"):
            return self._prefix + value
        if name == b"set-cookie":
            return re.sub(rb"(?i)(;\s*path=)/(?=;|$)", rb"\g<1>" + self._prefix, value)
        return value

    def _rewrite_body(self, body: bytes) -> bytes:
        if self._kind == PAGE_TYPE:
            return PAGE_LINK.sub(rb'\g<1>="' + self._prefix + b"/", body)
        if self._kind == STEP_TYPE:
            return STEP_ADDRESS.sub(rb"\g<1>" + self._prefix + b"/", body)
        body = SCRIPT_ADDRESS.sub(rb"\g<1>" + self._prefix + b"/", body)
        return SCRIPT_ORIGIN.sub(rb'\g<1> + "' + self._prefix + b'"', body)


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [kind, length, *headers]})
    await send({"type": "http.response.body", "body": body})
