"""The data of a Rack-O game at one moment: its zones, its fields, and copies. The rules are in other modules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Self

from msgspec import Struct

from pitboss import Deck, Layout, Random, Seating, Sides, Table, TableState, Turn, Visibility, solo_sides
from pitboss.determinization.sampling import sample_world
from pitboss.table.constraints import Constraint
from pitboss_racko.messages import Action, Declare, Discard, Draw, Pass, RackoOptions, Swap, Take, Wait
from pitboss_racko.rack import SLOTS, is_racko

SLOT_INDEX: Final = {label: index for index, label in enumerate(SLOTS)}

DRAW_ACTIONS: Final[tuple[Action, ...]] = (Draw(), *(Take(slot) for slot in SLOTS))
DRAW_OR_PASS_ACTIONS: Final[tuple[Action, ...]] = (*DRAW_ACTIONS, Pass())
PLACE_ACTIONS: Final[tuple[Action, ...]] = (*(Swap(slot) for slot in SLOTS), Discard())
DECLARE_ACTIONS: Final[tuple[Action, ...]] = (Declare(), Wait())


class RackoBoard:
    """The layout for a number of players and a deck: shared by all games with these."""

    def __init__(self, seats: int, deck_size: int) -> None:
        self.layout = Layout(Deck(range(1, deck_size + 1)), seats)  # S2: card c shows c + 1
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.racks = self.layout.add_racks("rack", SLOTS)
        self.hands = self.layout.add_hands("hand")  # the drawn card, until it is placed
        self.draw_turns = tuple(Turn(seat, "draw") for seat in range(seats))
        self.place_turns = tuple(Turn(seat, "place") for seat in range(seats))
        self.declare_turns = tuple(Turn(seat, "declare") for seat in range(seats))


board_for: Final = lru_cache(RackoBoard)


def find_partners(seats: int, options: RackoOptions) -> Sides:
    """D15: return the sides: of four with partners, those who sit opposite."""
    return ((0, 2), (1, 3)) if options.partners else solo_sides(seats)


class RoundResult(Struct, frozen=True):
    """A finished round: who declared (None: stalled), and everybody's points."""

    declarer: int | None
    points: tuple[int, ...]
    racks: tuple[tuple[int, ...], ...]
    turns_done: int


class RackoStateBase(TableState[RackoOptions, Action]):
    """The data of a game."""

    board: RackoBoard
    seating: Seating
    sides: tuple[tuple[int, ...], ...]
    totals: list[int]  # by side
    dealer: int = 0
    round_no: int = 1
    turns_done: int = 0
    last_round: RoundResult | None = None  # the last round that ended

    @classmethod
    def create(cls, seats: int, options: RackoOptions, rng: Random) -> Self:
        """Return a state before the first round."""
        if options.deck_size is None:
            raise ValueError("the options are not resolved")
        board = board_for(seats, options.deck_size)
        sides = find_partners(seats, options)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.stock),
            rng=rng,
            board=board,
            seating=Seating.clockwise(seats),
            sides=sides,
            totals=[0] * len(sides),
        )

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one.

        D8: a player who is asked to declare is not known to be; but every state of that phase has a complete rack.
        """
        turn = self.turn
        also = []
        if turn is not None and turn.phase == "declare" and turn.seat != seat:
            also.append(Constraint(self._is_declarable, tuple(self.table.zones[self.board.racks[turn.seat]])))
        return self.with_world(sample_world(self.table, seat, rng, also))

    def is_turn_over_for(self, seat: int) -> bool:
        """D8: to all others the turn of a player who is asked to declare is over."""
        return self.turn is not None and self.turn.phase == "declare" and self.turn.seat != seat

    def _is_declarable(self, cards: Iterable[int | None]) -> bool:
        return is_racko([card for card in cards if card is not None], self.options.min_run)
