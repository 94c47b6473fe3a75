"""Basic Rummy. Draw a card, lay sequences and groups on the table, add to those that lie there, discard: the first
without a card ends the deal.

A turn: take the top card of the stock or of the discard pile; then any number of melds and layoffs; then a discard.
Numbers in docstrings (S1, D4, 2.3, note 5) are those of the rule book, `RULES.md`; turns, deals and scores are in
`rules`, views, evaluation and positions in `state`, the pack and melds in `melds`; options and actions in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from pitboss import TableGame
from pitboss.game import GameBounds
from pitboss.parts.melds import CARDS
from pitboss_rummy.messages import PRESETS, Position, RummyOptions
from pitboss_rummy.presentation import PRESENTATION
from pitboss_rummy.rules import (
    BONUS,
    POINTS,
)
from pitboss_rummy.state import RummyState


class Rummy(TableGame[RummyOptions, RummyState]):
    """The game of Basic Rummy."""

    state = RummyState
    name = "rummy"
    title = "Basic Rummy"
    seats = (2, 3, 4, 5, 6)
    phases = ("draw", "play")
    Position = Position
    presets = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def counts_points(options: RummyOptions) -> bool:
        """Whether points count: they do where they are paid in chips."""
        return options.scoring == "chips"

    @staticmethod
    def bounds(seats: int, options: RummyOptions) -> GameBounds | None:
        """Return the bounds: a turn is a draw, a discard, and a meld or layoff for each card at most."""
        deals, pack = options.deals or 1, options.decks * sum(POINTS[:CARDS])
        decisions = deals * options.max_turns * seats * ((options.hand_size or 0) + 3)
        most = deals * (2 * pack + BONUS)
        is_paid = options.scoring == "chips"  # by the others
        return GameBounds(decisions, -most if is_paid else 0, most, 0 if is_paid else None)
