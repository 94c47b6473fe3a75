"""Copies of one bot at a table with a weak one: no verdict calls one of them better than another."""

from __future__ import annotations

from random import Random

import pytest

from pitboss_tournament.plan.seating import Seating
from tests.soak.copies import CopiesTable, calls_copies_different, play_copies
from tests.synthetic_tournaments import SyntheticTournament


@pytest.mark.parametrize(("seating", "is_called_different"), [("balanced", False), ("all", False), ("rotations", True)])
def test_who_acts_after_a_weak_bot_gains(seating: Seating, is_called_different: bool) -> None:
    """The copy that acts after a weak bot gains: in rotations that is the same copy in every deal, and the verdict
    calls it better.
    """
    strengths = (-1.7, 0.0, 0.0, 0.0)
    world = SyntheticTournament(strengths=strengths, seats=4, card_share=0.5, neighbour=0.4, seating=seating)
    blocks = list(world.blocks(60, Random("copies")))

    assert calls_copies_different(blocks) is is_called_different


@pytest.mark.once
@pytest.mark.long  # `tests.soak.copies` plays more of these
def test_copies_of_a_house_bot_beside_a_random_player() -> None:
    """By the default seating no copy is called better than another; in 30 deals of Hearts in rotations one is."""
    table = CopiesTable("hearts", 4, ("--preset", "single"))
    blocks = play_copies(table, "house:hearts", "house:random", 30, seating=None)

    assert len(blocks) == 30
    assert not calls_copies_different(blocks)
