"""A pack of 52 cards, and sets of its cards as bit masks.

Everything but the table itself uses *places in the pack*: S A 2 … K, H A … K, D A … K, C A … K are 0 to 51 (6.1: the
card order), whatever faces the pack has. With two packs the cards at the table are 0 to 103, and `card % 52` is the
place; a mask of cards then has the second copies above bit 51.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

RANKS: Final = 13
SUITS: Final = 4
CARDS: Final = RANKS * SUITS

SUIT_MASK: Final = (1 << RANKS) - 1
HALF_CARDS: Final = CARDS // 2
HALF_MASK: Final = (1 << HALF_CARDS) - 1
PACK_MASK: Final = (1 << CARDS) - 1
NO_CARD: Final = -1
BITS: Final = tuple(1 << card for card in range(2 * CARDS))


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of different cards."""
    return sum(map(BITS.__getitem__, cards))


def places_of(held: int) -> int:
    """Return the mask of the different places in the pack of the cards that a hand holds."""
    return held if held <= PACK_MASK else (held | held >> CARDS) & PACK_MASK


def suit_masks(mask: int) -> tuple[int, int, int, int]:
    """Return the ranks of a mask of places in each suit."""
    return mask & SUIT_MASK, mask >> RANKS & SUIT_MASK, mask >> 2 * RANKS & SUIT_MASK, mask >> 3 * RANKS


def iter_places(mask: int) -> Iterator[int]:
    """Yield the members of a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
