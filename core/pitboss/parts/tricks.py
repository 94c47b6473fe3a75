"""Tricks: cards are played in turn, one takes them, and its owner leads to the next.

A game says by `duties` which cards have to be played if one holds any. From this follow the legal plays, and what
everybody learns of a hand when none of them is played.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Meta, Struct

from pitboss.options import IN_ZONES, Action, CardFace, SeatIndex
from pitboss.parts.suits import TrickOrder, order_by_rank
from pitboss.table.cards import Deck
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn
from pitboss.table.zone_fields import Zones, hand_each, pile, pile_each, spread
from pitboss.table.zones import Visibility, Zone
from pitboss.table_game import A, O, TableState

NO_DUTY: Final[tuple[frozenset[int], ...]] = ()


class PlayCard(Action, frozen=True, tag="play"):
    """Play a card to the trick."""

    card: CardFace


class TakenTrick(Struct, frozen=True):
    """A trick that was taken."""

    cards: Annotated[tuple[tuple[SeatIndex, CardFace], ...], Meta(description="[seat, card], the leader's first.")]
    winner: Annotated[int, Meta(description="Who took it, and leads to the next.")]


class TrickView(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[CardFace], IN_ZONES, Meta(description="Your cards, by suit and rank; empty for a spectator.")]
    trick: Annotated[list[tuple[SeatIndex, CardFace]], Meta(description="[seat, card] as played to this trick so far.")]
    tricks: Annotated[tuple[TakenTrick, ...], Meta(description="The earlier tricks of this deal, the first one first.")]
    won: Annotated[list[int], Meta(description="By seat, how many tricks it has taken.")]


class TrickState(TableState[O, A]):
    """A state of a game of tricks. The game deals with `deal_hands`, begins with `lead_trick`, counts in `end_tricks`.

    With several deals `DealsState` is another base: `class BridgeState(TrickState[…], DealsState[…])`.
    """

    first_trump: ClassVar[str | None] = None  # before `set_trump`

    stock: Zone = pile(Visibility.NOBODY)
    trick: Zone = spread()
    hands: Zones = hand_each()
    taken: Zones = pile_each()
    order: TrickOrder = field(init=False)  # set by `create` and `set_trump`
    plays: Sequence[PlayCard] = field(init=False)  # of each card of the deck
    trick_seats: tuple[int, ...] = ()  # who plays to this trick, the leader first; () while no trick is played
    tricks: tuple[TakenTrick, ...] = ()  # that were taken in this deal
    trick_counts: list[int] = field(default_factory=list)  # by seat: how many of them it has taken
    possible_cards: list[frozenset[int]] = field(default_factory=list)  # by seat: what its hand can hold by its plays

    @abstractmethod
    def end_tricks(self) -> None:
        """Count: the last trick of the deal was taken."""

    # ---- what a game may say otherwise

    def make_order(self, trump: str | None) -> TrickOrder:
        """Return the suits of the cards and which is higher: by the letter and rank of their faces, the ace high."""
        return order_by_rank(self.table.layout.deck, trump)

    def duties(self) -> Sequence[frozenset[int]]:
        """Return sets of cards: the player plays one of the first set of which it holds any, or else any card.

        Whoever plays another card holds none of the sets before, which everybody learns. The first card of a trick is
        free, and the others follow its suit.
        """
        trick = self.table.zones[self.trick]
        return self.order.following[trick[0]] if trick else NO_DUTY

    def turn_of(self, seat: int) -> Turn:
        """Return the turn in which a card of this seat is played: its own."""
        return play_turn(seat)

    def seats_from(self, leader: int) -> tuple[int, ...]:
        """Return who plays to a trick, in turn, from the leader on: all seats, if the game does not leave some out."""
        return all_seats_from(leader, self.seats)

    # ---- a deal

    @classmethod
    def create(cls, seats: int, options: O, rng: Random) -> Self:
        """Return a state before the first deal."""
        state = super().create(seats, options, rng)
        state.set_trump(cls.first_trump)
        state.plays = plays_of(state.table.layout.deck)
        state.trick_counts = [0] * seats
        return state

    def set_trump(self, trump: str | None) -> None:
        """Make a suit trumps, or none."""
        self.order = self.make_order(trump)

    def deal_hands(self, cards: int) -> None:
        """Deal `cards` cards to each player; no trick has been played."""
        self.clear_tricks()
        self.table.deal(self.stock, self.hands, cards)

    def clear_tricks(self) -> None:
        """Forget the tricks of the deal before; a game that deals in another way than `deal_hands` calls this."""
        self.possible_cards = [self.order.all_cards] * self.seats
        self.trick_seats, self.tricks, self.trick_counts = (), (), [0] * self.seats

    def lead_trick(self, leader: int) -> None:
        """Let a seat lead to the next trick, or the next one that plays."""
        self.trick_seats = seats = self.seats_from(leader)
        self.turn = self.turn_of(seats[0])

    def cards_of_suit_led(self, trick: Sequence[int]) -> frozenset[int]:
        """Return all cards of the suit that was led to a trick."""
        order = self.order
        return order.cards_of[order.suits[trick[0]]]

    def has_taken_any(self, cards: frozenset[int]) -> bool:
        """Return whether one of some cards is in a trick that was taken."""
        zones = self.table.zones
        for taken in self.taken:  # noqa: SIM110 - a generator would take twice as long
            if not cards.isdisjoint(zones[taken]):
                return True
        return False

    @property
    def player(self) -> int:
        """The seat whose card comes next: that on turn, unless another decides for it."""
        return self.trick_seats[len(self.table.zones[self.trick])]

    def playable_cards(self) -> Collection[int]:
        """Return the cards that may be played."""
        zones = self.table.zones
        held = zones[self.hands[self.trick_seats[len(zones[self.trick])]]]
        for duty in self.duties():
            if cards := duty.intersection(held):
                return cards
        return held

    def legal_plays(self) -> list[PlayCard]:
        """Return the legal plays, by suit and rank in the order of the deck; of equal cards one."""
        plays, deck = self.plays, self.table.layout.deck
        if deck.has_copies:
            return [*dict.fromkeys(plays[card] for card in deck.sort_cards(self.playable_cards()))]
        return [plays[card] for card in sorted(self.playable_cards())]

    def play_card(self, card: int, lacking: Sequence[frozenset[int]]) -> None:
        """Play a card that may be played; the last card of a trick decides who takes it.

        `lacking` are the sets that come first in `duties`, of which the hand holds no card: everybody learns that.
        """
        table, seats = self.table, self.trick_seats
        trick = table.zones[self.trick]
        seat = seats[len(trick)]
        hand = self.hands[seat]
        if table.layout.deck.has_copies:
            table.forget_copies((card,), hand)
        table.move(card, hand, self.trick, "play")
        if lacking and not all(map(self.possible_cards[seat].isdisjoint, lacking)):
            self.possible_cards[seat] = self.possible_cards[seat].difference(*lacking)
            table.restrict(table.zones[hand], self.possible_cards[seat])
        if len(trick) < len(seats):
            self.turn = self.turn_of(seats[len(trick)])
        else:
            self._end_trick(trick)

    def tricks_won(self) -> list[int]:
        """Return by seat how many tricks it has taken."""
        return self.trick_counts[:]

    # ---- TableState

    def legal(self) -> Sequence[Any]:
        """Return the cards that may be played; a game that has other actions lists them while there is no trick."""
        return self.legal_plays() if self.trick_seats else []

    def play(self, action: Any) -> None:  # noqa: ANN401 - an action of any game
        """Play a card, or do what `apply` says."""
        is_trick_card = self.trick_seats and isinstance(action, PlayCard)
        if not is_trick_card:
            super().play(action)
            return
        table = self.table
        hand, duties = self.hands[self.trick_seats[len(table.zones[self.trick])]], self.duties()
        held, copies = table.zones[hand], table.layout.deck.copies(action.card)
        for card in copies:
            if card in held:
                break
        else:
            self.refuse(action)
        if len(copies) > 1:  # which of them is played tells nobody anything
            [card] = table.choose_cards(hand, (action.card,))
        for number, duty in enumerate(duties):
            if card in duty:
                self.play_card(card, duties[:number])
                return
            if not duty.isdisjoint(held):
                self.refuse(action)
        self.play_card(card, duties)

    def view(self, seat: int) -> TrickView:
        """Return the seat's hand, and the tricks."""
        return TrickView(**self.view_tricks(seat))

    def view_tricks(self, seat: int) -> dict[str, Any]:
        """Return the fields of a `TrickView`: for the view of a game, which has more."""
        printed, zones = self.table.layout.deck.faces, self.table.zones
        on_table = zip(self.trick_seats, zones[self.trick], strict=False)  # some have not played yet
        hand = zones[self.hands[seat]] if seat < self.seats else ()
        return {
            "hand": [printed[card] for card in self.table.layout.deck.sort_cards(hand)],
            "trick": [(player, printed[card]) for player, card in on_table],
            "tricks": self.tricks,
            "won": self.tricks_won(),
        }

    def _end_trick(self, trick: Sequence[int]) -> None:
        """Give the trick to the card that takes it, whose owner leads; after the last trick the deal is counted."""
        table, seats = self.table, self.trick_seats
        printed: Sequence[Any] = table.layout.deck.faces
        winner = seats[self.order.find_winner(trick)]
        self.trick_seats = ()
        taken = TakenTrick(tuple(zip(seats, [printed[card] for card in trick])), winner)  # noqa: B905 - it takes time
        self.tricks = (*self.tricks, taken)
        self.trick_counts[winner] += 1
        table.turn_over(self.trick, self.taken[winner], "trick")
        if table.zones[self.hands[winner]]:
            self.lead_trick(winner)
        else:
            self.end_tricks()


@lru_cache
def play_turn(seat: int) -> Turn:
    """Return the turn in which a seat plays a card."""
    return Turn(seat, "play")


@lru_cache
def all_seats_from(leader: int, seats: int) -> tuple[int, ...]:
    """Return all seats in turn, the leader first."""
    return tuple((leader + place) % seats for place in range(seats))


@lru_cache(maxsize=64)
def plays_of(deck: Deck) -> list[PlayCard]:
    """Return the play of each card of a deck: made once, and shared by all legal lists."""
    return [PlayCard(str(face)) for face in deck.faces]
