"""Messages between the tournament process and its workers: one JSON object per line over the worker's stdin and stdout.

parent says   when                                      and the worker
-----------   ---------------------------------------   ---------------------------------------------------------------
begin         first                                     looks the game up, starts a supervisor, and says ready
sit           after ready, one for each free table      plays a batch in order: finished for each, left at the end
out           when bots have forfeited too often        plays no more games with them; a batch may end early
noted         after each finished with a forfeit        goes on at that table: by now it knows the bots that are out
hold          when the run is to end                    begins no more games; batches end early
watch         when somebody looks at a table            shows one game of a batch: the one in play, or else the next
answer        after a call                              tells the bot what its model has answered
end of file   any time                                  stops: bots get their bye, and the process ends with status 0

worker says   meaning
-----------   ---------------------------------------------------------------------------------------------------------
ready         it can take batches
fault         the first fault of a bot in this worker, as soon as it happens
finished      a game with its result, its record as the store keeps it, and its logs
void          the machine failed in the middle of a game: it is played again
shown         decisions of a game that is watched; the last ones come before its finished
call          a bot asks its language model
own           a bot has taken a decision without its language model, or against it
left          a batch has ended, its table is free
failed        no bot is at fault, and the tournament has to stop; it is the worker's last message

Every line is checked on arrival. A line that is no message ends the worker like any other death.
Back-pressure: a full pipe blocks a table between two games, never within one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame
from pitboss.protocol.connection import quote_line
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident
from pitboss_tournament.match.plugin_calls import GamePluginError
from pitboss_tournament.models.calls import ModelAnswer, ModelCall, OwnChoice
from pitboss_tournament.plan.plan import Entrant, TableRules
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.processes.pipe_ends import open_reading_stream, open_writing_stream
from pitboss_tournament.processes.start_errors import MachineError, VoidCause
from pitboss_tournament.rounds.schedule import SeededGame
from pitboss_tournament.statistics.scoring import GameResult

READ_BYTES: Final = 65_536


class WorkerProtocolError(PitbossError):
    """The other process sent no message, or one that is not allowed now."""


class WorkerStart(Struct, frozen=True, tag="begin"):
    """The tournament. The options arrive as plain data, because only the game knows their type."""

    rules: TableRules
    game: str  # its `game_identity`
    dictionary: bytes  # with which records are packed


class PlayBatch(Struct, frozen=True, tag="sit"):
    """Games for a free table."""

    number: int
    entrants: dict[int, Entrant]  # of these games
    games: tuple[SeededGame, ...]


class Disqualified(Struct, frozen=True, tag="out"):
    """Entrants that play no more."""

    entrants: list[int]


class GameCounted(Struct, frozen=True, tag="noted"):
    """A game with a forfeit has been counted."""

    game_id: int


class HoldGames(Struct, frozen=True, tag="hold"):
    """The run is to end: games in progress are finished, and no more are begun."""


class WatchGame(Struct, frozen=True, tag="watch"):
    """A request for all decisions of one game of a batch; ignored if the batch has ended."""

    batch: int


class WorkerReady(Struct, frozen=True, tag="ready"):
    """The worker can take batches."""


class FinishedGame(Struct, frozen=True, tag="finished", kw_only=True):
    """A finished game."""

    batch: int
    result: GameResult
    seed: str
    faults: list[Fault]
    decisions: int
    record: bytes  # packed, as the store keeps it
    logs: list[SeatLog]


class _GameFaults(Struct, frozen=True, tag="finished"):
    """The part of a `FinishedGame` that `is_faultless_game` decodes."""

    faults: list[msgspec.Raw]


class FirstFault(Struct, frozen=True, tag="fault"):
    """The first fault of an entrant in this worker, in a game that is in play."""

    game_id: int
    entrant: int
    incident: Incident


class VoidReport(Struct, frozen=True, tag="void"):
    """A game that has to be played again."""

    game_id: int
    cause: VoidCause
    message: str


class ShownDecisions(Struct, frozen=True, tag="shown", kw_only=True):
    """Decisions and faults of a watched game since the last such message."""

    batch: int
    game_id: int
    begins: bool  # the first decisions of the game, perhaps again after it was void
    decisions: list[Decision]
    faults: list[Fault]


class BatchDone(Struct, frozen=True, tag="left"):
    """A batch has ended."""

    batch: int


class WorkerFailure(Struct, frozen=True, tag="failed"):
    """The worker cannot go on."""

    kind: Literal["config", "game"] | VoidCause  # a cause: the machine failed
    message: str


ParentMessage: TypeAlias = WorkerStart | PlayBatch | Disqualified | GameCounted | HoldGames | WatchGame | ModelAnswer
WorkerMessage: TypeAlias = (
    WorkerReady
    | FirstFault
    | FinishedGame
    | VoidReport
    | ShownDecisions
    | ModelCall
    | OwnChoice
    | BatchDone
    | WorkerFailure
)
M = TypeVar("M")


def game_identity(game: AnyGame) -> str:
    """Return name, version and class of a game, which must be the same in parent and worker."""
    kind = type(game)
    return f"{game.name} {game.version} ({kind.__module__}.{kind.__qualname__})"


def _encode_path(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{value!r} cannot be sent to another process")


def _decode_path(wanted: type, value: Any) -> object:  # noqa: ANN401 - msgspec's hook
    return wanted(value)


_encode: Final = msgspec.json.Encoder(enc_hook=_encode_path).encode
parent_decoder: Final[msgspec.json.Decoder[ParentMessage]] = msgspec.json.Decoder(ParentMessage, dec_hook=_decode_path)
worker_decoder: Final[msgspec.json.Decoder[WorkerMessage]] = msgspec.json.Decoder(WorkerMessage)
_faults_decoder: Final[msgspec.json.Decoder[_GameFaults]] = msgspec.json.Decoder(_GameFaults)


def encode_line(message: ParentMessage | WorkerMessage) -> bytes:
    """Return a message as a line."""
    return _encode(message) + b"\n"


def decode_worker_line(line: bytes) -> WorkerMessage:
    """Return what a worker says.

    Raises:
        WorkerProtocolError: the line is no message.
    """
    return _decode_line(line, worker_decoder)


def is_faultless_game(line: bytes) -> bool:
    """Whether a worker's line is a `FinishedGame` without faults; of another message only the tag is decoded."""
    try:
        return not _faults_decoder.decode(line).faults
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def _decode_line(line: bytes, decoder: msgspec.json.Decoder[M]) -> M:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise WorkerProtocolError(
            f"the line {quote_line(line)} is not a message between runner and worker: {error}"
        ) from None


