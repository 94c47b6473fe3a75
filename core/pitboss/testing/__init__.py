"""Tests of games: the conformance suite, named checks, each with the promise that it tests; and stacked deals.

from pitboss.testing import assert_conforms, check_game

report = check_game(Racko())          # every number of seats, every preset
for result in report.failures: ...    # each with all that it takes to replay it

def test_the_game_conforms() -> None:
    assert_conforms(Racko())          # in a plugin's own tests

`stack_deal` deals a game in which each seat has the cards that a test asks for.

Every game must pass it (`pitboss check-game`). It checks legal lists, copies, leaks, records, positions and sampled
worlds. Games and bots share one check framework and one vocabulary: passed, failed, skipped, not applicable. A new
check comes with a mutant that it catches (`tests/core/mutants`). A `CheckDepth` says how much of each game is checked:
a quick run checks more games, and less of each.
"""

from __future__ import annotations

from pitboss.testing.framework.check import CheckResult
from pitboss.testing.stacked_deal import stack_deal
from pitboss.testing.suite import ConformanceReport, assert_conforms, check_game

__all__ = ["CheckResult", "ConformanceReport", "assert_conforms", "check_game", "stack_deal"]
