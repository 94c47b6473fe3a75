"""The strength of poker hands, against the known numbers of hands, and against a comparison made another way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random as Quick
from typing import Final

import pytest

from pitboss.parts.betting.high_hands import CATEGORIES, HAND_RANKS, card_key, category_of, describe_strength, rank_hand
from pitboss.plugins.packs import STANDARD_PACK

FACES: Final = STANDARD_PACK.faces
KEYS: Final = {face: card_key(face) for face in FACES}
HANDS: Final = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40)  # of all, by category
CLASSES: Final = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)  # of equal hands, by category


def slow_strength(faces: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return what five cards are compared by: the category, then the ranks, the most frequent first."""
    ranks = Counter(HAND_RANKS.index(face[1:]) for face in faces)
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    shape = sorted(ranks.values(), reverse=True)
    is_flush = len({face[0] for face in faces}) == 1
    is_wheel = sorted(ranks) == [0, 1, 2, 3, 12]
    is_straight = is_wheel or (len(ranks) == 5 and order[0] - order[4] == 4)
    if is_straight:
        return (8 if is_flush else 4), [3 if is_wheel else order[0]]
    shapes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return max(shapes[tuple(shape)], 5 if is_flush else 0), order


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_pairs_of_hands(size: int) -> None:
    """Of two hands the same is better as when the best five cards of each are looked for one by one."""
    rng = Quick(size)
    for _ in range(400):
        hands = [rng.sample(FACES, size) for _ in range(2)]
        fast = [rank_hand([KEYS[face] for face in hand]) for hand in hands]
        slow = [max(map(slow_strength, combinations(hand, 5))) for hand in hands]

        assert (fast[0] > fast[1], fast[0] == fast[1]) == (slow[0] > slow[1], slow[0] == slow[1]), hands
        assert [category_of(strength) for strength in fast] == [CATEGORIES[category] for category, _ in slow]


@pytest.mark.once
@pytest.mark.long
def test_all_hands_of_five_cards() -> None:
    """The 2,598,960 hands fall into 7,462 classes, of each category as many as there are, in their order."""
    hands = Counter(map(rank_hand, combinations(KEYS.values(), 5)))

    assert len(hands) == 7462
    by_category = [[strength for strength in hands if category_of(strength) == name] for name in CATEGORIES]
    assert tuple(map(len, by_category)) == CLASSES
    assert tuple(sum(hands[strength] for strength in strengths) for strengths in by_category) == HANDS
    assert all(max(low) < min(high) for low, high in pairwise(by_category))


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ("SA C2 D3 H4 S5 C9 CK", "straight, 5 high"),
        ("SA SK SQ SJ S10 C9 CK", "straight flush, A high"),
        ("SA CA DK HK S9 C8 D2", "two pair, A and K"),
        ("SA CA DA HK SK CK D2", "full house, A and K"),
        ("SQ HQ", "pair, Q"),
        ("SK", "high card, K"),
    ],
)
def test_words(faces: str, words: str) -> None:
    """A strength is told as people tell it."""
    assert words == describe_strength(rank_hand([KEYS[face] for face in faces.split()]))
