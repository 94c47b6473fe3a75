"""The Lucky Maker table: its zones, and what is the same for all games with so many players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pitboss import Layout, Sight, Turn, Zone, every_seat_alone
from pitboss_lucky_maker.deck import DECK, hand_size
from pitboss_lucky_maker.messages import PLAYS, SeatCard, Trick
from pitboss_lucky_maker.trick import Past


class Board:
    """The layout for a number of players: shared by all games with it."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.tricks = hand_size(seats)
        self.layout = Layout(DECK, seats)
        self.masters = self.layout.pile("masters", Sight.NOBODY)
        self.master = self.layout.pile("master", Sight.EVERYBODY)
        self.trick = self.layout.spread("trick")
        self.hands = self.layout.hands("hand")
        self.won = tuple(self.layout.pile(f"won {seat}", Sight.EVERYBODY, seat) for seat in range(seats))
        self.removed = self.layout.pile("removed", Sight.EVERYBODY)  # D9; also cards of tricks that a written position leaves out
        self.nobody: tuple[int | None, ...] = (None,) * seats
        self.sides = every_seat_alone(seats)
        self.turns = tuple(Turn(seat, "play") for seat in range(seats))
        self.turns_after = (*self.turns[1:], self.turns[0])
        self.in_order = tuple(tuple((lead + place) % seats for place in range(seats)) for lead in range(seats))
        self.seat_cards: tuple[tuple[SeatCard, ...], ...] = tuple(
            tuple((seat, str(face)) for face in DECK.faces) for seat in range(seats)
        )

    def finished(self, past: Past) -> Trick:
        """Return a finished trick as everybody is shown it."""
        master, lead, cards, (_, follow, place, points, rules) = past
        winner = None if place is None else self.in_order[lead][place]
        return Trick(PLAYS[master].card, lead, tuple(self.played(lead, cards)), follow, winner, points, rules)

    def pile_for(self, past: Past) -> Zone:
        """D9: return the pile that a finished trick was taken to."""
        _, lead, _, decision = past
        return self.removed if decision.winner is None else self.won[self.in_order[lead][decision.winner]]

    def played(self, lead: int, cards: Sequence[int]) -> list[SeatCard]:
        """Return cards in time order with who played them."""
        seat_cards = self.seat_cards
        return [seat_cards[seat][card] for seat, card in zip(self.in_order[lead], cards, strict=False)]


@lru_cache
def board(seats: int) -> Board:
    """Return the board for a number of players."""
    return Board(seats)
