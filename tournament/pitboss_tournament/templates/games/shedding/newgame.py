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


class Pass(Action, frozen=True):
    """Do nothing, when there is no card to be drawn."""


class NewGameView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    played: Annotated[list[str], Meta(description="The cards played since the last shuffle, the last on top.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    stock: Annotated[int, Meta(description="How many cards can be drawn.")]


class NewGameState(TableState[Options, Play | Draw | Pass]):
    """A game at one moment."""

    deck = Deck(STANDARD_PACK.faces)
    stock: Zone = pile(Visibility.NOBODY)
    played: Zone = pile()
    hands: Zones = hand_each()
    passes: int = 0  # in a row, as there was nothing to draw

    def start(self) -> None:
        """Deal, and turn up a card."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, 5)
        self.table.draw(self.stock, self.played, "up_card")
        self.turn = Turn(0, "play")

    def legal(self) -> Sequence[Play | Draw | Pass]:
        """Return a play of each card that fits, and the draw, or the pass when no card is left to be drawn."""
        if self.turn is None:
            return []
        hand, played = sorted(self.faces(self.hands[self.turn.seat])), self.faces(self.played)
        fitting = [Play(face) for face in hand if self.fits(face, played[-1])]
        return [*fitting, Draw() if self.table.zones[self.stock] or len(played) > 1 else Pass()]

    def fits(self, face: str, last: str) -> bool:
        """Return whether a card may be played on another: this is the rule to change first."""
        return suit_of(face) == suit_of(last) or rank_of(face) == rank_of(last)

    def apply(self, action: Play | Draw | Pass) -> None:
        """Play, draw or pass; then the next player is on turn."""
        seat, table = self.require_turn().seat, self.table
        hand = self.hands[seat]
        self.passes = self.passes + 1 if isinstance(action, Pass) else 0
        if isinstance(action, Play):
            table.play_face(action.card, hand, self.played, "play")
        elif isinstance(action, Pass):
            table.tell("pass", seat=seat)
        elif table.zones[self.stock] or restock(table, self.played, self.stock):
            table.draw(self.stock, hand)
        is_over = not table.zones[hand] or self.passes == self.seats
        self.turn = None if is_over else Turn((seat + 1) % self.seats, "play")

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
    presentation = Presentation(phases={"play": "play a card that fits, or draw"}, events={"pass": "passes"})
    seats = (2, 3, 4, 5)


pitboss_games = hookimpl(lambda: [NewGame()])
