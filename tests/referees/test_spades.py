"""Matches of Spades are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.spades import compare


def test_matches_of_spades() -> None:
    """Turn, legal choices, totals and places agree at every decision, with any options."""
    assert sum(compare(seed) for seed in range(40)) > 4_000
