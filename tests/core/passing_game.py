"""Passing: a small game with private mixing, for the tests of the state tracker.

Each seat in turn passes two cards face down to the left. Seat 1 winks at somebody, and nobody else sees it. Then tricks
are played, and who has the suit follows it. The second of two deals comes within the last play of the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from pitboss import (
    Deck,
    IllegalAction,
    Layout,
    Options,
    Outcome,
    Random,
    Table,
    Turn,
    Visibility,
    outcome_by_side,
    solo_sides,
)
from pitboss.determinization.sampling import sample_world

DECK: Final = Deck([f"{suit}{rank}" for suit in "ABC" for rank in range(1, 11)])
DEALS: Final = 2


class PassingOptions(Options, frozen=True):
    """What Passing can be played with."""

    hand: int = 6


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Pass two cards to the left."""

    cards: tuple[str, str]


class Play(Struct, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play a card."""

    card: str


class Wink(Struct, frozen=True, tag_field="do", tag="wink", forbid_unknown_fields=True):
    """Wink at a seat."""

    at: int


class PassingView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[str]
    trick: list[str]
    deal: int


class PassingState:
    """A game of Passing at one moment."""

    def __init__(self, seats: int, options: PassingOptions, rng: Random) -> None:
        layout = Layout(DECK, seats)
        self.seats, self.options, self.rng = seats, options, rng
        self.stock = layout.add_pile("stock", Visibility.NOBODY)
        self.trick = layout.add_spread("trick")
        self.hands = layout.add_hands()
        self.won = layout.add_pile("won", Visibility.EVERYBODY)
        self.table = Table(layout, rng, self.stock)
        self.turn: Turn | None = None
        self.deal = 0
        self.points = [0] * seats

    def legal(self) -> Sequence[Pass | Wink | Play]:
        """Return every pair to pass; or whom to wink at; or what may be played."""
        if self.turn is None:
            return []
        if self.turn.phase == "wink":
            return [Wink(seat) for seat in range(self.seats)]
        held = sorted(self.table.zones[self.hands[self.turn.seat]])
        if self.turn.phase == "pass":
            return [
                Pass((face_text(one), face_text(two))) for place, one in enumerate(held) for two in held[place + 1 :]
            ]
        suit = {card // 10 for card in self.table.zones[self.trick][:1]}
        return [Play(face_text(card)) for card in held if card // 10 in suit] or [
            Play(face_text(card)) for card in held
        ]

    def play(self, action: Pass | Wink | Play) -> None:
        """Pass, wink or play."""
        turn, table = self.turn, self.table
        if turn is None or action not in self.legal():
            raise IllegalAction(f"{action!r} was played at {turn}; legal: {self.legal()!r}")
        seat, following = turn.seat, (turn.seat + 1) % self.seats
        if isinstance(action, Pass):
            table.lay(DECK.find_cards(action.cards), self.hands[seat], self.hands[following], "pass")
            self.turn = Turn(following, "pass") if following else Turn(1, "wink")
            return
        if isinstance(action, Wink):
            table.tell("wink", only=action.at)
            self.turn = Turn(0, "play")
            return
        [card] = DECK.find_cards([action.card])
        led = table.zones[self.trick][:1]
        table.move(card, self.hands[seat], self.trick, "play")
        if led and led[0] // 10 != card // 10:
            table.restrict(
                table.zones[self.hands[seat]], {other for other in range(len(DECK)) if other // 10 != led[0] // 10}
            )
        self.turn = Turn(following, "play")
        if len(table.zones[self.trick]) == self.seats:
            self.end_trick(following)

    def end_trick(self, leader: int) -> None:
        """Give the trick to the highest card of its suit; after the last one deal anew."""
        trick = self.table.zones[self.trick]
        best = max(range(self.seats), key=lambda place: (trick[place] // 10 == trick[0] // 10, trick[place]))
        winner = (leader + best) % self.seats
        self.points[winner] += 1
        self.table.turn_over(self.trick, self.won, "take")
        self.turn = Turn(winner, "play")
        if not self.table.zones[self.hands[winner]]:
            self.deal_or_end()

    def deal_or_end(self) -> None:
        """Deal, or end the game."""
        self.turn = None
        if self.deal == DEALS:
            return
        self.deal += 1
        self.table.collect(self.stock)
        self.table.rng = self.rng.spawn(f"deal {self.deal}")
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, self.options.hand)
        self.turn = Turn(0, "pass")

    def neutral(self) -> Pass | Wink | Play:
        """Return the first action."""
        return self.legal()[0]

    def view(self, seat: int) -> PassingView:
        """Return the hand and the trick."""
        hand = sorted(self.table.zones[self.hands[seat]]) if seat < self.seats else []
        return PassingView(
            [face_text(card) for card in hand], [face_text(card) for card in self.table.zones[self.trick]], self.deal
        )

    def outcome(self) -> Outcome:
        """Count tricks."""
        return outcome_by_side(self.points, solo_sides(self.seats))

    def copy(self) -> PassingState:
        """Return a twin with a table of its own."""
        return self.with_table(self.table.copy())

    def imagine(self, seat: int, rng: Random) -> PassingState:
        """Return a world of the seat."""
        return self.with_table(sample_world(self.table, seat, rng))

    def with_table(self, table: Table) -> PassingState:
        """Return this state with another table."""
        twin = object.__new__(PassingState)
        twin.__dict__.update(self.__dict__)
        twin.table, twin.points = table, self.points[:]
        return twin


def face_text(card: int) -> str:
    """Return what is printed on a card."""
    return str(DECK.faces[card])


class Passing:
    """The game."""

    name: Final = "passing"
    title: Final = "Passing"
    version: Final = "1"
    seats: Final = (3, 4)
    Options: Final = PassingOptions
    Action: Final = Pass | Wink | Play
    View: Final = PassingView
    presets: Final[Mapping[str, PassingOptions]] = {}

    def deal(self, seats: int, options: PassingOptions, rng: Random) -> PassingState:
        """Begin a game."""
        state = PassingState(seats, options, rng)
        state.deal_or_end()
        return state
