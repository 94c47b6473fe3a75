"""A small engine for tests: hidden cards, bids at the same moment, a die that all see, and a choice in turn.

Each player is dealt one of six cards, one after another. All bid at the same moment. A die is rolled. Then the players
in turn stay or fold. Who stays with the highest sum of card, bid and, with an odd die, one more for the lowest seat,
has the points of the bids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from pitboss import Options, Random
from pitboss.foreign.engine import EngineFacts, EngineMove, EngineOutcome, Sight
from pitboss.foreign.engine_game import EngineGame
from pitboss.game import Ability
from pitboss.outcome import solo_sides

CARDS = range(1, 7)
FOLD, STAY = 10, 11


class SealedOptions(Options, frozen=True):
    """The options of the game."""

    highest_bid: Annotated[int, Meta(description="The highest bid.", ge=1, le=3)] = 2


class SealedPosition:
    """A game in progress."""

    def __init__(self, seats: int, highest_bid: int) -> None:
        self.seats, self.highest_bid = seats, highest_bid
        self.cards: list[int] = []
        self.bids: list[int] = []
        self.die = 0
        self.stays: list[bool] = []

    def __repr__(self) -> str:
        return f"{self.cards} {self.bids} {self.die} {self.stays}"

    def list_turns(self) -> Sequence[int]:
        """Return the seats that decide now."""
        if len(self.cards) < self.seats:
            return ()
        if not self.bids:
            return range(self.seats)
        return (len(self.stays),) if self.die and len(self.stays) < self.seats else ()

    def list_outcomes(self) -> Sequence[EngineOutcome]:
        """Return the outcomes of chance."""
        if len(self.cards) < self.seats:
            return [EngineOutcome(card, 1) for card in CARDS if card not in self.cards]
        return [EngineOutcome(face, 1) for face in CARDS] if self.bids and not self.die else ()

    def list_moves(self, seat: int) -> Sequence[EngineMove]:
        """Return the legal moves of a seat."""
        if self.bids:
            return [EngineMove(FOLD, "fold"), EngineMove(STAY, "stay")]
        return [EngineMove(bid, "bid" if bid else "pass") for bid in range(self.highest_bid + 1)]

    def play(self, numbers: Sequence[int]) -> None:
        """Make a step."""
        if len(self.cards) < self.seats:
            self.cards.append(numbers[0])
        elif not self.bids:
            self.bids.extend(numbers)
        elif not self.die:
            self.die = numbers[0]
        else:
            self.stays.append(numbers[0] == STAY)

    def show(self, seat: int) -> Sight:
        """Return what a seat may know: its card, and all that is open."""
        card = self.cards[seat] if seat < len(self.cards) else None
        is_over = len(self.stays) == self.seats
        shown = f" cards {self.cards}" if is_over else ""
        return Sight(f"card {card}, bids {self.bids}, die {self.die}, stays {self.stays}{shown}", [card, self.die])

    def describe(self) -> str:
        """Return everything."""
        return repr(self)

    def count_points(self) -> Sequence[float]:
        """Return the points: the bids, for the best who stays."""
        sums = [
            (card + bid + (seat == 0 and self.die % 2), -seat)
            for seat, (card, bid) in enumerate(zip(self.cards, self.bids, strict=True))
            if self.stays[seat]
        ]
        winner = -max(sums)[1] if sums else None
        return [float(sum(self.bids)) if seat == winner else 0.0 for seat in range(self.seats)]

    def copy(self) -> SealedPosition:
        """Return an independent position."""
        twin = type(self)(self.seats, self.highest_bid)
        twin.cards, twin.bids, twin.die, twin.stays = self.cards[:], self.bids[:], self.die, self.stays[:]
        return twin


class SamplingPosition(SealedPosition):
    """A position that deals the cards of the others again."""

    def sample_world(self, seat: int, rng: Random) -> SamplingPosition:
        """Return a world of the seat."""
        twin = self.copy()
        assert isinstance(twin, SamplingPosition)
        if len(self.stays) == self.seats:
            return twin
        rest = [card for card in CARDS if card != self.cards[seat]]
        rng.shuffle(rest)
        twin.cards = [card if one == seat else rest.pop() for one, card in enumerate(self.cards)]
        return twin


class SealedEngine:
    """The rules. `position` is the class of its positions, `cannot` what it declares."""

    name, title, version = "sealed", "Sealed bids of an engine", "1"
    seats: Sequence[int] = (2, 3)
    Options: Any = SealedOptions

    def __init__(
        self, position: type[SealedPosition] = SealedPosition, cannot: dict[Ability, str] | None = None
    ) -> None:
        self.position, self.cannot = position, cannot or {}

    def describe_game(self, seats: int, options: SealedOptions) -> EngineFacts:
        """Return the facts of a game."""
        return EngineFacts(
            sides=solo_sides(seats),
            has_chance=True,
            is_open=False,
            decisions=2 * seats,
            least=0.0,
            most=float(seats * options.highest_bid),
            cannot=self.cannot,
        )

    def begin(self, seats: int, options: SealedOptions, rng: Random) -> SealedPosition:
        """Begin a game."""
        return self.position(seats, options.highest_bid)


def make_sealed_game(
    position: type[SealedPosition] = SealedPosition, cannot: dict[Ability, str] | None = None
) -> EngineGame:
    """Return the game of the engine."""
    return EngineGame(SealedEngine(position, cannot))
