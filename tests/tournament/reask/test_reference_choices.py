"""The cost of a kind of decision: a mean over decisions, of which those of one game depend on each other."""

from __future__ import annotations

from random import Random

import pytest

from pitboss_tournament.reask.reference_choices import estimate_grouped_mean


def test_decisions_of_one_game_do_not_count_as_independent() -> None:
    """The same decisions twice in each game tell nothing more."""
    games = [[1.0, 2.0], [4.0], [3.0, 3.0, 5.0]]

    assert estimate_grouped_mean([game * 2 for game in games]) == estimate_grouped_mean(games)
    assert estimate_grouped_mean(games).mean == 3.0


@pytest.mark.parametrize(("games", "mean"), [([], None), ([[]], None), ([[2.0, 4.0]], 3.0)])
def test_one_game_has_no_interval(games: list[list[float]], mean: float | None) -> None:
    """Without a second game nothing is known of how games differ."""
    found = estimate_grouped_mean(games)

    assert (found.mean, found.half_width) == (mean, None)


def test_the_interval_holds_the_true_mean() -> None:
    """Of 1,000 samples of 12 games, in which a luck of the game is common to its decisions, some 95 in 100 hold it."""
    rng, held = Random("intervals"), 0
    for _ in range(1_000):
        games = []
        for _ in range(12):
            luck = rng.gauss(1.0, 1.0)
            games.append([rng.gauss(luck, 0.5) for _ in range(rng.randint(1, 6))])
        found = estimate_grouped_mean(games)
        assert found.mean is not None
        assert found.half_width is not None
        held += abs(found.mean - 1.0) <= found.half_width

    assert 925 <= held <= 975
