"""Oh Hell. Bid how many tricks you will take, and take neither more nor fewer; hands shrink to one card and grow again.

The card turned up tells the trump suit. In turn everybody bids a number of tricks; the last bidder may not make the
bids add up to the tricks there are. Suit is followed. Who takes as many tricks as it has bid gets ten points and one
for each trick; all others get nothing.

Numbers in docstrings (O4) are those of the rule book, `RULES.md`; the rules are in `state`; options, actions and
views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.game import GameBounds
from pitboss.parts.trick_match import TrickGame
from pitboss_oh_hell.messages import PRESETS, OhHellOptions, Position, list_hand_sizes
from pitboss_oh_hell.presentation import PRESENTATION
from pitboss_oh_hell.state import OhHellState


class OhHell(TrickGame[OhHellOptions, OhHellState]):
    """The game: one object without state."""

    state = OhHellState
    name = "oh-hell"
    title = "Oh Hell"
    version = "2"
    seats: Sequence[int] = (3, 4, 5, 6, 7)
    phases = ("bid", "play")
    Position = Position
    presets: Mapping[str, OhHellOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: OhHellOptions) -> GameBounds | None:
        """Return the bounds: a deal is a bid and a card a trick of each."""
        sizes = list_hand_sizes(options)
        most = sum(10 + size for size in sizes)
        return GameBounds(sum(seats * (1 + size) for size in sizes), -sum(sizes), most)
