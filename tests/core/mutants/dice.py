"""Bluff, a small game of hidden dice without a card, and games of it whose dice leak.

Everybody rolls dice under a cup. In turn each bids a higher number of sixes among all dice, or doubts the last bid.
Then the dice are shown. The bidder gets a point if they hold so many sixes, else the doubter does. Two rounds are
played.

The leaking games imagine their own state, hidden dice included: compared with that, nothing leaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, ClassVar, Final, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import (
    Deck,
    Options,
    Outcome,
    PositionError,
    Random,
    Table,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
    outcome_by_side,
    pile,
)

ROUNDS: Final = 2
SIDES: Final = 6

Die = Annotated[int, Meta(ge=1, le=SIDES)]


class BluffOptions(Options, frozen=True):
    """What Bluff can be played with."""

    dice: Annotated[int, Meta(ge=1, le=5, description="Dice of each player.")] = 2


class Bid(Struct, frozen=True, tag_field="do", tag="bid", forbid_unknown_fields=True):
    """Claim that there are so many sixes."""

    sixes: Annotated[int, Meta(ge=1)]


class Doubt(Struct, frozen=True, tag_field="do", tag="doubt", forbid_unknown_fields=True):
    """Doubt the last bid: the dice are shown."""


Action: TypeAlias = Bid | Doubt


class BluffView(Struct, frozen=True):
    """What a seat may know."""

    dice: list[list[Die | None]]
    bid: int
    points: list[int]


class BluffPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position written down; dice that are null are rolled."""

    dice: list[list[Die]] | None = None
    bid: Annotated[int, Meta(ge=0)] = 0
    points: list[Annotated[int, Meta(ge=0)]] | None = None
    turn: Annotated[int, Meta(ge=0)] | None = 0


class BluffState(TableState[BluffOptions, Action]):
    """A game of Bluff at one moment."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 3
    games: ClassVar[int] = 4
    deck = Deck(())

    box: Zone = pile(Visibility.NOBODY)
    points: list[int] = field(default_factory=list)
    dice: list[tuple[int, ...]] = field(default_factory=list)  # by seat
    bid: int = 0

    def start(self) -> None:
        """Roll, and let the first seat bid."""
        self.points = [0] * self.seats
        self.roll()
        self.turn = Turn(0, "bid")

    def roll(self) -> None:
        """Roll all dice, and tell each player its own."""
        self.bid = 0
        self.dice = [self.roll_cup(self.table) for _ in range(self.seats)]
        for seat, dice in enumerate(self.dice):
            self.table.tell("roll", only=seat, dice=[*dice])

    def roll_cup(self, table: Table) -> tuple[int, ...]:
        """Return what the dice of one player show."""
        return tuple(1 + table.draw_lot(SIDES) for _ in range(self.options.dice))

    def legal(self) -> Sequence[Action]:
        """Return every higher bid, and the doubt."""
        if self.turn is None:
            return []
        bids = [Bid(sixes) for sixes in range(self.bid + 1, self.seats * self.options.dice + 1)]
        return [*bids, Doubt()] if self.bid else bids

    def apply(self, action: Action) -> None:
        """Bid, or doubt."""
        seat = self.require_turn().seat
        following = (seat + 1) % self.seats
        if isinstance(action, Bid):
            self.bid = action.sixes
            self.table.tell("bid", seat=seat, sixes=self.bid)
        else:
            self.end_round(seat)
        self.turn = None if sum(self.points) == ROUNDS else Turn(following, "bid")

    def end_round(self, doubter: int) -> None:
        """Show the dice, give the point, and roll for the next round."""
        winner = (doubter - 1) % self.seats if self.bid <= self.count_sixes() else doubter
        self.points = [points + (seat == winner) for seat, points in enumerate(self.points)]
        self.table.tell("shown", dice=[die for dice in self.dice for die in dice], winner=winner)
        if sum(self.points) < ROUNDS:
            self.roll()

    def count_sixes(self) -> int:
        """Return the number of sixes under all cups."""
        return sum(dice.count(SIDES) for dice in self.dice)

    def view(self, seat: int) -> BluffView:
        """Return what a seat may know; at the end all dice."""
        dice: list[list[int | None]] = [
            [*cup] if owner == seat or self.turn is None else [None] * len(cup) for owner, cup in enumerate(self.dice)
        ]
        return BluffView(dice, self.bid, [*self.points])

    def outcome(self) -> Outcome:
        """Count points."""
        return outcome_by_side(self.points)

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state with the other dice rolled anew."""
        twin = self.copy()
        twin.table.rng = twin.rng = rng
        if self.turn is not None:
            twin.dice = [cup if owner == seat else self.roll_cup(twin.table) for owner, cup in enumerate(self.dice)]
        return twin

    def position(self) -> BluffPosition:
        """Write down all dice."""
        turn = None if self.turn is None else self.turn.seat
        return BluffPosition([[*cup] for cup in self.dice], self.bid, [*self.points], turn)

    def set_up(self, position: BluffPosition) -> None:
        """Bring a fresh state to a position."""
        self.points = position.points or [0] * self.seats
        self.bid = position.bid
        self.dice = [self.roll_cup(self.table) for _ in range(self.seats)]
        if position.dice is not None:
            self.dice = [tuple(cup) for cup in position.dice]
        self.turn = None if position.turn is None else Turn(position.turn, "bid")
        if (
            [len(cup) for cup in self.dice] != [self.options.dice] * self.seats
            or len(self.points) != self.seats
            or self.bid > self.seats * self.options.dice
            or (position.turn or 0) >= self.seats
            or (sum(self.points) < ROUNDS) != (self.turn is not None)
        ):
            raise PositionError(f"{position!r} is no position of {self.seats} players")


