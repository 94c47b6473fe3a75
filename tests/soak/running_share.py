"""The share of true cases in a simulation, with its error."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct


class RunningShare(Struct):
    """Share of true cases over several trials; the cases of one trial are not independent."""

    trials: int = 0
    cases: int = 0
    total: float = 0.0  # of the trials' shares
    squares: float = 0.0

    def add(self, cases: list[bool]) -> None:
        """Add the cases of a trial; a trial without cases does not count."""
        if cases:
            share = sum(cases) / len(cases)
            self.trials += 1
            self.cases += len(cases)
            self.total += share
            self.squares += share * share

    @property
    def share(self) -> float:
        """Mean over trials."""
        return self.total / self.trials

    @property
    def error(self) -> float:
        """Standard error of the share, with one more trial that was half true, so that it is never 0."""
        mean = (self.total + 1 / 2) / (self.trials + 1)
        return sqrt(((self.squares + 1 / 4) / (self.trials + 1) - mean**2) / self.trials)


def is_kept(share: RunningShare, low: float, high: float) -> bool:
    """Whether a share is within bounds, give or take the error of the simulation; an empty share is."""
    return not share.trials or low - 2 * share.error <= share.share <= high + 2 * share.error
