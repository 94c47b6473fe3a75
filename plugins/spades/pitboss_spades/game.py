"""Spades. Two against two: bid how many tricks you will take, and take them; spades are trumps, first side to 500 wins.

In turn everybody bids a number of tricks; the bids of partners are added up. A bid of none (nil) wins or loses 100 by
itself. Suit is followed; spades are led only when one has been played, or nothing else is held. A side that takes what
it has bid gets ten points for each trick bid and one for each other trick, a bag; ten bags cost 100. A side that takes
fewer loses ten points for each trick bid.

Numbers in docstrings (S4) are those of the rule book, `RULES.md`; the rules are in `state`, the count in `scoring`;
options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pitboss import CardLook
from pitboss.game import GameBounds
from pitboss.parts.trick_match import TrickGame
from pitboss.rendering.appearance import Colour
from pitboss.table.cards import Face
from pitboss_spades.cards import BIG, LITTLE
from pitboss_spades.messages import PRESETS, Position, SpadesOptions
from pitboss_spades.presentation import PRESENTATION
from pitboss_spades.state import SpadesState

JOKERS: Final[dict[str, tuple[str, Colour]]] = {BIG: ("big joker", "red"), LITTLE: ("little joker", "black")}


class Spades(TrickGame[SpadesOptions, SpadesState]):
    """The game: one object without state."""

    state = SpadesState
    name = "spades"
    title = "Spades"
    version = "2"
    seats: Sequence[int] = (4,)
    phases = ("blind", "bid", "play")
    Position = Position
    presets: Mapping[str, SpadesOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: SpadesOptions) -> GameBounds | None:
        """Return the bounds: a side may overshoot the target or the floor by what a deal is worth."""
        penalties = (options.bag_limit + 12) // options.bag_limit if options.bag_limit else 0
        deal = 2 * 130 + 4 * options.nil + penalties * options.bag_penalty
        return GameBounds(options.deals * (13 * seats + 2 * seats), options.floor - deal, options.target + deal)

    def card_look(self, face: Face) -> CardLook | None:
        """Return how a joker looks: it is filled."""
        joker = JOKERS.get(str(face))
        return CardLook("★", joker[0], colour=joker[1], is_filled=True) if joker else None
