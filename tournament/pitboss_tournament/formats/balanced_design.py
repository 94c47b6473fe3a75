"""Balanced incomplete designs: tables at which any two bots meet equally often, or once more.

The bots are thought to sit in a circle. A *base* is a table; moved round the circle by one bot at a time it becomes as
many tables as there are bots, so that each bot sits at equally many. Two bots meet as often as their distance in the
circle occurs in the bases, and there are only half as many distances as bots: balancing those is a small search (Bose
1939 builds block designs in this way). It begins with random bases, from a stream seeded by the numbers of bots, seats
and bases, and changes one member at a time for one that balances no worse.

Guaranteed: pair counts differ by at most 1, each bot is at equally many tables, no set of bots comes twice. The number
of tables gives way: it is a multiple of the number of bots, and where no design is found for one multiple (6 bots of 16
once round the circle have no design), the next multiple is tried; the last resort is all sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Final, TypeAlias

from pitboss.table.randomness import Random

SEARCH_STEPS: Final = 4_000  # in the search for a number of bases; nearly all that are found are found in a few hundred

Base: TypeAlias = tuple[int, ...]  # ascending, beginning with bot 0


@cache
def choose_tables(bots: int, seats: int, tables: int) -> tuple[Base, ...]:
    """Return the smallest balanced choice that is found of at least `tables` tables, in ascending order."""
    for count in range(max(1, -(-tables // bots)), comb(bots, seats) // bots):
        bases = _DesignSearch(bots, seats, count).run()
        if bases is not None:
            return tuple(sorted(table for base in bases for table in _rotate_base(base, bots)))
    return tuple(combinations(range(bots), seats))


class _DesignSearch:
    """Local search over sets of base tables; `_meetings[d]` counts meetings of bots at distance d."""

    def __init__(self, bots: int, seats: int, count: int) -> None:
        self._bots = bots
        self._seats = seats
        self._least_meetings = count * seats * (seats - 1) // (bots - 1)  # how often two bots meet at least
        self._rng = Random(f"design/{bots}/{seats}/{count}")
        self._bases: list[Base] = []
        self._orbits: set[Base] = set()
        self._meetings = [0] * (bots // 2 + 1)
        for _ in range(count):
            self._add_any()

    def run(self) -> list[Base] | None:
        """Return balanced bases; None if the search finds none."""
        for _ in range(SEARCH_STEPS + 50 * len(self._bases)):
            if self._imbalance(self._meetings) == 0:
                return self._bases if len(self._bases) == len(self._orbits) else None
            self._step()
        return None

    def _step(self) -> None:
        number = self._rng.randbelow(len(self._bases))
        base = self._bases[number]
        changed = tuple(
            sorted({*base, self._rng.randbelow(self._bots)} - {base[1 + self._rng.randbelow(self._seats - 1)]})
        )
        if len(changed) != self._seats or changed[0] != 0:
            return
        orbit = _first_rotation(changed, self._bots)
        if orbit is None or (orbit in self._orbits and orbit != _first_rotation(base, self._bots)):
            return
        meetings = [
            all_ - old + new
            for all_, old, new in zip(
                self._meetings, _count_meetings(base, self._bots), _count_meetings(changed, self._bots), strict=True
            )
        ]
        if self._imbalance(meetings) <= self._imbalance(self._meetings) or self._rng.randbelow(50) == 0:
            self._orbits.discard(_first_rotation(base, self._bots) or base)
            self._orbits.add(orbit)
            self._bases[number], self._meetings = changed, meetings

    def _add_any(self) -> None:
        """Add a random base, if possible of a new orbit."""
        for _ in range(100):
            members = list(range(1, self._bots))
            self._rng.shuffle(members)
            base = (0, *sorted(members[: self._seats - 1]))
            orbit = _first_rotation(base, self._bots)
            if orbit is not None and orbit not in self._orbits:
                break
        self._orbits.add(orbit or base)
        self._bases.append(base)
        self._meetings = [
            all_ + new for all_, new in zip(self._meetings, _count_meetings(base, self._bots), strict=True)
        ]

    def _imbalance(self, meetings: list[int]) -> int:
        return sum(
            max(0, count - self._least_meetings - 1) + max(0, self._least_meetings - count) for count in meetings[1:]
        )


def _rotate_base(base: Base, bots: int) -> Iterator[Base]:
    """Yield the tables of a base, moved round the circle."""
    for step in range(bots):
        yield tuple(sorted((bot + step) % bots for bot in base))


@lru_cache(10_000)
def _first_rotation(base: Base, bots: int) -> Base | None:
    """Return the smallest rotation of a base, which identifies its orbit; None if the orbit is shorter than `bots`."""
    tables = sorted(_rotate_base(base, bots))
    return tables[0] if tables[0] != tables[1] else None


@lru_cache(10_000)
def _count_meetings(base: Base, bots: int) -> tuple[int, ...]:
    """Return the numbers of meetings of two bots at the tables of a base, by their distance.

    Bots opposite each other meet twice for each time that they occur in the base.
    """
    counts = [0] * (bots // 2 + 1)
    for one, other in combinations(base, 2):
        distance = min(other - one, bots - (other - one))
        counts[distance] += 2 if 2 * distance == bots else 1
    return tuple(counts)
