"""Equal cards in several shuffle groups: every possible world is sampled, and no other."""

from __future__ import annotations

import pytest

from pitboss import Random
from tests.core.brute_force_copies import FIRST_HAND, PILE, CopyStep, CopyTable
from tests.core.brute_force_worlds import MAX_CHI_SQUARE_EXCESS, chi_square_excess
from tests.marks import first_rows

DECKS = ("XXabcd", "XXYYab", "XXXabc", "XXabc")
DRAWN_TO = (FIRST_HAND, FIRST_HAND + 1, FIRST_HAND + 1, FIRST_HAND + 1, FIRST_HAND + 2)


def make_script(number: int) -> tuple[CopyTable, list[CopyStep], str]:
    """Return a table, a random script in which a pile is reshuffled while hands hold cards, and a seed."""
    copies, rng, seed = CopyTable(DECKS[number % len(DECKS)]), Random(f"copies/{number}"), f"deal/{number}"
    script: list[CopyStep] = []
    table = copies.deal(seed)

    def do(step: CopyStep) -> None:
        copies.apply_step(table, step)
        script.append(step)

    do(CopyStep("shuffle"))
    opened = 2 + rng.randbelow(2)
    targets = [PILE] * opened + [rng.choice(DRAWN_TO) for _ in range(len(copies.faces) - opened)]
    rng.shuffle(targets)
    for zone in targets:
        do(CopyStep("draw", zone))
    do(CopyStep("restock"))
    for _ in range(4 + rng.randbelow(5)):
        hand = rng.choice(DRAWN_TO)
        if rng.randbelow(2) and table.zones[0]:
            do(CopyStep("draw", hand))
        elif table.zones[hand]:
            do(CopyStep("play", hand, copies.faces[rng.choice(table.zones[hand])]))
    return copies, script, seed


@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.once)])
@first_rows(4)("number", [0, 9, 35, 54, 58, 91, 128, 141, 213, 637])
def test_which_copy_was_played(number: int, depth: int) -> None:
    """The worlds of an unseen copy are those of a seat that sees faces, each by the number of its deals, also within a
    sampled world.
    """
    copies, script, seed = make_script(number)
    expected = copies.enumerate_worlds(seed, script, 0)

    drawn = copies.sample_worlds(seed, script, 0, 25 * len(expected) + 200, depth)

    assert set(drawn) == set(expected)
    assert chi_square_excess(drawn, expected) < MAX_CHI_SQUARE_EXCESS


@pytest.mark.once
@pytest.mark.parametrize("number", [30, 45, 134, 318, 370, 377, 385, 597, 858, 1160, 1441])
def test_which_copy_was_played_from_a_hand_that_others_have_left_since(number: int) -> None:
    """Every possible world is sampled and no other, though their shares are not exact."""
    copies, script, seed = make_script(number)
    expected = copies.enumerate_worlds(seed, script, 0)

    assert set(copies.sample_worlds(seed, script, 0, 25 * len(expected) + 200)) == set(expected)
