"""Haggle. Two players share books, hats and balls: each thing has a worth of its own for each of them.

Everybody has three cards that only they see: what a book, a hat and a ball are worth to them. The players speak in
turn. Who speaks makes an offer, which is what they want themselves (the other gets the rest), accepts the offer of the
other, or waits. Once an offer is accepted, each player has as many points as their things are worth to them. When both
have spoken as often as is agreed, the game is over; without a deal nobody has a point.

There are too many offers to list them: `Offer` is an open action. Who makes none can wait and accept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from pitboss import (
    Action,
    Deck,
    Options,
    Outcome,
    Random,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    outcome_by_side,
    pile,
    rack_each,
)
from pitboss.open_actions import OpenAction, read_told
from pitboss.plugins.hookspec import hookimpl

THINGS: Final = ("books", "hats", "balls")
WORTHS: Final = range(6)  # each on two cards
PROPOSALS: Final = 4  # at most

Count: TypeAlias = Annotated[int, Meta(ge=0, le=9)]


class HaggleOptions(Options, frozen=True):
    """What people may choose."""

    books: Annotated[int, Meta(ge=1, le=9, description="Books to share.")] = 3
    hats: Annotated[int, Meta(ge=1, le=9, description="Hats to share.")] = 2
    balls: Annotated[int, Meta(ge=1, le=9, description="Balls to share.")] = 1
    turns: Annotated[int, Meta(ge=1, le=10, description="How often each player speaks.")] = 4


class Wait(Action, frozen=True):
    """Say nothing."""


class Accept(Action, frozen=True):
    """Take what the other leaves you."""


class Offer(OpenAction, frozen=True):
    """Say what you want; the other gets the rest."""

    books: Annotated[Count, Meta(description="Books for you.")]
    hats: Annotated[Count, Meta(description="Hats for you.")]
    balls: Annotated[Count, Meta(description="Balls for you.")]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many of each thing."""
        return self.books, self.hats, self.balls


class HaggleView(Struct, frozen=True):
    """What a seat may know."""

    worths: Annotated[list[int], Meta(description="What a book, a hat and a ball are worth to you; [] to a spectator.")]
    offer: Annotated[list[int] | None, Meta(description="What the last offer is: books, hats and balls.")]
    offered_by: Annotated[int | None, Meta(description="Who made it, and would get these things.")]
    left: Annotated[int, Meta(le=20, description="How many turns are left, this one too.")]


