"""The table from which a case of Rack-O plays: a position written down, a dealt deck, or an open deal."""

from __future__ import annotations

from msgspec import Struct

from pitboss import PositionError, StackedRandom
from pitboss.options import convert_value
from pitboss_racko.messages import Position, RackoOptions
from pitboss_racko.state import RackoState
from tests.rules.racko_case_options import GAME
from tests.rules.racko_dealer import first_dealer


class RackoOpening(Struct, frozen=True):
    """Start of a play: a position, as the case writes it, the cards of the cut, and the orders of coming shuffles."""

    position: dict[str, object]
    draws: list[int] | None
    shuffles: list[list[int]]

    def player_count(self) -> int | None:
        """Return how many racks there are, None if that is left open."""
        rows = self.position.get("racks") or self.position.get("known_racks")
        return len(rows) if isinstance(rows, list) else None

    def set_up(self, players: int, options: RackoOptions) -> RackoState:
        """Return the game at this position. The orders of the shuffles are written top first, a pile has its top last.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        written = dict(self.position)
        if "dealer" not in written and (self.draws or options.first_dealer != "draw"):
            written["dealer"] = first_dealer(self.draws or [], players, options)
        position = convert_value(written, Position, "position", PositionError)
        stacked = StackedRandom("case")
        state = GAME.setup(players, options, position, stacked)
        stacked.orders.extend(tuple(card - 1 for card in reversed(order)) for order in self.shuffles)
        return state
