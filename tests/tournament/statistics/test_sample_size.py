"""How many blocks show a difference, planned from a pilot."""

from __future__ import annotations

import pytest

from pitboss_tournament.statistics.sample_size import plan_sample_size

EVEN = [-1.0, 0.0, 0.0, 1.0] * 10


def test_the_number_of_a_text_book() -> None:
    """The number is that of a text book: (z(0.975) + z(0.8))² · variance / difference², and two more for Student's t;
    7.85 is the square of 2.80.
    """
    size = plan_sample_size(EVEN, 0.1, 0.8)

    assert size is not None
    assert size.fixed == pytest.approx(7.85 * 42 / 39 * (0.5 - 0.01) / 0.01 + 2, rel=0.02)
    assert size.fixed_low < size.fixed < (size.fixed_high or 0)
    assert size.fixed < (size.sequential or 0) < 4 * size.fixed


def test_what_takes_more() -> None:
    """Half the difference takes four times the blocks; more power takes more, and so do results that spread more."""
    small, great = (plan_sample_size(EVEN, difference, 0.8) for difference in (0.05, 0.1))
    sure = plan_sample_size(EVEN, 0.1, 0.95)
    wide = plan_sample_size([-1.0, 1.0] * 20, 0.1, 0.8)

    assert small and great and sure and wide
    assert small.fixed == pytest.approx(4 * great.fixed, rel=0.05)
    assert great.fixed < sure.fixed
    assert great.fixed < wide.fixed == pytest.approx(2 * great.fixed, rel=0.05)


def test_who_is_ahead_in_the_pilot_does_not_matter() -> None:
    """A pilot, and the same one with the bots exchanged, lead to the same number; so does one that one bot has won."""
    one = plan_sample_size([1.0, 1.0, 0.5, -0.5, 0.0], 0.1, 0.8)

    assert one == plan_sample_size([-1.0, -1.0, -0.5, 0.5, 0.0], 0.1, 0.8)
    won, mixed = (plan_sample_size(sample, 0.1, 0.8) for sample in ([1.0] * 20, [-1.0, 1.0] * 10))
    assert won
    assert mixed
    assert won.fixed == mixed.fixed


@pytest.mark.parametrize("sample", [[], [0.0] * 20, [0.05, -0.05] * 10])
def test_nothing_to_plan_from(sample: list[float]) -> None:
    """A pilot in which no block differs by as much as is asked for gives no answer."""
    assert plan_sample_size(sample, 0.1, 0.8) is None


def test_the_spread_is_that_around_the_mean_of_the_pilot() -> None:
    """The mean lead of the pilot is no part of the spread, if the difference to show is as large as that lead."""
    sample = [0.05, 0.15, 0.25, 0.35, 0.45] * 20
    size = plan_sample_size(sample, 0.25, 0.8)

    assert size is not None
    assert size.fixed == pytest.approx(7.85 * 0.02 / 0.25**2 + 2, abs=1.5)
