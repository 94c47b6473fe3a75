"""The rows of a store as values, and what a row must be, whoever has written it."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from pitboss_tournament.processes.logs import decompress_text
from pitboss_tournament.text.terminal_text import decode_text


class StoredLog(Struct, frozen=True):
    """Log of one seat in one game: standard error, and the lines of the wire."""

    seat: int
    errors: bytes
    wire: bytes


class VoidGame(Struct, frozen=True):
    """A game that was broken off without a fault of a bot; it is played again."""

    game_id: int
    at: str  # when, in UTC
    cause: str  # a short name of a closed list: see `VoidCause`
    message: str


class RecordedRound(Struct, frozen=True):
    """A round of a tournament whose rounds overlap, as it was opened."""

    number: int  # from 1
    first_game: int
    deals: int
    tables: tuple[tuple[int, ...], ...]
    still_open: tuple[tuple[int, ...], ...]  # tables of earlier rounds that had not ended: round from 0, number in it
    out: tuple[int, ...]  # who was disqualified


class RunEnd(Struct, frozen=True):
    """The clean end of a run, and the number of games in the store then."""

    at: str  # in UTC
    games: int


class TournamentEnd(Struct, frozen=True):
    """Why a tournament is over: all rounds of its format were played, or a verdict came before that."""

    why: str  # the verdict, or the order in which the format ranks the bots
    is_complete: bool


class RunStart(Struct, frozen=True):
    """The start of a run: time, games stored and in total then, versions, the level of the sandbox."""

    began: str  # in UTC
    played: int
    total: int | None  # None: it depends on how the games end
    pitboss: str  # versions
    python: str
    platform: str
    sandbox: str


def void_game(game_id: int, cause: str, message: str) -> VoidGame:
    """Return a void game with the current time."""
    return VoidGame(game_id, utc_now(), cause, message)


def utc_now() -> str:
    """Return the current time as a store keeps it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def unpack_log(seat: int, errors: bytes, wire: bytes) -> StoredLog:
    """Return a stored log.

    Raises:
        zlib.error: it is damaged.
    """
    return StoredLog(seat, decompress_text(errors), decompress_text(wire))


def split_wire(log: StoredLog) -> list[str]:
    """Return the lines of the wire; bytes that are not UTF-8 are escaped."""
    return decode_text(log.wire).removesuffix("\n").split("\n") if log.wire else []
