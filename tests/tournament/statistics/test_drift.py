"""Drift: bots that change in time are named, with how they did before and after; others hardly ever are."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pitboss_tournament.statistics.drift import DRIFT_ERROR, Drift, DriftTest, drift_text


def play_league(bots: int, deals: int, rng: Random, chance: Callable[[int, int, float], float]) -> DriftTest:
    """Return the test of a league of single games, by the chance of the first of two bots at a share of the deals."""
    test = DriftTest()
    pairs = [(one, other) for one in range(bots) for other in range(one)]
    for deal in rng.sample(range(deals), deals):
        for pairing, (one, other) in enumerate(pairs):
            won = float(rng.random() < chance(one, other, deal / deals))
            test.add(pairing, deal, {one: won, other: 1 - won})
    return test


def test_a_bot_that_learns() -> None:
    """A bot that learns is named, with its scores; so is, of two bots, the one that it beats more and more."""
    learning = play_league(2, 400, Random(1), lambda one, _, time: 0.35 + 0.3 * time)

    better, worse = sorted(learning.find_drifts(), key=lambda drift: -drift.bot)
    assert (better.bot, worse.bot) == (1, 0)
    assert better.first == pytest.approx(0.425, abs=0.07)
    assert better.second == pytest.approx(0.575, abs=0.07)
    assert worse.first == pytest.approx(1 - better.first)
    assert drift_text(Drift(1, 0.4, 0.6), ["a", "b"]).startswith("b did better as the deals went on: in their first")
    assert "40% of the others were behind it, in the second 60%." in drift_text(Drift(0, 0.4, 0.6), ["a", "b"])
    assert " did worse " in drift_text(Drift(0, 0.6, 0.4), ["a", "b"])


def test_bots_that_do_not_change() -> None:
    """Bots of different strength are named in few tournaments."""
    named = [
        bool(play_league(4, 12, Random(seed), lambda one, other, _: 0.5 + 0.1 * (one - other)).find_drifts())
        for seed in range(400)
    ]

    assert sum(named) / len(named) < DRIFT_ERROR + 0.02


def test_tables_that_follow_each_other() -> None:
    """A bot that meets weak bots first and strong ones later does not drift."""
    test = DriftTest()
    for pairing, score in enumerate([1.0, 0.8, 0.3, 0.0]):
        for deal in range(10):
            own = score + 0.1 * (deal % 2)
            test.add(pairing, deal, {0: own, pairing + 1: 1 - own})

    assert test.find_drifts() == []


def test_nothing_to_compare() -> None:
    """Single blocks, equal ones and none tell nothing."""
    test = DriftTest()
    assert test.find_drifts() == []
    for deal in range(9):
        test.add(0, deal, {0: 1.0, 1: 0.0})
    test.add(1, 0, {0: 0.0, 2: 1.0})
    assert test.find_drifts() == []
