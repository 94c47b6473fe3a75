"""The tables of a round of the ladder, chosen one by one: who sits with whom, and how many seats an owner has.

Each choice takes about as long as it has to look for somebody who fits: bots that fit nowhere any more are not looked
at, so that a round takes time in proportion to its bots.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

Preference: TypeAlias = Callable[[Sequence[int]], Iterator[int]]  # puts the bots at some places in order, best first

OWNER_SHARE: Final = 2  # an owner has at most so many times the mean of all


class RoundTables:
    """The tables of a round as they are chosen. Places are those of the bots in their order, from 0."""

    def __init__(
        self, order: Sequence[int], owners: Sequence[str], seats: int, owner_seats: int, placing: Collection[int]
    ) -> None:
        """Begin without a table. `owners`: of the bots, in their order. Those of `placing` want two tables each."""
        self.tables: list[list[int]] = []
        self.places = {bot: place for place, bot in enumerate(order)}
        self.wanted: Final = len(order) // seats
        self._order = order
        self._owners = owners
        self._seats = seats
        self._owner_seats = owner_seats
        self._seats_of = Counter[int]()  # by bot
        self._left = [2 if bot in placing else 1 for bot in order]  # tables that bots still want, by place
        self._free = list(range(len(order)))  # places of those who want one, and whose owner has not had its part
        self._open = self._free.copy()  # of all whose owner has not
        self._of_owner = Counter[str]()  # seats
        self._places_of: dict[str, list[int]] = {}  # by owner
        for place, owner in enumerate(owners):
            self._places_of.setdefault(owner, []).append(place)
        self._most: Final = OWNER_SHARE * len(order) // len(self._places_of)

    @property
    def is_full(self) -> bool:
        """Whether there are as many tables as a round has, or more."""
        return len(self.tables) >= self.wanted

    def count(self, bot: int) -> int:
        """Return how many tables a bot has."""
        return self._seats_of[bot]

    def add(self, bot: int, preference: Preference) -> bool:
        """Add a table for a bot with those who fit, the best first; tell whether its owner has not yet had its part.

        Others come only if there is nobody else: first those who want no more tables, then those whose owner has had
        its part, and at last those whose owner has no seat left there.
        """
        if self._of_owner[self._owners[self.places[bot]]] >= self._most:
            return False
        table, everybody = [bot], range(len(self._order))
        self._fill(table, preference, self._free, self._may_join)
        self._fill(table, preference, self._open, self._may_join)
        self._fill(table, preference, everybody, self._has_seat)
        self._fill(table, preference, everybody, lambda bot, table: True)
        self._seat(table)
        return True

    def prefer_near(self, bot: int, first: int | None = None) -> Preference:
        """Return the preference for those nearest to a bot, but for one who comes first."""
        near = partial(self._by_distance, self.places[bot])
        return near if first is None else lambda places: chain((first,), near(places))

    def prefer_quantile(self, share: float) -> Preference:
        """Return the preference for those nearest to a quantile of the order."""
        return partial(self._by_distance, int(share * len(self._order)))

    def _by_distance(self, middle: int, places: Sequence[int]) -> Iterator[int]:
        """Yield the bots at some places, which ascend, those nearest to the middle first."""
        after = bisect_right(places, middle)
        before = after - 1
        while before >= 0 or after < len(places):
            is_before = after == len(places) or (before >= 0 and middle - places[before] <= places[after] - middle)
            yield self._order[places[before if is_before else after]]
            before, after = (before - 1, after) if is_before else (before, after + 1)

    def _fill(
        self,
        table: list[int],
        preference: Preference,
        places: Sequence[int],
        may_join: Callable[[int, Sequence[int]], bool],
    ) -> None:
        """Let bots at some places join a table, as long as it has seats left."""
        if len(table) == self._seats:
            return
        for other in preference(places):
            is_at_place = places is not self._free or self._left[self.places[other]] > 0
            if is_at_place and other not in table and may_join(other, table):
                table.append(other)
                if len(table) == self._seats:
                    return

    def _may_join(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether the owner of a bot has seats left, at a table and in the round."""
        owner = self._owners[self.places[bot]]
        beside = sum(self._owners[self.places[one]] == owner for one in table)
        return beside < self._owner_seats and self._of_owner[owner] + beside < self._most

    def _has_seat(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether the owner of a bot has seats left at a table."""
        owner = self._owners[self.places[bot]]
        return sum(self._owners[self.places[one]] == owner for one in table) < self._owner_seats

    def _seat(self, table: list[int]) -> None:
        self.tables.append(table)
        self._seats_of.update(table)
        for place in [self.places[bot] for bot in table]:
            self._left[place] -= 1
            if not self._left[place]:
                _remove_place(self._free, place)
            owner = self._owners[place]
            self._of_owner[owner] += 1
            if self._of_owner[owner] == self._most:
                for own in self._places_of[owner]:
                    _remove_place(self._free, own)
                    _remove_place(self._open, own)


def _remove_place(places: list[int], place: int) -> None:
    """Remove a place from places that ascend, if it is among them."""
    at = bisect_left(places, place)
    if at < len(places) and places[at] == place:
        del places[at]
