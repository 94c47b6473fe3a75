"""New Game. Play a card of the suit or of the rank of the last one, else draw; the first without a card wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss import Action, CardFace, Deck, Options, Outcome, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.stock import restock
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import STANDARD_PACK, rank_of, suit_of
from pitboss.rendering.presentation import Presentation
from pitboss.table.zone_fields import hand_each, pile


class Play(Action, frozen=True):
    """Play a card."""

    card: CardFace


class Draw(Action, frozen=True):
    """Draw a card; that ends the turn."""


class NewGameView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    played: Annotated[list[str], Meta(description="The cards played since the last shuffle, the last on top.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    stock: Annotated[int, Meta(description="How many cards can be drawn.")]


class NewGameState(TableState[Options, Play | Draw]):
    """A game at one moment."""

    deck = Deck(STANDARD_PACK.faces)
    stock: Zone = pile(Visibility.NOBODY)
    played: Zone = pile()
    hands: Zones = hand_each()

    def start(self) -> None:
        """Deal, and turn up a card."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, 5)
        self.table.draw(self.stock, self.played, "up_card")
        self.turn = Turn(0, "play")

    def legal(self) -> Sequence[Play | Draw]:
        """Return a play of each card that fits, and the draw."""
        hand = sorted(self.faces(self.hands[self.turn.seat])) if self.turn else []
        fitting = [Play(face) for face in hand if self.fits(face, self.faces(self.played)[-1])]
        return [*fitting, Draw()] if self.turn else []

    def fits(self, face: str, last: str) -> bool:
        """Return whether a card may be played on another: this is the rule to change first."""
        return suit_of(face) == suit_of(last) or rank_of(face) == rank_of(last)

    def apply(self, action: Play | Draw) -> None:
        """Play or draw; then the next player is on turn, if there are cards to play and to draw."""
        seat, table = self.require_turn().seat, self.table
        hand = self.hands[seat]
        if isinstance(action, Play):
            table.play_face(action.card, hand, self.played, "play")
        else:
            table.draw(self.stock, hand)
        can_go_on = table.zones[hand] and (table.zones[self.stock] or restock(table, self.played, self.stock))
        self.turn = Turn((seat + 1) % self.seats, "play") if can_go_on else None

    def view(self, seat: int) -> NewGameView:
        """Return the seat's hand, what lies open, and how many cards the others hold."""
        hand = sorted(self.faces(self.hands[seat])) if seat < self.seats else []
        counts = [len(self.table.zones[hand]) for hand in self.hands]
        return NewGameView(hand, self.faces(self.played), counts, len(self.table.zones[self.stock]))

    def outcome(self) -> Outcome:
        """Count the cards that are left; the fewest win."""
        return outcome_by_side([len(self.table.zones[hand]) for hand in self.hands], lowest_wins=True)


class NewGame(TableGame[Options, NewGameState]):
    """The game."""

    state = NewGameState
    name = "new-game"
    title = "New Game"
    presentation = Presentation(phases={"play": "play a card that fits, or draw"})
    seats = (2, 3, 4, 5)


pitboss_games = hookimpl(lambda: [NewGame()])
