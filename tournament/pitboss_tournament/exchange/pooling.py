"""Stores that no tournament played: several merged into one, and games that were imported.

They have no schedule: nothing is played into them, and no round can be told. All else is as in any store.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import asdict, replace

from pitboss.errors import ConfigError
from pitboss.loadouts import LOADOUTS, open_loadouts
from pitboss.protocol.messages import Clock
from pitboss.records.notation import NotedGame
from pitboss.records.record import Record
from pitboss_tournament.formats.table_sets import table_number
from pitboss_tournament.plan.plan import (
    LOADOUT_SIGN,
    SANDBOX_LEVELS,
    BroughtLoadout,
    FormatChoice,
    Roster,
    name_version,
    pack_loadout,
)
from pitboss_tournament.plan.settings import ClockTable
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.statistics.scoring import GameResult, score_game
from pitboss_tournament.store.field_changes import find_bot_changes
from pitboss_tournament.store.header import (
    IMPORTED,
    MERGED,
    MERGED_STORES,
    Entry,
    Header,
    HeaderRow,
    OwnSettings,
    add_later_options,
    find_changes,
)
from pitboss_tournament.store.rows import VoidGame
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.differences import join_differences

MAX_GAMES_AT_ONCE: Final = 1_000  # in memory
_OF_EACH: Final = frozenset(
    {"seed", "deals", "format", "same_deals", "given_deals", "sandbox"}
)  # that stores may have, each its own
_NO_DEALS: Final = {"deals": 1, "given_deals": None}  # of a store without a schedule


class _PooledGame(NamedTuple):
    """A game for a store that is made of others."""

    result: GameResult
    record: Record
    logs: Sequence[SeatLog] = ()


@contextmanager
def open_pooled(paths: Sequence[Path]) -> Iterator[Store]:
    """Context manager: a store, or several as one, which is gone afterwards.

    Raises:
        ConfigError, StoreError: one cannot be read, or they cannot be pooled.
    """
    if len(paths) == 1:
        yield Store(paths[0])
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-pooled-") as folder:
        path = Path(folder) / "pooled.pitboss"
        merge_stores(paths, path)
        with closing(Store(path)) as store:
            yield store


def group_by_game(paths: Sequence[Path]) -> list[list[Path]]:
    """Return the stores of one game, its options and its number of seats together, in the order of the first of each.

    Raises:
        StoreError: one cannot be read.
    """
    groups: list[tuple[Header, list[Path]]] = []
    for path in paths:
        with closing(Store(path)) as store:
            header = store.header
        own = next((own for first, own in groups if _is_one_game(first, header)), None)
        if own is None:
            groups.append((header, [path]))
        else:
            own.append(path)
    return [own for _, own in groups]


def _is_one_game(one: Header, other: Header) -> bool:
    if (one.game, one.seats) != (other.game, other.seats):
        return False
    return add_later_options(one, one.options) == add_later_options(other, other.options)


def merge_stores(paths: Sequence[Path], target: Path) -> None:
    """Write the games of some stores into a new one. Versions of a bot stay apart; their deals are those of all.

    How many stores there would be may have followed from their results: the number of games is open (`open_length`).

    Raises:
        ConfigError: they are of different games, options or clocks, or share games.
        StoreError: one cannot be read or written.
    """
    stores = [Store(path) for path in paths]
    for store in stores[1:]:
        _check_poolable(stores[0], store)
    entries, numbers = _pool_entries([store.header for store in stores])
    total = sum(store.count_games() for store in stores)
    merging = _Merging(entries)
    levels = {run.sandbox for store in stores for run in store.runs()} | {store.header.sandbox for store in stores}
    header = _make_header(
        replace(stores[0].header.row, sandbox=next(one for one in reversed(SANDBOX_LEVELS) if one in levels)),
        FormatChoice(
            name=MERGED,
            options={MERGED_STORES: sum(store.header.count_stores() or 1 for store in stores)},
            may_grow=all(store.header.format.may_grow for store in stores),
        ),
        entries,
        seed=" + ".join(dict.fromkeys(store.header.seed for store in stores)),
    )
    with closing(Store.for_run(target, header)) as pooled:
        pooled.begin_run(0, total)
        for store, numbered in zip(stores, numbers, strict=True):
            merging.begin_store(store, numbered)
            _add_games(pooled, merging.list_games())
            pooled.add_voids(merging.list_voids())
            if luck := merging.list_luck():
                pooled.kept.add_luck(luck)
        free = pooled.count_games()
        for store, moved in zip(stores, merging.moved, strict=True):
            free = pooled.calls.copy_from(store.calls, moved.games, moved.bots, free)
        pooled.record_run_end()


def store_games(games: Iterable[NotedGame], target: Path, logs: Sequence[Sequence[SeatLog]] = ()) -> int:
    """Write games that were not played here into a new store, with the logs of each, if there are any; return how many.

    Games with one seed and the same players are one block if all are, each in as many orders.

    Raises:
        ConfigError: there are none, or they are of different games or options.
    """
    records = [game.record for game in games]
    if not records:
        raise ConfigError("there is no game")
    first, names = records[0], list(dict.fromkeys(name for record in records for name in record.players))
    for record in records:
        for key in ("game", "game_version", "options"):
            was, found = open_loadouts(getattr(first, key)), open_loadouts(getattr(record, key))
            if found != was:
                raise ConfigError(f"a store has games of one kind: {key} is {was!r}, and in another game {found!r}")
        if len(record.players) != len(first.players) or len(set(record.players)) < len(record.players):
            raise ConfigError(f"a store has tables of one size, and no player twice: {', '.join(record.players)}")
    block_games = _count_block_games(records)
    row = HeaderRow(
        game=first.game,
        game_version=first.game_version,
        options=open_loadouts(first.options),
        seats=len(first.players),
        seed=first.seed,
        deals=1,
        clock=Clock(**asdict(ClockTable())),
        pitboss_version="",
        block_games=block_games,
    )
    brought = _find_brought(records)
    entries = [Entry(name=name, command=(), own=OwnSettings(loadout=brought.get(name))) for name in names]
    header = _make_header(row, FormatChoice(name=IMPORTED), entries, seed=first.seed)
    rotations, deals = Counter[tuple[int, str]](), defaultdict[int, dict[str, int]](dict)
    stored: list[_PooledGame] = []
    for number, record in enumerate(records):
        entrants = tuple(names.index(name) for name in record.players)
        pairing = table_number(tuple(sorted(entrants)))
        key = record.seed if block_games > 1 else f"{number}"
        deal = deals[pairing].setdefault(key, len(deals[pairing]))
        result = GameResult(number, pairing, deal, rotations[pairing, key], score_game(record, entrants))
        rotations[pairing, key] += 1
        stored.append(_PooledGame(result, record, logs[number] if logs else ()))
    with closing(Store.for_run(target, header)) as made:
        _add_games(made, stored)
    return len(stored)


def _find_brought(records: Sequence[Record]) -> dict[str, BroughtLoadout]:
    """Return, by name, the loadouts of players who bring the same one to each game."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for record in records:
        loadouts = record.options.get(LOADOUTS) if isinstance(record.options, dict) else None
        for name, loadout in zip(record.players, loadouts or [], strict=False):
            found[name].add(pack_loadout("", loadout).text)
    return {
        name: BroughtLoadout(name=name.rpartition(LOADOUT_SIGN)[2], text=text)
        for name, texts in found.items()
        for text in texts
        if len(texts) == 1 and text != "null"
    }


