"""Crazy Eights. Play a card of the suit or rank of the last one, or an eight; the first without a card wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pitboss import Action, CardFace, Deck, Options, Outcome, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.stock import restock
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import STANDARD_PACK, SUITS, rank_of, suit_of
from pitboss.table.zone_fields import hand_each, pile

WORTH = {"8": 50, "A": 1, "J": 10, "Q": 10, "K": 10}  # any other card its number


class EightsOptions(Options, frozen=True):
    """What people may choose."""

    hand: Annotated[int, Meta(ge=1, le=8, description="Cards that everybody is dealt.")] = 5
    draws: Annotated[int, Meta(ge=1, le=10, description="Cards that one may draw before one passes.")] = 3


class Play(Action, frozen=True, omit_defaults=True):
    """Play a card; with an eight name the suit that must follow."""

    card: CardFace
    suit: Literal["S", "H", "D", "C"] | None = None


class Draw(Action, frozen=True):
    """Draw a card from the stock."""


class Pass(Action, frozen=True):
    """Leave it to the next player."""


class EightsView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    played: Annotated[list[str], Meta(description="The cards played since the last shuffle, the last on top.")]
    suit: Annotated[str, Meta(description="The suit that must follow.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    stock: Annotated[int, Meta(description="How many cards can be drawn.")]


class EightsState(TableState[EightsOptions, Play | Draw | Pass]):
    """A game at one moment."""

    deck = Deck(STANDARD_PACK.faces)
    stock: Zone = pile(Visibility.NOBODY)
    played: Zone = pile()
    hands: Zones = hand_each()
    suit: str = ""
    draws: int = 0  # in this turn
    passes: int = 0  # in a row, without a card to draw

    def start(self) -> None:
        """Deal, and turn up a card."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, self.options.hand)
        self.suit = suit_of(self.deck.faces[self.table.draw(self.stock, self.played, "up_card")])
        self.turn = Turn(0, "play")

    def legal(self) -> Sequence[Play | Draw | Pass]:
        """Return the cards that fit, each eight with each suit; then draw, or pass."""
        if self.turn is None:
            return []
        rank = rank_of(self.faces(self.played)[-1])
        actions: list[Play | Draw | Pass] = []
        for face in sorted(self.faces(self.hands[self.turn.seat])):
            if rank_of(face) == "8":
                actions += [Play(face, suit) for suit in SUITS]
            elif suit_of(face) == self.suit or rank_of(face) == rank:
                actions.append(Play(face))
        can_draw = self.table.zones[self.stock] and self.draws < self.options.draws
        return [*actions, Draw() if can_draw else Pass()]

    def apply(self, action: Play | Draw | Pass) -> None:
        """Play, draw or pass."""
        seat = self.require_turn().seat
        table, hand = self.table, self.hands[seat]
        if isinstance(action, Draw):
            self.draws += 1
            table.draw(self.stock, hand)
            if not table.zones[self.stock]:
                restock(table, self.played, self.stock)
            return
        if isinstance(action, Play):
            table.play_face(action.card, hand, self.played, "play")
            self.suit = action.suit or suit_of(action.card)
        table.tell("turn_over", seat=seat, suit=self.suit)
        self.passes = self.passes + 1 if isinstance(action, Pass) and not table.zones[self.stock] else 0
        self.draws = 0
        is_over = not table.zones[hand] or self.passes == self.seats
        self.turn = None if is_over else Turn((seat + 1) % self.seats, "play")

    def view(self, seat: int) -> EightsView:
        """Return the seat's hand, what lies open, and how many cards the others hold."""
        return EightsView(
            hand=sorted(self.faces(self.hands[seat])) if seat < self.seats else [],
            played=self.faces(self.played),
            suit=self.suit,
            counts=[len(self.table.zones[hand]) for hand in self.hands],
            stock=len(self.table.zones[self.stock]),
        )

    def outcome(self) -> Outcome:
        """Count what everybody still holds; the lowest wins."""
        held = [list(map(rank_of, self.faces(hand))) for hand in self.hands]
        return outcome_by_side([sum(WORTH.get(rank) or int(rank) for rank in one) for one in held], lowest_wins=True)


class CrazyEights(TableGame[EightsOptions, EightsState]):
    """The game."""

    state = EightsState
    name = "crazy-eights"
    title = "Crazy Eights"
    seats = (2, 3, 4, 5, 6)


pitboss_games = hookimpl(lambda: [CrazyEights()])
