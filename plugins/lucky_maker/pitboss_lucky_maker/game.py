"""Lucky Maker. Follow a master card of two suits; the suit played more often decides: its highest number wins the
master's number in the other.

The hands are 15, 12 or 10 cards for 3, 4 or 5 players, as many as there are masters: 60 cards in all. A player who has
a suit of the master plays it. If both suits were played equally often, the one in which the master is higher decides.
Of equal numbers the last one wins; nobody wins if the master is higher than all.

Numbers in docstrings (2.1, D5) are those of the rule book, `RULES.md`; the rules are in `state`, the cards in
`cards`, deciding a trick in `trick`; options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from pitboss import TableGame
from pitboss.game import GameBounds
from pitboss_lucky_maker.cards import HIGHEST, hand_size
from pitboss_lucky_maker.messages import PRESETS, LuckyMakerOptions, Position
from pitboss_lucky_maker.presentation import PRESENTATION
from pitboss_lucky_maker.state import LuckyMakerState


class LuckyMaker(TableGame[LuckyMakerOptions, LuckyMakerState]):
    """The game of Lucky Maker."""

    state = LuckyMakerState
    name = "lucky-maker"
    title = "Lucky Maker"
    seats = (3, 4, 5)
    phases = ("play",)
    Position = Position
    presets = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: LuckyMakerOptions) -> GameBounds | None:
        """Return the bounds: each trick is worth the number of a card at most."""
        tricks = (options.games or seats) * hand_size(seats)
        return GameBounds(tricks * seats, 0, tricks * HIGHEST)
