"""The finished games of a league: lists, results, records and logs, each for who may see it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.records.record import Incident, Record
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.host_paths import make_shortener, shorten_log, shorten_record
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import StoredLog
from pitboss_tournament.store.store import MAX_ID, Store

GAMES_A_PAGE: Final = 50
GAMES_SCANNED: Final = 20_000  # for those of one bot, at a time
READ_SECONDS_AT_MOST: Final = 10.0  # of computing

T = TypeVar("T")


class GamePage(NamedTuple):
    """Some games, the latest first; `header` is None if none has been played."""

    header: Header | None
    results: list[GameResult]
    before: int | None  # earlier ones have numbers below this; None: there are none


class ArchivedGame(NamedTuple):
    """A finished game."""

    header: Header
    result: GameResult
    record: Record
    logs: list[StoredLog]
    is_block_over: bool  # no game of its deal is still to be played: before, its cards are those of a game in play
    owners: list[str]  # of its bots, by seat

    @property
    def incidents(self) -> list[Incident]:
        """The faults of its bots."""
        return self.record.incidents


class GameArchive:
    """The games in the store of a league. It is read in one thread at a time."""

    def __init__(self, store: Path, book: Book) -> None:
        self._path = store
        self._book = book
        self._readers = trio.CapacityLimiter(1)

    async def list_games(self, before: int | None, versions: Collection[tuple[str, int]] | None) -> GamePage:
        """Return the latest games, those below a number and of some versions (name and version) if they are given.

        Raises:
            PitbossError: the store cannot be read.
        """

        def read(store: Store) -> GamePage:
            header = store.header
            wanted = None
            if versions is not None:
                wanted = {entry for entry, one in enumerate(header.entries) if (one.name, one.version) in versions}
            found: list[GameResult] = []
            last, scanned = 0, 0
            for result in islice(store.latest_results(before), GAMES_SCANNED):
                last, scanned = result.game_id, scanned + 1
                if wanted is None or any(seat.entrant in wanted for seat in result.seats):
                    found.append(result)
                    if len(found) == GAMES_A_PAGE:
                        break
            is_end = scanned < GAMES_SCANNED and len(found) < GAMES_A_PAGE
            return GamePage(header, found, None if is_end or not last else last)

        return await self._read(read) or GamePage(None, [], None)

    async def find_game(self, number: int) -> ArchivedGame:
        """Return a game.

        Raises:
            ConfigError: there is none of this number.
            PitbossError: the store cannot be read.
        """

        def read(store: Store) -> ArchivedGame:
            record = store.record(number)
            [result] = islice(store.results(first=number), 1)
            size, first = store.header.block_size, number - result.rotation
            block = [
                one
                for one in islice(store.results(with_times=False, first=max(0, first)), size)
                if (one.pairing, one.deal) == (result.pairing, result.deal)
            ]
            is_over = len(block) == size or _was_given_up(store, result)
            owners = {(one.bot, one.version): one.owner for one in self._book.submissions()}
            entries = [store.header.entries[seat.entrant] for seat in result.seats]
            owned = [owners.get((one.name, one.version), one.about.owner) for one in entries]
            shorten = make_shortener(self._path.parent)
            logs = [shorten_log(log, shorten) for log in store.logs(number)]
            return ArchivedGame(store.header, result, shorten_record(record, shorten), logs, is_over, owned)

        found = await self._read(read) if number <= MAX_ID else None
        if found is None:
            raise ConfigError(f"there is no game {number}")
        return found

    async def _read(self, work: Callable[[Store], T]) -> T | None:
        """Return what is read of the store; None if it has no tournament."""

        def run() -> T | None:
            if not has_tournament(self._path):
                return None
            with closing(Store(self._path, READ_SECONDS_AT_MOST)) as store:
                return work(store)

        return await trio.to_thread.run_sync(run, limiter=self._readers)


def _was_given_up(store: Store, result: GameResult) -> bool:
    """Whether the table of a game was closed before all of its games were played, because a bot had left."""
    entries = store.header.entries
    if all(entries[seat.entrant].left is None for seat in result.seats):
        return False
    opened = None
    for one in store.rounds.read():
        if one.first_game <= result.game_id:
            opened = one
        elif opened is not None:
            table = (result.game_id - opened.first_game) // (opened.deals * store.header.block_size)
            if (opened.number - 1, table) not in one.still_open:
                return True
    return False


def hide_thoughts(record: Record, seats: Collection[int]) -> Record:
    """Return a record without notes and policies of the bots in other seats, and the words of their faults."""
    return replace(
        record,
        decisions=[one if one.seat in seats else replace(one, note=None, policy=None) for one in record.decisions],
        incidents=[
            one
            if one.fault.seat in seats
            else Incident(fault=replace(one.fault, message="what was wrong is for its owner"))
            for one in record.incidents
        ],
    )
