"""The data of a Lucky Maker series at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from typing import Self

from pitboss import Random, Table, TableState
from pitboss_lucky_maker.board import LuckyMakerBoard, board_for
from pitboss_lucky_maker.deck import FOLLOWS
from pitboss_lucky_maker.messages import Play, Trick
from pitboss_lucky_maker.options import LuckyMakerOptions
from pitboss_lucky_maker.trick import PastTrick


class LuckyMakerStateBase(TableState[LuckyMakerOptions, Play]):
    """The data of a series."""

    board: LuckyMakerBoard
    scores: list[int]
    past_tricks: list[PastTrick]  # the finished tricks of this game
    totals: list[int]  # of the earlier games
    voids: tuple[int | None, ...]  # by seat: the category of which its hand is known to hold no suit
    game_no: int = 1
    first_lead: int = 0  # who led to the first trick of this game
    lead: int = 0
    follows: tuple[bool, ...] = FOLLOWS[0]  # by card: does it follow the open master?
    trick_messages: tuple[Trick, ...] = ()  # the same as a view has it, as far as somebody has looked

    @classmethod
    def create(cls, seats: int, options: LuckyMakerOptions, rng: Random) -> Self:
        """Return a state before the first game."""
        if not options.games:
            raise ValueError("the options are not resolved")
        board = board_for(seats)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.masters),
            rng=rng,
            board=board,
            scores=[0] * seats,
            past_tricks=[],
            totals=[0] * seats,
            voids=(None,) * seats,
        )

    def series_totals(self) -> list[int]:
        """Return the points of the series by seat, this game included."""
        return [before + now for before, now in zip(self.totals, self.scores, strict=True)]

    def sort_hands(self) -> None:
        """Keep all hands in canonical order: how a player holds its cards tells nobody anything."""
        zones = self.table.zones
        for hand in self.board.hands:
            zones[hand].sort()

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one."""
        twin = super().imagine(seat, rng)
        twin.sort_hands()
        return twin
