"""The conformance suite's report on one game."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pitboss.testing.framework.check import CheckResult


class ConformanceReport(Struct, frozen=True):
    """The results of all checks on one game, in the order of the suite."""

    game: str
    checks: list[CheckResult]
    tables: list[str]  # the seats and options that were played: "2 seats", "4 seats, preset 'partners'"
    games: int  # how many games were played
    decisions: int  # how many decisions they had

    @property
    def failures(self) -> list[CheckResult]:
        """The results of failed checks."""
        return [result for result in self.checks if result.outcome == "failed"]

    @property
    def passes(self) -> list[CheckResult]:
        """The results of passed checks."""
        return [result for result in self.checks if result.outcome == "passed"]

    def to_json(self) -> dict[str, Any]:
        """Return the report as `pitboss check-game --json` prints it."""
        results = [
            {"name": one.name, "promise": one.promise, "outcome": one.outcome, "detail": one.detail}
            for one in self.checks
        ]
        return {
            "game": self.game,
            "checks": results,
            "tables": self.tables,
            "games": self.games,
            "decisions": self.decisions,
        }
