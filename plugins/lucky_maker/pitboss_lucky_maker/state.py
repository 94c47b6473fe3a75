"""The data of a Lucky Maker series at one moment: zones, fields, copies. The rules are in other modules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Self

from pitboss import Layout, Random, Table, TableState, Turn, Visibility, Zone, solo_sides
from pitboss_lucky_maker.deck import DECK, FOLLOWS, hand_size
from pitboss_lucky_maker.messages import PLAYS, LuckyMakerOptions, Play, SeatCard, Trick
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


class LuckyMakerStateBase(TableState[LuckyMakerOptions, Play]):
    """The data of a series."""

    board: LuckyMakerBoard
    scores: list[int]
    past_tricks: list[PastTrick]  # the finished tricks of this game
    totals: list[int]  # of the earlier games
    voids: tuple[int | None, ...]  # by seat: the category of which its hand is known to hold no suit
    game_no: int = 1
    first_lead: int = 0  # who led to the first trick of this game
    lead: int = 0
    follows: tuple[bool, ...] = FOLLOWS[0]  # by card: does it follow the open master?
    trick_messages: tuple[Trick, ...] = ()  # the same as a view has it, as far as somebody has looked

    @classmethod
    def create(cls, seats: int, options: LuckyMakerOptions, rng: Random) -> Self:
        """Return a state before the first game."""
        if not options.games:
            raise ValueError("the options are not resolved")
        board = board_for(seats)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.masters),
            rng=rng,
            board=board,
            scores=[0] * seats,
            past_tricks=[],
            totals=[0] * seats,
            voids=(None,) * seats,
        )

    def series_totals(self) -> list[int]:
        """Return the points of the series by seat, this game included."""
        return [before + now for before, now in zip(self.totals, self.scores, strict=True)]

    def sort_hands(self) -> None:
        """Keep all hands in canonical order: how a player holds its cards tells nobody anything."""
        zones = self.table.zones
        for hand in self.board.hands:
            zones[hand].sort()

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one."""
        twin = super().imagine(seat, rng)
        twin.sort_hands()
        return twin
