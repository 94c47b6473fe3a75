"""Dou Dizhu ("fight the landlord"). One against two: combinations of cards are laid, each higher than the one before.

Three players hold 17 cards each; with two packs four hold 25. Who bids most is the landlord, takes the cards that are
left, and leads. In turn
everybody lays a higher combination of the same kind (single cards, pairs, trios, chains, with kickers or without), or
passes; four of a kind and the two jokers beat all others. If the landlord is the first without cards, both farmers pay,
else it pays both; each bomb doubles the stake.

Numbers in docstrings (L4) are those of the rule book, `RULES.md`; the rules are in `state`, what can be laid in
`combinations`; options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import CardLook, TableGame
from pitboss.game import GameBounds
from pitboss.table.cards import Face
from pitboss_dou_dizhu.combinations import COPIES
from pitboss_dou_dizhu.messages import BIDS, PRESETS, DouDizhuOptions, Position
from pitboss_dou_dizhu.presentation import PRESENTATION
from pitboss_dou_dizhu.state import HANDS, JOKERS, MAX_REDEALS, DouDizhuState, count_stake, deck_of

MAX_BIDS = 3  # L5: of one, two and three, each after passes of all others


class DouDizhu(TableGame[DouDizhuOptions, DouDizhuState]):
    """The game: one object without state."""

    state = DouDizhuState
    name = "dou-dizhu"
    title = "Dou Dizhu"
    version = "2"
    seats: Sequence[int] = (*HANDS,)
    phases = ("bid", "call", "rob", "play")
    Position = Position
    presets: Mapping[str, DouDizhuOptions] = PRESETS
    presentation = PRESENTATION

    def card_look(self, face: Face) -> CardLook:
        """Return how a card looks: its rank; a joker is filled."""
        name, colour = JOKERS.get(str(face), (str(face), None))
        return CardLook(str(face), name) if colour is None else CardLook("★", name, colour=colour, is_filled=True)

    @staticmethod
    def counts_points(options: DouDizhuOptions) -> bool:
        """Whether points count: L11, they are what is staked."""
        return True

    @staticmethod
    def bounds(seats: int, options: DouDizhuOptions) -> GameBounds:
        """Return the bounds: of a deal all cards laid one by one, each after passes of all others."""
        cards = len(deck_of(seats))
        decisions = options.deals * (MAX_REDEALS + MAX_BIDS + cards) * seats
        doublings = cards // COPIES + 2 + seats  # L11: bombs, the rocket, the spring and robbing
        most = options.deals * (seats - 1) * count_stake(BIDS[-1].stake, doublings, options)
        return GameBounds(decisions, -most, most, 0)
