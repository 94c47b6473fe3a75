"""Cribbage. Fifteens, pairs and runs, in play and in hand: the first side to 121 points wins.

Everybody lays cards away for the crib, which is the dealer's second hand, and a card is turned up. In turn cards are
played while their count stays within 31. What they make is pegged at once: fifteen and 31, pairs, runs, the last card.
Then hands and crib are counted with the card turned up.

Numbers in docstrings (C4) are those of the rule book, `RULES.md`; the rules are in `state`, what cards count is in
`scoring`; options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import Sides, TableGame
from pitboss.game import GameBounds
from pitboss_cribbage.messages import PRESETS, CribbageOptions, Position
from pitboss_cribbage.presentation import PRESENTATION
from pitboss_cribbage.state import CribbageState, count_kept, list_sides


class Cribbage(TableGame[CribbageOptions, CribbageState]):
    """The game: one object without state."""

    state = CribbageState
    name = "cribbage"
    title = "Cribbage"
    version = "2"
    seats: Sequence[int] = (2, 3, 4)
    phases = ("lay_away", "play", "claim")
    Position = Position
    presets: Mapping[str, CribbageOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def sides(seats: int, options: CribbageOptions) -> Sides:
        """C1: four play as partners."""
        return list_sides(seats)

    @staticmethod
    def bounds(seats: int, options: CribbageOptions) -> GameBounds | None:
        """Return the bounds: each deal pegs a point at least, and a series that ends with "go" has three cards."""
        deals = min(options.deals, len(list_sides(seats)) * (options.target - 1) + 1)
        plays = seats * count_kept(options)
        claims = (seats + 1) * options.muggins + plays * options.muggins_in_play
        decisions = deals * (seats + plays + seats * (plays // 3) + claims)
        games = {"none": 0, "single": 2, "double": 3}[options.skunks] * (seats - 1)
        return GameBounds(decisions, 0, max(options.target, games))
