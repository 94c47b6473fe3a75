"""Rounds of a tournament and the numbers of their games. No I/O.

Games of a round are numbered by (deal, table, order), after the last game of the round before. The format chooses the
next round from the results of all rounds before. So a game's number gives its round, deal, table and order, and the
games in a store lead to the round that is still to be played.

The rounds of a static format depend on no result, so all of them are open. Its first one has the tables of the first
roster. Each roster after it makes a *stage*: rounds with the deals that its tables lack, one for tables that have
played equally much. So whoever joins plays what it needs, and nothing is played again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import merge
from typing import Final, TypeVar

from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.formats import PlannedRound, PlayedBlock, PlayedRound, PlayedTable
from pitboss_tournament.formats.selection import convert_options, find_format, make_field
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets, table_number
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.plan.roster import Roster, find_base_name
from pitboss_tournament.plan.seating import seat_orders
from pitboss_tournament.playing.open_rounds import OpenRound, OpenTable, TablePlace, count_within
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

T = TypeVar("T")

BATCH_DEALS: Final = 20  # deals per batch: small enough that blocks fill early, large enough that processes live long
FIRST_BATCH_DEALS: Final = 5  # where a test may stop the tournament at any block; one if the order is by deals
BATCH_GROWTH: Final = 4  # a batch has then a quarter of the deals before it, up to BATCH_DEALS
MAX_CHANGED_TABLES: Final = 1_000_000  # of a field that changes: they are listed


class FormatPluginError(PitbossError):
    """A format plugin failed, or asked for a round that cannot be played."""


class RoundProgress:
    """The rounds of a tournament. One is open until the format has no more, in a static format all are."""

    def __init__(self, tournament: Plan | Header) -> None:
        """Open the first round.

        Raises:
            ConfigError: there is no such format.
            FormatPluginError: the format fails.
        """
        self.rounds_begun = 0
        self.first_game = self.games_end = 0  # games of the open rounds: from the first to before the end
        self.is_over = False
        self.ranking: Sequence[int] | None = None  # the final order of entrants, if the format ranks them and is over
        bots = tuple(range(len(tournament.bots)))
        self._tournament = tournament
        self._rosters = tournament.rosters or (Roster(first_round=1, entries=bots, deals=tournament.deals),)
        self._absent = frozenset(bots) - set(self._rosters[-1].entries)  # who has left
        self._format = find_format(tournament.format.name)
        self._orders = seat_orders(tournament.seating, tournament.seats, tournament.sides)
        self.is_static = self._format.is_static  # the rounds are known from the start
        self._may_stop = tournament.stop is not None
        order = tournament.order or ("tables" if len(self._rosters) == 1 else "deals")
        self._first_batch = 1 if order == "deals" else FIRST_BATCH_DEALS if self._may_stop else BATCH_DEALS
        self._options = convert_options(tournament.format, self._format)
        self._deals_played = Counter[TableEntrants]()
        self._rounds: list[OpenRound] = []  # those that are open
        self._block_results: dict[tuple[TablePlace, int], list[GameResult]] = {}  # of the open rounds, by deal
        self._blocks: dict[tuple[TablePlace, int], PlayedBlock] = {}  # complete; of a static format: not taken
        self._blocks_ahead: Iterator[tuple[TablePlace, int]] = iter(())  # of the open rounds, by deal
        self._next_block: tuple[TablePlace, int] | None = None  # to be taken
        self._abandoned_tables = set[TableEntrants]()  # those that lack a block, as a bot plays no more
        self._games_of_absent = 0  # that were played before they left
        self._expected_games = 0
        if self.is_static:
            for number, roster in enumerate(self._rosters):
                self._call_format(partial(self._open_stage, number, roster))
            self.rounds_begun = 1
            self._look_ahead()
            return
        field = make_field(tournament, self._rosters[0])
        self._present = self._known_bots = frozenset(self._rosters[0].entries)  # in this round; in all until now
        self._expected_games = self._format.count_blocks(field, self._options) * len(self._orders)
        self._round_generator = self._format.rounds(field, self._options)
        self._open_round(None)

    @property
    def games_a_block(self) -> int:
        """Number of orders in which a deal is played."""
        return len(self._orders)

    @property
    def total_games(self) -> int:
        """Number of games; while later rounds are unknown, the expected number."""
        if not self.is_static:
            return self.games_end if self.is_over else max(self.games_end, self._expected_games)
        here = set(self._rosters[-1].entries)
        blocks = sum(count_within(one.tables, here) * one.wanted for one in self._rounds)
        return blocks * len(self._orders) + self._games_of_absent

    def batches(self) -> Iterator[GameBatch]:
        """Yield the games of the open rounds in the order in which they begin; those of bots that have left are not."""
        for place, deals in self._scheduled_deals():
            table = self._open_table(place)
            if self._absent.isdisjoint(table.entrants):
                for rotation in range(len(self._orders)):
                    yield tuple([self._build_game(table, deal, rotation) for deal in deals])

    def scheduled_game(self, game_id: int) -> ScheduledGame:
        """Return a game of an open round."""
        place, deal, rotation = self._coordinates(game_id)
        return self._build_game(self._open_table(place), deal, rotation)

    def first_of_batch(self, game_id: int) -> int:
        """Return the first game of the batch that a game of an open round belongs to."""
        table, deal, _ = self._coordinates(game_id)
        played = self._rounds[table.round]
        batch = next(deals for deals in self._deal_batches(played) if deal in deals)
        return game_id - (deal - batch.start) * len(played.tables) * len(self._orders)

    def add_result(self, result: GameResult) -> None:
        """Add a result of an open round.

        Raises:
            ConfigError: the game of this number has other entrants.
        """
        if self._absent and not self._absent.isdisjoint(seat.entrant for seat in result.seats):
            self._games_of_absent += 1
        if self.is_static and not self._may_stop:
            return
        game = self.scheduled_game(result.game_id)
        if game.entrants != tuple(seat.entrant for seat in result.seats):
            raise ConfigError(
                f"game {result.game_id} in the store is not the one that the format {self._format.name!r} has there; "
                "choose another store"
            )
        table, deal, _ = self._coordinates(result.game_id)
        games = self._block_results.setdefault((table, deal), [])
        games.append(result)
        if len(games) == len(self._orders):
            block = score_block(self._block_results.pop((table, deal)), self._tournament.sides)
            self._blocks[table, deal] = block

    def take_next_block(self, disqualified: frozenset[int]) -> PlayedBlock | None:
        """Return the next block of the schedule, each once; None if it is still open, or was the last of the round.

        The order in which games end plays no part, so that short games have no more say than long ones. A table that
        lacks games of a bot that plays no more has no more blocks from there on.
        """
        gone = disqualified | self._absent
        while self._next_block is not None:
            entrants = self._entrants_at(self._next_block[0])
            block = self._blocks.get(self._next_block)
            if block is None and gone.isdisjoint(entrants):
                return None
            if block is None:
                self._abandoned_tables.add(entrants)
            elif self.is_static:
                del self._blocks[self._next_block]
            self._next_block = next(self._blocks_ahead, None)
            if block is not None and entrants not in self._abandoned_tables:
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
        return game_id < self.games_end and self._has_game(game_id)

    def advance_round(self, disqualified: frozenset[int]) -> None:
        """Close the open round and open the next. Only games with bots that play no more may be missing.

        Raises:
            ConfigError: other games are missing.
            FormatPluginError: the format fails.
        """
        if self.is_static:
            self.is_over = True
            return
        [played] = self._rounds
        coming = next(one for one in reversed(self._rosters) if one.first_round <= self.rounds_begun + 1)
        self._known_bots |= set(coming.entries)
        left = self._known_bots.difference(coming.entries)
        gone = disqualified | left
        tables = []
        for number, entrants in enumerate(played.tables):
            places = [(TablePlace(0, number), deal) for deal in range(played.deals)]
            blocks = [self._blocks[place] for place in places if place in self._blocks]
            if len(blocks) < played.deals and gone.isdisjoint(entrants):
                raise ConfigError(
                    f"round {self.rounds_begun} of the format {self._format.name!r} is not finished, but later games "
                    "are there; choose another store"
                )
            tables.append(PlayedTable(entrants, tuple(blocks)))
        self._block_results, self._blocks = {}, {}
        joined = tuple(bot for bot in coming.entries if bot not in self._present)
        self._present = frozenset(coming.entries)
        names = tuple(find_base_name(self._tournament.bots[bot]) for bot in joined)
        self._open_round(PlayedRound(tuple(tables), gone, joined, names, left))

    def _open_round(self, played: PlayedRound | None) -> None:
        """Ask the format for a round, and open it."""
        self.first_game = self.games_end
        self._rounds = [OpenRound(self.first_game, [], [], 0, 0)]

        def ask() -> OpenRound | None:
            try:
                asked = next(self._round_generator) if played is None else self._round_generator.send(played)
            except StopIteration as end:
                self.is_over, self.ranking = True, end.value
                return None
            tables = self._check_tables(asked, range(len(self._tournament.bots)))
            before = [self._add_deals(table, asked.deals) for table in tables]
            return OpenRound(self.first_game, tables, before, asked.deals, asked.deals)

        opened = self._call_format(ask)
        if opened is None:
            return
        self.rounds_begun += 1
        self._rounds = [opened]
        self.games_end = self.first_game + len(opened.tables) * opened.deals * len(self._orders)
        self._look_ahead()

    def _open_stage(self, number: int, roster: Roster) -> None:
        """Open the rounds of a roster of a static format, in which all of its tables get as many deals.

        Raises:
            FormatPluginError: the tables cannot be played.
            ConfigError: they are too many for a field that changes.
        """
        asked = self._ask_stage(roster)
        end = asked.deals
        if self._tournament.deals < roster.deals:
            end = self._ask_stage(replace(roster, deals=self._tournament.deals)).deals
        if number == 0 and isinstance(asked.tables, TableSets) and roster.entries == tuple(range(len(roster.entries))):
            self._append_round(asked.tables, (), asked.deals, end)
            return
        tables = self._check_tables(asked, range(len(roster.entries)))
        if number and len(tables) > MAX_CHANGED_TABLES:
            raise ConfigError(
                f"the bots of a tournament with {len(tables):,} tables cannot change, of more than "
                f"{MAX_CHANGED_TABLES:,}; choose another store, or tables = {MAX_CHANGED_TABLES} at most"
            )
        joined = set(roster.entries).difference(self._rosters[number - 1].entries if number else ())
        lacking: defaultdict[int, list[TableEntrants]] = defaultdict(list)  # by the deals that they have
        for table in tables:
            entrants = tuple(sorted(roster.entries[bot] for bot in table))
            before = self._deals_scheduled(entrants)
            if before < asked.deals and (before or not number or not joined.isdisjoint(entrants)):
                lacking[before].append(entrants)
        for before, group in sorted(lacking.items()):
            self._append_round(group, [before] * len(group), asked.deals - before, max(0, end - before))

    def _ask_stage(self, roster: Roster) -> PlannedRound:
        """Return the only round that a static format has for a roster."""
        [asked] = self._format.rounds(make_field(self._tournament, roster), self._options)
        return asked

    def _append_round(self, tables: Sequence[TableEntrants], deals_before: Sequence[int], deals: int, end: int) -> None:
        self._rounds.append(OpenRound(self.games_end, tables, deals_before, deals, min(deals, end)))
        self.games_end += len(tables) * deals * len(self._orders)
        if not isinstance(tables, TableSets):
            for table in tables:
                self._deals_played[table] += deals

    def _deals_scheduled(self, table: TableEntrants) -> int:
        """Return the deals that a table has in the stages opened so far."""
        first = self._rounds[0] if self._rounds else None
        of_first = first.deals if first and isinstance(first.tables, TableSets) and first.tables.find(table) else 0
        return of_first + self._deals_played[table]

    def _call_format(self, call: Callable[[], T]) -> T:
        """Call what asks the format for a round.

        Raises:
            FormatPluginError: it fails.
        """
        try:
            return call()
        except PitbossError:
            raise
        except Exception as error:
            raise FormatPluginError(
                f"the format {self._format.name!r} broke in round {self.rounds_begun + 1}: "
                f"{type(error).__name__}: {error}"
            ) from error

    def _check_tables(self, asked: PlannedRound, bots: range) -> Sequence[TableEntrants]:
        """Return the tables of a round. `TableSets` are right by themselves: no list is made of them.

        Raises:
            FormatPluginError: they cannot be played.
        """
        seats = self._tournament.seats
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
        return tables

    def _add_deals(self, table: TableEntrants, deals: int) -> int:
        """Count deals of a pairing; return how many it has played before."""
        before = self._deals_played[table]
        self._deals_played[table] += deals
        return before

    def _look_ahead(self) -> None:
        """Begin with the blocks of the open rounds."""
        self._blocks_ahead = ((table, deal) for table, deals in self._scheduled_deals() for deal in deals)
        self._next_block = next(self._blocks_ahead, None)
        self._abandoned_tables.clear()

    def _scheduled_deals(self) -> Iterator[tuple[TablePlace, range]]:
        """Yield the tables of the open rounds with the deals that each plays next: who has played less comes first."""
        for _, number, deals in merge(*(self._round_batches(number) for number in range(len(self._rounds)))):
            for table in range(len(self._rounds[number].tables)):
                yield TablePlace(number, table), deals

    def _round_batches(self, number: int) -> Iterator[tuple[int, int, range]]:
        """Yield the deals of a table in a round, batch by batch, after how many deals each begins and the round."""
        played = self._rounds[number]
        before = played.deals_before[0] if self.is_static and played.deals_before else 0
        for deals in self._deal_batches(played):
            yield before + deals.start, number, deals

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

    def _has_game(self, game_id: int) -> bool:
        """Whether a game of an open round is among the deals that are wanted."""
        table, deal, _ = self._coordinates(game_id)
        return deal < self._rounds[table.round].wanted

    def _coordinates(self, game_id: int) -> tuple[TablePlace, int, int]:
        """Return table, deal in the round and order of a game of an open round."""
        number = bisect_right(self._rounds, game_id, key=lambda one: one.first_game) - 1
        played = self._rounds[number]
        block, rotation = divmod(game_id - played.first_game, len(self._orders))
        deal, table = divmod(block, len(played.tables))
        return TablePlace(number, table), deal, rotation

    def _entrants_at(self, table: TablePlace) -> TableEntrants:
        return self._rounds[table.round].tables[table.number]

    def _open_table(self, place: TablePlace) -> OpenTable:
        entrants, before = self._entrants_at(place), self._rounds[place.round].deals_before
        pairing = table_number(entrants, self._tournament.lexicographic)
        return OpenTable(place, entrants, pairing, before[place.number] if before else 0)

    def _build_game(self, table: OpenTable, deal: int, rotation: int) -> ScheduledGame:
        (index, number), played = table.place, self._rounds[table.place.round]
        return ScheduledGame(
            game_id=played.first_game + (deal * len(played.tables) + number) * len(self._orders) + rotation,
            pairing=table.pairing,
            deal=table.deals_before + deal,
            rotation=rotation,
            entrants=tuple([table.entrants[place] for place in self._orders[rotation]]),
            common_deal=f"{index + 1 if self.is_static else self.rounds_begun}.{deal}",
        )
