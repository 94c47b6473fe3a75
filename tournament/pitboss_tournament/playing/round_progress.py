"""Rounds of a tournament and the numbers of their games. No I/O.

Games of a round are numbered by (deal, table, order), after the last game of the round before. The format chooses the
next round from the results of all rounds before. So a game's number gives its round, deal, table and order, and the
games in a store lead to the round that is still to be played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.formats import PlannedRound, PlayedBlock, PlayedRound, PlayedTable
from pitboss_tournament.formats.selection import convert_options, find_format, make_field
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets, combination_number
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.plan.seating import seat_orders
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

BATCH_DEALS: Final = 20  # deals per batch: small enough that blocks fill early, large enough that processes live long
FIRST_BATCH_DEALS: Final = 5  # where a test may stop the tournament at any block
BATCH_GROWTH: Final = 4  # a batch has then a quarter of the deals before it, up to BATCH_DEALS


class FormatPluginError(PitbossError):
    """A format plugin failed, or asked for a round that cannot be played."""


class _OpenRound(NamedTuple):
    """The round that is being played."""

    tables: Sequence[TableEntrants]
    deals_before: Sequence[int]  # by table: deals that its pairing has played before; empty: none has
    deals: int


class _OpenTable(NamedTuple):
    """A table of the open round."""

    number: int
    entrants: TableEntrants
    pairing: int
    deals_before: int


class RoundProgress:
    """The rounds of a tournament. One is open until the format has no more."""

    def __init__(self, tournament: Plan | Header) -> None:
        """Open the first round.

        Raises:
            ConfigError: there is no such format.
            FormatPluginError: the format fails.
        """
        self.rounds_begun = 0
        self.first_game = self.games_end = 0  # games of the open round: from the first to before the end
        self.is_over = False
        self.ranking: Sequence[int] | None = None  # the final order of entrants, if the format ranks them and is over
        self._field = make_field(tournament)
        self._format = find_format(tournament.format.name)
        self._orders = seat_orders(tournament.seating, tournament.seats, tournament.sides)
        self.is_static = self._format.is_static  # there is one round only, known from the start
        self._may_stop = tournament.stop is not None
        options = convert_options(tournament.format, self._format)
        self._expected_games = self._format.count_blocks(self._field, options) * len(self._orders)
        self._round_generator = self._format.rounds(self._field, options)
        self._deals_played = Counter[TableEntrants]()
        self._block_results: dict[tuple[int, int], list[GameResult]] = {}  # of the open round, by table and deal
        self._blocks: dict[tuple[int, int], PlayedBlock] = {}  # complete; in a static format only those not yet taken
        self._blocks_ahead: Iterator[tuple[int, int]] = iter(())  # of the open round, by table and deal
        self._next_block: tuple[int, int] | None = None  # to be taken
        self._abandoned_tables = set[int]()  # those that lack a block, by a disqualification
        self._open_round(None)

    @property
    def total_games(self) -> int:
        """Number of games; while later rounds are unknown, the expected number."""
        return self.games_end if self.is_over or self.is_static else max(self.games_end, self._expected_games)

    def batches(self) -> Iterator[GameBatch]:
        """Yield the games of the open round in the order in which they begin."""
        for number, deals in self._scheduled_deals():
            table = self._open_table(number)
            for rotation in range(len(self._orders)):
                yield tuple([self._build_game(table, deal, rotation) for deal in deals])

    def scheduled_game(self, game_id: int) -> ScheduledGame:
        """Return a game of the open round."""
        deal, number, rotation = self._coordinates(game_id)
        return self._build_game(self._open_table(number), deal, rotation)

    def first_of_batch(self, game_id: int) -> int:
        """Return the first game of the batch that a game of the open round belongs to."""
        deal, _, _ = self._coordinates(game_id)
        batch = next(deals for deals in self._deal_batches() if deal in deals)
        return game_id - (deal - batch.start) * len(self._round.tables) * len(self._orders)

    def add_result(self, result: GameResult) -> None:
        """Add a result of the open round.

        Raises:
            ConfigError: the game of this number has other entrants.
        """
        if self.is_static and not self._may_stop:
            return
        game = self.scheduled_game(result.game_id)
        if game.entrants != tuple(seat.entrant for seat in result.seats):
            raise ConfigError(
                f"game {result.game_id} in the store is not the one that the format {self._format.name!r} has there; "
                "choose another store"
            )
        deal, number, _ = self._coordinates(result.game_id)
        games = self._block_results.setdefault((number, deal), [])
        games.append(result)
        if len(games) == len(self._orders):
            block = score_block(self._block_results.pop((number, deal)), self._field.sides)
            self._blocks[number, deal] = block

    def take_next_block(self, disqualified: frozenset[int]) -> PlayedBlock | None:
        """Return the next block of the schedule, each once; None if it is still open, or was the last of the round.

        The order in which games end plays no part, so that short games have no more say than long ones. A table that
        lacks games of a disqualified bot has no more blocks from there on.
        """
        while self._next_block is not None:
            number, _ = self._next_block
            block = self._blocks.get(self._next_block)
            if block is None and disqualified.isdisjoint(self._round.tables[number]):
                return None
            if block is None:
                self._abandoned_tables.add(number)
            elif self.is_static:
                del self._blocks[self._next_block]
            self._next_block = next(self._blocks_ahead, None)
            if block is not None and number not in self._abandoned_tables:
                return block
        return None

    def advance_to(self, game_id: int, disqualified: Callable[[], frozenset[int]]) -> bool:
        """Advance to the round of `game_id`, which is in the store; False if a static tournament no longer has it.

        Raises:
            ConfigError, FormatPluginError: as `advance_round`.
        """
        while game_id >= self.games_end and not self.is_over and not self.is_static:
            self.advance_round(disqualified())
        if game_id >= self.games_end and not self.is_static:
            raise ConfigError(
                f"the format {self._format.name!r} has no game {game_id}, which is in the store; choose another store"
            )
        return game_id < self.games_end

    def advance_round(self, disqualified: frozenset[int]) -> None:
        """Close the open round and open the next. Only games with disqualified bots may be missing.

        Raises:
            ConfigError: other games are missing.
            FormatPluginError: the format fails.
        """
        if self.is_static:
            self.is_over = True
            return
        tables = []
        for number, table in enumerate(self._round.tables):
            blocks = [self._blocks[number, deal] for deal in range(self._round.deals) if (number, deal) in self._blocks]
            if len(blocks) < self._round.deals and disqualified.isdisjoint(table):
                raise ConfigError(
                    f"round {self.rounds_begun} of the format {self._format.name!r} is not finished, but later games "
                    "are there; choose another store"
                )
            tables.append(PlayedTable(table, tuple(blocks)))
        self._block_results, self._blocks = {}, {}
        self._open_round(PlayedRound(tuple(tables), disqualified))

    def _open_round(self, played: PlayedRound | None) -> None:
        """Ask the format for a round, and open it."""
        self.first_game = self.games_end
        self._round = _OpenRound([], [], 0)
        try:
            asked = next(self._round_generator) if played is None else self._round_generator.send(played)
            tables, deals_before = self._read_tables(asked)
        except StopIteration as end:
            self.is_over, self.ranking = True, end.value
            return
        except FormatPluginError:
            raise
        except Exception as error:
            raise FormatPluginError(
                f"the format {self._format.name!r} broke in round {self.rounds_begun + 1}: "
                f"{type(error).__name__}: {error}"
            ) from error
        self.rounds_begun += 1
        self._round = _OpenRound(tables, deals_before, asked.deals)
        self._blocks_ahead = ((number, deal) for number, deals in self._scheduled_deals() for deal in deals)
        self._next_block = next(self._blocks_ahead, None)
        self._abandoned_tables.clear()
        self.games_end = self.first_game + len(tables) * asked.deals * len(self._orders)

    def _read_tables(self, asked: PlannedRound) -> tuple[Sequence[TableEntrants], Sequence[int]]:
        """Return the tables of a round, and by table the deals that its pairing has played before (empty: none has).

        A static format has no round before, and `TableSets` are right by themselves: no list is made of them.

        Raises:
            FormatPluginError: they cannot be played.
        """
        bots, seats = range(len(self._field.names)), self._field.seats
        tables: Sequence[TableEntrants]
        wrong: list[TableEntrants] = []
        if isinstance(asked.tables, TableSets):
            tables = asked.tables
        else:
            tables = [tuple(sorted(table)) for table in asked.tables]
            wrong = [
                table for table in tables if len(set(table)) != seats or table[0] not in bots or table[-1] not in bots
            ]
        if wrong or not tables or asked.deals < 1:
            what = f"a table {wrong[0]}" if wrong else f"{len(tables)} tables with {asked.deals} deals"
            raise FormatPluginError(
                f"the format {self._format.name!r} asks for {what} in round {self.rounds_begun + 1}; "
                f"a table is {seats} different ones of {len(bots)} bots"
            )
        if self.is_static and tables is asked.tables:
            return tables, ()
        return tables, [self._count_deals(table, asked.deals) for table in tables]

    def _count_deals(self, table: TableEntrants, deals: int) -> int:
        """Count deals of a pairing; return how many it has played before."""
        before = self._deals_played[table]
        self._deals_played[table] += deals
        return before

    def _scheduled_deals(self) -> Iterator[tuple[int, range]]:
        """Yield the tables of the open round, by number, with the deals that each plays next."""
        for deals in self._deal_batches():
            for number in range(len(self._round.tables)):
                yield number, deals

    def _deal_batches(self) -> Iterator[range]:
        """Yield the deals of a table in the open round, batch by batch.

        Tables take turns after each batch. So the smaller batches are, the less is played beyond what a verdict needs.
        """
        first = 0
        while first < self._round.deals:
            small = max(FIRST_BATCH_DEALS, first // BATCH_GROWTH)
            end = first + (min(small, BATCH_DEALS) if self._may_stop else BATCH_DEALS)
            yield range(first, min(end, self._round.deals))
            first = end

    def _coordinates(self, game_id: int) -> tuple[int, int, int]:
        """Return deal, table and order of a game of the open round."""
        block, rotation = divmod(game_id - self.first_game, len(self._orders))
        return *divmod(block, len(self._round.tables)), rotation

    def _open_table(self, number: int) -> _OpenTable:
        entrants, before = self._round.tables[number], self._round.deals_before
        pairing = combination_number(entrants, len(self._field.names))
        return _OpenTable(number, entrants, pairing, before[number] if before else 0)

    def _build_game(self, table: _OpenTable, deal: int, rotation: int) -> ScheduledGame:
        return ScheduledGame(
            game_id=self.first_game + (deal * len(self._round.tables) + table.number) * len(self._orders) + rotation,
            pairing=table.pairing,
            deal=table.deals_before + deal,
            rotation=rotation,
            entrants=tuple([table.entrants[place] for place in self._orders[rotation]]),
        )


def replay_rounds(
    header: Header, results: Iterable[GameResult], until: int | None = None
) -> tuple[RoundProgress, frozenset[int]]:
    """Return the rounds after the stored results, up to that of game `until`, and the entrants disqualified by then.

    The one round of a static format depends on no result, so none is read.

    Raises:
        ConfigError, FormatPluginError: the format is not installed, fails, or asks for other games than those stored.
    """
    progress, standings = RoundProgress(header), header.new_standings()
    for result in () if progress.is_static else results:
        progress.advance_to(result.game_id, standings.disqualified)
        if until is not None and until < progress.games_end:
            break
        progress.add_result(result)
        standings.add(result)
    return progress, standings.disqualified()


def number_rounds(header: Header, results: Iterable[GameResult]) -> Iterator[int | None]:
    """Yield the round of each stored game, from 1; None from where the format does not tell.

    That is if it is not installed here, fails, or asks for other games than those stored.
    """
    results = iter(results)
    try:
        progress, standings = RoundProgress(header), header.new_standings()
        if progress.is_static:
            yield from (1 for _ in results)
        for result in results:
            progress.advance_to(result.game_id, standings.disqualified)
            progress.add_result(result)
            standings.add(result)
            yield progress.rounds_begun
    except PitbossError:
        yield from repeat(None)
