"""Rounds of a tournament, and the numbers of their games. No I/O.

The format chooses the next round from the results of those before. A game's number gives its round, deal, table and
order (`open_rounds`), and the games in a store lead to the round that is still to be played. The rounds of a static
format are known from the start (`static_stages`).

Where rounds overlap, which tables a round has depends on how long games take. So each such round is *recorded*: when
the same tournament is followed again, its rounds have the tables that they had, and the format is told what it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

from pitboss.errors import ConfigError
from pitboss.plugins.formats import AnyFormat, PlannedRound, PlayedBlock, PlayedRound, PlayedTable, RoundGenerator
from pitboss_tournament.formats.selection import convert_options, find_format, make_field
from pitboss_tournament.formats.table_sets import TableEntrants
from pitboss_tournament.plan.plan import Order, Plan, Roster, find_base_name
from pitboss_tournament.rounds.asked_rounds import RoundAsked
from pitboss_tournament.rounds.open_rounds import BATCH_DEALS, OpenRound, OpenRounds, TablePlace, count_within
from pitboss_tournament.rounds.recorded_rounds import RecordedRounds, RoundsState
from pitboss_tournament.rounds.round_blocks import RoundBlocks
from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame
from pitboss_tournament.rounds.static_stages import list_static_rounds
from pitboss_tournament.statistics.blocks import Block
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import RecordedRound

FIRST_BATCH_DEALS: Final = 5  # where a test may stop the tournament at any block; one if the order is by deals


class _Roster(NamedTuple):
    """Who takes part in a round, as the format is told it."""

    joined: tuple[int, ...]
    left: frozenset[int]


class StageStart(NamedTuple):
    """A stage of a tournament that has begun."""

    name: str
    first_round: int  # from 0
    first_game: int


class Rounds(ABC):
    """The rounds of a tournament: the games of those that are open, and how far they are. See `begin_rounds`.

    This class has what both kinds share: games by number, and the blocks in the order of the schedule.
    """

    is_static: ClassVar[bool]  # whether all rounds are known from the start
    is_overlapping = False  # whether the next round may be opened before this one has ended

    def __init__(
        self,
        tournament: Plan | Header,
        convert_block: Callable[[Block], Block] | None,
        order: Order,
        *,
        has_tiles: bool,
    ) -> None:
        self.rounds_begun = 0
        self.rounds_told = 0  # as people count them: extensions are of the round that they extend
        self.is_extension = False  # whether the latest round extends the one before
        self.games_end = 0  # after the last game of the rounds begun
        self.is_over = False
        # entrants by place, if the format ranks them and is over; those of one group share a place
        self.place_groups: list[list[int]] | None = None
        self.stages: list[StageStart] = []  # that have begun, of a format that has several
        self.why_closed = ""  # why nobody can join after the open round, though the format takes newcomers
        self.games_a_block = tournament.seat_design.block_games
        self._format: AnyFormat = find_format(tournament.format.name)
        self._options = convert_options(tournament.format, self._format)
        self._may_stop = tournament.stop is not None
        self.change_field(tournament)
        first_batch = 1 if order == "deals" else FIRST_BATCH_DEALS if self._may_stop else BATCH_DEALS
        self._rounds = OpenRounds(
            tournament.seat_design,
            tournament.lexicographic,
            first_batch,
            by_deals=self.is_static,
            has_tiles=has_tiles,
            has_waiting=not tournament.ponder,
            tables_per_bot=tournament.tables_per_bot,
            is_even=self.is_static and tournament.even_order,
        )
        convert = convert_block if self._may_stop else None  # for the stop test
        self._blocks = RoundBlocks(self._rounds, self.games_a_block, tournament.sides, convert, forgets=self.is_static)

    def change_field(self, tournament: Plan | Header) -> None:
        """Let others take part from the next round that its rosters name; bots that left play no more from now on."""
        bots = tuple(range(len(tournament.bots)))
        self._tournament = tournament
        self._rosters = tournament.rosters or (Roster(first_round=1, entries=bots, deals=tournament.deals),)
        self.absent = frozenset(bots) - set(self._rosters[-1].entries)  # bots that have left

    @property
    def first_open_game(self) -> int:
        """The first game of the rounds that are open; the next one if none is."""
        first = self._rounds.first_game
        return self.games_end if first is None else first

    @property
    @abstractmethod
    def total_games(self) -> int:
        """Number of games; while later rounds are unknown, the expected number."""

    @property
    def ranking(self) -> list[int] | None:
        """The final order of entrants, if the format ranks them and is over."""
        return None if self.place_groups is None else [bot for group in self.place_groups for bot in group]

    def batches(self, first_round: int = 0) -> Iterator[GameBatch]:
        """Yield the games of the open rounds in the order in which they begin; those of bots that have left are not.

        Only the rounds from `first_round` on, counted from 0.
        """
        for tables, deals in self._rounds.iter_tiles(first_round):
            yield from self._rounds.build_batches(filter(self._is_playing, tables), deals)

    def scheduled_game(self, game_id: int) -> ScheduledGame:
        """Return a game of an open round."""
        return self._rounds.build_game(self._rounds.find_place(game_id))

    def find_greetings(self, game_id: int) -> list[int]:
        """Return, by seat, the game of an open round with which the bot's process began if it was not disturbed."""
        return self._rounds.find_greetings(game_id)

    @abstractmethod
    def is_awaited(self, game_id: int) -> bool:
        """Whether a game is of a table that is open: of which the format has not been told."""

    def list_counted(self) -> list[int]:
        """Return the games of open tables that have been added, ascending."""
        return self._blocks.list_games()

    def add_result(self, result: GameResult) -> None:
        """Add a result of an open round.

        Raises:
            ConfigError: the game of this number has other entrants.
        """
        place = self._rounds.find_place(result.game_id)
        if self._rounds.build_game(place).entrants != tuple(seat.entrant for seat in result.seats):
            raise ConfigError(
                f"game {result.game_id} in the store is not the one that the format {self._format.name!r} has there; "
                "choose another store"
            )
        self._blocks.add(place, result)

    def list_tables(self) -> list[TableEntrants]:
        """Return the entrants of each table of the open rounds."""
        return [table for one in self._rounds for table in one.tables]

    def take_next_block(self, disqualified: frozenset[int]) -> PlayedBlock | None:
        """Return the next block of the schedule, each once; None if it is still open, or was the last of the round.

        A table that lacks games of a bot that plays no more has no more blocks from there on.
        """
        return self._blocks.take_next(disqualified | self.absent)

    @abstractmethod
    def advance_to(self, game_id: int, disqualified: Callable[[], frozenset[int]]) -> bool:
        """Advance to the round of `game_id`, which is in the store; False if the tournament no longer has the game.

        Raises:
            ConfigError, FormatPluginError: as `advance_round`.
        """

    @abstractmethod
    def open_recorded(self, disqualified: Callable[[], frozenset[int]]) -> None:
        """Open the rounds that are recorded, and of which no game has ended."""

    @abstractmethod
    def advance_round(self, disqualified: frozenset[int], in_play: Iterable[int] = ()) -> None:
        """Close the tables that have ended, and open the next round. `in_play` are games that have begun.

        Unless rounds overlap, only games with bots that play no more may be missing.

        Raises:
            ConfigError: other games are missing.
            FormatPluginError: the format fails.
        """

    @abstractmethod
    def keep_state(self) -> RoundsState | None:
        """Return where the tournament is; None if its rounds do not overlap, or its format keeps no state."""

    def _is_playing(self, table: TablePlace) -> bool:
        """Whether games of a table may begin."""
        return self.absent.isdisjoint(self._rounds.entrants_at(table))

    def _ask(self, number: int) -> RoundAsked:
        return RoundAsked(self._format, number, self._tournament.seats, len(self._tournament.bots), self.games_a_block)


