"""`house:oh-hell`: what it bids and plays where a person would agree, and whole matches."""

from __future__ import annotations

import pytest

from pitboss_oh_hell.bot import chance_to_take, choose_card
from pitboss_oh_hell.game import OhHell
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder

GAME = OhHell()


def test_what_a_card_is_worth() -> None:
    """A trump more than another card, a high card more than a low one, and less with more players."""
    hand = ["SA", "S2", "HA", "H2"]
    worths = [chance_to_take(card, "S", hand, 4) for card in hand]

    assert worths[0] > worths[2] > worths[1] > worths[3]
    assert chance_to_take("HK", "S", hand, 7) < chance_to_take("HK", "S", hand, 3)


@pytest.mark.parametrize(
    ("trick", "is_wanted", "card"),
    [
        (["H5", "H9"], True, "HJ"),  # last of three: the lowest that takes it
        (["H5"], True, "HA"),
        (["H5", "H9"], False, "H8"),  # the highest that loses
        (["C5", "S2"], False, "HA"),
        ([], True, "S4"),
        ([], False, "H3"),
    ],
)
def test_taking_and_losing(trick: list[str], is_wanted: bool, card: str) -> None:
    """With spades as trumps."""
    hand = ["HA", "HJ", "H8", "H3", "S4"]
    held = [one for one in hand if not trick or trick[0][0] != "H" or one[0] == "H"]

    assert choose_card(trick, held, "S", is_wanted, 3) == card


@pytest.mark.once
def test_one_of_them_against_chance(program: ProgramFinder) -> None:
    """Over four matches it has by far the most points."""
    bots = [program("house:oh-hell"), *[program("house:random")] * 3]

    games = play_series(bots, GAME, [f"match-{number}" for number in range(4)], {})
    sums = [sum(game.outcome.points[seat] for game in games) for seat in range(4)]

    assert sums[0] > 1.5 * max(sums[1:])
