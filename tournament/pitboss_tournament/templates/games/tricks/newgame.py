"""New Game. Follow the suit that was led; the highest card of it takes the trick, and most tricks win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss import Action, Deck, Options, Outcome, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.tricks import cards_that_follow, find_winner
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import STANDARD_PACK, suit_of
from pitboss.table.zone_fields import hand_each, pile, pile_each, spread


class NewGameOptions(Options, frozen=True):
    """What people may choose."""

    hand: Annotated[int, Meta(ge=1, le=13, description="Cards that everybody is dealt.")] = 7


class Play(Action, frozen=True):
    """Play a card to the trick."""

    card: str


class NewGameView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    trick: Annotated[list[str], Meta(description="The cards of this trick, the leader's first.")]
    taken: Annotated[list[list[str]], Meta(description="By seat, the cards that it has taken.")]


class NewGameState(TableState[NewGameOptions, Play]):
    """A game at one moment."""

    deck = Deck(STANDARD_PACK.faces)
    stock: Zone = pile(Visibility.NOBODY)
    trick: Zone = spread()
    hands: Zones = hand_each()
    taken: Zones = pile_each()

    def start(self) -> None:
        """Deal; the first seat leads."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, self.options.hand)
        self.turn = Turn(0, "play")

    def legal(self) -> Sequence[Play]:
        """Return the cards of the suit that was led, or all."""
        if self.turn is None:
            return []
        led = next(map(suit_of, self.faces(self.trick)), None)
        return [Play(face) for face in cards_that_follow(sorted(self.faces(self.hands[self.turn.seat])), led)]

    def apply(self, action: Play) -> None:
        """Play the card; the last one of a trick decides who takes it."""
        seat, table = self.require_turn().seat, self.table
        hand = self.hands[seat]
        led = next(map(suit_of, self.faces(self.trick)), suit_of(action.card))
        table.move(table.find_card(hand, action.card), hand, self.trick, "play")
        if suit_of(action.card) != led:  # then everybody knows that the seat has none of the suit
            others = [card for card, face in enumerate(self.deck.faces) if suit_of(face) != led]
            table.restrict(table.zones[hand], set(others))
        self.turn = Turn((seat + 1) % self.seats, "play")
        if len(table.zones[self.trick]) == self.seats:
            self.end_trick((seat + 1) % self.seats)

    def end_trick(self, leader: int) -> None:
        """Give the trick to the highest card of its suit, whose owner leads to the next."""
        winner = (leader + find_winner(self.faces(self.trick))) % self.seats
        self.table.lay(list(self.table.zones[self.trick]), self.trick, self.taken[winner], "trick")
        self.turn = Turn(winner, "play") if self.table.zones[self.hands[winner]] else None

    def view(self, seat: int) -> NewGameView:
        """Return the seat's hand, and what lies open."""
        hand = sorted(self.faces(self.hands[seat])) if seat < self.seats else []
        return NewGameView(hand, self.faces(self.trick), [self.faces(zone) for zone in self.taken])

    def outcome(self) -> Outcome:
        """Count a point for each trick."""
        return outcome_by_side([len(self.table.zones[zone]) // self.seats for zone in self.taken])


class NewGame(TableGame[NewGameOptions, NewGameState]):
    """The game."""

    state = NewGameState
    name = "new-game"
    title = "New Game"
    seats = (2, 3, 4)


pitboss_games = hookimpl(lambda: [NewGame()])
