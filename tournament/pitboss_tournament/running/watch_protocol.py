"""Messages between a tournament that is being played and whoever watches it: JSON lines over a local socket.

A watcher connects, asks one question, and gets the answer; then the connection is closed.

watcher says   the answer
------------   ------------------------------------------------------------------------------------------------------
tables         tables: who sits at each table in play
watch          game, then decisions as they come, then end: one game of a table, the one in play or else the next. If
               the tournament ends before it begins, or in the middle, the connection is closed without an end.

The socket is an abstract Unix socket of Linux, named after the store, so that it leaves nothing on the disk. Bots in a
sandbox have a network of their own and do not see it. Both sides ask the system for the user of the other.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import trio
from msgspec import Struct

from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision

_CREDENTIALS: Final = struct.Struct("3i")  # process, user, group


class TablesRequest(Struct, frozen=True, tag="tables"):
    """A request for the tables in play."""


class WatchRequest(Struct, frozen=True, tag="watch"):
    """A request for one game of a table."""

    table: int


class ListedTable(Struct, frozen=True):
    """A table in play."""

    table: int  # 1 or more
    game_id: int
    players: list[str]  # names by seat


class TableList(Struct, frozen=True, tag="tables"):
    """The tables in play, by number."""

    tables: list[ListedTable]


class GameHeader(Struct, frozen=True, tag="game", kw_only=True):
    """The game that will be shown."""

    game_id: int
    game: str
    game_version: str
    options: Any
    seed: str
    players: list[str]


class GameProgress(Struct, frozen=True, tag="decisions", kw_only=True):
    """The next decisions and faults of the game."""

    begins: bool  # the game begins, perhaps again after it was void
    decisions: list[Decision]
    faults: list[Fault]


class GameEnd(Struct, frozen=True, tag="end"):
    """The game is over, or was broken off, and will be played again."""

    is_finished: bool


WatcherRequest: TypeAlias = TablesRequest | WatchRequest
WatcherAnswer: TypeAlias = TableList | GameHeader | GameProgress | GameEnd

_encode: Final = msgspec.json.Encoder().encode
request_decoder: Final[msgspec.json.Decoder[WatcherRequest]] = msgspec.json.Decoder(WatcherRequest)
answer_decoder: Final[msgspec.json.Decoder[WatcherAnswer]] = msgspec.json.Decoder(WatcherAnswer)


def encode_watch_line(message: WatcherRequest | WatcherAnswer) -> bytes:
    """Return a message as a line."""
    return _encode(message) + b"\n"


def socket_address(store: Path) -> str:
    """Return the address at which the run of a store can be asked.

    Raises:
        FileNotFoundError: there is no store.
    """
    found = store.stat()
    return f"\0pitboss/{found.st_dev:x}/{found.st_ino:x}"


def is_trusted_peer(connection: trio.socket.SocketType, *others: int) -> bool:
    """Tell whether the process at the other end belongs to this user, to root, or to one of the `others`."""
    size = _CREDENTIALS.size
    _, user, _ = _CREDENTIALS.unpack(connection.getsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_PEERCRED, size))
    return user in (os.geteuid(), 0, *others)
