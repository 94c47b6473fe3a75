"""A stacked deck of faces: where two cards have one face, it is no matter which of them lies where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitboss.table.cards import Deck
from pitboss.table.randomness import StackedRandom


class StackedFaces(StackedRandom):
    """A stacked stream that takes a written order for one of faces when the very cards are not those to be shuffled.

    An action names a face, and the game takes one of its cards: in another world it may be another one.
    """

    __slots__ = ("_deck",)

    def __init__(self, seed: str, orders: Iterable[Sequence[int]], lots: Iterable[int], deck: Deck) -> None:
        super().__init__(seed, orders, lots, strict=True)
        self._deck = deck

    def copy(self) -> StackedFaces:
        """Return a stream that goes on as this one would."""
        twin = StackedFaces(self.seed, self.orders, self.lots, self._deck)
        twin.draws = self.draws
        return twin

    def spawn(self, name: str) -> StackedFaces:
        """Return a stream of this name that takes what is written from the same stack."""
        child = StackedFaces(f"{self.seed}/{name}", (), (), self._deck)
        child.orders, child.lots = self.orders, self.lots
        return child

    def shuffle(self, items: list[int]) -> None:
        """Put the items into the next written order.

        Raises:
            ValueError: the order holds other faces, or there is none left.
        """
        if self.orders and sorted(self.orders[0]) != sorted(items):
            self.orders[0] = self._match_faces(self.orders[0], items)
        super().shuffle(items)

    def _match_faces(self, order: Sequence[int], items: Sequence[int]) -> tuple[int, ...]:
        """Return the order with cards that are not among the items exchanged for such with their faces."""
        spare = [item for item in items if item not in order]
        cards = []
        for card in order:
            other = card if card in items else next((one for one in spare if self._face(one) == self._face(card)), card)
            if other in spare:
                spare.remove(other)
            cards.append(other)
        return tuple(cards)

    def _face(self, card: int) -> object:
        return self._deck.faces[card] if 0 <= card < len(self._deck) else None
