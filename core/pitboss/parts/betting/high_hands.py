"""The strength of a poker hand: one number for one to seven cards, higher for the better hand, equal for a tie.

The key of a card has a 1 in the digit of its rank (3 bits for each of 13 ranks) and in the digit of its suit (4 bits
each, above the ranks). The sum of the keys of some cards counts them by rank and by suit. The strength of a hand
without a flush depends on the rank counts alone, of which seven cards have 49,205; each is computed when it first
occurs, and kept. Seven cards cannot hold a flush beside a full house or four of a kind.

A strength is the category (0 to 8) and up to five ranks in the order in which they are compared, 4 bits each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss.plugins.packs import SUITS, rank_of, suit_of

HAND_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CATEGORIES: Final = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)

_RANK_BITS: Final = 3
_SUIT_SHIFT: Final = _RANK_BITS * len(HAND_RANKS)
_RANK_MASK: Final = (1 << _SUIT_SHIFT) - 1
_ADD_TO_FIVE: Final = 0x3333 << _SUIT_SHIFT  # added to suit counts it sets the high bit of those from five on
_FIVE_OR_MORE: Final = 0x8888 << _SUIT_SHIFT
_WHEEL: Final = 0b1_0000_0000_1111  # A 2 3 4 5
_KICKERS: Final = 5

_strengths: Final[dict[int, int]] = {}  # by rank counts


def card_key(face: object) -> int:
    """Return the key of a card by its face: "SA", "H10"."""
    rank, suit = HAND_RANKS.index(rank_of(face)), SUITS.index(suit_of(face))
    return 1 << _RANK_BITS * rank | 1 << _SUIT_SHIFT + 4 * suit


def rank_hand(keys: Sequence[int]) -> int:
    """Return the strength of the best hand of up to five among one to seven cards, given by their keys."""
    total = sum(keys)
    if flush := total + _ADD_TO_FIVE & _FIVE_OR_MORE:
        return _rank_flush(keys, flush >> 3)
    counts = total & _RANK_MASK
    return _strengths.get(counts) or _rank_counts(counts)


def category_of(strength: int) -> str:
    """Return the name of the category of a strength."""
    return CATEGORIES[strength >> 4 * _KICKERS]


def describe_strength(strength: int) -> str:
    """Return a strength in words: "two pair, K and 4", "flush, A high"."""
    category = strength >> 4 * _KICKERS
    ranks = [HAND_RANKS[(strength >> 4 * at & 15) - 1] for at in range(_KICKERS - 1, -1, -1) if strength >> 4 * at & 15]
    if category in (TWO_PAIR, FULL_HOUSE):
        return f"{CATEGORIES[category]}, {ranks[0]} and {ranks[1]}"
    return f"{CATEGORIES[category]}, {ranks[0]}{' high' if category in (STRAIGHT, FLUSH, STRAIGHT_FLUSH) else ''}"


def _rank_flush(keys: Iterable[int], suit: int) -> int:
    """Return the strength of cards of which at least five have a suit, given by the lowest bit of its digit."""
    mask = 0
    for key in keys:
        if key & suit * 7:
            mask |= 1 << ((key & _RANK_MASK).bit_length() - 1) // _RANK_BITS
    if (high := _straight_high(mask)) is not None:
        return _pack_strength(STRAIGHT_FLUSH, [high])
    return _pack_strength(FLUSH, [rank for rank in range(12, -1, -1) if mask >> rank & 1])


def _rank_counts(counts: int) -> int:
    """Return the strength of rank counts, and keep it."""
    by_count: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
    mask = 0
    for rank in range(12, -1, -1):
        if count := counts >> _RANK_BITS * rank & 7:
            by_count[count].append(rank)
            mask |= 1 << rank
    singles, pairs, threes, fours = by_count[1], by_count[2], by_count[3], by_count[4]
    high = _straight_high(mask)
    if fours:
        strength = _pack_strength(FOUR, [fours[0], *sorted(fours[1:] + threes + pairs + singles)[-1:]])
    elif threes and (threes[1:] or pairs):
        strength = _pack_strength(FULL_HOUSE, [threes[0], max(threes[1:] + pairs)])
    elif high is not None:
        strength = _pack_strength(STRAIGHT, [high])
    elif threes:
        strength = _pack_strength(THREE, [threes[0], *singles[:2]])
    elif pairs[1:]:
        strength = _pack_strength(TWO_PAIR, [*pairs[:2], *sorted(pairs[2:] + singles)[-1:]])
    elif pairs:
        strength = _pack_strength(PAIR, [pairs[0], *singles[:3]])
    else:
        strength = _pack_strength(HIGH_CARD, singles)
    _strengths[counts] = strength
    return strength


def _straight_high(mask: int) -> int | None:
    """Return the highest rank of the best straight in a mask of ranks; None if there is none."""
    runs = mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4
    if runs:
        return runs.bit_length() + 3
    return 3 if mask & _WHEEL == _WHEEL else None


def _pack_strength(category: int, ranks: Sequence[int]) -> int:
    strength = category
    for at in range(_KICKERS):
        strength = strength << 4 | (ranks[at] + 1 if at < len(ranks) else 0)
    return strength
