"""Melds on bit masks: all of a hand, the least deadwood, layoffs; compared with trying every arrangement."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random as Quick

import pytest

from pitboss.parts.melds import (
    CARDS,
    DeadwoodTable,
    find_layoffs,
    find_melds,
    is_sequence,
    iter_places,
    mask_of,
)
from pitboss.plugins.packs import STANDARD_PACK

DEADWOOD = DeadwoodTable()


def cards(*faces: str) -> int:
    """Return the mask of cards by their faces."""
    return mask_of(STANDARD_PACK.faces.index(face) for face in faces)


def faces(mask: int) -> set[str]:
    """Return the faces of a mask."""
    return {str(STANDARD_PACK.faces[card]) for card in iter_places(mask)}


def try_all(mask: int) -> int:
    """Return the least deadwood by trying each meld first."""
    return min([DEADWOOD.count_all(mask), *(try_all(mask ^ meld) for meld in find_melds(mask))])


def draw_hand(rng: Quick) -> int:
    """Return a hand with many melds: cards of five ranks, and a few of one suit."""
    ranks, suit = rng.sample(range(13), 4), rng.randrange(4)
    pool = {place * 13 + rank for rank in ranks for place in range(4)} | {suit * 13 + rank for rank in range(13)}
    return mask_of(rng.sample(sorted(pool), rng.choice([7, 10, 11])))


def test_melds_of_a_hand() -> None:
    """Melds are sequences of three and more, and three or four of a rank; the ace is low."""
    held = cards("SA", "S2", "S3", "S4", "HA", "DA", "CK", "CQ")

    assert [faces(meld) for meld in find_melds(held)] == [
        {"SA", "S2", "S3"},
        {"SA", "S2", "S3", "S4"},
        {"S2", "S3", "S4"},
        {"SA", "HA", "DA"},
    ]
    assert [is_sequence(meld) for meld in find_melds(held)] == [True, True, True, False]


def test_the_least_deadwood_is_that_of_the_best_arrangement() -> None:
    """The least deadwood equals what trying every arrangement finds, and the returned melds leave it."""
    rng = Quick(1)
    for _ in range(200):
        held = draw_hand(rng)
        least = DEADWOOD.find_least(held)
        arrangements = [*DEADWOOD.iter_arrangements(held)]

        assert least == try_all(held)
        assert arrangements and len({frozenset(melds) for melds in arrangements}) == len(arrangements)
        for melds in arrangements:
            assert sum(melds) & ~held == 0
            assert DEADWOOD.count_all(held ^ sum(melds)) == least
            assert all(meld in find_melds(held) for meld in melds)


@pytest.mark.parametrize(
    ("held", "ways"),
    [
        ("SA H2 D9", 1),  # no meld at all
        ("S7 H7 D7 S8 S9 CK", 1),  # three sevens leave more loose than the sequence
        ("S7 H7 D7 C7 S8 S9 S10", 2),  # the seven of spades with the others, or with the sequence
        ("S2 H2 D2 SA S3", 2),  # four loose either way
        ("SA S2 S3 S4 S5 S6", 1),  # two sequences that join are one
        ("SJ HJ DJ SQ HQ DQ SK HK DK", 2),  # three of each rank, or the sequences
    ],
)
def test_arrangements(held: str, ways: int) -> None:
    """All arrangements are found where several leave the same."""
    assert len([*DEADWOOD.iter_arrangements(cards(*held.split()))]) == ways


@pytest.mark.parametrize(
    ("meld", "fitting"),
    [
        (("SA", "S2", "S3"), {"S4"}),  # no king below the ace
        (("HJ", "HQ", "HK"), {"H10"}),  # and no ace above the king
        (("D4", "D5", "D6"), {"D3", "D7"}),
        (("S7", "H7", "C7"), {"D7"}),
        (("S7", "H7", "D7", "C7"), set()),
    ],
)
def test_what_can_be_laid_off(meld: Sequence[str], fitting: set[str]) -> None:
    """A card is laid off at either end of a sequence, or as the fourth of a rank."""
    assert faces(find_layoffs(cards(*meld))) == fitting


def test_cards_are_laid_off_one_after_the_other() -> None:
    """A card may be laid off on one that has just been; none is taken from a meld for which it counts more."""
    melds = [cards("S5", "S6", "S7")]

    least, laid_off = DEADWOOD.choose_layoffs(cards("S8", "S9", "HK"), melds)
    assert (least, [STANDARD_PACK.faces[card] for card in laid_off]) == (10, ["S8", "S9"])
    assert DEADWOOD.choose_layoffs(cards("S8", "H8", "D8", "C2"), melds) == (2, ())


def test_other_worths() -> None:
    """A game may count cards otherwise."""
    table = DeadwoodTable([15, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10])

    assert table.find_least(cards("SA", "H2", "H9")) == 30
    assert all(table.worth[card % 13] == table.find_least(1 << card) for card in range(CARDS))
