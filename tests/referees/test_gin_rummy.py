"""Matches of Gin Rummy are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.gin_rummy import compare


def test_matches_of_gin_rummy() -> None:
    """Turn, legal choices, totals and places agree at every decision, with any options and two to four at the table."""
    assert sum(compare(seed) for seed in range(20)) > 2_000
