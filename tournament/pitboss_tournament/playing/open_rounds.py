"""The rounds of a tournament that are open: their tables, and the numbers of their games. No I/O.

Games of a round are numbered by (deal, table, order), after the last game of the round before. So a game's number gives
its round, deal, table and order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets, table_number
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame

BATCH_DEALS: Final = 20  # deals per batch: small enough that blocks fill early, large enough that processes live long
BATCH_GROWTH: Final = 4  # a batch has then a quarter of the deals before it, up to BATCH_DEALS


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
        self, orders: Sequence[Sequence[int]], lexicographic: int, first_batch: int, *, by_deals: bool
    ) -> None:
        """Begin without a round. Deals are played in these seat orders.

        `first_batch`: deals of a table before the next one's turn, at first. `by_deals`: of several rounds those tables
        come first that have played less; otherwise those of the earlier round.
        """
        self._orders = orders
        self._lexicographic = lexicographic
        self._first_batch = first_batch
        self._by_deals = by_deals
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
        return len(opened.tables) * opened.deals * len(self._orders)

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
            raise ConfigError(f"game {game_id} is of no round that is open")
        return found

    def number_game(self, place: GamePlace) -> int:
        """Return the number of a game of an open round."""
        played = self._rounds[place.table.round]
        table = place.deal * len(played.tables) + place.table.number
        return played.first_game + table * len(self._orders) + place.rotation

    def entrants_at(self, table: TablePlace) -> TableEntrants:
        """Return who is at a table."""
        return self._rounds[table.round].tables[table.number]

    def build_game(self, place: GamePlace) -> ScheduledGame:
        """Return a game of an open round."""
        return self._build_games(place.table, range(place.deal, place.deal + 1), place.rotation)[0]

    def build_batches(self, table: TablePlace, deals: range) -> Iterator[GameBatch]:
        """Yield deals of a table as batches: one in each order."""
        for rotation in range(len(self._orders)):
            yield self._build_games(table, deals, rotation)

    def first_of_batch(self, game_id: int) -> int:
        """Return the first game of the batch that a game of an open round belongs to."""
        place = self.find_place(game_id)
        played = self._rounds[place.table.round]
        batch = next(deals for deals in self._deal_batches(played) if place.deal in deals)
        return game_id - (place.deal - batch.start) * len(played.tables) * len(self._orders)

    def iter_deals(self, first_round: int = 0) -> Iterator[tuple[TablePlace, range]]:
        """Yield the tables of the rounds from one on, with the deals that each plays next, in the order of play."""
        rounds = [number for number in self._rounds if number >= first_round]
        for _, number, deals in merge(*(self._round_batches(number) for number in rounds)):
            for table in range(len(self._rounds[number].tables)):
                yield TablePlace(number, table), deals

    def _find(self, game_id: int) -> GamePlace | None:
        index = bisect_right(self._starts, game_id, key=lambda start: start[0]) - 1
        if index < 0:
            return None
        number = self._starts[index][1]
        played = self._rounds[number]
        block, rotation = divmod(game_id - played.first_game, len(self._orders))
        deal, table = divmod(block, len(played.tables))
        return GamePlace(TablePlace(number, table), deal, rotation) if deal < played.deals else None

    def _build_games(self, table: TablePlace, deals: range, rotation: int) -> GameBatch:
        played = self._rounds[table.round]
        entrants = played.tables[table.number]
        pairing = table_number(entrants, self._lexicographic)
        first = self.number_game(GamePlace(table, 0, rotation))
        step = len(played.tables) * len(self._orders)
        before = played.deals_before[table.number] if played.deals_before else 0
        seated = tuple([entrants[place] for place in self._orders[rotation]])
        return tuple(
            [
                ScheduledGame(
                    game_id=first + deal * step,
                    pairing=pairing,
                    deal=before + deal,
                    rotation=rotation,
                    entrants=seated,
                    common_deal=f"{table.round + 1}.{deal}",
                )
                for deal in deals
            ]
        )

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
            after = first + min(small, BATCH_DEALS)
            yield range(first, min(after, played.wanted))
            first = after


def count_within(tables: Sequence[TableEntrants], bots: set[int]) -> int:
    """Return the number of tables that have none but some of these bots."""
    return tables.count_within(bots) if isinstance(tables, TableSets) else sum(map(bots.issuperset, tables))