class HaggleState(TableState[HaggleOptions, Wait | Accept | Offer]):
    """A game at one moment."""

    deck = Deck(worth for worth in WORTHS for _ in range(2))

    stock: Zone = pile(Visibility.NOBODY)
    worths: Zones = rack_each((1, 2, 3))
    offer: Offer | None = None  # the last one
    offered_by: int | None = None
    left: int = 0  # turns
    is_agreed: bool = False

    def start(self) -> None:
        """Tell everybody what things are worth to them."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.worths, len(THINGS), range(len(THINGS)))
        self.left = self.seats * self.options.turns
        self.turn = Turn(0, "speak")

    def legal(self) -> Sequence[Wait | Accept]:
        """Return waiting, and accepting where the other has made the last offer."""
        if self.turn is None:
            return []
        return [Wait()] if self.offered_by in (None, self.turn.seat) else [Wait(), Accept()]

    def open_kinds(self) -> Sequence[type[OpenAction]]:
        """Return offers, which can be made at each turn."""
        return () if self.turn is None else (Offer,)

    def check_open(self, action: Offer) -> str:
        """Return why an offer cannot be made: it wants more than there is, or is no new one."""
        for thing, wanted, there in zip(THINGS, action.counts, self.shared, strict=True):
            if wanted > there:
                return f"there are {there} {thing}, not {wanted}"
        if self.offer is not None and self.turn is not None:
            rest = tuple(there - taken for there, taken in zip(self.shared, self.offer.counts, strict=True))
            if self.offered_by == self.turn.seat and action == self.offer:
                return "that is your offer already"
            if self.offered_by != self.turn.seat and action.counts == rest:
                return "that is what the other leaves you: accept it"
        return ""

    def propose_open(self, rng: Random) -> Sequence[Offer]:
        """Return a few offers, in which the player wants half of all or more."""
        drawn = [Offer(*(there - rng.randbelow(there // 2 + 1) for there in self.shared)) for _ in range(PROPOSALS)]
        return [offer for offer in dict.fromkeys(drawn) if not self.check_open(offer)]

    def read_open(self, event: Any) -> Offer | None:  # noqa: ANN401 - any event of the log
        """Return the offer that an event tells."""
        return read_told(Offer, event)

    def apply(self, action: Wait | Accept | Offer) -> None:
        """Speak; the game is over with a deal, or when nobody has a turn left."""
        seat = self.require_turn().seat
        self.left -= 1
        match action:
            case Offer(books, hats, balls):
                self.table.tell("offer", seat=seat, books=books, hats=hats, balls=balls)
                self.offer, self.offered_by = action, seat
            case Accept():
                self.table.tell("accept", seat=seat)
                self.is_agreed = True
            case Wait():
                self.table.tell("wait", seat=seat)
        self.turn = None if self.is_agreed or not self.left else Turn(1 - seat, "speak")

    def view(self, seat: int) -> HaggleView:
        """Return what things are worth to a seat, and the last offer."""
        return HaggleView(
            worths=self.worths_of(seat) if seat < self.seats else [],
            offer=None if self.offer is None else [*self.offer.counts],
            offered_by=self.offered_by,
            left=self.left,
        )

    def outcome(self) -> Outcome:
        """Count what each player has."""
        points = [0, 0]
        if self.is_agreed and self.offer is not None and self.offered_by is not None:
            for thing, (there, taken) in enumerate(zip(self.shared, self.offer.counts, strict=True)):
                points[self.offered_by] += taken * self.worths_of(self.offered_by)[thing]
                points[1 - self.offered_by] += (there - taken) * self.worths_of(1 - self.offered_by)[thing]
        return outcome_by_side(points)

    def worths_of(self, seat: int) -> list[int]:
        """Return what a book, a hat and a ball are worth to a seat."""
        return [WORTHS[card // 2] for card in self.table.zones[self.worths[seat]]]

    @property
    def shared(self) -> tuple[int, int, int]:
        """How many of each thing there are."""
        return self.options.books, self.options.hats, self.options.balls

    def render(self, seat: int | None, names: Sequence[str]) -> list[str]:
        """Show the items, what they are worth to the viewer, and the last offer."""
        there = ", ".join(f"{count} {thing}" for count, thing in zip(self.shared, THINGS, strict=True))
        lines = [f"To share: {there}. Turns left: {self.left}."]
        for one, name in enumerate(names):
            if seat in (None, one):
                told = ", ".join(f"{thing} {worth}" for thing, worth in zip(THINGS, self.worths_of(one), strict=True))
                lines.append(f"Worth to {name}: {told}.")
        if self.offer is not None and self.offered_by is not None:
            wanted = ", ".join(f"{count} {thing}" for count, thing in zip(self.offer.counts, THINGS, strict=True))
            lines.append(f"{names[self.offered_by]} wants {wanted}{'; that is a deal' if self.is_agreed else ''}.")
        return lines


class Haggle(TableGame[HaggleOptions, HaggleState]):
    """The game: one object without state."""

    state = HaggleState
    name = "haggle"
    title = "Haggle"
    seats = (2,)
    phases = ("speak",)

    def counts_points(self, options: Any) -> bool:  # noqa: ANN401 - its own
        """Return True: players want as many points as they can get, not more than the other."""
        return True


pitboss_games = hookimpl(lambda: [Haggle()])
