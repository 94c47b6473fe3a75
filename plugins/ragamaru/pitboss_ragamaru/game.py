"""RAGAMARU. Match the colour, the number or the kind of the top card; first without cards wins, but only number cards
may be the last ones.

Attacks make the next player draw unless he passes them on; other cards skip players, turn play round, move seats, send
a player to rest, let cards be put away, or name the colour. Numbers in docstrings (2.4, D13) are those of the rule
book, `RULES.md`. Its state machine is in `rules` (deal and turn order), `effects` (of the cards) and `phases` (the
decisions); cards are in `cards`, fitting in `field`, plays in `plays`; options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from typing import get_args

from pitboss import Sides, TableGame
from pitboss.game import GameBounds
from pitboss_ragamaru.cards import CARDS, describe_face
from pitboss_ragamaru.messages import PRESETS, Phase, Position, RagamaruOptions
from pitboss_ragamaru.presentation import PRESENTATION
from pitboss_ragamaru.rules import team_sides
from pitboss_ragamaru.state import RagamaruState


class Ragamaru(TableGame[RagamaruOptions, RagamaruState]):
    """The game of RAGAMARU."""

    state = RagamaruState
    name = "ragamaru"
    title = "RAGAMARU"
    seats = (2, 3, 4, 5, 6, 7, 8, 9, 10)
    phases = get_args(Phase)
    Position = Position
    presets = PRESETS
    presentation = PRESENTATION
    describe_face = staticmethod(describe_face)

    def sides(self, seats: int, options: RagamaruOptions) -> Sides:
        """D36: the teams."""
        return team_sides(seats, options.teams)

    @staticmethod
    def bounds(seats: int, options: RagamaruOptions) -> GameBounds | None:
        """Return the bounds: points are places, a share of the win, or cards."""
        most = {"places": seats - 1, "win": 1, "margin": CARDS}[options.scoring]
        return GameBounds(None, -most if options.scoring == "margin" else 0, most)
