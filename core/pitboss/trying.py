"""Trying: an action played on a copy, and what one seat sees of it compared with what it has seen."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

import msgspec

from pitboss.events import AnyEvent, Reveal, Shuffle, Tell, projected
from pitboss.game import AnyState
from pitboss.patience import Patience
from pitboss.steering import Order, Wheel
from pitboss.zones import Kind, Layout

LOTS: Final = 400  # ways to draw the lots of one action
OUTCOMES: Final = 64  # of one lot


class Point(NamedTuple):
    """A state on the way, and what is still to be explained."""

    state: AnyState
    told: int  # events that are explained
    orders: Sequence[Order]  # what is known of the shuffles to come
    silent: int = 0  # decisions since the last event
    is_dealt: bool = False  # was the state made by a shuffle since the point before?


class Trial:
    """Actions tried against the events that a seat has seen."""

    def __init__(self, seat: int, events: Sequence[AnyEvent], wheel: Wheel, patience: Patience) -> None:
        self._patience = patience
        self._seat = seat
        self._events = events
        self._wheel = wheel

    def outcomes(self, point: Point, play: Callable[[], AnyState]) -> Iterator[Point]:
        """Yield the points that an action may lead to, by the lots that are drawn in it: those first that explain more."""
        lots_to_try: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
        runs, numbers = 0, count(1)
        while lots_to_try and runs < LOTS and not self._patience.is_over:
            _, _, written = heapq.heappop(lots_to_try)
            runs += 1
            self._patience.spend()
            self._wheel.take(point.orders, written)
            try:
                state = play()
            except Exception:  # noqa: BLE001 - the border to a plugin's code
                continue
            finally:
                lots = self._wheel.lots
                self._wheel.let_go()
            same, child = self._compared(point, state)
            if child is not None:
                yield child
            drawn = [lot.drawn for lot in lots]
            for at in range(len(written), len(lots)):
                for other in range(min(lots[at].limit, OUTCOMES)):
                    if other != drawn[at]:
                        heapq.heappush(lots_to_try, (-same, next(numbers), (*drawn[:at], other)))

    def _compared(self, point: Point, state: AnyState) -> tuple[int, Point | None]:
        """Return how many events are as they were seen, and the point if all of them are."""
        table = state.table
        shown = projected(table.log or (), table.layout, self._seat)
        table.quiet()
        seen = self._events[point.told : point.told + len(shown)]
        for at, event in enumerate(shown):
            if at >= len(seen) or not (event == seen[at] or _is_like(event, seen[at], table.layout)):
                return at, None
        shuffles = sum(type(event) is Shuffle for event in shown)
        return len(shown), Point(
            state,
            point.told + len(shown),
            point.orders[shuffles:],
            0 if shown else point.silent + 1,
            shuffles > 0,
        )


def played(state: AnyState, action: object) -> AnyState:
    """Play an action on a copy that writes a log."""
    twin = state.copy()
    twin.table.log = []
    twin.play(action)
    return twin


def _is_like(event: AnyEvent, seen: AnyEvent, layout: Layout) -> bool:
    """Tell whether two events differ in no more than the order of a hand that is shown, as nobody can tell how a hand is held; or not at all on the wire."""
    if type(event) is Reveal and type(seen) is Reveal and event.zone == seen.zone and event.event == seen.event:
        is_hand = any(zone.name == event.zone and zone.kind is Kind.HAND for zone in layout.zones)
        return is_hand and sorted(map(repr, event.cards)) == sorted(map(repr, seen.cards))
    if type(event) is Tell and type(seen) is Tell:  # a game may tell a tuple
        return msgspec.json.encode(event) == msgspec.json.encode(seen)
    return False
