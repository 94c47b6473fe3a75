"""Outcomes: places with ties, sides, shared wins."""

from __future__ import annotations

import pytest

from pitboss import Outcome, competition_places, outcome_by_side, solo_sides


@pytest.mark.parametrize(
    ("totals", "lowest_wins", "expected"),
    [
        ([30, 20, 20, 10], False, (1, 2, 2, 4)),  # "1224"
        ([30, 20, 20, 10], True, (4, 2, 2, 1)),
        ([5, 5, 5], False, (1, 1, 1)),
        ([1, 2, 2], False, (3, 1, 1)),
        ([-1.5, 0.0, 1.5], False, (3, 2, 1)),
        ([], False, ()),
    ],
)
def test_places(totals: list[float], lowest_wins: bool, expected: tuple[int, ...]) -> None:
    """Equal totals share a place and the next place is skipped: standard competition ranking."""
    assert competition_places(totals, lowest_wins=lowest_wins) == expected


def test_each_for_himself() -> None:
    """Without partners each seat is a side of one."""
    assert solo_sides(3) == ((0,), (1,), (2,))


def test_sides_share_points_and_places() -> None:
    """Partners get their side's total and its place."""
    outcome = outcome_by_side([65, 90], ((0, 2), (1, 3)))

    assert outcome == Outcome(points=(65.0, 90.0, 65.0, 90.0), places=(2, 1, 2, 1), sides=((0, 2), (1, 3)))
    assert outcome.winners == (1, 3)


def test_a_side_wins_once() -> None:
    """A win is 1 for each seat of the winning side: partners do not divide it."""
    assert outcome_by_side([65, 90], ((0, 2), (1, 3))).win_shares() == (0.0, 1.0, 0.0, 1.0)


def test_sides_that_tie_divide_the_win() -> None:
    """Two sides in first place have half a win each, whatever their sizes."""
    assert outcome_by_side([7, 7], ((0,), (1, 2))).win_shares() == (0.5, 0.5, 0.5)


def test_three_of_four_tie() -> None:
    """Each of three winners of four has a third of the win."""
    outcome = outcome_by_side([9, 9, 1, 9], solo_sides(4))

    assert outcome.winners == (0, 1, 3)
    assert outcome.win_shares() == pytest.approx((1 / 3, 1 / 3, 0, 1 / 3))


def test_the_lowest_total_wins() -> None:
    """Where points are bad the places say so and the points stay as counted."""
    outcome = outcome_by_side([26, 0, 13], solo_sides(3), lowest_wins=True)

    assert outcome.points == (26.0, 0.0, 13.0)
    assert outcome.places == (3, 1, 2)


def test_points_of_which_more_is_better() -> None:
    """Points are negated where the lowest total wins; where all tie, they are as counted."""
    assert outcome_by_side([26, 0], solo_sides(2), lowest_wins=True).signed_points() == (-26.0, 0.0)
    assert outcome_by_side([26, 0], solo_sides(2)).signed_points() == (26.0, 0.0)
    assert outcome_by_side([7, 7], solo_sides(2), lowest_wins=True).signed_points() == (7.0, 7.0)