def _count_block_games(records: Sequence[Record]) -> int:
    """Return how many games a block has: those with one seed and the same players, if each block has as many."""
    sizes = Counter((record.seed, tuple(sorted(record.players))) for record in records)
    found = set(sizes.values())
    return found.pop() if len(found) == 1 else 1


def _make_header(row: HeaderRow, chosen: FormatChoice, entries: list[Entry], seed: str) -> Header:
    """Return the header of a store without a schedule."""
    settings = {name: getattr(row, name) for name in HeaderRow.__struct_fields__}
    roster = Roster(first_round=1, entries=tuple(range(len(entries))), deals=1)
    return Header(
        **{**settings, "format": chosen, "seed": seed, "stop": None, "lexicographic": 0, **_NO_DEALS},
        entries=entries,
        rosters=(roster,),
    )


def _check_poolable(one: Store, other: Store) -> None:
    """Check that two stores are of one game, options and clock.

    Raises:
        ConfigError: they are not.
    """
    kept = {name: getattr(one.header, name) for name in _OF_EACH}
    found = find_changes(one.header, replace(other.header, **kept))
    if found:
        raise ConfigError(f"{one.path} and {other.path} cannot be pooled ({join_differences(found)})")


def _pool_entries(headers: Sequence[Header]) -> tuple[list[Entry], list[list[int]]]:
    """Return the entries of all headers, each version once, and by header the numbers that its entries get."""
    entries, numbers = list[Entry](), list[list[int]]()
    for header in headers:
        numbered: list[int] = []
        for own in header.entries:
            versions = [number for number, entry in enumerate(entries) if entry.name == own.name]
            same = next((number for number in versions if not find_bot_changes(entries[number], own)), None)
            if same is None:
                same = len(entries)
                version = 1 + max((entries[number].version for number in versions), default=0)
                entries.append(replace(own, version=version))
            elif own.left is None:
                entries[same] = replace(entries[same], left=None, why=None)
            numbered.append(same)
        numbers.append(numbered)
    return entries, numbers


