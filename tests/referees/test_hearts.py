"""Matches of Hearts are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.hearts import compare


def test_matches_of_hearts() -> None:
    """Turn, legal choices, totals and places agree at every decision, with any options; some shoot the moon."""
    assert sum(compare(seed) for seed in range(12)) > 4_000
