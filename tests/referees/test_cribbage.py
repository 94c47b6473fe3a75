"""Games of Cribbage are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.cribbage import compare


def test_games_of_cribbage() -> None:
    """Turn, legal choices, totals and places agree at every decision, with any options."""
    assert sum(compare(seed) for seed in range(60)) > 4_000
