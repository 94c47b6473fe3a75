"""The data of a Rack-O game at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from msgspec import Struct

from pitboss import Random, Seating, Table, Turn, solo_sides
from pitboss.determinization.sampling import sample_world
from pitboss.table.constraints import Constraint
from pitboss_racko.board import RackoBoard, board_for
from pitboss_racko.options import RackoOptions
from pitboss_racko.rack import is_racko


class RoundResult(Struct, frozen=True):
    """A finished round: who declared (None: stalled), and everybody's points."""

    declarer: int | None
    points: tuple[int, ...]
    racks: tuple[tuple[int, ...], ...]
    turns_done: int


class RackoStateBase:
    """The data of a game."""

    __slots__ = (
        "board",
        "dealer",
        "last_round",
        "options",
        "round_no",
        "rounds_rng",
        "seating",
        "sides",
        "table",
        "totals",
        "turn",
        "turns_done",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: RackoOptions, rng: Random) -> None:
        if options.deck_size is None:
            raise ValueError("the options are not resolved")
        self.options = options
        self.board: RackoBoard = board_for(seats, options.deck_size)
        self.seating = Seating.clockwise(seats)
        self.sides = ((0, 2), (1, 3)) if options.partners else solo_sides(seats)  # D15
        self.rounds_rng = rng
        self.table = Table(self.board.layout, rng, self.board.stock)
        self.turn = None
        self.dealer = 0
        self.round_no = 1
        self.turns_done = 0
        self.totals = [0] * len(self.sides)
        self.last_round: RoundResult | None = None  # the last round that ended

    def copy(self) -> Self:
        """Return an independent state for looking ahead."""
        return self._copy_with(self.table.copy(), self.rounds_rng)

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one.

        D8: a player who is asked to declare is not known to be; but every state of that phase has a complete rack.
        """
        turn = self.turn
        also = []
        if turn is not None and turn.phase == "declare" and turn.seat != seat:
            also.append(Constraint(self._is_declarable, tuple(self.table.zones[self.board.racks[turn.seat]])))
        return self._copy_with(sample_world(self.table, seat, rng, also), rng)

    def _copy_with(self, table: Table, rng: Random) -> Self:
        twin = object.__new__(type(self))
        twin.board, twin.options, twin.seating, twin.sides = self.board, self.options, self.seating, self.sides
        twin.table, twin.rounds_rng = table, rng
        twin.turn, twin.dealer, twin.round_no, twin.turns_done = self.turn, self.dealer, self.round_no, self.turns_done
        twin.totals = self.totals[:]
        twin.last_round = self.last_round
        return twin

    def is_turn_over_for(self, seat: int) -> bool:
        """D8: to all others the turn of a player who is asked to declare is over."""
        return self.turn is not None and self.turn.phase == "declare" and self.turn.seat != seat

    def _is_declarable(self, cards: Iterable[int | None]) -> bool:
        return is_racko([card for card in cards if card is not None], self.options.min_run)
