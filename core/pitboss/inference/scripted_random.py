"""Steered randomness: a stream whose shuffles and lots are random, but for what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitboss.table.cards import Deck, Face
from pitboss.table.randomness import Random


class KnownShuffle(NamedTuple):
    """What is known of a shuffle: how many cards there were, and the faces that came to lie at some places (the top is the last)."""

    size: int
    faces_by_place: Mapping[int, Face]


class DrawnLot(NamedTuple):
    """A lot that was drawn: in 0 .. limit - 1."""

    value: int
    limit: int


class RandomScript:
    """What the streams of one game are steered by, while an action is played."""

    def __init__(self) -> None:
        self.deck = Deck(())
        self.known_shuffles: list[KnownShuffle] = []  # of the shuffles to come, the next one last
        self.scripted_lots: list[int] = []  # the lots to come, the next one last
        self.drawn_lots: list[DrawnLot] = []  # those that were drawn

    def load(self, known_shuffles: Iterable[KnownShuffle], scripted_lots: Iterable[int]) -> None:
        """Steer what is drawn from now on."""
        self.known_shuffles, self.scripted_lots, self.drawn_lots = [*known_shuffles][::-1], [*scripted_lots][::-1], []

    def clear(self) -> None:
        """Steer nothing more."""
        self.load((), ())


class ScriptedRandom(Random):
    """A stream that follows a wheel, and is an ordinary one as soon as that is let go."""

    __slots__ = ("script",)

    def __init__(self, seed: str, script: RandomScript, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self.script = script

    def copy(self) -> ScriptedRandom:
        """Return a stream that goes on as this one would."""
        return ScriptedRandom(self.seed, self.script, self.draws)

    def spawn(self, name: str) -> ScriptedRandom:
        """Return a stream of this name that follows the same wheel."""
        return ScriptedRandom(f"{self.seed}/{name}", self.script)

    def randbelow(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1, or the one that is written."""
        wheel = self.script
        drawn = super().randbelow(limit)
        if wheel.scripted_lots:
            drawn = min(wheel.scripted_lots.pop(), limit - 1)
        wheel.drawn_lots.append(DrawnLot(drawn, limit))
        return drawn

    def shuffle(self, items: list[int]) -> None:
        """Put the items into a random order in which the faces that are known lie where they lay."""
        super().shuffle(items)
        orders = self.script.known_shuffles
        if orders and orders[-1].size == len(items):
            _place_faces(items, orders.pop().faces_by_place, self.script.deck)


def _place_faces(items: list[int], faces_by_place: Mapping[int, Face], deck: Deck) -> None:
    """Exchange items until the wanted faces lie where they shall, as far as there are such cards."""
    faces, settled = deck.faces, set[int]()
    for at, face in faces_by_place.items():
        if faces[items[at]] == face:
            settled.add(at)
    where = {card: at for at, card in enumerate(items)}
    for at, face in faces_by_place.items():
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
