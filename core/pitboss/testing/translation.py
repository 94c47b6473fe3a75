"""Translation: what an action with hidden cards would have been in an imagined world, where other cards lie in their places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, Final

import msgspec

from pitboss.cards import Face
from pitboss.table import Table

MOST: Final = 8  # translations of one action: equal faces may stand for different cards


class Translation:
    """Which card lies in a world where another lies in truth."""

    def __init__(self, real: Table, world: Table) -> None:
        self._deck = real.layout.deck
        self._lies = {
            card: other
            for zone, cards in enumerate(real.zones)
            for card, other in zip(cards, world.zones[zone], strict=False)
            if card >= 0 and other >= 0
        }
        self._has_words = any(isinstance(face, str) for face in self._deck.faces)

    def of(self, action: Any) -> Iterator[Any]:  # noqa: ANN401 - an action of any game
        """Yield what the action may have been, the likeliest first, and the action itself.

        Where faces are words, they are taken for cards. Where they are numbers, a number in an action is more often a slot.
        """
        if not self._has_words:
            yield action
        plain = msgspec.to_builtins(action)
        for other in islice(self._translated(plain), MOST):
            try:
                yield msgspec.convert(other, type(action))
            except msgspec.ValidationError:
                continue
        if self._has_words:
            yield action

    def _translated(self, plain: Any) -> Iterator[Any]:  # noqa: ANN401 - plain data
        match plain:
            case dict():
                for values in product(*(list(islice(self._translated(value), MOST)) for value in plain.values())):
                    yield dict(zip(plain, values, strict=True))
            case [*parts]:
                yield from map(list, product(*(list(islice(self._translated(part), MOST)) for part in parts)))
            case bool() | None:
                yield plain
            case str() | int():
                yield from self._faces(plain)
            case _:
                yield plain

    def _faces(self, face: Face) -> list[Face]:
        """Return the faces that lie in the world where this one lies in truth."""
        copies = self._deck.copies(face)
        found = [self._deck.faces[self._lies.get(card, card)] for card in copies]
        return list(dict.fromkeys(found)) or [face]