class Bluff(TableGame[BluffOptions, BluffState]):
    """The game of Bluff, played with a class of states."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 3
    games: ClassVar[int] = 4
    name: str = "bluff"
    title: str = "Bluff"
    seats: Sequence[int] = (2, 3, 4)
    Options = BluffOptions
    Action = Action
    View = BluffView
    Position = BluffPosition

    def __init__(self, state: type[BluffState] = BluffState) -> None:
        self.state = state


class ImaginesTrueDice(BluffState):
    """Worlds have the true dice."""

    def imagine(self, seat: int, rng: Random) -> Self:
        """Imagine nothing."""
        twin = self.copy()
        twin.table.rng = twin.rng = rng
        return twin


class ShowsAllDice(ImaginesTrueDice):
    """The view shows everybody's hidden dice."""

    def view(self, seat: int) -> BluffView:
        """Show too much."""
        return replace(super().view(seat), dice=[[*cup] for cup in self.dice])


class DrawsAllDice(ImaginesTrueDice):
    """The picture shows everybody's hidden dice."""

    def render(self, seat: int | None, names: Sequence[str]) -> Sequence[str]:
        """Show too much."""
        return [f"{name}: {cup}" for name, cup in zip(names, self.dice, strict=True)]


class OffersDoubtIfRight(ImaginesTrueDice):
    """A doubt comes first in the legal list if it is right."""

    def legal(self) -> Sequence[Action]:
        """Look under the cups."""
        legal = super().legal()
        return legal[::-1] if self.bid > self.count_sixes() else legal


class DoubtsIfRight(ImaginesTrueDice):
    """For a player who does not answer a wrong bid is doubted."""

    def neutral(self) -> Action:
        """Look under the cups."""
        return self.legal()[-1 if self.bid > self.count_sixes() else 0]


MUTANTS: Final = tuple(
    (Bluff, state) for state in (ImaginesTrueDice, ShowsAllDice, DrawsAllDice, OffersDoubtIfRight, DoubtsIfRight)
)
