"""Trying: an action played on a copy, and what one seat sees of it compared with what it has seen."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

import msgspec

from pitboss.game import AnyState
from pitboss.inference.scripted_random import KnownShuffle, RandomScript
from pitboss.inference.step_budget import StepBudget
from pitboss.table.events import AnyEvent, Reveal, Shuffle, Tell, project_events
from pitboss.table.zones import Layout, ZoneKind

MAX_REPLAYS: Final = 400  # ways to draw the lots of one action
MAX_LOT_VALUES: Final = 64  # of one lot


class SearchNode(NamedTuple):
    """A state on the way, and what is still to be explained."""

    state: AnyState
    matched: int  # events that are explained
    known_shuffles: Sequence[KnownShuffle]  # what is known of the shuffles to come
    silent_decisions: int = 0  # decisions since the last event
    has_shuffled: bool = False  # was the state made by a shuffle since the point before?


class ReplayTrial:
    """Actions tried against the events that a seat has seen."""

    def __init__(self, seat: int, events: Sequence[AnyEvent], script: RandomScript, budget: StepBudget) -> None:
        self._budget = budget
        self._seat = seat
        self._events = events
        self._script = script

    def replay(self, node: SearchNode, play: Callable[[], AnyState]) -> Iterator[SearchNode]:
        """Yield the points that an action may lead to, by the lots that are drawn in it: those first that explain more."""
        lots_to_try: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
        runs, numbers = 0, count(1)
        while lots_to_try and runs < MAX_REPLAYS and not self._budget.is_spent:
            _, _, written = heapq.heappop(lots_to_try)
            runs += 1
            self._budget.spend()
            self._script.load(node.known_shuffles, written)
            try:
                state = play()
            except Exception:  # noqa: BLE001 - the border to a plugin's code
                continue
            finally:
                lots = self._script.drawn_lots
                self._script.clear()
            same, child = self._match_events(node, state)
            if child is not None:
                yield child
            drawn = [lot.value for lot in lots]
            for at in range(len(written), len(lots)):
                for other in range(min(lots[at].limit, MAX_LOT_VALUES)):
                    if other != drawn[at]:
                        heapq.heappush(lots_to_try, (-same, next(numbers), (*drawn[:at], other)))

    def _match_events(self, node: SearchNode, state: AnyState) -> tuple[int, SearchNode | None]:
        """Return how many events are as they were seen, and the point if all of them are."""
        table = state.table
        shown = project_events(table.log or (), table.layout, self._seat)
        table.stop_logging()
        seen = self._events[node.matched : node.matched + len(shown)]
        for at, event in enumerate(shown):
            if at >= len(seen) or not (event == seen[at] or _is_same_observation(event, seen[at], table.layout)):
                return at, None
        shuffles = sum(type(event) is Shuffle for event in shown)
        return len(shown), SearchNode(
            state,
            node.matched + len(shown),
            node.known_shuffles[shuffles:],
            0 if shown else node.silent_decisions + 1,
            shuffles > 0,
        )


def play_on_copy(state: AnyState, action: object) -> AnyState:
    """Play an action on a copy that writes a log."""
    twin = state.copy()
    twin.table.log = []
    twin.play(action)
    return twin


def _is_same_observation(event: AnyEvent, observed: AnyEvent, layout: Layout) -> bool:
    """Tell whether two events differ in no more than the order of a hand that is shown, as nobody can tell how a hand is held; or not at all on the wire."""
    if (
        type(event) is Reveal
        and type(observed) is Reveal
        and event.zone == observed.zone
        and event.event == observed.event
    ):
        is_hand = any(zone.name == event.zone and zone.kind is ZoneKind.HAND for zone in layout.zones)
        return is_hand and sorted(map(repr, event.cards)) == sorted(map(repr, observed.cards))
    if type(event) is Tell and type(observed) is Tell:  # a game may tell a tuple
        return msgspec.json.encode(event) == msgspec.json.encode(observed)
    return False
