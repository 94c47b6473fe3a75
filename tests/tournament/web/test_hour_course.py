"""The curve of the last hour: games played since its beginning, by what was seen of a store."""

from __future__ import annotations

import pytest

from pitboss_tournament.web.hour_course import SeenCount, cut_hour, thin_moments

NOW = 10_000.0


@pytest.mark.parametrize(
    ("moments", "course"),
    [
        ([], []),
        ([(NOW - 9_000, 5)], []),  # long ago
        ([(NOW - 600, 0), (NOW, 40)], [(10, 0), (0, 40), (0, 40)]),
        ([(NOW - 600, 7), (NOW - 300, 7)], []),  # nothing was played
        ([(NOW - 7_200, 0), (NOW - 1_800, 90)], [(60, 0), (30, 30), (0, 30)]),  # 30 of these 90 in the last hour
        ([(NOW - 60, 3), (NOW + 60, 9)], []),  # a clock that went wrong
    ],
)
def test_points_of_the_hour(moments: list[tuple[float, int]], course: list[tuple[float, float]]) -> None:
    """Games count from the beginning of the hour, in which they came evenly between two moments."""
    assert cut_hour((SeenCount(*one) for one in moments), NOW) == course


def test_few_moments_are_kept() -> None:
    """A day of looks every second leaves the points of an hour, the last one and one before it."""
    moments: list[SeenCount] = []
    for second in range(0, 20_000, 5):
        moments = thin_moments([*moments, SeenCount(second, second)], second, 20)

    assert len(moments) <= 3600 / 20 + 3
    assert moments[-1] == SeenCount(19_995, 19_995)
    assert cut_hour(moments, 19_995)[-1] == (0, 3600)
