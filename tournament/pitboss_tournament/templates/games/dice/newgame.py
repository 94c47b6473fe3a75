"""New Game. Everybody rolls dice under a cup; bid how many sixes there are in all, or doubt the last bid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated

from msgspec import Meta, Struct

from pitboss import Action, Deck, Options, Outcome, Secrets, TableGame, TableState, Turn, Zone
from pitboss.outcome import outcome_by_side
from pitboss.plugins.hookspec import hookimpl
from pitboss.rendering.presentation import Presentation
from pitboss.table.secrets import Scalar
from pitboss.table.zone_fields import pile, secret_each

DICE, ROUNDS = 3, 5  # dice of each player, rounds of a game


class Bid(Action, frozen=True):
    """Claim a number of sixes."""

    sixes: Annotated[int, Meta(ge=1, le=20)]


class Doubt(Action, frozen=True):
    """Doubt the last bid: the dice are shown."""


class NewGameView(Struct, frozen=True):
    """What a seat may know."""

    dice: Annotated[list[list[Scalar]], Meta(description="By seat, its dice; null for what is hidden.")]
    bid: Annotated[int, Meta(description="The last bid; 0: none.")]
    points: Annotated[list[int], Meta(description="By seat, the rounds that it has won.")]


class NewGameState(TableState[Options, Bid | Doubt]):
    """A game at one moment."""

    deck = Deck(())
    box: Zone = pile()  # every table has a zone
    dice: Secrets = secret_each()
    bid: int = 0
    points: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Begin the first round."""
        self.points = [0] * self.seats
        self.roll(0)

    def roll(self, first: int) -> None:
        """Roll all dice; `first` begins to bid."""
        for cup in self.dice:
            self.table.roll(cup, range(1, 7), DICE)
        self.bid, self.turn = 0, Turn(first, "bid")

    def legal(self) -> Sequence[Bid | Doubt]:
        """Return every higher bid, and the doubt."""
        bids = [Bid(sixes) for sixes in range(self.bid + 1, self.seats * DICE + 1)]
        return [*bids, *[Doubt()] * (self.bid > 0)] if self.turn else []

    def apply(self, action: Bid | Doubt) -> None:
        """Bid, or doubt: then who was right has won the round."""
        seat = self.require_turn().seat
        if isinstance(action, Bid):
            self.bid = action.sixes
            self.table.tell("bid", seat=seat, sixes=self.bid)
            self.turn = Turn((seat + 1) % self.seats, "bid")
            return
        for cup in self.dice:
            self.table.show(cup)
        sixes = sum(self.table.values(cup).count(6) for cup in self.dice)
        winner = (seat - 1) % self.seats if self.bid <= sixes else seat
        self.points[winner] += 1
        self.turn = None
        if sum(self.points) < ROUNDS:
            self.roll(winner)

    def view(self, seat: int) -> NewGameView:
        """Return the dice that the seat knows, the bid and the points."""
        return NewGameView([[*self.table.values_known_to(cup, seat)] for cup in self.dice], self.bid, [*self.points])

    def outcome(self) -> Outcome:
        """Return the rounds won as points."""
        return outcome_by_side(self.points)


class NewGame(TableGame[Options, NewGameState]):
    """The game."""

    state = NewGameState
    name = "new-game"
    title = "New Game"
    presentation = Presentation(phases={"bid": "bid, or doubt"}, events={"bid": "bids {sixes:six|sixes}"})
    seats = (2, 3, 4, 5)


pitboss_games = hookimpl(lambda: [NewGame()])
