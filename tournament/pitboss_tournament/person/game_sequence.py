"""The order of a session's games: a new deal, or the same deal in the next seat."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.table.randomness import Random
from pitboss_tournament.plan.seating import Order


class GameSequence:
    """The game ids of a session: game `deal * len(orders) + order` is that deal in that seat order.

    With a `seat_seed` the seat of `entrant` is drawn for each deal.
    """

    def __init__(self, orders: Sequence[Order], entrant: int, seat_seed: str | None) -> None:
        self._orders = orders
        self._entrant = entrant
        self._seat_seed = seat_seed

    def deal_of(self, game_id: int) -> int:
        """Return the number of a game's deal."""
        return game_id // len(self._orders)

    def next_deal(self, played: Sequence[int], seat: int | None) -> int:
        """Return the id of a game with a new deal: in a drawn seat, in `seat`, or in the seat after the last."""
        deal, order = divmod(max(played), len(self._orders)) if played else (-1, -1)
        deal += 1
        if self._seat_seed is not None:
            seat = Random(f"{self._seat_seed}/seat/{deal}").draw_words(1)[0] % len(self._orders[0])
        order = (order + 1) % len(self._orders) if seat is None else self._find_order(seat)
        return deal * len(self._orders) + order

    def same_deal_in_next_order(self, played: Sequence[int], game_id: int) -> int | None:
        """Return the same deal in the next order that has not been played; None if all have."""
        deal, order = divmod(game_id, len(self._orders))
        steps = range(1, len(self._orders))
        games = (deal * len(self._orders) + (order + step) % len(self._orders) for step in steps)
        return next((game for game in games if game not in played), None)

    def _find_order(self, seat: int) -> int:
        return next(number for number, order in enumerate(self._orders) if order[seat] == self._entrant)