class StaticRounds(Rounds):
    """The rounds of a static format: they depend on no result, so all of them are open from the start."""

    is_static = True

    def __init__(self, tournament: Plan | Header, convert_block: Callable[[Block], Block] | None) -> None:
        order = tournament.order or ("deals" if len(tournament.rosters) > 1 else "tables")
        may_share = not (tournament.stop is not None or tournament.same_deals or tournament.ponder)
        super().__init__(tournament, convert_block, order, has_tiles=may_share)
        self._games_of_absent = 0  # that were played before they left
        for number, opened in enumerate(list_static_rounds(tournament, self._rosters, self._ask(1), self._options)):
            self._rounds.add(number, opened)
            self.games_end = opened.first_game + self._rounds.count_games(opened)
        self.rounds_begun = self.rounds_told = 1
        self._blocks.begin()

    @property
    def total_games(self) -> int:
        """Number of games."""
        here = set(self._rosters[-1].entries)
        blocks = sum(count_within(one.tables, here) * one.wanted for one in self._rounds)
        return blocks * self.games_a_block + self._games_of_absent

    def is_awaited(self, game_id: int) -> bool:
        """Return True: all tables stay open."""
        return True

    def add_result(self, result: GameResult) -> None:
        """Add a result; its place plays no part unless the tournament may stop before its end."""
        entrants = {seat.entrant for seat in result.seats}
        if self.absent & entrants and not self._tournament.find_void(self._tournament.bots) & entrants:
            self._games_of_absent += 1
        if self._may_stop:
            super().add_result(result)

    def advance_to(self, game_id: int, disqualified: Callable[[], frozenset[int]]) -> bool:
        """Return whether the tournament, which may have become shorter, has the game."""
        return game_id < self.games_end and self._rounds.has_game(game_id)

    def open_recorded(self, disqualified: Callable[[], frozenset[int]]) -> None:
        """Do nothing: all rounds are open."""

    def advance_round(self, disqualified: frozenset[int], in_play: Iterable[int] = ()) -> None:
        """End the tournament."""
        self.is_over = True

    def keep_state(self) -> None:
        """Return None: rounds that are known need no state."""


