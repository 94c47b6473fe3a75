"""The local socket at which a tournament that is being played can be watched. Its messages: `watch_protocol`.

Nobody who watches can hold the tournament up: who does not read, or says what is not asked for, is left.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
import trio

from pitboss_tournament.running.tables_in_play import TablesInPlay
from pitboss_tournament.running.watch_protocol import (
    TablesRequest,
    WatcherRequest,
    encode_watch_line,
    is_trusted_peer,
    request_decoder,
    socket_address,
)

MAX_WATCHERS: Final = 100  # at once; a server needs one for each table that somebody looks at
REQUEST_BYTES: Final = 1_000
REQUEST_SECONDS: Final = 5.0  # for a request to come
SEND_SECONDS: Final = 10.0  # for a line to be taken
END_SECONDS: Final = 1.0  # for the last lines to be taken when the tournament ends


class WatchServer:
    """Answers watchers, one request each."""

    def __init__(self, tables: TablesInPlay) -> None:
        self._tables = tables
        self._watchers = 0

    async def answer(self, stream: trio.SocketStream) -> None:
        """Answer whoever has connected, and close the connection."""
        self._watchers += 1
        try:
            async with stream:
                if self._watchers <= MAX_WATCHERS and is_trusted_peer(stream.socket):
                    await self._answer_request(stream)
        except* (trio.BrokenResourceError, OSError):
            pass  # it has gone
        finally:
            self._watchers -= 1

    async def _answer_request(self, stream: trio.SocketStream) -> None:
        request = None
        with trio.move_on_after(REQUEST_SECONDS):
            request = await _read_request(stream)
        if request is None:
            return
        if isinstance(request, TablesRequest):
            await _send(stream, encode_watch_line(self._tables.list_tables()))
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_wait_for_more, stream, nursery.cancel_scope)
            async with aclosing(self._tables.watch(request.table)) as lines:
                async for line in lines:
                    if not await _send(stream, line):
                        break
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_watch_socket(store: Path, tables: TablesInPlay) -> AsyncIterator[None]:
    """Context manager: the tables can be watched in the block. Where there is no such socket, they cannot."""
    if (listener := await _listen(store)) is None:
        yield
        return
    async with trio.open_nursery() as nursery:
        accepting = trio.CancelScope()
        nursery.start_soon(_accept_watchers, listener, WatchServer(tables), accepting)
        yield
        tables.close()
        accepting.cancel()
        nursery.cancel_scope.deadline = trio.current_time() + END_SECONDS


async def _accept_watchers(listener: trio.SocketListener, server: WatchServer, accepting: trio.CancelScope) -> None:
    async with trio.open_nursery() as answering:
        try:
            with accepting:
                await trio.serve_listeners(server.answer, [listener], handler_nursery=answering)
        except* OSError:
            pass  # nobody can connect any more; the tournament goes on


async def _listen(store: Path) -> trio.SocketListener | None:
    """Return the socket; None if it cannot be had, as on another system."""
    if sys.platform != "linux":
        return None
    made = trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM)
    try:
        await made.bind(socket_address(store))
        made.listen()
    except OSError:
        made.close()
        return None
    return trio.SocketListener(made)


async def _read_request(stream: trio.SocketStream) -> WatcherRequest | None:
    """Return a request; None if it is none."""
    said = bytearray()
    while not said.endswith(b"\n"):
        part = await stream.receive_some(REQUEST_BYTES)
        said += part
        if not part or len(said) > REQUEST_BYTES:
            return None
    try:
        return request_decoder.decode(said)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


async def _send(stream: trio.SocketStream, line: bytes) -> bool:
    """Send a line; tell whether it was taken in time."""
    with trio.move_on_after(SEND_SECONDS) as scope:
        await stream.send_all(line)
    return not scope.cancelled_caught


async def _wait_for_more(stream: trio.SocketStream, scope: trio.CancelScope) -> None:
    """Break off when the watcher goes, or says more than its request."""
    await stream.receive_some(1)
    scope.cancel()
