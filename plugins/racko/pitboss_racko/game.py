"""Rack-O. Ten cards in a rack, in the order in which they were dealt; the first to have them go up from #5 to #50 ends
the round.

A turn: draw from the stock, then swap the card into a slot or discard it; or take the top discard into a slot at once.
Numbers in docstrings (S1, D4, 2.3) are those of the rule book, `RULES.md`; the rules are in `state`, scores in `rack`;
options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from pitboss import TableGame
from pitboss.game import GameBounds
from pitboss_racko.messages import (
    PRESETS,
    Position,
    RackoOptions,
)
from pitboss_racko.presentation import PRESENTATION
from pitboss_racko.rack import RACKO_POINTS, RUN_BONUS
from pitboss_racko.state import (
    RackoState,
    find_partners,
)


class Racko(TableGame[RackoOptions, RackoState]):
    """The game of Rack-O."""

    state = RackoState
    name = "racko"
    title = "Rack-O"
    seats = (2, 3, 4)
    phases = ("draw", "place", "declare")
    Position = Position
    presets = PRESETS
    presentation = PRESENTATION
    sides = staticmethod(find_partners)

    @staticmethod
    def bounds(seats: int, options: RackoOptions) -> GameBounds | None:
        """Return the bounds; None where a tie at the target is played off for as many rounds as it takes."""
        rounds = options.max_rounds
        if rounds is None and options.tie == "shared":
            rounds = -(-options.target // 5)  # every rack has a card in order
        if rounds is None:
            return None
        most = RACKO_POINTS + (RUN_BONUS[-1] if options.bonus_runs else 0)
        decisions = 3 * options.max_turns * seats  # a draw, a place, and perhaps a declaration
        return GameBounds(rounds * decisions, 0, rounds * most * (2 if options.partners else 1))
