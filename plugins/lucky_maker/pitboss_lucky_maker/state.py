"""The data of a Lucky Maker series at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from typing import Self

from pitboss import Random, Table, Turn
from pitboss.determinization.sampling import sample_world
from pitboss_lucky_maker.board import LuckyMakerBoard, board_for
from pitboss_lucky_maker.deck import FOLLOWS
from pitboss_lucky_maker.messages import Trick
from pitboss_lucky_maker.options import LuckyMakerOptions
from pitboss_lucky_maker.trick import PastTrick


class LuckyMakerStateBase:
    """The data of a series."""

    __slots__ = (
        "board",
        "first_lead",
        "follows",
        "game_no",
        "lead",
        "options",
        "past_tricks",
        "rounds_rng",
        "scores",
        "table",
        "totals",
        "trick_messages",
        "turn",
        "voids",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: LuckyMakerOptions, rng: Random) -> None:
        if not options.games:
            raise ValueError("the options are not resolved")
        self.options = options
        self.board: LuckyMakerBoard = board_for(seats)
        self.rounds_rng = rng
        self.table = Table(self.board.layout, rng, self.board.masters)
        self.turn = None
        self.game_no = 1
        self.first_lead = 0  # who led to the first trick of this game
        self.lead = 0
        self.follows = FOLLOWS[0]  # by card: does it follow the open master?
        self.scores = [0] * seats
        self.totals = [0] * seats  # of the earlier games
        self.past_tricks: list[PastTrick] = []  # the finished tricks of this game
        self.trick_messages: tuple[Trick, ...] = ()  # the same as a view has it, as far as somebody has looked
        self.voids = self.board.no_voids  # by seat: the category of which its hand is known to hold no suit

    def series_totals(self) -> list[int]:
        """Return the points of the series by seat, this game included."""
        return [before + now for before, now in zip(self.totals, self.scores, strict=True)]

    def sort_hands(self) -> None:
        """Keep all hands in canonical order: how a player holds its cards tells nobody anything."""
        zones = self.table.zones
        for hand in self.board.hands:
            zones[hand].sort()

    def copy(self) -> Self:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.rounds_rng)

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one."""
        twin = self._copy_with(sample_world(self.table, seat, rng), rng)
        twin.sort_hands()
        return twin

    def _copy_with(self, table: Table, rng: Random) -> Self:
        twin = object.__new__(type(self))
        twin.board, twin.options, twin.follows = self.board, self.options, self.follows
        twin.table, twin.rounds_rng = table, rng
        twin.turn, twin.game_no, twin.first_lead, twin.lead = self.turn, self.game_no, self.first_lead, self.lead
        twin.scores, twin.totals = self.scores[:], self.totals[:]
        twin.past_tricks, twin.trick_messages, twin.voids = self.past_tricks[:], self.trick_messages, self.voids
        return twin
