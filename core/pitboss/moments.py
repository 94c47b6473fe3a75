"""Moments: decisions that several seats make at the same time, though a state asks one after the other.

Each of the seats is shown only what was known when the moment began. A record keeps the order in which they were asked.
"""

from __future__ import annotations

from msgspec import Struct

from pitboss.game import AnyState, Simultaneous


class Moment(Struct, frozen=True):
    """What may be shown to a seat that decides."""

    seats: tuple[int, ...]  # that decide at the same time, in the order in which they are asked; (): one decides alone
    state: AnyState  # for views: as it is, or a copy from the beginning of the moment
    log_end: int  # entries of the log that may be shown


class MomentTracker:
    """Tells the moment of each decision of one game. `follow` is to be called before every decision."""

    def __init__(self, state: AnyState) -> None:
        self._shared: Moment | None = None  # that of the last decision, if several seats decide
        self._is_simultaneous = isinstance(state, Simultaneous)

    def follow(self, state: AnyState) -> Moment:
        """Return the moment that the decision in `state` belongs to."""
        log_end = len(state.table.log or ())
        if not self._is_simultaneous:
            return Moment((), state, log_end)
        assert isinstance(state, Simultaneous) and state.turn is not None
        seats, turn = tuple(state.together()), state.turn
        if len(seats) < 2:
            self._shared = None
            return Moment((), state, log_end)
        if self._shared is None or seats != self._shared.seats or turn.seat == seats[0]:
            self._shared = Moment(seats, state.copy(), log_end)
        return self._shared
