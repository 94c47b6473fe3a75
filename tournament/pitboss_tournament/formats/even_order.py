"""The order in which tables are played so that at any moment all bots have played about as often.

At tables of two it is the *circle method* of tournament handbooks: one bot keeps its chair, the others move round it by
one chair a round, and whoever face each other meet. In each round everybody plays once; of an odd number one sits out.

At larger tables the bots sit in a circle, too. A table that moves round the circle by one bot at a time becomes as many
tables as there are bots, and each bot is at as many of these as any other (Bose 1939). Such an *orbit* is played to its
end before the next one begins, so that no bot is ever more games behind than a table has seats. Within an orbit, and in
a list of tables that were chosen otherwise, the table comes next whose bots have played least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import combinations, combinations_with_replacement


def iter_even_choices(things: int, size: int, *, has_repeats: bool) -> Iterator[tuple[int, ...]]:
    """Yield all choices of `size` of some things, each ascending and once, all things about as often at any moment.

    `has_repeats`: also those in which a thing occurs several times.
    """
    if size == 2:
        if has_repeats:
            yield from ((one, one) for one in range(things))
        yield from _iter_circle(things)
        return
    for orbit in _iter_orbits(things, size, has_repeats):
        yield from (orbit[number] for number in order_evenly(orbit))


def order_evenly(tables: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the numbers of tables, each once: next comes the first of those whose bots have played least.

    That is by the bot that has played most, then by all of them.
    """
    played = Counter[int]()

    def weigh(number: int) -> tuple[int, int, int]:
        counts = [played[bot] for bot in tables[number]]
        return max(counts, default=0), sum(counts), number

    waiting = [weigh(number) for number in range(len(tables))]
    heapify(waiting)
    while waiting:  # counts only grow: a table whose weight is still right is the first
        number = waiting[0][2]
        now = weigh(number)
        if now != waiting[0]:
            heapreplace(waiting, now)
            continue
        heappop(waiting)
        played.update(tables[number])
        yield number


def _iter_circle(things: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs by the circle method, round by round."""
    moving = things - 1 + things % 2  # of an odd number, the one that keeps its chair is missing
    for turn in range(moving):
        if things % 2 == 0 and things:
            yield turn, moving
        for step in range(1, (moving + 1) // 2):
            one, other = (turn + step) % moving, (turn - step) % moving
            yield min(one, other), max(one, other)


def _iter_orbits(things: int, size: int, has_repeats: bool) -> Iterator[list[tuple[int, ...]]]:
    """Yield the choices in orbits: those that become each other by moving round the circle."""
    choose = combinations_with_replacement if has_repeats else combinations
    if not size:
        yield [()]
        return
    others = range(0 if has_repeats else 1, things)
    for rest in choose(others, size - 1):
        first = (0, *rest)
        turned = (tuple(sorted((one - start) % things for one in first)) for start in dict.fromkeys(first))
        if first == min(turned):
            yield list(dict.fromkeys(tuple(sorted((one + step) % things for one in first)) for step in range(things)))
