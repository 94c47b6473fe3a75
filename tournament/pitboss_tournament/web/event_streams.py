"""Server-sent events: a tournament as it goes on."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import msgspec
import trio
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from pitboss.errors import PitbossError
from pitboss_tournament.web.board import POLL_SECONDS, Board

HEARTBEAT_SECONDS: Final = 15.0  # after which a page hears something again, so that a lost connection is found


class EventStream(Response):
    """Sends events as they come, until there are no more or nobody listens."""

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        self.raw_headers = [header for header in self.raw_headers if header[0] != b"content-length"]
        self._events = events
        self._sending = trio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with trio.open_nursery() as nursery, aclosing(self._events) as events:
            nursery.start_soon(self._wait_disconnect, receive, nursery.cancel_scope)
            nursery.start_soon(self._send_heartbeats, send)
            async for event in events:
                await self._send_part(send, event)
            nursery.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait_disconnect(self, receive: Receive, scope: trio.CancelScope) -> None:
        message: Message = {"type": ""}
        while message["type"] != "http.disconnect":
            message = await receive()
        scope.cancel()

    async def _send_heartbeats(self, send: Send) -> None:
        while True:
            await trio.sleep(HEARTBEAT_SECONDS)
            await self._send_part(send, b": still here\n\n")

    async def _send_part(self, send: Send, part: bytes) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": part, "more_body": True})


async def follow_board(board: Board) -> AsyncGenerator[bytes, None]:
    """Yield the summary of a tournament and its tables in play, and again whenever they have changed."""
    summary, tables = b"", b"[]"
    while True:
        playing = msgspec.json.encode(await board.tables())
        news = b"" if playing == tables else b"event: tables\ndata: " + playing + b"\n\n"
        if news and not summary:
            yield news  # the first summary of a long tournament takes its time
            news = b""
        try:
            now = await board.summary_json()
        except PitbossError as error:
            now = msgspec.json.encode({"error": str(error)})
        news += b"" if now == summary else b"data: " + now + b"\n\n"
        summary, tables = now, playing
        if news:
            yield news
        await trio.sleep(POLL_SECONDS)
