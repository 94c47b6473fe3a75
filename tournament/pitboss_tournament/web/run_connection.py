"""Questions to the run that plays into a store: which tables are in play, and what happens at one."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from pathlib import Path

import trio

from pitboss_tournament.running.watch_protocol import (
    GameEnd,
    GameHeader,
    GameProgress,
    ListedTable,
    TableList,
    TablesRequest,
    WatcherAnswer,
    WatcherRequest,
    WatchRequest,
    answer_decoder,
    encode_watch_line,
    is_trusted_peer,
    socket_address,
)
from pitboss_tournament.running.worker_protocol import LineReader, WorkerProtocolError


async def ask_tables(store: Path) -> list[ListedTable]:
    """Return the tables in play; none if no run can be asked."""
    async with aclosing(_ask(store, TablesRequest())) as answers:
        async for answer in answers:
            if isinstance(answer, TableList):
                return answer.tables
    return []


async def watch_table(store: Path, table: int) -> AsyncGenerator[GameHeader | GameProgress | GameEnd, None]:
    """Yield what happens in one game of a table, the one in play or else the next.

    Without a `GameEnd` at the end the run is gone, or there is none that can be asked.
    """
    async with aclosing(_ask(store, WatchRequest(table))) as answers:
        async for answer in answers:
            if not isinstance(answer, TableList):
                yield answer


async def _ask(store: Path, request: WatcherRequest) -> AsyncGenerator[WatcherAnswer, None]:
    """Yield the answers of the run of a store, until it closes the connection."""
    if sys.platform != "linux":
        return
    with trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM) as connection:
        try:
            await connection.connect(socket_address(store))
            if not _is_run_trusted(connection, store):
                return
            await connection.send(encode_watch_line(request))
            with closing(LineReader(connection.fileno(), answer_decoder)) as reader:
                while (answer := await reader.receive()) is not None:
                    yield answer
        except (OSError, trio.BrokenResourceError, WorkerProtocolError):
            return  # it is gone


def _is_run_trusted(connection: trio.socket.SocketType, store: Path) -> bool:
    """Tell whether the run is this user's, root's, or that of the owner of its store."""
    return is_trusted_peer(connection, store.stat().st_uid)
