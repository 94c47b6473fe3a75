"""Cards that a seed names: those of a hand that was played elsewhere, so that its record holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pitboss.plugins.packs import rank_of, suit_of

CARDS_SEED: Final = re.compile(r"cards:([^:]*):([^:]*)(?::untold=([0-9]{1,10}))?")
NAMED_CARD: Final = re.compile(r"([2-9TJQKA])([shdc])|\?\?")
UNTOLD: Final = "??"


class NamedCards(NamedTuple):
    """The cards of a hand, in the order in which they are dealt; None for those that nobody has told."""

    hands: Sequence[Sequence[str | None]]  # by seat
    board: Sequence[str | None]
    untold: frozenset[int] = frozenset()  # the seats whose cards nobody has told: they were drawn


def write_seed(named: NamedCards) -> str:
    """Return the seed of a game whose first hand has these cards: that of an imported game."""
    untold = "".join(map(str, sorted(named.untold)))
    cards = f"cards:{','.join(map(write_cards, named.hands))}:{write_cards(named.board)}"
    return f"{cards}:untold={untold}" if untold else cards


def read_seed(seed: str) -> NamedCards | None:
    """Return the cards that a seed names; None if it names none."""
    found = CARDS_SEED.fullmatch(seed)
    if found is None:
        return None
    try:
        hands = [read_cards(hand) for hand in found[1].split(",")]
        return NamedCards(hands, read_cards(found[2]), frozenset(map(int, found[3] or "")))
    except ValueError:
        return None


def write_cards(faces: Iterable[object]) -> str:
    """Return cards as poker tools write them: "H10" and "CA" are "ThAc", and one that nobody knows is "??"."""
    return "".join(
        UNTOLD if face in (None, UNTOLD) else f"{rank_of(face).replace('10', 'T')}{suit_of(face).lower()}"
        for face in faces
    )


def read_cards(text: str) -> list[str | None]:
    """Return the cards of a text such as "ThAc" or "????".

    Raises:
        ValueError: something in it is no card.
    """
    found: list[str | None] = []
    place = 0
    while place < len(text):
        card = NAMED_CARD.match(text, place)
        if card is None:
            raise ValueError(f"{text[place : place + 2]!r} is no card; cards are 2s to Ac, and ??")
        found.append(None if card[0] == UNTOLD else f"{card[2].upper()}{card[1].replace('T', '10')}")
        place = card.end()
    return found
