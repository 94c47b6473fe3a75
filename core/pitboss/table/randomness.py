"""Randomness from a string: the same shuffle on every platform and every Python version.

The primitive is SHAKE-256 (FIPS 202), which Python ships as `hashlib.shake_256`. The k-th draw (k = 0, 1, …) of a
stream reads its words from the digest of `seed + NUL + k`, as little-endian unsigned 64-bit numbers. A stream is two
values, a seed and a counter: it is cheap to copy, and any implementation of SHAKE-256 can check a shuffle.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from hashlib import shake_256
from itertools import accumulate
from operator import mod
from struct import unpack
from typing import TypeVar

from pitboss.table.cards import Deck

T = TypeVar("T")


class Random:
    """A stream of random numbers, determined by its seed."""

    __slots__ = ("draws", "seed")

    def __init__(self, seed: str, draws: int = 0) -> None:
        self.seed = seed
        self.draws = draws

    def __repr__(self) -> str:
        return f"Random({self.seed!r}, {self.draws})"

    def copy(self) -> Random:
        """Return an independent stream with the same future draws."""
        return Random(self.seed, self.draws)

    def spawn(self, name: str) -> Random:
        """Return a new stream; it does not depend on how much was drawn from this one."""
        return Random(f"{self.seed}/{name}")

    def draw_words(self, count: int) -> tuple[int, ...]:
        """Draw `count` numbers, each uniform in 0 .. 2**64 - 1."""
        digest = shake_256(b"%s\0%d" % (self.seed.encode(), self.draws)).digest(8 * count)
        self.draws += 1
        return unpack(f"<{count}Q", digest)

    def randbelow(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1 (the bias is under limit / 2**64)."""
        if limit < 1:
            raise ValueError(f"randbelow({limit!r}): the limit must be at least 1")
        return self.draw_words(1)[0] * limit >> 64

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[self.randbelow(len(items))]

    def draw_outcomes(self, outcomes: Sequence[T], weights: Sequence[int], count: int) -> list[T]:
        """Draw an outcome `count` times, each as often as its weight, a whole number, says."""
        bounds = [*accumulate(weights)]
        return [outcomes[bisect_right(bounds, self.randbelow(bounds[-1]))] for _ in range(count)]

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into a random order, in place (Fisher and Yates, from the end; one word an item).

        With `settled`, the last `settled` items are those of a whole shuffle; the order of the others is not defined.
        """
        count = len(items)
        words = count if settled is None else min(settled, count)
        places = map(mod, self.draw_words(words), range(count, count - words, -1))
        for last, at in zip(range(count - 1, count - words - 1, -1), places, strict=True):
            items[at], items[last] = items[last], items[at]


class StackedRandom(Random):
    """A stream whose first shuffles and lots are given: a stacked deck.

    When they are used up it continues as the ordinary stream of its seed; a `strict` one raises ValueError. With a
    `deck` an order gives faces: a card that is not among the shuffled items is replaced by a copy of its face that is.
    """

    __slots__ = ("deck", "lots", "orders", "strict")

    def __init__(
        self,
        seed: str,
        orders: Iterable[Sequence[int]] = (),
        lots: Iterable[int] = (),
        *,
        strict: bool = False,
        deck: Deck | None = None,
    ) -> None:
        super().__init__(seed)
        self.orders = [tuple(order) for order in orders]
        self.lots = list(lots)
        self.strict = strict
        self.deck = deck

    def copy(self) -> StackedRandom:
        """Return an independent stream with the same future draws."""
        twin = StackedRandom(self.seed, self.orders, self.lots, strict=self.strict, deck=self.deck)
        twin.draws = self.draws
        return twin

    def spawn(self, name: str) -> StackedRandom:
        """Return a stream of this name that takes its orders and lots from the same stack."""
        child = StackedRandom(f"{self.seed}/{name}", strict=self.strict, deck=self.deck)
        child.orders, child.lots = self.orders, self.lots
        return child

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into the next given order.

        Raises:
            ValueError: the order holds other items, or there is none left and the stream is strict.
        """
        if not self.orders and not self.strict:
            super().shuffle(items, settled)
            return
        order = self.orders.pop(0) if self.orders else ()
        if self.deck is not None and sorted(order) != sorted(items):
            order = _match_faces(order, items, self.deck)
        if sorted(order) != sorted(items):
            raise ValueError(f"the stacked order {order!r} is not an order of {sorted(items)!r}")
        items[:] = order

    def randbelow(self, limit: int) -> int:
        """Return the next given lot.

        Raises:
            ValueError: the lot is not below the limit, or there is none left and the stream is strict.
        """
        if not self.lots and not self.strict:
            return super().randbelow(limit)
        lot = self.lots.pop(0) if self.lots else -1
        if not 0 <= lot < limit:
            raise ValueError(f"the written lot {lot} is not in 0..{limit - 1}")
        return lot


def _match_faces(order: Sequence[int], items: Sequence[int], deck: Deck) -> tuple[int, ...]:
    """Return the order with cards that are not among the items replaced by items with their faces, where possible."""
    spare = [item for item in items if item not in order]
    cards = []
    for card in order:
        copies = deck.copies(deck.faces[card]) if card not in items and 0 <= card < len(deck) else ()
        match = next((item for item in spare if item in copies), None)
        if match is not None:
            spare.remove(match)
        cards.append(card if match is None else match)
    return tuple(cards)
