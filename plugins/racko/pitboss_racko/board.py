"""The Rack-O table: its zones, and the actions of its phases."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pitboss import Deck, Layout, Turn, Visibility
from pitboss_racko.messages import Action, Declare, Discard, Draw, Pass, Swap, Take, Wait
from pitboss_racko.rack import SLOTS

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
