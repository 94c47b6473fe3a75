"""The blocks of the open rounds: a deal of a table in all its orders. No I/O.

Blocks are taken in the order of the schedule, each once. The order in which games end plays no part, so that short
games have no more say than long ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitboss.outcome import Sides
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.formats.table_sets import TableEntrants
from pitboss_tournament.rounds.open_rounds import GamePlace, OpenRounds, TablePlace
from pitboss_tournament.statistics.blocks import Block, score_block
from pitboss_tournament.statistics.scoring import GameResult


class RoundBlocks:
    """The results of the open rounds, by table and deal; what is complete is kept as a block, not as results."""

    def __init__(
        self,
        rounds: OpenRounds,
        orders: int,
        sides: Sides | None,
        convert: Callable[[Block], Block] | None = None,
        *,
        forgets: bool,
    ) -> None:
        """Have no results. With `forgets`, a block is not kept any more when it has been taken.

        With `convert`, blocks are taken as it scores them; tables are closed with the games as they were.
        """
        self._rounds = rounds
        self._orders = orders
        self._sides = sides
        self._convert = convert
        self._forgets = forgets
        self._begun: dict[tuple[TablePlace, int], list[GameResult]] = {}
        self._complete: dict[tuple[TablePlace, int], PlayedBlock] = {}
        self._converted: dict[tuple[TablePlace, int], PlayedBlock] = {}  # not taken; empty without `convert`
        self._ahead: Iterator[tuple[TablePlace, int]] = iter(())  # of the open rounds, by deal
        self._next: tuple[TablePlace, int] | None = None  # to be taken
        self._abandoned_tables = set[TableEntrants]()  # those that lack a block, as a bot plays no more

    def begin(self) -> None:
        """Take the blocks of the rounds that are open now, from the first one on."""
        self._ahead = ((table, deal) for table, deals in self._rounds.iter_deals() for deal in deals)
        self._next = next(self._ahead, None)
        self._abandoned_tables.clear()

    def add(self, place: GamePlace, result: GameResult) -> None:
        """Add the result of a game."""
        key = (place.table, place.deal)
        games = self._begun.setdefault(key, [])
        games.append(result)
        if len(games) == self._orders:
            self._complete[key] = score_block(self._begun.pop(key), self._sides)
            if self._convert is not None:
                self._converted[key] = score_block(self._convert(games), self._sides)

    def take_next(self, gone: frozenset[int]) -> PlayedBlock | None:
        """Return the next block; None if it is still open, or was the last one.

        A table that lacks games of a bot that is `gone` has no more blocks from there on.
        """
        while self._next is not None:
            entrants = self._rounds.entrants_at(self._next[0])
            block = self._complete.get(self._next)
            if block is None and gone.isdisjoint(entrants):
                return None
            if block is None:
                self._abandoned_tables.add(entrants)
            elif self._forgets:
                del self._complete[self._next]
            scored = self._converted.pop(self._next, block)
            self._next = next(self._ahead, None)
            if scored is not None and entrants not in self._abandoned_tables:
                return scored
        return None

    def is_complete(self, table: TablePlace) -> bool:
        """Whether all games of a table are there."""
        return all((table, deal) in self._complete for deal in range(self._rounds[table.round].deals))

    def close_table(self, table: TablePlace) -> tuple[PlayedBlock, ...]:
        """Return the complete blocks of a table, and forget it."""
        blocks = []
        for deal in range(self._rounds[table.round].deals):
            self._begun.pop((table, deal), None)
            if (block := self._complete.pop((table, deal), None)) is not None:
                blocks.append(block)
        return tuple(blocks)

    def list_games(self) -> list[int]:
        """Return the games that have been added, ascending."""
        complete = [
            self._rounds.number_game(GamePlace(table, deal, rotation))
            for table, deal in self._complete
            for rotation in range(self._orders)
        ]
        return sorted(complete + [result.game_id for games in self._begun.values() for result in games])
