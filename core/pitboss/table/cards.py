"""Cards: a card is a number, its index in the deck; the deck gives its printed face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from pitboss.errors import PositionError

Face: TypeAlias = str | int  # what is printed on a card: "H10", "R-TRY", 37


class Deck:
    """The cards of a game: `faces[card]` is printed on a card. Several cards may have equal faces."""

    __slots__ = ("_cards", "_first_copies", "copies_of", "faces", "has_copies")

    def __init__(self, faces: Iterable[Face]) -> None:
        self.faces: tuple[Any, ...] = tuple(faces)  # each a `Face`; mostly a game has one kind, str or int
        self._cards: dict[Face, tuple[int, ...]] = {}
        for card, face in enumerate(self.faces):
            self._cards[face] = (*self._cards.get(face, ()), card)
        self.copies_of = [self._cards[face] for face in self.faces]  # of each card: all cards with its face
        self._first_copies = [copies[0] for copies in self.copies_of]
        self.has_copies = len(self._cards) < len(self.faces)  # whether several cards have one face

    def __len__(self) -> int:
        return len(self.faces)

    def faces_of(self, cards: Iterable[int]) -> list[Face]:
        """Return the faces of `cards`, in their order."""
        faces = self.faces
        return [faces[card] for card in cards]

    def sort_cards(self, cards: Iterable[int]) -> list[int]:
        """Return cards in the order of the deck, equal ones side by side: in this order their faces tell no copies."""
        return sorted(cards, key=self._first_copies.__getitem__) if self.has_copies else sorted(cards)

    def copies(self, face: Face) -> tuple[int, ...]:
        """Return every card with this face; () if there is none."""
        return self._cards.get(face, ())

    def find_cards(self, faces: Sequence[Face]) -> list[int]:
        """Return a different card for each face, equal faces getting their copies in deck order.

        Raises:
            PositionError: the deck has no such face, or fewer copies than are asked for.
        """
        unused = {face: list(self.copies(face)) for face in faces}
        cards = []
        for face in faces:
            if not self.copies(face):
                first, last = self.faces[0], self.faces[-1]
                raise PositionError(f"the deck has no card {face!r}; it goes from {first!r} to {last!r}")
            if not unused[face]:
                count = len(self.copies(face))
                raise PositionError(f"card {face!r} is asked for {count + 1} times; the deck holds {count}")
            cards.append(unused[face].pop(0))
        return cards
