"""Sealed Bids, a small game without cards: everything hidden in it is a secret of the table.

A wheel is spun openly: the prize is 1 (three times as often), 2 or 3. Everybody rolls two dice under a cup, then
chooses a bid in secret, at most its higher die. Then all bids are shown, so that nobody can have dice below its bid.
Everybody chooses whether to stay. Of those who stay the highest bidder wins the prize and shows its dice; of equal
bidders the first. Some rounds are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from pitboss import (
    Deck,
    Options,
    Outcome,
    Secret,
    Secrets,
    TableGame,
    TableState,
    Turn,
    Zone,
    outcome_by_side,
    pile,
    secret,
    secret_each,
)
from pitboss.table.secrets import Scalar

SIDES: Final = range(1, 5)


class BidOptions(Options, frozen=True):
    """What Sealed Bids can be played with."""

    rounds: Annotated[int, Meta(ge=1, le=5, description="Rounds that are played.")] = 2


class SealedBid(Struct, frozen=True, tag_field="do", tag="bid", forbid_unknown_fields=True):
    """SealedBid so much, in secret."""

    amount: Annotated[int, Meta(ge=1, le=4)]


class StayIn(Struct, frozen=True, tag_field="do", tag="stay", forbid_unknown_fields=True):
    """StayIn, or leave, in secret."""

    stays: bool


Action: TypeAlias = SealedBid | StayIn


def is_affordable(values: Sequence[Sequence[object]]) -> bool:
    """Tell whether a bid is at most the higher of two dice."""
    dice, [bid] = values
    return max(map(number_of, dice)) >= number_of(bid)


def number_of(value: object) -> int:
    """Return a value that is a number."""
    assert isinstance(value, int)
    return value


class BidView(Struct, frozen=True):
    """What a seat may know."""

    dice: list[list[Scalar]]  # by seat
    bids: list[list[Scalar]]
    prize: int
    points: list[int]


class BidState(TableState[BidOptions, Action]):
    """A game at one moment."""

    deck = Deck(())
    box: Zone = pile()
    prize: Secret = secret()
    dice: Secrets = secret_each()
    bids: Secrets = secret_each()
    stays: Secrets = secret_each()
    points: list[int] = field(default_factory=list)
    rounds_done: int = 0

    def start(self) -> None:
        """Begin the first round."""
        self.points = [0] * self.seats
        self.start_round()

    def start_round(self) -> None:
        """Spin and roll."""
        self.table.roll(self.prize, [1, 2, 3], weights=[3, 1, 1], event="spin")
        for cup in self.dice:
            self.table.roll(cup, SIDES, 2)
        self.turn = Turn(0, "bid")

    def legal(self) -> Sequence[Action]:
        """Return every bid up to the higher die, or both ways to go on."""
        if self.turn is None:
            return []
        if self.turn.phase == "stay":
            return [StayIn(False), StayIn(True)]
        return [SealedBid(amount) for amount in range(1, max(self.numbers(self.dice[self.turn.seat])) + 1)]

    def together(self) -> Sequence[int]:
        """All choose at the same time."""
        return range(self.seats)

    def apply(self, action: Action) -> None:
        """Choose; the last one to choose ends the phase."""
        seat, phase = self.require_turn()
        if isinstance(action, SealedBid):
            self.table.choose(self.bids[seat], action.amount, SIDES, "bid")
            self.table.constrain_secrets(is_affordable, [self.dice[seat], self.bids[seat]])
        else:
            self.table.choose(self.stays[seat], action.stays, [False, True], "stay")
        if seat + 1 < self.seats:
            self.turn = Turn(seat + 1, phase)
        elif phase == "bid":
            self.show_all(self.bids)
            self.turn = Turn(0, "stay")
        else:
            self.end_round()

    def show_all(self, secrets: Secrets) -> None:
        """Show what everybody has chosen."""
        for one in secrets:
            self.table.show(one)

    def end_round(self) -> None:
        """Give the prize, and spin again."""
        self.show_all(self.stays)
        amounts = [
            self.numbers(bid)[0] * self.numbers(stay)[0] for bid, stay in zip(self.bids, self.stays, strict=True)
        ]
        if any(amounts):
            winner = amounts.index(max(amounts))
            self.points[winner] += self.numbers(self.prize)[0]
            self.table.show(self.dice[winner])
        self.rounds_done += 1
        self.turn = None
        if self.rounds_done < self.options.rounds:
            self.start_round()

    def numbers(self, one: Secret) -> list[int]:
        """Return the values of a secret that are numbers."""
        return [number_of(value) for value in self.table.values(one)]

    def view(self, seat: int) -> BidView:
        """Return what a seat may know."""
        dice, bids = ([[*self.table.values_known_to(one, seat)] for one in all_of] for all_of in (self.dice, self.bids))
        return BidView(dice, bids, self.numbers(self.prize)[0], [*self.points])

    def outcome(self) -> Outcome:
        """Count points."""
        return outcome_by_side(self.points)


class SealedBids(TableGame[BidOptions, BidState]):
    """The game, played with a class of states."""

    name: str = "sealed-bids"
    title: str = "Sealed Bids"
    seats: Sequence[int] = (2, 3)
    Options = BidOptions
    Action = Action
    View = BidView

    def __init__(self, state: type[BidState] = BidState) -> None:
        self.state = state
