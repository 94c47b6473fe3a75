"""The course: a tournament's rounds one after the other, the numbers of their games, and what came of those that are over. No I/O.

The games of a round are numbered from where the round before ended, by deal, table and order. Which round comes next is the format's answer to the results of all rounds before. So a game's number says which deal,
table and order of which round it is, and the games in a store lead to the round that is still to be played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from pitboss.errors import ConfigError, PitbossError
from pitboss.formats import PlayedBlock, PlayedRound, PlayedTable, Round
from pitboss_tournament.formats import field_of, format_named, options_of
from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.planning.seating import orders
from pitboss_tournament.playing.schedule import Sitting, Slot, pairing_number
from pitboss_tournament.results.header import Header
from pitboss_tournament.results.scoring import GameResult
from pitboss_tournament.statistics.blocks import block_means, place_scores, points

STRETCH: Final = 20  # deals that a lane plays before another has its turn: blocks fill up early, processes live long

Table: TypeAlias = tuple[int, ...]  # entrants, ascending


class BrokenFormat(PitbossError):
    """A format's own code failed, or asked for a round that cannot be played: a fault of its plugin."""


class _Open(NamedTuple):
    """The round that is being played."""

    tables: list[Table]
    played: list[int]  # by table: deals that its pairing has played before
    deals: int


