"""The variants of poker, and the data of a game at one moment; the rules are in other modules.

Sets of seats are masks: bit s stands for seat s. All numbers of chips are by seat.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import Final, Self

from msgspec import Struct

from pitboss import Deck, Random, TableState, Turn, Visibility, Zone, Zones
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.table.zone_fields import pile, pile_each, spread, spread_each
from pitboss_poker.hand_strength import RANK_NAMES, card_key
from pitboss_poker.messages import Action, PokerOptions, Street

HOLDEM_DECK: Final = Deck(STANDARD_PACK.faces)
SMALL_RANKS: Final = RANK_NAMES[:-1]  # D3: the n+1 ranks of a small deck end with the king
STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
HOLE_CARDS: Final = {"holdem": 2, "leduc": 1, "kuhn": 1}
BOARD_CARDS: Final = {"holdem": (0, 3, 1, 1), "leduc": (0, 1), "kuhn": (0,)}  # by round: cards dealt before it


class PokerVariant:
    """A kind of poker for a number of players: shared by all games with these."""

    def __init__(self, cards: str, seats: int) -> None:
        self.deck: Final = make_deck(cards, seats)
        self.card_keys: Final = [card_key(face) for face in self.deck.faces]
        self.hole_cards: Final = HOLE_CARDS[cards]
        self.board_cards: Final = BOARD_CARDS[cards]
        self.board_size: Final = sum(self.board_cards)
        self.last_street: Final = len(self.board_cards) - 1
        self.turns: Final = [[Turn(seat, street) for seat in range(seats)] for street in STREETS]  # by street and seat


@lru_cache
def make_deck(cards: str, seats: int) -> Deck:
    """Return the deck: 52 cards; or one or two suits of n+1 ranks, up to the king."""
    if cards == "holdem":
        return HOLDEM_DECK
    suits = "S" if cards == "kuhn" else "SH"
    return Deck(suit + rank for suit in suits for rank in SMALL_RANKS[-seats - 1 :])


@lru_cache
def find_variant(cards: str, seats: int) -> PokerVariant:
    """Return the kind of poker that an option names."""
    return PokerVariant(cards, seats)


MAX_SEATS: Final = 10
SEATS_IN: Final = [  # by mask: its seats, ascending
    tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1) for mask in range(1 << MAX_SEATS)
]
NOBODY: Final = -1


class PotResult(Struct, frozen=True):
    """A pot that was won: its chips, the winners, and the strength they won with (0 without a showdown)."""

    chips: int
    winners: tuple[int, ...]
    strength: int


class PokerStateBase(TableState[PokerOptions, Action]):
    """The data of a game."""

    stock: Zone = pile(Visibility.NOBODY)
    board: Zone = spread()
    hands: Zones = spread_each(Visibility.OWNER)
    mucks: Zones = pile_each(Visibility.NOBODY)  # what each seat has folded or mucked

    variant: PokerVariant = find_variant("holdem", 2)  # replaced by `create`
    hand_no: int = 0  # from 1
    button: int = NOBODY
    small_seat: int = NOBODY  # who posts the small blind; NOBODY: there is none
    big_seat: int = NOBODY
    small_blind: int = 0  # of this hand
    big_blind: int = 0
    ante: int = 0
    straddles: tuple[int, ...] = ()  # of this hand
    bet_sizes: tuple[int, ...] = ()  # of this hand, by round, with limit
    min_bet: int = 0  # without limit
    missing_blinds: int = 0  # by how much the blinds of this hand fall short of whole ones
    may_fold: bool = False  # also who can check
    most_bets: tuple[int, ...] = ()  # by round
    stacks: list[int] = field(default_factory=list)
    net: list[int] = field(default_factory=list)  # of the finished hands
    players: int = 0  # the seats that have not lost all their chips in an earlier hand
    out_hands: list[int] = field(default_factory=list)  # the hand in which a seat lost its last chips; 0: it has chips
    out_stacks: list[int] = field(default_factory=list)  # what it had before that hand

    paid: list[int] = field(default_factory=list)  # in this hand
    dead_ante: int = 0  # of it what the big blind has paid for all, which is no part of its bets
    bets: list[int] = field(default_factory=list)  # in this round
    street: int = 0
    live: int = 0  # the seats with a hand
    able: int = 0  # those of them with chips
    waiting: int = 0  # those of them that still have to act in this round
    acted: int = 0  # the seats that have acted in this round
    current_bet: int = 0  # what a call asks for
    last_raise: int = 0  # the size of the last full bet or raise
    full_bet: int = 0  # the bet from which the next fixed raise counts
    bet_count: int = 0  # full bets and raises of this round
    aggressor: int = NOBODY  # who bet or raised last in this round
    to_call: int = 0  # of the player on turn
    min_to: int = 0  # its lowest bet or raise
    max_to: int = 0  # its highest; 0: it can neither bet nor raise
    past_history: tuple[str, ...] = ()  # of the finished rounds of this hand
    history: str = ""  # of this round
    last_pots: list[PotResult] = field(default_factory=list)  # of the last hand that ended

    @classmethod
    def make_deck(cls, seats: int, options: PokerOptions) -> Deck:
        """Return the deck of a kind of poker."""
        return make_deck(options.cards, seats)

    @classmethod
    def create(cls, seats: int, options: PokerOptions, rng: Random) -> Self:
        """Return a state before the first hand."""
        if options.first_button is None:
            raise ValueError("the options are not resolved")
        made = super().create(seats, options, rng)
        made.variant = find_variant(options.cards, seats)
        made.may_fold = options.may_fold
        made.most_bets = options.list_most_bets()
        made.stacks = options.list_stacks(seats)
        made.net, made.out_hands, made.out_stacks = [0] * seats, [0] * seats, [0] * seats
        made.paid, made.bets = [0] * seats, [0] * seats
        made.players = (1 << seats) - 1
        return made


def seats_from(mask: int, seat: int) -> tuple[int, ...]:
    """Return the seats of a mask clockwise, the first one left of `seat` first."""
    ahead = mask >> seat + 1 << seat + 1
    return SEATS_IN[ahead] + SEATS_IN[mask ^ ahead]


def first_seat_after(mask: int, seat: int) -> int:
    """Return the first seat of a mask, which is not empty, left of `seat`."""
    ahead = mask >> seat + 1 << seat + 1 or mask
    return (ahead & -ahead).bit_length() - 1
