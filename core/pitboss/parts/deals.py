"""A game of several deals: their numbers, the totals, and the end of the game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from pitboss.game import PublicCount, PublicCounts
from pitboss.rendering.presentation import PartSheet
from pitboss.table.zones import Zone
from pitboss.table_game import A, O, TableState

# of the event with which `DealsState.end_deal` ends a deal
DEAL_SHEET: Final = PartSheet("Deal {deal} is over", {"this deal": "points", "score": "totals"})


class DealsState(TableState[O, A]):
    """A state of a game of several deals. The game says how it deals, and when it is over.

    The cards are shuffled again for each deal. Their order depends on the seed of the game and the number of the deal
    alone, so that the third deal is the same whatever happened in the second.
    """

    totals: list[int] = field(default_factory=list)  # by seat
    deal_no: int = 0  # of the deal that is played, from 1

    @abstractmethod
    def deal_cards(self) -> None:
        """Deal the shuffled cards, all of which lie in the first zone, and set the first turn."""

    @abstractmethod
    def is_match_over(self) -> bool:
        """Return whether no further deal is played, by `totals` and `deal_no`, that of the deal just played."""

    def start(self) -> None:
        """Begin the first deal."""
        self.totals = [0] * self.seats
        self.start_deal()

    def begin_deal(self) -> None:
        """Set what a deal begins with, before its cards are dealt; a game that has nothing such leaves it out."""

    def start_deal(self) -> None:
        """Shuffle all cards, clear all secrets, and deal."""
        self.deal_no += 1
        self.begin_deal()
        self.table.clear(self.table.layout.secrets)
        self.collect_and_shuffle(self.first_zone, f"deal-{self.deal_no}")
        self.deal_cards()

    def end_deal(self, points: Sequence[int]) -> None:
        """Add the points of a deal, by seat, to the totals; then comes the next deal, or the game is over."""
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        self.table.tell("deal_end", deal=self.deal_no, points=list(points), totals=list(self.totals))
        self.turn = None
        if not self.is_match_over():
            self.start_deal()

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal, and of each seat its total."""
        return PublicCounts(
            (PublicCount("deal", self.deal_no, "part"),), [(PublicCount("score", one),) for one in self.totals]
        )

    @property
    def first_zone(self) -> Zone:
        """The zone in which all cards lie before a deal."""
        return self.table.layout.zones[0]
