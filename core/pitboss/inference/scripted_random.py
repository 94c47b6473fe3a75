"""A random stream whose shuffles and chance events follow a script as far as the script says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from pitboss.table.cards import Deck, Face
from pitboss.table.randomness import Random
from pitboss.table.secrets import Scalar

T = TypeVar("T")
KnownValues: TypeAlias = Sequence[Scalar] | None  # of a secret; None: not known


class KnownShuffle(NamedTuple):
    """The known faces of a shuffle of `size` cards, by place (the last place is the top)."""

    size: int
    faces_by_place: Mapping[int, Face]


class RandomScript:
    """The shuffles, rolls and lots that the streams of one game are to draw, and the lots that they have drawn."""

    def __init__(self) -> None:
        self.deck = Deck(())
        self.known_shuffles: list[KnownShuffle] = []  # to come, the next one last
        self.scripted_lots: list[int] = []  # to come, the next one last
        self.known_rolls: list[KnownValues] = []  # to come, the next one last
        self.drawn_lots: list[tuple[int, int]] = []  # since `load`, each with its limit

    def load(
        self,
        known_shuffles: Iterable[KnownShuffle] = (),
        scripted_lots: Iterable[int] = (),
        known_rolls: Iterable[KnownValues] = (),
    ) -> None:
        """Replace the script and clear `drawn_lots`."""
        self.known_shuffles, self.scripted_lots, self.drawn_lots = [*known_shuffles][::-1], [*scripted_lots][::-1], []
        self.known_rolls = [*known_rolls][::-1]


class ScriptedRandom(Random):
    """A stream that follows a script; an ordinary one while nothing is scripted."""

    __slots__ = ("script",)

    def __init__(self, seed: str, script: RandomScript, draws: int = 0) -> None:
        super().__init__(seed, draws)
        self.script = script

    def copy(self) -> ScriptedRandom:
        """Return an independent stream with the same future draws and the same script."""
        return ScriptedRandom(self.seed, self.script, self.draws)

    def spawn(self, name: str) -> ScriptedRandom:
        """Return the substream `name` of this stream's seed; it shares the script."""
        return ScriptedRandom(f"{self.seed}/{name}", self.script)

    def randbelow(self, limit: int) -> int:
        """Draw a number in 0 .. limit - 1: the next scripted one (at most limit - 1), else a random one."""
        script = self.script
        drawn = super().randbelow(limit)
        if script.scripted_lots:
            drawn = min(script.scripted_lots.pop(), limit - 1)
        script.drawn_lots.append((drawn, limit))
        return drawn

    def draw_outcomes(self, outcomes: Sequence[T], weights: Sequence[int], count: int) -> list[T]:
        """Draw an outcome `count` times: the known outcomes of the next roll, if that roll has `count` of them."""
        known = self.script.known_rolls.pop() if self.script.known_rolls else None
        if known is not None and len(known) == count:
            places = [outcomes.index(value) if value in outcomes else -1 for value in known]
            if -1 not in places:
                return [outcomes[place] for place in places]
        return super().draw_outcomes(outcomes, weights, count)

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into a random order; if the next scripted shuffle has their number, with its faces in place."""
        super().shuffle(items)
        shuffles = self.script.known_shuffles
        if shuffles and shuffles[-1].size == len(items):
            _place_faces(items, shuffles.pop().faces_by_place, self.script.deck)


def _place_faces(items: list[int], faces_by_place: Mapping[int, Face], deck: Deck) -> None:
    """Swap items until the given faces lie at their places, as far as the items contain such cards."""
    settled = {at for at, face in faces_by_place.items() if deck.faces[items[at]] == face}
    where = {card: at for at, card in enumerate(items)}
    for at, face in faces_by_place.items():
        for card in deck.copies(face) if at not in settled else ():
            other = where.get(card, at)
            if other != at and other not in settled:
                out = items[at]
                items[at], items[other] = card, out
                where[card], where[out] = at, other
                settled.add(at)
                break