def describe_failure(error: BaseException) -> WorkerFailure:
    """Return the message for an error that stops the tournament, the first one of an exception group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, MachineError):
        return WorkerFailure(error.cause, str(error))
    return WorkerFailure("game" if isinstance(error, GamePluginError) else "config", str(error))


def restore_failure(failure: WorkerFailure) -> PitbossError:
    """Return the error that a worker has met."""
    match failure.kind:
        case "config":
            return ConfigError(failure.message)
        case "game":
            return GamePluginError(failure.message)
        case cause:
            return MachineError(failure.message, cause)


class LineWriter:
    """Writes messages to a pipe, through a reopened descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._stream = open_writing_stream(os.dup(descriptor))
        self._lock = trio.Lock()

    async def send(self, message: ParentMessage | WorkerMessage) -> None:
        """Write a message; returns when the pipe has taken it.

        Raises:
            BrokenResourceError: the other process is gone.
        """
        await self.send_line(encode_line(message))

    async def send_line(self, line: bytes) -> None:
        """Write a message that has been encoded; returns and raises as `send`."""
        try:
            self._lock.acquire_nowait()  # a turn of the loop less: `send_all` is one
        except trio.WouldBlock:
            await self._lock.acquire()
        try:
            await self._stream.send_all(line)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close this end of the pipe."""
        self._stream.close()


class WholeLineWriter(LineWriter):
    """A writer that ends a line even if its task is cancelled meanwhile: half a line would spoil the next one."""

    async def send_line(self, line: bytes) -> None:
        """Write a message that has been encoded; returns and raises as `send`."""
        with trio.CancelScope(shield=True):
            await super().send_line(line)


class LineReader(Generic[M]):
    """Reads messages from a pipe, through a reopened descriptor."""

    def __init__(self, descriptor: int, decoder: msgspec.json.Decoder[M]) -> None:
        self._stream = open_reading_stream(os.dup(descriptor))
        self._decoder = decoder
        self._pending = bytearray()

    async def receive(self) -> M | None:
        """Return the next message; None at the end of file.

        Raises:
            WorkerProtocolError: the line is no message.
        """
        while (end := self._pending.find(b"\n")) < 0:
            part = await self._stream.receive_some(READ_BYTES)
            if not part:
                return None
            self._pending += part
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        return _decode_line(line, self._decoder)

    def close(self) -> None:
        """Close this end of the pipe."""
        self._stream.close()
