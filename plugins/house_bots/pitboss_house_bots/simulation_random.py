"""Randomness of sampled worlds: fast, and it notices when all cards are dealt anew."""

from __future__ import annotations

from random import Random as Quick
from struct import unpack

from pitboss import Random


class SimulationRandom(Random):
    """Random stream for simulated games: ten times as fast as `Random`, not reproducible across versions.

    `copy` and `spawn` return the same stream. `is_redealt` is set once the whole deck is shuffled: a new round has
    begun.
    """

    __slots__ = ("_cards", "_quick", "is_redealt")

    def __init__(self, quick: Quick, cards: int) -> None:
        super().__init__("")
        self._quick = quick
        self._cards = cards
        self.is_redealt = False

    def copy(self) -> SimulationRandom:
        """Return the same: a copy that looks ahead a step is thrown away."""
        return self

    def spawn(self, name: str) -> SimulationRandom:
        """Return the same."""
        return self

    def draw_words(self, count: int) -> tuple[int, ...]:
        """Draw `count` numbers, each uniform in 0 .. 2**64 - 1."""
        return unpack(f"<{count}Q", self._quick.randbytes(8 * count))

    def randbelow(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1."""
        return int(self._quick.random() * limit)

    def shuffle(self, items: list[int]) -> None:
        """Put the items into a random order, in place."""
        self.is_redealt = self.is_redealt or len(items) == self._cards
        self._quick.shuffle(items)
