"""Steered randomness: a stream whose shuffles and lots are random, but for what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitboss.cards import Deck, Face
from pitboss.randomness import Random


class Order(NamedTuple):
    """What is known of a shuffle: how many cards there were, and the faces that came to lie at some places (the top is the last)."""

    size: int
    faces: Mapping[int, Face]


class Lot(NamedTuple):
    """A lot that was drawn: in 0 .. limit - 1."""

    drawn: int
    limit: int


class Wheel:
    """What the streams of one game are steered by, while an action is played."""

    def __init__(self) -> None:
        self.deck = Deck(())
        self.orders: list[Order] = []  # of the shuffles to come, the next one last
        self.written: list[int] = []  # the lots to come, the next one last
        self.lots: list[Lot] = []  # those that were drawn

    def take(self, orders: Iterable[Order], lots: Iterable[int]) -> None:
        """Steer what is drawn from now on."""
        self.orders, self.written, self.lots = [*orders][::-1], [*lots][::-1], []

    def let_go(self) -> None:
        """Steer nothing more."""
        self.take((), ())


class SteeredRandom(Random):
    """A stream that follows a wheel, and is an ordinary one as soon as that is let go."""

    __slots__ = ("wheel",)

    def __init__(self, seed: str, wheel: Wheel, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self.wheel = wheel

    def copy(self) -> SteeredRandom:
        """Return a stream that goes on as this one would."""
        return SteeredRandom(self.seed, self.wheel, self.draws)

    def spawn(self, name: str) -> SteeredRandom:
        """Return a stream of this name that follows the same wheel."""
        return SteeredRandom(f"{self.seed}/{name}", self.wheel)

    def below(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1, or the one that is written."""
        wheel = self.wheel
        drawn = super().below(limit)
        if wheel.written:
            drawn = min(wheel.written.pop(), limit - 1)
        wheel.lots.append(Lot(drawn, limit))
        return drawn

    def shuffle(self, items: list[int]) -> None:
        """Put the items into a random order in which the faces that are known lie where they lay."""
        super().shuffle(items)
        orders = self.wheel.orders
        if orders and orders[-1].size == len(items):
            _arrange(items, orders.pop().faces, self.wheel.deck)


def _arrange(items: list[int], wanted: Mapping[int, Face], deck: Deck) -> None:
    """Exchange items until the wanted faces lie where they shall, as far as there are such cards."""
    faces, settled = deck.faces, set[int]()
    for at, face in wanted.items():
        if faces[items[at]] == face:
            settled.add(at)
    where = {card: at for at, card in enumerate(items)}
    for at, face in wanted.items():
        if at in settled:
            continue
        for card in deck.copies(face):
            other = where.get(card, at)
            if other != at and other not in settled:
                out = items[at]
                items[at], items[other] = card, out
                where[card], where[out] = at, other
                settled.add(at)
                break
