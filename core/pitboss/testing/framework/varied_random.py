"""A random stream in which one draw is changed: a lot gets another value, or two items of a shuffle change places."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitboss.table.randomness import Random


class RandomDraw(NamedTuple):
    """One draw from a stream."""

    kind: Literal["lot", "shuffle", "words"]
    size: int  # the limit of a lot, the number of shuffled items, or of words
    seed: str  # of the stream
    draws: int  # of the stream before it


class DrawChange(NamedTuple):
    """A change of one draw, given by two different numbers below its size.

    In a shuffle the items at these places are exchanged; a lot is moved on by their difference.
    """

    draw: RandomDraw
    one: int
    other: int


class DrawVariation:
    """The change of a game's streams (None: no change), and the draws that they made."""

    def __init__(self, change: DrawChange | None = None) -> None:
        self.change = change
        self.made: list[RandomDraw] = []


class VariedRandom(Random):
    """An ordinary stream with one change. Copies and substreams share the variation.

    A draw is known by its stream and by its number there, so that a copy draws what its original will draw.
    """

    __slots__ = ("variation",)

    def __init__(self, seed: str, variation: DrawVariation, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self.variation = variation

    def copy(self) -> VariedRandom:
        """Return an independent stream with the same future draws."""
        return VariedRandom(self.seed, self.variation, self.draws)

    def spawn(self, name: str) -> VariedRandom:
        """Return the substream `name` of this stream's seed."""
        return VariedRandom(f"{self.seed}/{name}", self.variation)

    def draw_words(self, count: int) -> tuple[int, ...]:
        """RandomDraw words; of a changed draw one word is another one."""
        change = self._record_draw("words", count)
        words = [*super().draw_words(count)]
        if change is not None:
            words[change.one] = ~words[change.one] % 2**64
        return tuple(words)

    def randbelow(self, limit: int) -> int:
        """RandomDraw a lot; a changed one is moved on in the circle of its values."""
        change = self._record_draw("lot", limit)
        lot = self._draw_plainly().randbelow(limit)
        return lot if change is None else (lot + change.other - change.one) % limit

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into a random order; in a changed one two items have changed places."""
        change = self._record_draw("shuffle", len(items))
        self._draw_plainly().shuffle(items)
        if change is not None:
            items[change.one], items[change.other] = items[change.other], items[change.one]

    def _record_draw(self, kind: Literal["lot", "shuffle", "words"], size: int) -> DrawChange | None:
        """Record the next draw of this stream; return the variation's change if it is of this draw, else None."""
        draw = RandomDraw(kind, size, self.seed, self.draws)
        self.variation.made.append(draw)
        change = self.variation.change
        return change if change is not None and change.draw == draw else None

    def _draw_plainly(self) -> Random:
        """Return an ordinary stream that makes the next draw in place of this one."""
        plain = Random(self.seed, self.draws)
        self.draws += 1
        return plain
