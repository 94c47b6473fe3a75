"""Haggle, a game whose offers are checked and not listed, broken where they are checked, proposed, read and played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from haggle import Accept, Haggle, HaggleState, Offer, Wait
from pitboss import Random
from pitboss.open_actions import OpenAction
from pitboss.table.events import AnyEvent


class BargainedState(HaggleState):
    """A healthy game."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 2
    games: ClassVar[int] = 4


class Bargain(Haggle):
    """Haggle, played with a class of states."""

    def __init__(self, state: type[HaggleState]) -> None:
        self.state = state


class ReadsNothing(BargainedState):
    """The state has no `read_open`, so that it takes no open actions."""

    read_open: Any = None


class IsOpenAtTheEnd(BargainedState):
    """Offers are open when the game is over."""

    def open_kinds(self) -> Sequence[type[OpenAction]]:
        """Do not look at the turn."""
        return (Offer,)


class ListsAnOffer(BargainedState):
    """The legal list has an offer."""

    def legal(self) -> Sequence[Any]:
        """Add one."""
        return [*super().legal(), Offer(0, 0, 0)] if self.turn is not None else []


class ProposesTooMuch(BargainedState):
    """What is proposed is more than there is."""

    def propose_open(self, rng: Random) -> Sequence[Offer]:
        """Propose one thing too many."""
        return [Offer(self.options.books + 1, 0, 0)]


class RefusesWhatPasses(BargainedState):
    """An offer without a book passes the check, and cannot be played."""

    def apply(self, action: Wait | Accept | Offer) -> None:
        """Find a reason too late."""
        if isinstance(action, Offer) and not action.books:
            raise ValueError("who would want no book?")
        super().apply(action)


class PlaysUnchecked(BargainedState):
    """An offer that does not pass the check is played all the same."""

    def play(self, action: Wait | Accept | Offer) -> None:
        """Ask nobody."""
        if isinstance(action, Offer) and self.turn is not None:
            self.apply(action)
        else:
            super().play(action)


class KnowsWhatTheOtherWants(BargainedState):
    """The check tells whether the other gets anything of worth."""

    def check_open(self, action: Offer) -> str:
        """Look into the other's cards."""
        why = super().check_open(action)
        if why or self.turn is None:
            return why
        other = self.worths_of(1 - self.turn.seat)
        left = [there - taken for there, taken in zip(self.shared, action.counts, strict=True)]
        return "" if sum(map(int.__mul__, left, other)) else "the other would never accept that"


class ReadsHatsForBooks(BargainedState):
    """An offer is read with its numbers exchanged."""

    def read_open(self, event: AnyEvent) -> Offer | None:
        """Exchange books and balls."""
        read = super().read_open(event)
        return None if read is None else Offer(read.balls, read.hats, read.books)


class CountsItsChecks(BargainedState):
    """To check an offer takes a turn."""

    def check_open(self, action: Offer) -> str:
        """Count what was asked."""
        self.left -= 1
        return super().check_open(action)


MUTANTS: Final = tuple(
    (Bargain, state)
    for state in (
        ReadsNothing,
        IsOpenAtTheEnd,
        ListsAnOffer,
        ProposesTooMuch,
        RefusesWhatPasses,
        PlaysUnchecked,
        KnowsWhatTheOtherWants,
        ReadsHatsForBooks,
        CountsItsChecks,
    )
)
