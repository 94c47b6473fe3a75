"""The Lucky Maker table: its zones, and what is the same for all games with so many players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss import Layout, Turn, Visibility, Zone, solo_sides
from pitboss_lucky_maker.deck import DECK, hand_size
from pitboss_lucky_maker.messages import PLAYS, SeatCard, Trick
from pitboss_lucky_maker.trick import PastTrick


class LuckyMakerBoard:
    """The layout for a number of players: shared by all games with it."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.tricks = hand_size(seats)
        self.layout = Layout(DECK, seats)
        self.masters = self.layout.add_pile("masters", Visibility.NOBODY)
        self.master = self.layout.add_pile("master", Visibility.EVERYBODY)
        self.trick = self.layout.add_spread("trick")
        self.hands = self.layout.add_hands("hand")
        self.won = tuple(self.layout.add_pile(f"won {seat}", Visibility.EVERYBODY, seat) for seat in range(seats))
        self.removed = self.layout.add_pile(
            "removed", Visibility.EVERYBODY
        )  # D9; also cards of tricks that a written position leaves out
        self.sides = solo_sides(seats)
        self.turns = tuple(Turn(seat, "play") for seat in range(seats))
        self.next_turns = (*self.turns[1:], self.turns[0])
        self.seats_from = tuple(tuple((lead + place) % seats for place in range(seats)) for lead in range(seats))
        self.seat_cards: tuple[tuple[SeatCard, ...], ...] = tuple(
            tuple((seat, str(face)) for face in DECK.faces) for seat in range(seats)
        )

    def trick_message(self, past: PastTrick) -> Trick:
        """Convert a finished trick to the message that views carry."""
        master, lead, cards, (_, follow, place, points, rules) = past
        winner = None if place is None else self.seats_from[lead][place]
        return Trick(PLAYS[master].card, lead, tuple(self.played_cards(lead, cards)), follow, winner, points, rules)

    def pile_for(self, past: PastTrick) -> Zone:
        """D9: return the pile that a finished trick was taken to."""
        _, lead, _, decision = past
        return self.removed if decision.winner is None else self.won[self.seats_from[lead][decision.winner]]

    def played_cards(self, lead: int, cards: Sequence[int]) -> list[SeatCard]:
        """Return cards in time order with who played them."""
        seat_cards = self.seat_cards
        return [seat_cards[seat][card] for seat, card in zip(self.seats_from[lead], cards, strict=False)]


board_for: Final = lru_cache(LuckyMakerBoard)
