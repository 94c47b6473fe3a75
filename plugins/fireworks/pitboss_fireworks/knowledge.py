"""What follows from a view of Fireworks for the bots: which cards fit, which are of no use, which are the last ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pitboss_fireworks.cards import HIGHEST, NUMBERS, make_deck


class TableKnowledge:
    """The open cards of a table: fireworks and discards."""

    def __init__(self, options: dict[str, Any], heights: dict[str, int], discards: Iterable[str]) -> None:
        deck = make_deck(options["colours"], options["rainbow"], options["single"], options["special"])
        self.copies = Counter(map(str, deck.faces))
        self.heights = dict(heights)
        self.gone = Counter(discards)

    def does_fit(self, face: str) -> bool:
        """Return whether a card can be played now."""
        return int(face[1]) == self.heights[face[0]] + 1

    def is_dead(self, face: str) -> bool:
        """Return whether a card can never be played: it has been, or all copies of one below it are gone."""
        height = self.heights[face[0]]
        below = NUMBERS[height : int(face[1]) - 1]
        return int(face[1]) <= height or any(self.gone[face[0] + one] == self.copies[face[0] + one] for one in below)

    def is_last(self, face: str) -> bool:
        """Return whether a card is needed, and all its other copies are gone."""
        return not self.is_dead(face) and self.gone[face] == self.copies[face] - 1

    def list_fitting(self) -> set[str]:
        """Return the cards that can be played now."""
        return {f"{colour}{height + 1}" for colour, height in self.heights.items() if height < HIGHEST}

    def count_unseen(self, seen: Iterable[str | None]) -> Counter[str]:
        """Return how many copies of each card lie neither open nor among the cards that are seen."""
        played = [colour + number for colour, height in self.heights.items() for number in NUMBERS[:height]]
        left = Counter(self.copies)
        left.subtract(Counter(played) + self.gone + Counter(face for face in seen if face is not None))
        return left


def choose_discard(hands_hinted: Sequence[bool], dead: Collection[int]) -> int:
    """Return the place of the card to discard: one of no use, else the oldest one without a hint, else the newest."""
    if dead:
        return min(dead)
    return next((place for place, is_hinted in enumerate(hands_hinted) if not is_hinted), len(hands_hinted) - 1)
