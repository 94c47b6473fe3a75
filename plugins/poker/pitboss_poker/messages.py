"""The messages of poker: the actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Card = Annotated[str, Meta(description='Suit S H D C and rank A 2 … 10 J Q K: "S9", "H10", "CA".')]
ChipCount = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=0)]
Street = Literal["preflop", "flop", "turn", "river"]


class Fold(Struct, frozen=True, tag_field="do", tag="fold", forbid_unknown_fields=True):
    """Give up the hand, and all claims to the pots."""


class Check(Struct, frozen=True, tag_field="do", tag="check", forbid_unknown_fields=True):
    """Stay in without paying, as there is nothing to call."""


class Call(Struct, frozen=True, tag_field="do", tag="call", forbid_unknown_fields=True):
    """Pay what the highest bet of this round asks for, or all your chips if you have less."""


class Bet(Struct, frozen=True, tag_field="do", tag="bet", forbid_unknown_fields=True):
    """Make the first bet of this round."""

    to: Annotated[int, Meta(ge=1, description="Your chips in this round, all together.")]


class Raise(Struct, frozen=True, tag_field="do", tag="raise", forbid_unknown_fields=True):
    """Raise the highest bet of this round."""

    to: Annotated[int, Meta(ge=1, description="Your chips in this round then, all together: not what you add.")]


Action: TypeAlias = Fold | Check | Call | Bet | Raise


class Pot(Struct, frozen=True):
    """A pot, and who can win it."""

    chips: int
    seats: Annotated[tuple[int, ...], Meta(description="The seats that can win it.")]


class View(Struct, frozen=True):
    """What a seat may know. Lists of numbers are by seat, where nothing else is said."""

    hand: Annotated[int, Meta(description="The number of the hand, from 1.")]
    street: Annotated[Street, Meta(description="The betting round.")]
    cards: Annotated[list[Card], Meta(description="Your own cards, as dealt; empty for a spectator.")]
    board: Annotated[list[Card], Meta(description="The board.")]
    pot: Annotated[int, Meta(description="All chips of this hand, the bets of this round included.")]
    pots: Annotated[
        list[Pot],
        Meta(description="The main pot and the side pots as they are now; empty while nobody is all in."),
    ]
    stacks: Annotated[list[int], Meta(description="The chips that each seat has left.")]
    bets: Annotated[list[int], Meta(description="What each seat has bet in this round, blinds included.")]
    paid: Annotated[list[int], Meta(description="What each seat has paid in this hand.")]
    button: int
    small_blind: Annotated[int | None, Meta(description="The seat with the small blind; null: there is none.")]
    big_blind: Annotated[int | None, Meta(description="The seat with the big blind; null: there is none.")]
    blinds: Annotated[tuple[int, int], Meta(description="The small and the big blind of this hand, in chips.")]
    folded: Annotated[tuple[int, ...], Meta(description="The seats that have no hand any more.")]
    all_in: Annotated[tuple[int, ...], Meta(description="The seats that have a hand, and no chips left.")]
    out: Annotated[tuple[int, ...], Meta(description="The seats that have lost all their chips in earlier hands.")]
    to_call: Annotated[int, Meta(description="What the player on turn has to pay to call; 0: it can check.")]
    min_raise: Annotated[int | None, Meta(description="The lowest bet or raise of the player on turn; null: none.")]
    max_raise: Annotated[int | None, Meta(description="The highest; where it is the same there is one size only.")]
    net: Annotated[list[int], Meta(description="Chips won and lost in the earlier hands of the game.")]
    history: Annotated[
        list[str],
        Meta(
            description="The actions of this hand, a string for each betting round: seat, letter (f fold, k check, c "
            'call, b bet, r raise) and the chips of a bet or raise: "2r300 0f 1c".'
        ),
    ]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null or left out are dealt at random from those not mentioned.

    Without `paid` a hand begins: antes and blinds are posted, and `stacks` are the chips before. With `paid` the hand
    is in the middle, or (with `over`) the game has ended. With `deck` the hand is dealt from that deck, and no cards
    may be given.
    """

    hand: Annotated[int, Meta(ge=1)] = 1
    button: SeatNumber | None = None  # null: the option first_button
    small_blind: SeatNumber | None = None  # the seat; without `paid`: null is the first with chips left of the button
    big_blind: SeatNumber | None = None  # the seat; likewise the second
    stacks: list[ChipCount] | None = None  # null: the option stack for everybody
    net: list[int] | None = None  # of the earlier hands; null: all zero
    out_hands: list[ChipCount] | None = None  # the hand in which each seat lost its last chips, 0: it has chips
    out_stacks: list[ChipCount] | None = None  # what it had before that hand
    hands: list[list[Card | None]] | None = None  # folded ones too
    board: list[Card] = []
    stock: list[Card] | None = None  # the next cards, top first: the rest of the board
    deck: list[Card] | None = None  # top first
    paid: list[ChipCount] | None = None
    dead_ante: ChipCount = 0  # of `paid`: what the big blind has paid for all
    missing_blinds: ChipCount = 0  # by how much the blinds that were posted fall short of whole ones
    bets: list[ChipCount] | None = None  # null: all zero
    street: Street = "preflop"
    turn: SeatNumber | None = None
    folded: list[SeatNumber] = []
    acted: list[SeatNumber] = []  # in this round
    current_bet: ChipCount = 0  # what a call asks for
    last_raise: ChipCount = 0  # the size of the last full bet or raise
    full_bet: ChipCount = 0  # the bet from which the next fixed raise counts
    bet_count: ChipCount = 0  # full bets and raises of this round, the big blind included
    aggressor: SeatNumber | None = None  # who bet or raised last in this round
    history: list[str] = []  # as in the view; the last string is of this round
    shown: list[SeatNumber] = []  # the seats whose cards everybody knows
    over: bool = False
