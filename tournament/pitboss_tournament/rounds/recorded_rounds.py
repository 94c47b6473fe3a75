"""Rounds that overlap: as they were opened, and where a tournament was right after one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pitboss_tournament.formats.table_sets import TableEntrants
from pitboss_tournament.rounds.open_rounds import OpenRound
from pitboss_tournament.store.rows import RecordedRound


class RoundsState(Struct, frozen=True):
    """Where a tournament whose rounds overlap is, right after a round was opened."""

    rounds_begun: int
    games_end: int
    deals_played: list[tuple[TableEntrants, int]]
    present: list[int]
    known_bots: list[int]
    rounds: list[tuple[int, OpenRound]]  # that are open, by number from 0
    tables: list[tuple[int, int]]  # that are open: round and number
    format_state: bytes  # what the format has kept


class RecordedRounds:
    """The rounds of a store, one after the other; the next one is read when somebody asks for it."""

    def __init__(self, rounds: Iterable[RecordedRound]) -> None:
        self._rounds = iter(rounds)
        self._next: RecordedRound | None = None  # that was looked at, and not taken

    def has_more(self) -> bool:
        """Whether another round is recorded."""
        self._next = self._next or next(self._rounds, None)
        return self._next is not None

    def take(self) -> RecordedRound | None:
        """Return the next round, each once; None if no more is recorded."""
        taken, self._next = (self._next or next(self._rounds, None)), None
        return taken
