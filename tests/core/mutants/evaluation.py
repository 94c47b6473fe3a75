"""Games that say wrongly how everybody stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import Outcome
from pitboss_magpie.magpie import MagpieState


class JudgesWhoIsOnTurn(MagpieState):
    """The prospects are those of the player on turn alone."""

    def evaluate(self) -> Sequence[float]:
        """Say too little."""
        return super().evaluate()[:1]


class JudgesPartnersApart(MagpieState):
    """The prospects are each player's own, also where partners score together."""

    preset = "pairs"
    players = 4

    def evaluate(self) -> Sequence[float]:
        """Say what is not scored."""
        return [float(point) for point in self.points()]


class JudgesByRatio(MagpieState):
    """The prospects are points for each point of the neighbour, infinite where that one has none."""

    def evaluate(self) -> Sequence[float]:
        """Divide by what may be nothing."""
        points = self.points()
        return [point / points[seat - 1] if points[seat - 1] else float("inf") for seat, point in enumerate(points)]


class SortsHandsToJudgeThem(MagpieState):
    """For the prospects the hands are sorted, in place."""

    def evaluate(self) -> Sequence[float]:
        """Change what is asked."""
        for hand in self.board.hands:
            self.table.zones[hand].sort()
        return super().evaluate()


class JudgesTheDrawnCardAlone(MagpieState):
    """Of all cards that may be drawn it judges one."""

    def evaluate_draws(self, cards: Sequence[int]) -> Sequence[Sequence[float]]:
        """Say too little."""
        return [self.evaluate()]


class ScoresAtTheEndOnly(MagpieState):
    """It says that its outcome can be asked at any time, and it cannot."""

    has_outcome_so_far = True

    def outcome(self) -> Outcome:
        """Refuse before the end."""
        if self.turn is not None:
            raise ValueError("the game is not over")
        return super().outcome()


MUTANTS: Final = (
    ScoresAtTheEndOnly,
    JudgesTheDrawnCardAlone,
    JudgesWhoIsOnTurn,
    JudgesPartnersApart,
    JudgesByRatio,
    SortsHandsToJudgeThem,
)