class _Moved(NamedTuple):
    """What has become of a store: the new numbers of its games, and the new names of its bots in records."""

    games: dict[int, int]
    bots: dict[str, str]


class _Merging:
    """Games on their way into a store: they get its numbers, and the deals of a table follow those it has there."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._bots = [name_version(entry.name, entry.version) for entry in entries]
        self._deals_before: dict[int, int] = {}  # of the stores before, by table
        self._deals: dict[int, int] = {}  # with those of this store
        self._first_game = 0
        self._seen: dict[tuple[str, tuple[str, ...]], tuple[int, str]] = {}  # store and place, by seed and players
        self.moved: list[_Moved] = []  # the stores that were begun

    def begin_store(self, store: Store, numbers: Sequence[int]) -> None:
        """Take up a store whose entries get these numbers."""
        self._store, self._numbers = store, numbers
        self._deals_before = dict(self._deals)
        self._ids: dict[int, int] = {}
        bots = zip(store.header.bots, numbers, strict=True)
        self.moved.append(_Moved(self._ids, {bot: self._bots[number] for bot, number in bots}))

    def list_games(self) -> Iterator[_PooledGame]:
        """Yield its games.

        Raises:
            ConfigError: an earlier store has one of them.
        """
        logs = _LogReader(self._store)
        for result, (number, record) in zip(self._store.results(), self._store.records(), strict=True):
            seats = tuple(replace(seat, entrant=self._numbers[seat.entrant]) for seat in result.seats)
            entrants = tuple(seat.entrant for seat in seats)
            players = [self._bots[entrant] for entrant in entrants]
            place = f"{self._store.path}, game {number}"
            begun, other = self._seen.setdefault((record.seed, tuple(players)), (len(self.moved), place))
            if begun != len(self.moved):
                raise ConfigError(f"{place}, is also {other}: stores that share games cannot be pooled")
            pairing = table_number(tuple(sorted(entrants)))
            deal = self._deals_before.get(pairing, 0) + result.deal
            self._deals[pairing] = max(self._deals.get(pairing, 0), deal + 1)
            self._ids[number] = self._first_game
            moved = replace(result, game_id=self._first_game, pairing=pairing, deal=deal, seats=seats)
            self._first_game += 1
            yield _PooledGame(moved, replace(record, players=players), logs.take(number))

    def list_voids(self) -> list[VoidGame]:
        """Return the void games that were played again."""
        voids = self._store.voids()
        return [replace(void, game_id=self._ids[void.game_id]) for void in voids if void.game_id in self._ids]

    def list_luck(self) -> list[tuple[int, list[list[float]]]]:
        """Return the luck of its games."""
        return [(self._ids[number], luck) for number, luck in self._store.kept.luck().items() if number in self._ids]


class _LogReader:
    """The logs of a store, read once along its games."""

    def __init__(self, store: Store) -> None:
        self._groups = groupby(store.raw_logs(), key=lambda row: row[0])
        self._next = next(self._groups, None)

    def take(self, game: int) -> list[SeatLog]:
        """Return the logs of a game; games are asked for in ascending order."""
        found: list[SeatLog] = []
        while self._next is not None and self._next[0] <= game:
            if self._next[0] == game:
                found = [SeatLog(*row[1:]) for row in self._next[1]]
            self._next = next(self._groups, None)
        return found


def _add_games(store: Store, games: Iterable[_PooledGame]) -> None:
    left = iter(games)
    while some := list(islice(left, MAX_GAMES_AT_ONCE)):
        store.add((game.result, store.packer.pack(game.record), game.logs) for game in some)
