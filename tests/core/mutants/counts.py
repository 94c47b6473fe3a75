"""Games whose counts, which everybody is shown, are not as they should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss_magpie.magpie import MagpieState, card_number


class CountsHands(MagpieState):
    """The counts tell everybody how much each hand is worth."""

    def public_counts(self) -> PublicCounts:
        """Tell too much."""
        worth = [sum(map(card_number, self.table.faces(hand))) for hand in self.board.hands]
        return PublicCounts((), [(PublicCount("worth", one),) for one in worth])


class CountsNests(MagpieState):
    """The counts show the points of the nests as they are, before the nests are shown."""

    def public_counts(self) -> PublicCounts:
        """Tell too early."""
        return PublicCounts(
            (PublicCount("turns", self.turns_done),), [(PublicCount("points", one),) for one in self.points()]
        )


class CountsWhoMayBoast(MagpieState):
    """The counts mark the seat that may boast."""

    games = 24

    def public_counts(self) -> PublicCounts:
        """Tell a secret."""
        asked = self.turn.seat if self.turn is not None and self.turn.phase == "boast" else None
        return PublicCounts((), [(PublicCount("may boast"),) if seat == asked else () for seat in range(self.seats)])


class CountsForTheNeighbour(MagpieState):
    """A seat is shown how much the hand of the next one is worth, as if it were its own."""

    def own_counts(self, seat: int) -> Sequence[PublicCount]:
        """Look into the wrong hand."""
        hand = self.board.hands[(seat + 1) % self.seats]
        return (PublicCount("worth", sum(map(card_number, self.table.faces(hand)))),)


class CountsOneSeat(MagpieState):
    """The counts have no entry for the seats that come after the first."""

    def public_counts(self) -> PublicCounts:
        """Leave out seats."""
        return PublicCounts((), [()])


class CountsOnTheTable(MagpieState):
    """To count the hands they are sorted, in place."""

    def public_counts(self) -> PublicCounts:
        """Sort what should be looked at."""
        for hand in self.board.hands:
            self.table.zones[hand].sort()
        return PublicCounts((), [(PublicCount("cards", len(self.table.zones[hand])),) for hand in self.board.hands])


MUTANTS: Final = (
    CountsHands,
    CountsNests,
    CountsWhoMayBoast,
    CountsForTheNeighbour,
    CountsOneSeat,
    CountsOnTheTable,
)
