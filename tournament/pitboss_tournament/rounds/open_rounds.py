"""The rounds of a tournament that are open: their tables, and the numbers of their games. No I/O.

Games of a round are numbered by (deal, table, order), after the last game of the round before. So a game's number gives
its round, deal, table and order.

A table plays its deals in batches, and the bots of a batch have processes of their own, one for each seat in which
they sit. A batch has a run of orders in which no bot has a seat twice (`SeatDesign.runs`): one order, if it is the same
in all deals. So no process meets a deal twice. Where a table has few deals at a time, a batch is of a *tile* of tables
(`formats/table_sets`), each with deals of its own: each process serves its seat at several tables, and plays about as
many games as those of a table with many deals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain
from math import ceil, floor
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets, find_tile, table_number, tile_tables
from pitboss_tournament.plan.seating import SeatDesign
from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame, split_by_order

BATCH_DEALS: Final = 20  # deals per batch: small enough that blocks fill early, large enough that processes live long
BATCH_GROWTH: Final = 4  # a batch has then a quarter of the deals before it, up to BATCH_DEALS
MAX_TILE_GAMES: Final = 400  # of a batch of several tables
MIN_TILES: Final = 32  # batches of the tables that take turns: workers shall end at about the same time


class OpenRound(Struct, frozen=True):
    """A round that is open."""

    first_game: int
    tables: Sequence[TableEntrants]
    deals_before: Sequence[int]  # by table: deals that its pairing has played before; empty: none has
    deals: int
    wanted: int  # of these deals: a tournament may become shorter


class TablePlace(NamedTuple):
    """A table of a tournament."""

    round: int  # from 0
    number: int  # in the round


class GamePlace(NamedTuple):
    """Which game of a table a game is."""

    table: TablePlace
    deal: int  # in the round
    rotation: int


class OpenRounds:
    """Rounds that are open, by number from 0."""

    def __init__(
        self,
        design: SeatDesign,
        lexicographic: int,
        first_batch: int,
        *,
        by_deals: bool,
        has_tiles: bool,
        has_waiting: bool = True,
        tables_per_bot: int = 1,
        is_even: bool = False,
    ) -> None:
        """Begin without a round. Deals are played in the orders of the design.

        `first_batch`: deals of a table before the next one's turn, at first. `by_deals`: of several rounds those tables
        come first that have played less; otherwise those of the earlier round. `has_tiles`: a batch may be of several
        tables. `has_waiting`: its bots may have processes that wait for games in other seats. `tables_per_bot`: games
        of a batch that may be in play at once, so that it has as many deals. `is_even`: the tables of a round take
        turns in an order in which all bots have played about as often at any moment.
        """
        self._design = design
        self._block_games = design.block_games
        self._lexicographic = lexicographic
        self._first_batch = max(first_batch, tables_per_bot) if tables_per_bot > 1 else first_batch
        self._batch_deals = max(BATCH_DEALS, tables_per_bot)
        self._by_deals = by_deals
        self._has_tiles = has_tiles
        self._has_waiting = has_waiting
        self._is_even = is_even
        self._rounds: dict[int, OpenRound] = {}
        self._starts: list[tuple[int, int]] = []  # the first game and the number of each round, ascending

    def __iter__(self) -> Iterator[OpenRound]:
        return iter(self._rounds.values())

    def __contains__(self, number: int) -> bool:
        return number in self._rounds

    def __getitem__(self, number: int) -> OpenRound:
        return self._rounds[number]

    @property
    def first_game(self) -> int | None:
        """The first game of the earliest round; None if none is open."""
        return self._starts[0][0] if self._starts else None

    def add(self, number: int, opened: OpenRound) -> None:
        """Open a round, the latest so far."""
        self._rounds[number] = opened
        self._starts.append((opened.first_game, number))

    def close(self, number: int) -> None:
        """Close a round."""
        self._starts.remove((self._rounds.pop(number).first_game, number))

    def count_games(self, opened: OpenRound) -> int:
        """Return the number of games of a round."""
        return len(opened.tables) * opened.deals * self._block_games

    def has_game(self, game_id: int) -> bool:
        """Whether a game is of a round that is open, and among the deals that are wanted."""
        found = self._find(game_id)
        return found is not None and found.deal < self._rounds[found.table.round].wanted

    def find_place(self, game_id: int) -> GamePlace:
        """Return where a game of an open round is.

        Raises:
            ConfigError: its round is not open.
        """
        found = self._find(game_id)
        if found is None:
            raise ConfigError(f"game {game_id} belongs to no open round")
        return found

    def list_tables(self, games: Iterable[int]) -> set[TablePlace]:
        """Return the tables of some games; those of a round that is closed have none.

        A worker may hold a game for a moment after its table, and so its round, has ended.
        """
        return {found.table for found in map(self._find, games) if found is not None}

    def number_game(self, place: GamePlace) -> int:
        """Return the number of a game of an open round."""
        played = self._rounds[place.table.round]
        table = place.deal * len(played.tables) + place.table.number
        return played.first_game + table * self._block_games + place.rotation

    def entrants_at(self, table: TablePlace) -> TableEntrants:
        """Return the entrants at a table."""
        return self._rounds[table.round].tables[table.number]

    def build_game(self, place: GamePlace) -> ScheduledGame:
        """Return a game of an open round."""
        return self._build_games(place.table, range(place.deal, place.deal + 1), [place.rotation])[0]

    def build_batches(self, tables: Iterable[TablePlace], deals: range) -> Iterator[GameBatch]:
        """Yield deals of tables as batches: one for each run of orders."""
        listed = list(tables)
        for run in self._design.runs if listed else ():
            batch = self._build_batch(listed, deals, run)
            yield from (batch,) if self._has_waiting else split_by_order(batch)

    def find_greetings(self, game_id: int) -> list[int]:
        """Return, by seat, the game of an open round with which the bot's process began if it was not disturbed."""
        place = self.find_place(game_id)
        number, tables = place.table.round, self._rounds[place.table.round].tables
        deals = next(deals for deals in self._deal_batches(self._rounds[number]) if place.deal in deals)
        tile = find_tile(tables, self._choose_width(number, deals), place.table.number)
        run = next(run for run in self._design.runs if place.rotation in run)
        begun: dict[tuple[int, int], int] = {}
        seated = self.build_game(place).entrants
        for game in self._build_batch([TablePlace(number, table) for table in tile], deals, run):
            for seat, entrant in enumerate(game.entrants if self._has_waiting or game.entrants == seated else ()):
                begun.setdefault((seat, entrant), game.game_id)
        return [begun[key] for key in enumerate(seated)]

    def iter_deals(self) -> Iterator[tuple[TablePlace, range]]:
        """Yield the tables with the deals that each plays next, in the order of the schedule."""
        for number, deals in self._iter_turns(0):
            tables = self._rounds[number].tables
            order = chain.from_iterable(tile_tables(tables, 1, is_even=True)) if self._is_even else range(len(tables))
            for table in order:
                yield TablePlace(number, table), deals

    def iter_tiles(self, first_round: int = 0) -> Iterator[tuple[Sequence[TablePlace], range]]:
        """Yield the tables of the rounds from one on with the deals that they play next, in the order of play.

        Those that share processes are yielded together.
        """
        for number, deals in self._iter_turns(first_round):
            width = self._choose_width(number, deals)
            for tile in tile_tables(self._rounds[number].tables, width, is_even=self._is_even):
                yield [TablePlace(number, table) for table in tile], deals

    def _iter_turns(self, first_round: int) -> Iterator[tuple[int, range]]:
        """Yield rounds with the deals that their tables play next."""
        rounds = [number for number in self._rounds if number >= first_round]
        for _, number, deals in merge(*(self._round_batches(number) for number in rounds)):
            yield number, deals

    def _choose_width(self, number: int, deals: range) -> int:
        """Return how many neighbours among the bots make a group of a tile; 1: each table is a tile."""
        tables, seats = self._rounds[number].tables, self._design.seats
        if not self._has_tiles or len(deals) >= BATCH_DEALS:
            return 1
        enough = ceil(_find_root(BATCH_DEALS / len(deals), seats - 1))
        runs = self._design.runs
        most = floor(_find_root(MAX_TILE_GAMES / len(deals) / len(runs[0]), seats))
        lively = floor(_find_root(len(tables) * len(runs) / MIN_TILES, seats))
        return max(1, min(enough, most, lively))

    def _find(self, game_id: int) -> GamePlace | None:
        index = bisect_right(self._starts, game_id, key=lambda start: start[0]) - 1
        if index < 0:
            return None
        number = self._starts[index][1]
        played = self._rounds[number]
        block, rotation = divmod(game_id - played.first_game, self._block_games)
        deal, table = divmod(block, len(played.tables))
        return GamePlace(TablePlace(number, table), deal, rotation) if deal < played.deals else None

    def _build_batch(self, tables: Iterable[TablePlace], deals: range, run: range) -> GameBatch:
        """Return the games of a run of orders, table by table, so that a block is complete early."""
        return tuple([game for table in tables for game in self._build_games(table, deals, run)])

    def _build_games(self, table: TablePlace, deals: range, rotations: Sequence[int]) -> GameBatch:
        """Return the games of a table's deals in these orders, deal by deal."""
        played = self._rounds[table.round]
        entrants = played.tables[table.number]
        pairing = table_number(entrants, self._lexicographic)
        first = self.number_game(GamePlace(table, 0, 0))
        step = len(played.tables) * self._block_games
        before = played.deals_before[table.number] if played.deals_before else 0
        seatings = self._list_seatings(entrants, pairing, range(before + deals.start, before + deals.stop), rotations)
        return tuple(
            [
                ScheduledGame(
                    game_id=first + deal * step + rotation,
                    pairing=pairing,
                    deal=before + deal,
                    rotation=rotation,
                    entrants=seated,
                    common_deal=f"{table.round + 1}.{deal}",
                )
                for deal, by_order in zip(deals, seatings, strict=True)
                for rotation, seated in zip(rotations, by_order, strict=True)
            ]
        )

    def _list_seatings(
        self, entrants: TableEntrants, pairing: int, deals: range, rotations: Sequence[int]
    ) -> list[list[TableEntrants]]:
        """Return by deal who sits where, by seat, in each of these orders."""
        period, found = self._design.period, {}
        for deal in deals[:period]:
            orders = self._design.list_orders(pairing, deal)
            found[deal % period] = [tuple([entrants[place] for place in orders[rotation]]) for rotation in rotations]
        return [found[deal % period] for deal in deals]

    def _round_batches(self, number: int) -> Iterator[tuple[tuple[int, int], int, range]]:
        """Yield the deals of a table in a round, batch by batch, each after its rank and the round."""
        played = self._rounds[number]
        before = played.deals_before[0] if self._by_deals and played.deals_before else 0
        for deals in self._deal_batches(played):
            rank = before + deals.start
            yield (rank, number) if self._by_deals else (number, rank), number, deals

    def _deal_batches(self, played: OpenRound) -> Iterator[range]:
        """Yield the deals of a table in a round, batch by batch.

        Tables take turns after each batch. So the smaller batches are, the less is played beyond what a verdict needs.
        """
        first = 0
        while first < played.wanted:
            small = max(self._first_batch, first // BATCH_GROWTH)
            after = first + min(small, self._batch_deals)
            yield range(first, min(after, played.wanted))
            first = after


def _find_root(value: float, degree: int) -> float:
    return round(float(value ** (1 / degree)), 9)


def count_within(tables: Sequence[TableEntrants], bots: set[int]) -> int:
    """Return the number of tables that have none but some of these bots."""
    return tables.count_within(bots) if isinstance(tables, TableSets) else sum(map(bots.issuperset, tables))