class LiveRounds(Rounds):
    """The rounds of a format that chooses each from the results of those before. One is open until it has no more.

    Where rounds overlap, each is open as long as one of its tables plays.
    """

    is_static = False

    def __init__(
        self,
        tournament: Plan | Header,
        recorded: Iterable[RecordedRound],
        on_open: Callable[[RecordedRound], None],
        state: RoundsState | None,
        convert_block: Callable[[Block], Block] | None,
    ) -> None:
        """As `begin_rounds`."""
        super().__init__(tournament, convert_block, tournament.order or "tables", has_tiles=False)
        self._deals_played = Counter[TableEntrants]()
        self._recorded = RecordedRounds(recorded)
        self._on_open = on_open
        self._open_tables: dict[TablePlace, None] = {}  # of which the format has not been told, in their order
        self._planned: PlannedRound | None = None  # the latest
        field = make_field(tournament, self._rosters[0])
        self._present = self._known_bots = frozenset(self._rosters[0].entries)  # in this round; in all until now
        self._expected_games = self._format.count_blocks(field, self._options) * self.games_a_block
        if state is not None:
            resume = getattr(self._format, "resume_rounds", None)
            if resume is None:
                raise ValueError(f"the format {self._format.name!r} keeps no state")
            self._restore(state, resume(field, self._options, state.format_state))
            return
        self._round_generator: RoundGenerator = self._format.rounds(field, self._options)
        self._open_round(None, None, frozenset())

    @property
    def total_games(self) -> int:
        """Number of games; until the format has ended, the expected number."""
        return self.games_end if self.is_over else max(self.games_end, self._expected_games)

    def is_awaited(self, game_id: int) -> bool:
        """Whether a game is of a table that is open: of which the format has not been told."""
        return self._rounds.has_game(game_id) and self._rounds.find_place(game_id).table in self._open_tables

    def advance_to(self, game_id: int, disqualified: Callable[[], frozenset[int]]) -> bool:
        """Advance to the round of `game_id`, which is in the store.

        Raises:
            ConfigError, FormatPluginError: as `advance_round`.
        """
        while game_id >= self.games_end and not self.is_over:
            if self.is_overlapping and not self._recorded.has_more():
                break
            self.advance_round(disqualified())
        if game_id >= self.games_end:
            raise ConfigError(
                f"the format {self._format.name!r} has no game {game_id}, which is in the store; choose another store"
            )
        return self._rounds.has_game(game_id)

    def open_recorded(self, disqualified: Callable[[], frozenset[int]]) -> None:
        """Open the rounds that are recorded, and of which no game has ended."""
        while self.is_overlapping and not self.is_over and self._recorded.has_more():
            self.advance_round(disqualified())

    def advance_round(self, disqualified: frozenset[int], in_play: Iterable[int] = ()) -> None:
        """Tell the format of the tables that have ended, and open its next round."""
        recorded = self._recorded.take() if self.is_overlapping else None
        out = disqualified if recorded is None else frozenset(recorded.out)
        roster = self._call_roster()
        gone = out | roster.left
        kept = self._list_kept(gone, recorded, self._rounds.list_tables(in_play))
        if kept and not self.is_overlapping:
            raise ConfigError(
                f"round {self.rounds_begun} of the format {self._format.name!r} is not finished, but later games "
                "are there; choose another store"
            )
        ended = [table for table in self._open_tables if table not in kept]
        played = PlayedRound(
            tuple(PlayedTable(self._rounds.entrants_at(table), self._blocks.close_table(table)) for table in ended),
            gone,
            roster.joined,
            tuple(find_base_name(self._tournament.bots[bot]) for bot in roster.joined),
            roster.left,
            tuple(self._tournament.owners[bot] for bot in roster.joined),
            tuple(self._rounds.entrants_at(table) for table in kept),
            roster.left & self._tournament.find_void(self._tournament.bots),
        )
        self._open_tables = dict.fromkeys(kept)
        in_use = {table.round for table in kept}
        for number in sorted({table.round for table in ended} - in_use):
            self._rounds.close(number)
        self._open_round(played, recorded, out)

    def keep_state(self) -> RoundsState | None:
        """Return where the tournament is; None if its rounds do not overlap, or its format keeps no state."""
        if self._planned is None or self._planned.keep_state is None or not self.is_overlapping:
            return None
        in_use = sorted({table.round for table in self._open_tables})
        return RoundsState(
            self.rounds_begun,
            self.games_end,
            list(self._deals_played.items()),
            sorted(self._present),
            sorted(self._known_bots),
            [(number, self._rounds[number]) for number in in_use],
            [(table.round, table.number) for table in self._open_tables],
            self._planned.keep_state(),
        )

    def _restore(self, state: RoundsState, rounds: RoundGenerator) -> None:
        self._round_generator = rounds
        self._planned = self._ask(state.rounds_begun).call(lambda: next(rounds))
        self.is_overlapping = True
        self.rounds_begun, self.games_end = state.rounds_begun, state.games_end
        self.rounds_told = self.rounds_begun
        self._deals_played = Counter(dict(state.deals_played))
        self._present, self._known_bots = frozenset(state.present), frozenset(state.known_bots)
        for number, opened in state.rounds:
            self._rounds.add(number, opened)
        self._open_tables = dict.fromkeys(TablePlace(*table) for table in state.tables)

    def _is_playing(self, table: TablePlace) -> bool:
        return table in self._open_tables and super()._is_playing(table)

    def _call_roster(self) -> _Roster:
        """Return the bots that join for the next round and those away, and note both."""
        coming = next(one for one in reversed(self._rosters) if one.first_round <= self.rounds_begun + 1)
        self._known_bots |= set(coming.entries)
        joined = tuple(bot for bot in coming.entries if bot not in self._present)
        self._present = frozenset(coming.entries)
        return _Roster(joined, self._known_bots.difference(coming.entries))

    def _list_kept(
        self, gone: frozenset[int], recorded: RecordedRound | None, in_play: Collection[TablePlace]
    ) -> dict[TablePlace, None]:
        """Return the tables that stay open: they lack games, and somebody can still play them."""
        were_open = set() if recorded is None else {TablePlace(*table) for table in recorded.still_open}
        kept: dict[TablePlace, None] = {}
        for table in self._open_tables:
            is_left = gone.isdisjoint(self._rounds.entrants_at(table)) or table in in_play
            if table in were_open or (is_left and not self._blocks.is_complete(table)):
                kept[table] = None
        return kept

    def _open_round(self, played: PlayedRound | None, recorded: RecordedRound | None, out: frozenset[int]) -> None:
        """Ask the format for a round, and open it."""
        asked = self._ask(self.rounds_begun + 1)

        def plan() -> PlannedRound | None:
            try:
                return next(self._round_generator) if played is None else self._round_generator.send(played)
            except StopIteration as end:
                self.is_over, self.place_groups = True, _group_ranking(end.value)
                return None

        planned = self._planned = asked.call(plan)
        if planned is None:
            return
        tables = asked.check_tables(planned)
        self.is_overlapping = planned.is_overlapping
        if self.is_overlapping and self._may_stop:
            raise ConfigError(
                f"[stop] is for rounds in turn, and those of the format {self._format.name!r} overlap here"
            )
        deals = planned.deals
        if played is None and self.is_overlapping:
            recorded = self._recorded.take()
        if recorded is not None:
            tables, deals = recorded.tables, recorded.deals
        number, first = self.rounds_begun, self.games_end
        self.why_closed = planned.why_closed
        if planned.stage and planned.stage != (self.stages[-1].name if self.stages else ""):
            self.stages.append(StageStart(planned.stage, number, first))
        opened = OpenRound(first, tables, [self._add_deals(table, deals) for table in tables], deals, deals)
        still_open = tuple(tuple(table) for table in self._open_tables)
        self.rounds_begun += 1
        self.is_extension = planned.is_extension
        if not self.is_extension:
            self.rounds_told += 1
        if tables:
            self._rounds.add(number, opened)
            self._open_tables.update(dict.fromkeys(TablePlace(number, table) for table in range(len(tables))))
            self.games_end += self._rounds.count_games(opened)
        if not self.is_overlapping:
            self._blocks.begin()
        elif recorded is None:
            self._on_open(
                RecordedRound(number + 1, first, deals, tuple(map(tuple, tables)), still_open, tuple(sorted(out)))
            )

    def _add_deals(self, table: TableEntrants, deals: int) -> int:
        """Count deals of a pairing; return how many it has played before."""
        before = self._deals_played[table]
        self._deals_played[table] += deals
        return before


def _group_ranking(ranking: Sequence[int | Sequence[int]] | None) -> list[list[int]] | None:
    """Return the entrants that a format has ranked, by place."""
    return None if ranking is None else [[one] if isinstance(one, int) else list(one) for one in ranking]


def begin_rounds(
    tournament: Plan | Header,
    recorded: Iterable[RecordedRound] = (),
    on_open: Callable[[RecordedRound], None] = lambda _: None,
    state: RoundsState | None = None,
    convert_block: Callable[[Block], Block] | None = None,
) -> Rounds:
    """Open the first round, or go on from a `state`; `recorded` are the rounds that follow, where they overlap.

    `on_open` is called with each round that is opened after them, and overlaps. `convert_block`: as
    `take_next_block` scores them; the format is told of the games as they were.

    Raises:
        ConfigError: there is no such format.
        FormatPluginError: the format fails.
        ValueError: the state is not one of this format.
    """
    if not find_format(tournament.format.name).is_static:
        return LiveRounds(tournament, recorded, on_open, state, convert_block)
    if state is not None:
        raise ValueError(f"the format {tournament.format.name!r} keeps no state")
    return StaticRounds(tournament, convert_block)