class Course:
    """The rounds of a tournament. One is open, until the format has no more."""

    def __init__(self, tournament: Plan | Header) -> None:
        """Open the first round.

        Raises:
            ConfigError: there is no such format.
            BrokenFormat: it fails.
        """
        self.rounds = 0  # begun
        self.first = self.end = 0  # the open round has the games from `first` to before `end`
        self.is_over = False
        self.ranking: Sequence[int] | None = None  # the entrants as they ended, once it is over and if the format ranks them
        self._field = field_of(tournament)
        self._format = format_named(tournament.format.name)
        self._orders = orders(tournament.seating, tournament.seats, tournament.sides)
        self._gathers = not self._format.is_static or tournament.stop is not None
        options = options_of(tournament.format, self._format)
        self._expected = self._format.blocks(self._field, options) * len(self._orders)
        self._rounds = self._format.rounds(self._field, options)
        self._deals = Counter[Table]()
        self._games: dict[tuple[int, int], list[GameResult]] = {}  # of the open round, by table and deal
        self._blocks: dict[tuple[int, int], PlayedBlock] = {}
        self._begin(None)

    @property
    def is_static(self) -> bool:
        """Whether there is one round only, known from the start."""
        return self._format.is_static

    @property
    def total(self) -> int:
        """How many games there are; while later rounds are unknown, how many are expected."""
        return self.end if self.is_over or self.is_static else max(self.end, self._expected)

    def sittings(self) -> Iterator[Sitting]:
        """Yield the games of the open round, in the order in which they are begun."""
        first_game, now = self.first, self._open
        for first in range(0, now.deals, STRETCH):
            deals = range(first, min(first + STRETCH, now.deals))
            for number in range(len(now.tables)):
                for rotation in range(len(self._orders)):
                    slots = tuple(self._slot(now, first_game, deal, number, rotation) for deal in deals)
                    yield Sitting(slots[0].entrants, slots)

    def slot(self, game_id: int) -> Slot:
        """Return a game of the open round."""
        deal, number, rotation = self._place(game_id)
        return self._slot(self._open, self.first, deal, number, rotation)

    def first_of_sitting(self, game_id: int) -> int:
        """Return the first game of the sitting that a game of the open round belongs to."""
        deal, number, rotation = self._place(game_id)
        return self.first + ((deal - deal % STRETCH) * len(self._open.tables) + number) * len(self._orders) + rotation

    def add(self, result: GameResult) -> PlayedBlock | None:
        """Take a game of the open round; return its block when it is the last one of it, and anybody wants to know.

        Raises:
            ConfigError: another game of this number is to be played.
        """
        if not self._gathers:
            return None
        slot = self.slot(result.game_id)
        if slot.entrants != tuple(seat.entrant for seat in result.seats):
            raise ConfigError(
                f"game {result.game_id} in the store is not the one that the format {self._format.name!r} has there; choose another store"
            )
        deal, number, _ = self._place(result.game_id)
        games = self._games.setdefault((number, deal), [])
        games.append(result)
        if len(games) < len(self._orders):
            return None
        block = self._block(self._games.pop((number, deal)))
        if not self.is_static:
            self._blocks[number, deal] = block
        return block

    def reach(self, game_id: int, out: Callable[[], frozenset[int]]) -> bool:
        """Go on to the round of a game that has been played; return False if there is none: a static tournament has been made shorter. `out`: who is out now.

        Raises:
            ConfigError, BrokenFormat: see `go_on`.
        """
        while game_id >= self.end and not self.is_over and not self.is_static:
            self.go_on(out())
        if game_id >= self.end and not self.is_static:
            raise ConfigError(
                f"the format {self._format.name!r} has no game {game_id}, which is in the store; choose another store"
            )
        return game_id < self.end

    def go_on(self, out: frozenset[int]) -> None:
        """End the open round, of which all has been played but games with those who are out, and open the next one.

        Raises:
            ConfigError: more than that is missing.
            BrokenFormat: the format fails.
        """
        if self.is_static:
            self.is_over = True
            return
        tables = []
        for number, table in enumerate(self._open.tables):
            blocks = [self._blocks[number, deal] for deal in range(self._open.deals) if (number, deal) in self._blocks]
            if len(blocks) < self._open.deals and out.isdisjoint(table):
                raise ConfigError(
                    f"round {self.rounds} of the format {self._format.name!r} is not finished, but later games are there; choose another store"
                )
            tables.append(PlayedTable(table, tuple(blocks)))
        self._games, self._blocks = {}, {}
        self._begin(PlayedRound(tuple(tables), out))

    def _begin(self, played: PlayedRound | None) -> None:
        """Ask the format for a round, and open it."""
        self.first = self.end
        self._open = _Open([], [], 0)
        try:
            asked = next(self._rounds) if played is None else self._rounds.send(played)
            tables = [tuple(sorted(table)) for table in asked.tables]
            self._check(asked, tables)
        except StopIteration as end:
            self.is_over, self.ranking = True, end.value
            return
        except BrokenFormat:
            raise
        except Exception as wrong:
            raise BrokenFormat(
                f"the format {self._format.name!r} broke in round {self.rounds + 1}: {type(wrong).__name__}: {wrong}"
            ) from wrong
        self.rounds += 1
        before = []
        for table in tables:
            before.append(self._deals[table])
            self._deals[table] += asked.deals
        self._open = _Open(tables, before, asked.deals)
        self.end = self.first + len(tables) * asked.deals * len(self._orders)

    def _check(self, asked: Round, tables: Sequence[Table]) -> None:
        bots = range(len(self._field.names))
        wrong = [
            table for table in tables if len(set(table)) != self._field.seats or table[0] not in bots or table[-1] not in bots
        ]
        if wrong or not tables or asked.deals < 1:
            what = f"a table {wrong[0]}" if wrong else f"{len(tables)} tables with {asked.deals} deals"
            raise BrokenFormat(
                f"the format {self._format.name!r} asks for {what} in round {self.rounds + 1}; a table is {self._field.seats} different ones of {len(bots)} bots"
            )

    def _place(self, game_id: int) -> tuple[int, int, int]:
        """Return deal, table and order of a game of the open round."""
        block, rotation = divmod(game_id - self.first, len(self._orders))
        return *divmod(block, len(self._open.tables)), rotation

    def _slot(self, now: _Open, first: int, deal: int, number: int, rotation: int) -> Slot:
        table = now.tables[number]
        return Slot(
            game_id=first + (deal * len(now.tables) + number) * len(self._orders) + rotation,
            pairing=pairing_number(table, len(self._field.names)),
            deal=now.played[number] + deal,
            rotation=rotation,
            entrants=tuple(table[place] for place in self._orders[rotation]),
        )

    def _block(self, games: list[GameResult]) -> PlayedBlock:
        sides = self._field.sides
        return PlayedBlock(
            places=block_means(games, lambda result: place_scores(result, sides)),
            points=block_means(games, points),
        )
