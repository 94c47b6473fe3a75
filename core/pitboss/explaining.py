"""Explaining: how what a seat has seen came about, as a state of the game that it cannot tell from the real one.

The events since a state are explained by decisions of the players and by chance, one action after another: what is legal is tried on a copy, the likeliest first,
until one shows the seat what it has seen. What others hold is only imagined, so a real action may be illegal there; then it is tried in
another world that the seat cannot tell from that one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from pitboss.constraints import Confinement
from pitboss.errors import TableError
from pitboss.events import AnyEvent
from pitboss.foretelling import Foretold, foretold
from pitboss.game import AnyState
from pitboss.likelihood import Likelihood
from pitboss.patience import Patience
from pitboss.randomness import Random
from pitboss.steering import SteeredRandom, Wheel
from pitboss.supposing import supposed
from pitboss.trying import Point, Trial, played

WORLDS: Final = 200  # that are tried at one point
FAILURES: Final = 10  # to find a world at one point
SILENT: Final = 4  # decisions in succession of which the seat sees nothing
FEW_NEEDS: Final = 6
STEPS_A_WORLD: Final = 2


class Explanation:
    """The search for a state that explains some events of one seat.

    `is_so` tells whether a state is as the seat sees it now.
    """

    def __init__(
        self,
        seat: int,
        events: Sequence[AnyEvent],
        is_so: Callable[[AnyState], bool],
        wheel: Wheel,
        rng: Random,
        patience: Patience,
    ) -> None:
        self._seat = seat
        self._events = events
        self._is_so = is_so
        self._wheel = wheel
        self._rng = rng
        self._number = 0
        self._patience = patience
        self._trial = Trial(seat, events, wheel, patience)
        self._likely = Likelihood(events)

    def after(self, state: AnyState) -> AnyState | None:
        """Return a state that follows from the seat's decision in `state`; None if none is found in time."""
        return self._found(self._ways(Point(state, 0, (), is_dealt=True)))

    def from_deal(self, deal: Callable[[Random], AnyState]) -> AnyState | None:
        """Return a state that follows from the beginning of a game; None if none is found in time."""
        empty = deal(Random("empty"))
        self._wheel.deck = empty.table.layout.deck
        told = foretold(empty.table, self._seat, self._events, self._rng, self._patience)
        before = Point(empty, 0, told.orders if told is not None else ())
        return self._found(self._trial.outcomes(before, lambda: deal(self._stream())))

    def _stream(self) -> SteeredRandom:
        self._number += 1
        return SteeredRandom(f"{self._rng.seed}/{self._number}", self._wheel)

    # ---- the search: the point that explains most first, each in as few worlds as any other

    def _found(self, first: Iterator[Point | None]) -> AnyState | None:
        open_ways = [(0, 0, 0, first)]
        number = 0
        while open_ways and not self._patience.is_over:
            worlds, untold, _, ways = heapq.heappop(open_ways)
            try:
                point = next(ways)
            except StopIteration:
                continue
            number += 1
            heapq.heappush(open_ways, (worlds + (point is None), untold, -number, ways))
            if point is None:
                continue
            turn = point.state.turn
            if point.told == len(self._events) and turn is not None and turn.seat == self._seat:
                if self._is_so(point.state):
                    return point.state
            elif turn is not None:
                number += 1
                heapq.heappush(open_ways, (0, len(self._events) - point.told, -number, self._ways(point)))
        return None

    def _ways(self, point: Point) -> Iterator[Point | None]:
        """Yield the points that may come next; None between the worlds in which they are sought."""
        culprits: set[int] = set()
        failures = 0
        for attempt in range(WORLDS):
            world = self._world(point, attempt, culprits if attempt % 2 else set())
            if world is not None:
                yield from self._next(world)
                if attempt:
                    self._suspect(world.state, culprits)
                elif not point.is_dealt:
                    self._suspect(point.state, culprits)
            else:
                failures += 1
                if failures > FAILURES or self._patience.is_over:
                    return
                culprits.clear()
            yield None

    def _next(self, point: Point) -> Iterator[Point]:
        silent = []
        for action in self._likely.order(point.state.legal(), point.told):
            for child in self._trial.outcomes(point, partial(played, point.state, action)):
                if child.told > point.told:
                    yield child
                elif point.silent < SILENT:
                    silent.append(child)
        yield from silent

    # ---- other worlds

    def _world(self, point: Point, attempt: int, culprits: set[int]) -> Point | None:
        """Return a point in a world where what is foretold can come to pass; None if none was found."""
        if not attempt and not point.is_dealt:
            return point
        table = point.state.table
        told = foretold(table, self._seat, self._events[point.told :], self._rng, self._patience)
        if told is None:
            return None
        if not attempt and told.is_so:
            return point._replace(orders=told.orders)
        most = FEW_NEEDS if culprits or table.confined else None  # groups that overlap take long to deal to
        needs = dict(islice(told.needs.items(), most))
        also = self._cleared(point.state, told, culprits) if culprits else ()
        self._patience.spend(STEPS_A_WORLD)
        try:
            state = supposed(point.state, self._seat, self._stream(), needs, also)
        except TableError:
            return None
        return point._replace(state=state, orders=told.orders)

    def _cleared(self, state: AnyState, told: Foretold, culprits: set[int]) -> list[Confinement]:
        """Return that the player on turn holds no card that was legal where the real action was not."""
        turn, table = state.turn, state.table
        backs = table.backs or range(len(table.known))
        innocent = frozenset(range(len(table.known))) - culprits
        hidden = [
            card
            for zone in table.layout.zones
            if turn is not None and zone.owner == turn.seat
            for card in table.zones[zone]
            if card >= 0 and not table.known[card] >> self._seat & 1 and card not in told.needs
        ]
        return [Confinement(innocent, tuple(backs.index(card) for card in hidden))] if hidden else []

    def _suspect(self, state: AnyState, culprits: set[int]) -> None:
        """Note the cards that are named by what is legal in a world where the real action is not."""
        copies = state.table.layout.deck.copies
        for action in state.legal():
            for word in self._likely.words(action):
                culprits.update(copies(word))
