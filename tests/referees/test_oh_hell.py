"""Matches of Oh Hell are judged as a second referee does, who knows the rule book alone."""

from __future__ import annotations

from tests.referees.oh_hell import compare


def test_matches_of_oh_hell() -> None:
    """Turn, legal choices, totals and places agree at every decision, with any options."""
    assert sum(compare(seed) for seed in range(30)) > 4_000
