"""The finished games of a league: lists, results, records and logs, each for who may see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.records.record import Incident, Record, dumps
from pitboss_tournament.exchange.export import record_line
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.host_paths import make_shortener, shorten_log, shorten_record
from pitboss_tournament.league.own_games import GameRecords, IsWanted, MaySee, find_withholding
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import StoredLog
from pitboss_tournament.store.store import MAX_ID, Store

GAMES_A_PAGE: Final = 50
GAMES_SCANNED: Final = 20_000  # for those of one bot, at a time
RECORDS_AT_ONCE: Final = 1_000  # games of a download
RECORDS_BYTES: Final = 16 << 20  # of a download
MAX_DOWNLOADS: Final = 8  # that wait for one another
READ_SECONDS_AT_MOST: Final = 10.0  # of computing

T = TypeVar("T")


class GamePage(NamedTuple):
    """Some games, the latest first; `header` is None if none has been played."""

    header: Header | None
    results: list[GameResult]
    before: int | None  # earlier ones have numbers below this; None: there are none
    shown: frozenset[int]  # those of which the deal is over: their cards may be shown to whoever may see them


class ArchivedGame(NamedTuple):
    """A finished game."""

    header: Header
    result: GameResult
    record: Record
    logs: list[StoredLog]
    is_block_over: bool  # no game of its deal is still to be played: before, its cards are those of a game in play

    @property
    def owners(self) -> list[str]:
        """The owners of its bots, by seat."""
        return [self.header.entries[seat.entrant].about.owner for seat in self.result.seats]

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
        self._downloads = trio.CapacityLimiter(1)

    async def list_games(self, before: int | None, make_test: Callable[[Header], IsWanted] | None) -> GamePage:
        """Return the latest games, those below a number and of those that pass a test if these are given.

        Raises:
            PitbossError: the store cannot be read.
        """

        def read(store: Store) -> GamePage:
            is_wanted = None if make_test is None else make_test(store.header)
            found, end = _scan(store, before, is_wanted, GAMES_A_PAGE)
            return GamePage(store.header, found, end, _find_shown(store, found))

        return await self._read(read) or GamePage(None, [], None, frozenset())

    async def list_deal(self, game: int, make_test: Callable[[Header], IsWanted]) -> GamePage:
        """Return the games of the deal of a game that pass a test, the latest first; none if there is no such game."""

        def read(store: Store) -> GamePage:
            is_wanted = make_test(store.header)
            found = [one for one in _list_block(store, game) if is_wanted(one)][::-1]
            return GamePage(store.header, found, None, _find_shown(store, found))

        return (await self._read(read) if game <= MAX_ID else None) or GamePage(None, [], None, frozenset())

    async def read_records(
        self,
        game: AnyGame,
        before: int | None,
        deal: int | None,
        make_test: Callable[[Header], IsWanted],
        may_see: MaySee,
        *,
        shows_logs: bool = True,
    ) -> GameRecords:
        """Return the records of the latest games that pass a test, without what is not of the bots that are seen.

        Games of a deal that is still played are left out. `deal`: the number of a game of the deal that is meant.

        Raises:
            PitbossError: the store cannot be read.
        """

        def read(store: Store) -> GameRecords:
            if why := find_withholding(store.header, game):
                return GameRecords(b"", 0, None, why)
            is_wanted = make_test(store.header)
            most = (RECORDS_AT_ONCE, RECORDS_BYTES)
            found, end = collect_own_records(store, before, deal, is_wanted, may_see, *most, shows_logs=shows_logs)
            lines = [record_line(number, record).encode() + b"\n" for number, record in found]
            return GameRecords(b"".join(lines), len(lines), end)

        return await self._read(read, self._downloads) or GameRecords(b"", 0, None)

    @property
    def is_crowded(self) -> bool:
        """Whether too many downloads wait already."""
        return self._downloads.statistics().tasks_waiting >= MAX_DOWNLOADS

    async def find_game(self, number: int) -> ArchivedGame:
        """Return a game.

        Raises:
            ConfigError: there is none of this number.
            PitbossError: the store cannot be read.
        """

        def read(store: Store) -> ArchivedGame:
            record = store.record(number)
            [result] = islice(store.results(first=number), 1)
            is_over = _is_deal_over(store, result)
            shorten = make_shortener(self._path.parent)
            logs = [shorten_log(log, shorten) for log in store.logs(number)]
            return ArchivedGame(store.header, result, shorten_record(record, shorten), logs, is_over)

        found = await self._read(read) if number <= MAX_ID else None
        if found is None:
            raise ConfigError(f"there is no game {number}")
        return found

    def _name_owners(self, header: Header) -> Header:
        """Return a header whose entries have the owners of today: a bot may have been handed over since it played."""
        owners = {(one.bot, one.version): one.owner for one in self._book.submissions()}
        entries = [
            replace(entry, about=replace(entry.about, owner=owners.get((entry.name, entry.version), entry.about.owner)))
            for entry in header.entries
        ]
        return replace(header, entries=entries)

    async def _read(self, work: Callable[[Store], T], limiter: trio.CapacityLimiter | None = None) -> T | None:
        """Return what is read of the store; None if it has no tournament."""

        def run() -> T | None:
            if not has_tournament(self._path):
                return None
            with closing(Store(self._path, READ_SECONDS_AT_MOST)) as store:
                store.header = self._name_owners(store.header)
                return work(store)

        return await trio.to_thread.run_sync(run, limiter=limiter or self._readers)


def collect_own_records(
    store: Store,
    before: int | None,
    deal: int | None,
    is_wanted: IsWanted,
    may_see: MaySee,
    most: int,
    most_bytes: int,
    *,
    shows_logs: bool = True,
) -> tuple[list[tuple[int, Record]], int | None]:
    """Return the records of the latest games that are wanted, the earliest first, and below which number others are.

    Games of a deal that is still played are left out, and so is what is of the bots of others, and without
    `shows_logs` the evidence of faults.
    """
    shorten = make_shortener(store.path.parent)
    if deal is None:
        found, end = _scan(store, before, is_wanted, most)
    else:
        found, end = [one for one in _list_block(store, deal) if is_wanted(one)][::-1], None
    shown, records, size = _find_shown(store, found), list[tuple[int, Record]](), 0
    for result in found:
        if result.game_id not in shown:
            continue
        owners = [store.header.entries[seat.entrant].about.owner for seat in result.seats]
        seats = [seat for seat, owner in enumerate(owners) if may_see(owner)]
        record = shorten_record(hide_thoughts(store.record(result.game_id), seats), shorten)
        record = record if shows_logs else hide_evidence(record)
        size += len(dumps(record))
        if records and size > most_bytes:
            end = result.game_id + 1
            break
        records.append((result.game_id, record))
    return records[::-1], end


def _scan(
    store: Store, before: int | None, is_wanted: IsWanted | None, most: int
) -> tuple[list[GameResult], int | None]:
    """Return the latest games that are wanted, and the number below which no game was scanned; None: all were."""
    found: list[GameResult] = []
    last, scanned = 0, 0
    for result in islice(store.latest_results(before), GAMES_SCANNED):
        last, scanned = result.game_id, scanned + 1
        if is_wanted is None or is_wanted(result):
            found.append(result)
            if len(found) == most:
                break
    is_end = scanned < GAMES_SCANNED and len(found) < most
    return found, None if is_end or not last else last


def _list_block(store: Store, number: int) -> list[GameResult]:
    """Return the games of the deal of a game, as far as they are played; none if there is no such game."""
    result = next(islice(store.results(with_times=False, first=number), 1), None)
    if result is None or result.game_id != number:
        return []
    first = max(0, number - result.rotation)
    return [
        one
        for one in islice(store.results(with_times=False, first=first), store.header.block_size)
        if (one.pairing, one.deal) == (result.pairing, result.deal)
    ]


def _find_shown(store: Store, results: Sequence[GameResult]) -> frozenset[int]:
    """Return the numbers of the games of which the deal is over."""
    known: dict[tuple[int, int], bool] = {}
    for one in results:
        if (one.pairing, one.deal) not in known:
            known[one.pairing, one.deal] = _is_deal_over(store, one)
    return frozenset(one.game_id for one in results if known[one.pairing, one.deal])


def _is_deal_over(store: Store, result: GameResult) -> bool:
    """Whether no game of a deal is still to be played."""
    if store.header.same_deals and not _is_round_over(store, result.game_id):
        return False
    return len(_list_block(store, result.game_id)) == store.header.block_size or _was_given_up(store, result)


def _is_round_over(store: Store, game: int) -> bool:
    """Whether all tables of the round of a game have ended, which were dealt the same cards."""
    opened = None
    for one in store.rounds.read():
        if one.first_game <= game:
            opened = one
        elif opened is not None and all(number != opened.number - 1 for number, _ in one.still_open):
            return True
    if opened is None:
        return True
    games = len(opened.tables) * opened.deals * store.header.block_size
    end = opened.first_game + games
    return sum(one < end for one in islice(store.game_ids(opened.first_game), games)) == games


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


def hide_evidence(record: Record) -> Record:
    """Return a record without the lines of the wire and of standard error in its faults."""
    return replace(record, incidents=[Incident(fault=one.fault, us=one.us) for one in record.incidents])


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
