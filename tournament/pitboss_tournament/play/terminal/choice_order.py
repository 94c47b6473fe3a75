"""The choices of a person at the terminal, in the order in which hands show cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import comb
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.table.cards import Deck


def sort_choices(deck: Deck, legal: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the legal actions, each with the action to show for it.

    Where any k of n cards may be chosen, these choices, and the cards within each, stand in the order of the deck, as
    hands do in the picture of the table. All other actions stay where they are, and are shown as they are.
    """
    ranks = {str(face): rank for rank, face in enumerate(dict.fromkeys(deck.faces))}
    found: list[tuple[Any, Any]] = []
    for kind, run in groupby(legal, type):
        actions = list(run)
        field = _find_card_set(kind, actions, ranks) if len(actions) > 1 else None
        if field is None:
            found += [(action, action) for action in actions]
            continue
        pairs = [
            (action, replace(action, **{field: sorted(getattr(action, field), key=lambda face: ranks[str(face)])}))
            for action in actions
        ]
        found += sorted(pairs, key=lambda pair: [ranks[str(face)] for face in getattr(pair[1], field)])
    return found


def _find_card_set(kind: type, actions: Sequence[Any], ranks: dict[str, int]) -> str | None:
    """Return the field by which the actions are all choices of k of n cards, two at least; None if there is none."""
    if not issubclass(kind, msgspec.Struct):
        return None
    for field in kind.__struct_fields__:
        lists = [getattr(action, field) for action in actions]
        if not all(isinstance(cards, list | tuple) and all(str(card) in ranks for card in cards) for cards in lists):
            continue
        sizes, known = {len(cards) for cards in lists}, {str(card) for cards in lists for card in cards}
        combinations = {frozenset(map(str, cards)) for cards in lists}
        if len(sizes) == 1 and (size := sizes.pop()) > 1 and len(combinations) == len(lists) == comb(len(known), size):
            return field
    return None
