"""The messages of Basic Rummy: the actions, the view and the written position (section 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from pitboss.options import CARD

Card = Annotated[
    str,
    CARD,
    Meta(description='Suit S H D C and rank A 2 … 10 J Q K: "S9", "H10", "CA"; with another pack its own faces.'),
]
MeldNumber = Annotated[int, Meta(ge=1, description="Melds are numbered from 1 as they are made in the deal.")]
Phase = Literal["draw", "play"]
Kind = Literal["sequence", "group"]


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Take the top card of the stock, unseen by the others; if the stock is empty the discards are turned over
    first.
    """  # noqa: D205 - the first paragraph is printed


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Take the top card of the discard pile."""


class Meld(Struct, frozen=True, tag_field="do", tag="meld", forbid_unknown_fields=True):
    """Lay cards of your hand on the table: a sequence, three or more of one suit in a row (the ace below the 2), or a
    group, three or four of one rank.

    As long as you have cards you play on: there may be more melds and layoffs, and the discard ends the turn.
    """  # noqa: D205 - the first paragraph is printed

    cards: Annotated[tuple[Card, ...], Meta(description="In any order; listed in card order, S H D C and A to K.")]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meld) and (self.cards == other.cards or sorted(self.cards) == sorted(other.cards))

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.cards)))


class Layoff(Struct, frozen=True, tag_field="do", tag="layoff", forbid_unknown_fields=True):
    """Add a card from your hand to a meld on the table, anybody's, at either end of a sequence or to a group."""

    card: Card
    meld: MeldNumber


class Discard(Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True):
    """Put a card on the discard pile, which ends your turn; not the card just taken from there, unless you have no
    other.
    """  # noqa: D205 - the first paragraph is printed

    card: Card


Action: TypeAlias = Draw | Take | Meld | Layoff | Discard


class TableMeld(Struct, frozen=True):
    """A meld on the table."""

    id: MeldNumber
    owner: Annotated[int, Meta(description="The seat that made it.")]
    kind: Kind
    cards: Annotated[tuple[Card, ...], Meta(description="In card order: S H D C, in each suit A to K.")]


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know. Lists of cards that have no order of their own are in card order: S H D C, in each suit A
    to K.
    """  # noqa: D205 - the first paragraph is printed

    dealer: int
    deal: Annotated[int, Meta(description="From 1.")]
    turns_done: Annotated[int, Meta(description="All players' finished turns of this deal.")]
    max_turns: int
    hand: Annotated[list[Card], Meta(description="Your own cards; empty for a spectator.")]
    drawn: Annotated[
        Card | None,
        Meta(description="The card that the player on turn got in this turn, if you may know it; null before."),
    ]
    taken: Annotated[Card | None, Meta(description="The same, if it came from the discard pile.")]
    counts: Annotated[list[int], Meta(description="Cards in each hand.")]
    known: Annotated[
        list[list[Card]],
        Meta(description="The cards that everybody knows to be in each hand; your own entry is your hand."),
    ]
    melds: Annotated[list[TableMeld], Meta(description="The melds of this deal, by their numbers.")]
    discard: Annotated[list[Card], Meta(description="The discard pile, oldest first: the last one can be taken.")]
    stock: Annotated[int, Meta(description="Cards left in the stock; 0: `draw` would turn the discards over.")]
    stock_known: Annotated[list[Card], Meta(description="The stock, top first, when everybody knows it; else empty.")]
    clean: Annotated[
        list[bool],
        Meta(description="By seat: no meld and no layoff in an earlier turn of this deal, so it could go Rummy."),
    ]
    scores: Annotated[list[int], Meta(description="Totals, by seat.")]


class PlacedMeld(Struct, frozen=True, forbid_unknown_fields=True):
    """A meld in a written position."""

    owner: Annotated[int, Meta(ge=0)]
    cards: list[Card]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. What is null or left out is dealt at random from the cards that are not mentioned.

    A list of cards that is given is complete, but a null in a hand stands for any card; if the stock is given, cards
    mentioned nowhere lie in the box. With `deck` a deal is dealt from that deck, and no pile, hand or meld may be
    given.
    """

    dealer: Annotated[int, Meta(ge=0)] = 0
    deal: Annotated[int, Meta(ge=1)] = 1
    turn: Annotated[int, Meta(ge=0)] | None = None  # null: the dealer's left neighbour
    phase: Phase = "draw"
    hands: list[list[Card | None]] | None = None
    drawn: Card | None = None  # what the player on turn got in this turn
    taken: Card | None = None  # the same, if it came from the discard pile
    discard: list[Card] | None = None  # oldest first
    stock: list[Card] | None = None  # top first
    stock_public: bool = False  # since the discards were turned over
    melds: list[PlacedMeld] = []
    known: list[list[Card]] | None = None  # what everybody knows of the hands
    active: list[bool] | None = None  # by seat: has melded or laid off in an earlier turn
    melded: bool = False  # in this turn
    laid_off: bool = False  # in this turn
    deck: list[Card] | None = None  # top first
    over: bool = False  # the game has ended; nobody is on turn
    turns_done: Annotated[int, Meta(ge=0)] = 0
    scores: list[int] | None = None  # null: all zero
