"""Lanes: what a tournament's parent process and its workers say to each other, one JSON object a line, over a worker's standard input and output.

parent says   when                                      and the worker
-----------   ---------------------------------------   -----------------------------------------------------------------
begin         first                                     looks the game up, opens its room, and says ready
sit           after ready, one for each free table      plays the games in their order: finished for each, left at the end
out           when bots have forfeited too often        plays no more games with them; a sitting may end early
noted         after each finished with a forfeit        goes on at that table: by now it knows who is out
end of file   any time                                  stops: bots hear their bye, and the process ends with status 0

worker says   meaning
-----------   ------------------------------------------------------------------------------------------
ready         it can take sittings
finished      a game with its result, its record as the store keeps it, and its logs
void          the machine failed in the middle of a game: it is played again
left          a sitting has ended, its table is free
failed        nobody at the table is to blame, and the tournament has to stop; it is the worker's last message

Everything is checked on arrival. A line that is no message ends the worker like any other death.
The pipe is the queue: a table waits for room in it between two games, never within one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.game import AnyGame
from pitboss.protocol.connection import quote_line
from pitboss.protocol.faults import Fault
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.playing.schedule import GameBatch
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.processes.start_errors import VoidCause
from pitboss_tournament.statistics.scoring import GameResult

READ_BYTES: Final = 65_536

FailureKind: TypeAlias = Literal["config", "game", "room"]


class WorkerProtocolError(PitbossError):
    """What came from the other process is no message, or not one that can come now."""


class WorkerStart(Struct, frozen=True, tag="begin"):
    """The tournament. The plan's options arrive as plain data: only the game knows their type."""

    plan: Plan
    game: str  # its `identity`
    core: int | None  # the processor to keep to
    thinkers: int  # bots that may think at once


class PlayBatch(Struct, frozen=True, tag="sit"):
    """Games for a free table."""

    number: int
    sitting: GameBatch


class Disqualified(Struct, frozen=True, tag="out"):
    """Entrants who play no more."""

    entrants: list[int]


class GameCounted(Struct, frozen=True, tag="noted"):
    """A game with a forfeit has been counted."""

    game_id: int


class WorkerReady(Struct, frozen=True, tag="ready"):
    """The worker can take sittings."""


class FinishedGame(Struct, frozen=True, tag="finished", kw_only=True):
    """A finished game."""

    sitting: int
    result: GameResult
    seed: str
    faults: list[Fault]
    decisions: int
    record: bytes  # packed, as the store keeps it
    logs: list[SeatLog]


class VoidReport(Struct, frozen=True, tag="void"):
    """A game that has to be played again."""

    game_id: int
    cause: VoidCause
    message: str


class BatchDone(Struct, frozen=True, tag="left"):
    """A sitting has ended."""

    sitting: int


class WorkerFailure(Struct, frozen=True, tag="failed"):
    """The worker cannot go on."""

    kind: FailureKind
    message: str
    cause: VoidCause | None = None  # of trouble in the room


ParentMessage: TypeAlias = WorkerStart | PlayBatch | Disqualified | GameCounted
WorkerMessage: TypeAlias = WorkerReady | FinishedGame | VoidReport | BatchDone | WorkerFailure
M = TypeVar("M")


def game_identity(game: AnyGame) -> str:
    """Return which game this is, of which plugin and version: the same in parent and worker."""
    kind = type(game)
    return f"{game.name} {game.version} ({kind.__module__}.{kind.__qualname__})"


def _encode_path(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{value!r} cannot be said to another process")


def _decode_path(wanted: type, value: Any) -> object:  # noqa: ANN401 - msgspec's hook
    return wanted(value)


_encode: Final = msgspec.json.Encoder(enc_hook=_encode_path).encode
parent_decoder: Final[msgspec.json.Decoder[ParentMessage]] = msgspec.json.Decoder(ParentMessage, dec_hook=_decode_path)
worker_decoder: Final[msgspec.json.Decoder[WorkerMessage]] = msgspec.json.Decoder(WorkerMessage)


def encode_line(message: ParentMessage | WorkerMessage) -> bytes:
    """Return a message as a line."""
    return _encode(message) + b"\n"


class LineWriter:
    """The end of a pipe that lines are written to."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._lock = trio.Lock()

    async def send(self, message: ParentMessage | WorkerMessage) -> None:
        """Write a message, and return when the pipe has taken it.

        Raises:
            BrokenPipeError: the other process is gone.
        """
        rest = encode_line(message)
        async with self._lock:
            while rest:
                try:
                    rest = rest[os.write(self._descriptor, rest) :]
                except BlockingIOError:
                    await trio.lowlevel.wait_writable(self._descriptor)


class LineReader(Generic[M]):
    """The end of a pipe that messages are read from."""

    def __init__(self, descriptor: int, decoder: msgspec.json.Decoder[M]) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._decoder = decoder
        self._pending = bytearray()
        self._searched = 0

    async def receive(self) -> M | None:
        """Return the next message; None at the end of file.

        Raises:
            LaneBroken: it is no message.
        """
        while (end := self._pending.find(b"\n", self._searched)) < 0:
            self._searched = len(self._pending)
            await trio.lowlevel.wait_readable(self._descriptor)
            part = os.read(self._descriptor, READ_BYTES)
            if not part:
                return None
            self._pending += part
        said = bytes(self._pending[:end])
        del self._pending[: end + 1]
        self._searched = 0
        try:
            return self._decoder.decode(said)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as wrong:
            raise WorkerProtocolError(
                f"the line {quote_line(said)} is not a message between runner and worker: {wrong}"
            ) from None
