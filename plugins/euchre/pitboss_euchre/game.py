"""Euchre. Two against two, five cards each: who makes trumps has to take three tricks of five; first side to ten wins.

A card is turned up. In turn everybody may make its suit trumps, and the dealer takes the card; if nobody does,
everybody may name another suit, or (option) no trumps. The jack of trumps is the highest card, and the other jack of
that colour the second one. Makers with three or four tricks get a point, with all five two, and four if one plays
without the partner; with fewer the others get two.

Numbers in docstrings (E4) are those of the rule book, `RULES.md`; the rules are in `state`, the bowers in `cards`;
options, actions and views are in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.game import GameBounds
from pitboss.parts.trick_match import TrickGame
from pitboss_euchre.messages import PRESETS, EuchreOptions, Position
from pitboss_euchre.presentation import PRESENTATION
from pitboss_euchre.state import EuchreState


class Euchre(TrickGame[EuchreOptions, EuchreState]):
    """The game: one object without state."""

    state = EuchreState
    name = "euchre"
    title = "Euchre"
    version = "2"
    seats: Sequence[int] = (4,)
    phases = ("benny", "call", "discard", "defend", "play")
    Position = Position
    presets: Mapping[str, EuchreOptions] = PRESETS
    presentation = PRESENTATION

    @staticmethod
    def bounds(seats: int, options: EuchreOptions) -> GameBounds | None:
        """Return the bounds: a deal is two rounds of calls, a few other decisions and five tricks, for 4 points."""
        return GameBounds(None if options.farmer == "redeal" else options.deals * (4 * 9 + 8), 0, options.target + 3)
