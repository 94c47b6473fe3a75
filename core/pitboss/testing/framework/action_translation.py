"""Translate actions with hidden cards into a world where other cards lie in their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any, Final

import msgspec

from pitboss.table.cards import Face
from pitboss.table.table import Table

MAX_TRANSLATIONS: Final = 8  # of one action: equal faces may stand for different cards


class ActionTranslation:
    """Translates the faces that an action names, from the real table into a world."""

    def __init__(self, real: Table, world: Table) -> None:
        self._deck = real.layout.deck
        self._card_in_world = {
            card: other
            for zone, cards in enumerate(real.zones)
            for card, other in zip(cards, world.zones[zone], strict=False)
            if card >= 0 and other >= 0
        }
        self._has_text_faces = any(isinstance(face, str) for face in self._deck.faces)

    def translate(self, action: Any) -> Iterator[Any]:  # noqa: ANN401 - an action of any game
        """Yield translations of the action into the world, the likeliest first.

        If faces are texts, a face in the action means a card, and the untranslated action comes last. If all faces are
        numbers, it comes first: a number in an action is more often a slot.
        """
        if not self._has_text_faces:
            yield action
        plain = msgspec.to_builtins(action)
        for other in self._translate_plain(plain):
            try:
                yield msgspec.convert(other, type(action))
            except msgspec.ValidationError:
                continue
        if self._has_text_faces:
            yield action

    def _translate_plain(self, plain: Any) -> list[Any]:  # noqa: ANN401 - plain data
        found: Iterable[Any] = [plain]
        match plain:
            case dict():
                products = product(*map(self._translate_plain, plain.values()))
                found = (dict(zip(plain, values, strict=True)) for values in products)
            case [*parts]:
                found = map(list, product(*map(self._translate_plain, parts)))
            case str() | int() if not isinstance(plain, bool):
                found = self._world_faces(plain)
        return list(islice(found, MAX_TRANSLATIONS))

    def _world_faces(self, face: Face) -> list[Face]:
        """Return the faces that the world has in the real places of the copies of `face`."""
        copies = self._deck.copies(face)
        found = [self._deck.faces[self._card_in_world.get(card, card)] for card in copies]
        return list(dict.fromkeys(found)) or [face]
