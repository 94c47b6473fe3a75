"""What the conformance suite found: a verdict for each check, and the report of them all."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

CheckOutcome: TypeAlias = Literal["passed", "failed", "not applicable"]


class CheckResult(Struct, frozen=True):
    """What one check found."""

    name: str  # "legal-is-distinct"
    promise: str  # one sentence: what every game promises
    outcome: CheckOutcome
    detail: str = (
        ""  # of a failure: what was wrong, and all that it takes to replay it; else why the check does not apply
    )

    def __str__(self) -> str:
        return f"{self.outcome}: {self.name}: {self.detail or self.promise}"


class ConformanceReport(Struct, frozen=True):
    """The verdicts of all checks on one game, in the order of the suite."""

    game: str
    checks: list[CheckResult]
    tables: list[str]  # the seats and options that were played: "2 seats", "4 seats, preset 'partners'"
    games: int  # how many games were played
    decisions: int  # how many decisions they had

    @property
    def failures(self) -> list[CheckResult]:
        """The checks that the game did not pass."""
        return [verdict for verdict in self.checks if verdict.outcome == "failed"]

    @property
    def passes(self) -> list[CheckResult]:
        """The checks that the game passed."""
        return [verdict for verdict in self.checks if verdict.outcome == "passed"]
