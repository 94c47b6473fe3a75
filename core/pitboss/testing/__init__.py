"""The conformance suite that any game can be put through: named checks, each with the promise that it holds a game to.

from pitboss.testing import assert_conforms, check_game

report = check_game(Racko())          # every number of seats, every preset
for verdict in report.failed: ...     # a failing check is a value, with all that it takes to replay it

def test_the_game_conforms() -> None:
    assert_conforms(Racko())          # in a plugin's own tests
"""

from __future__ import annotations

from pitboss.testing.framework.report import CheckResult, ConformanceReport
from pitboss.testing.suite import assert_conforms, check_game

__all__ = ["CheckResult", "ConformanceReport", "assert_conforms", "check_game"]
