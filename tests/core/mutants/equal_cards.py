"""Twins, a game with each card four times, some of which are shown in private; and games that tell copies apart.

Two to four players are dealt six cards each. In turn each shows a card of its hand to its left neighbour, who alone
sees it, and then one to its right neighbour. Then a card is laid in turn; it has a point if it is equal to the card
below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import Struct

from pitboss import (
    Action,
    CardFace,
    Deck,
    Options,
    Outcome,
    TableGame,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    hand_each,
    outcome_by_side,
    pile,
)

HAND: Final = 6
SHOWN: Final = 2  # cards, by each player


class ShowCard(Action, frozen=True, tag="show"):
    """Show a card to your left neighbour, or in the second round to your right one."""

    card: CardFace


class LayTwin(Action, frozen=True, tag="lay"):
    """Lay a card."""

    card: CardFace


class TwinsView(Struct, frozen=True):
    """What a seat may know."""

    hand: list[CardFace]
    known: list[list[str]]
    laid: list[CardFace]
    points: list[int]


class TwinsState(TableState[Options, ShowCard | LayTwin]):
    """A game of Twins at one moment."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 3
    games: ClassVar[int] = 6
    deck = Deck("ABCDEF" * 4)

    stock: Zone = pile(Visibility.NOBODY)
    laid: Zone = pile()
    hands: Zones = hand_each()
    points: tuple[int, ...] = ()
    made: int = 0  # turns

    def start(self) -> None:
        """Deal; the first seat shows a card."""
        self.points = (0,) * self.seats
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, HAND)
        self.turn = Turn(0, "show")

    def legal(self) -> Sequence[ShowCard | LayTwin]:
        """Return the cards that can be shown or laid."""
        if self.turn is None:
            return []
        if self.turn.phase == "lay":
            return [LayTwin(face) for face in sorted(set(self.faces(self.hands[self.turn.seat])))]
        known = self.table.faces_known_to(self.hands[self.turn.seat], self.neighbour(self.turn.seat))
        held = self.faces(self.hands[self.turn.seat])
        return [ShowCard(face) for face in sorted(set(held)) if held.count(face) > known.count(face)]

    def apply(self, action: ShowCard | LayTwin) -> None:
        """Show a card, or lay one."""
        seat, table = self.require_turn().seat, self.table
        hand, following = self.hands[seat], (seat + 1) % self.seats
        if isinstance(action, ShowCard):
            known, onlooker = table.known_by, self.neighbour(seat)
            hidden = [c for c in table.zones[hand] if self.is_face(c, action.card) and not known[c] >> onlooker & 1]
            card = min(hidden, key=lambda c: known[c].bit_count())  # one that nobody else was shown, if there is one
            table.reveal(hand, "show", cards=[card], to=[onlooker])
        else:
            self.points = tuple(
                points + (one == seat and [action.card] == self.faces(self.laid)[-1:])
                for one, points in enumerate(self.points)
            )
            self.lay(action.card, hand)
        self.made += 1
        if self.made == self.seats * (HAND + SHOWN):
            self.turn = None
        else:
            self.turn = Turn(following, "show" if self.made < self.seats * SHOWN else "lay")

    def lay(self, face: str, hand: Zone) -> None:
        """Lay a card with this face."""
        self.table.play_face(face, hand, self.laid, "lay")

    def neighbour(self, seat: int) -> int:
        """Return who is shown a card: the left neighbour, then the right one."""
        return (seat + (1 if self.made < self.seats else -1)) % self.seats

    def is_face(self, card: int, face: str) -> bool:
        """Return whether a card has this face."""
        return str(self.deck.faces[card]) == face

    def view(self, seat: int) -> TwinsView:
        """Return the own hand, what is known of the others, and what lies open."""
        return TwinsView(
            sorted(self.faces(self.hands[seat])) if seat < self.seats else [],
            [sorted(map(str, self.table.faces_known_to(hand, seat))) for hand in self.hands],
            self.faces(self.laid),
            [*self.points],
        )

    def outcome(self) -> Outcome:
        """Count points."""
        return outcome_by_side(self.points)


class Twins(TableGame[Options, TwinsState]):
    """The game of Twins, played with a class of states."""

    preset: ClassVar[str | None] = None
    players: ClassVar[int] = 3
    games: ClassVar[int] = 6
    name: str = "twins"
    title: str = "Twins"
    seats: Sequence[int] = (2, 3, 4)
    Options = Options
    Action: Any = ShowCard | LayTwin
    View = TwinsView

    def __init__(self, state: type[TwinsState] = TwinsState) -> None:
        self.state = state


class LaysTheLowestNumber(TwinsState):
    """Of two equal cards the one with the lower number is laid: who was shown one is told whether it was that one."""

    def lay(self, face: str, hand: Zone) -> None:
        """Lay the lowest."""
        card = min(card for card in self.table.zones[hand] if self.is_face(card, face))
        self.table.move(card, hand, self.laid, "lay")


class LetsNobodyForget(TwinsState):
    """Of two equal cards of which each neighbour was shown one, one neighbour is told that the other is still held."""

    def lay(self, face: str, hand: Zone) -> None:
        """Lay a copy that is known, and let nobody forget the other."""
        self.table.move(self.table.find_card(hand, face), hand, self.laid, "lay")


MUTANTS: Final = ((Twins, LaysTheLowestNumber), (Twins, LetsNobodyForget))
