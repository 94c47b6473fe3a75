"""The messages of Basic Rummy: options, actions, view and position (sections 4 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ZONES, SeatIndex
from pitboss.parts.melds import CARDS
from pitboss.plugins.registry import find_pack

HAND_SIZES: Final = {2: 10, 3: 7, 4: 7, 5: 4, 6: 4}  # S4, D2
DEALS_A_PLAYER: Final = 2  # D17
DEALS_FOR_POINTS: Final = 100  # D14: the safety net of a game that is played for points


class RummyOptions(Options, frozen=True):
    """What Basic Rummy can be played with. What is null is decided by the number of players or by another option."""

    hand_size: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(
            description="Cards dealt to each player; two must be left over. null: 10, 7, 7, 4, 4 for 2 to 6 players; "
            '7 is "Seven-Card Rummy".'
        ),
    ] = None
    decks: Annotated[Literal[1, 2], Meta(description="Packs of 52 cards; two for many players.")] = 1
    pack: Annotated[
        str,
        Meta(
            description='The cards to play with: "standard" (S9, H10, CA), or an installed pack that can stand in for '
            "them, by its name."
        ),
    ] = "standard"
    set_name: Annotated[
        Literal["group", "set", "set_for_both"],
        Meta(
            description='What people call a group ("group" or "set"), or both kinds of meld. It changes the words in '
            "pictures, not play."
        ),
    ] = "group"
    melds_per_turn: Annotated[
        Literal[1] | None,
        Meta(description="1: one meld a turn at most (layoffs are free) and no Going Rummy; null: any number."),
    ] = None
    layoff_needs_meld: Annotated[
        bool, Meta(description="Only a player with a meld on the table, perhaps of the same turn, may lay off.")
    ] = False
    stock_out: Annotated[
        Literal["turn_over", "reshuffle"],
        Meta(
            description='The stock is empty: who draws turns the discards over unshuffled ("turn_over"), or they are '
            'shuffled at the end of the turn that emptied it, and one is turned up ("reshuffle").'
        ),
    ] = "turn_over"
    must_discard_out: Annotated[bool, Meta(description="Only a discard can empty a hand, no meld or layoff.")] = False
    going_rummy: Annotated[
        Literal["double", "plus10", "off"] | None,
        Meta(
            description='Going out without a meld or layoff in an earlier turn: points double, 10 more ("winner" '
            'scoring only), or nothing. null: "double", or "off" if melds_per_turn is 1.'
        ),
    ] = None
    scoring: Annotated[
        Literal["winner", "chips", "penalty"],
        Meta(
            description="Who goes out scores all hands that are left (A 1, 2 to 10 their number, J Q K 10); or each "
            "of the others pays its own in chips; or each is charged its own, and the lowest total wins."
        ),
    ] = "winner"
    deals: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Deals of one game, not of a match. null: two for each player, or at most 100 with `points`."),
    ] = None
    points: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The game also ends after the deal in which a total reaches this number."),
    ] = None
    first_dealer: Annotated[Literal["random"] | int, Meta(description='Who deals first: "random", or a seat.')] = (
        "random"
    )
    discard_taken: Annotated[
        bool, Meta(description="The card just taken from the discard pile may be discarded in the same turn.")
    ] = False
    group_copies: Annotated[bool, Meta(description="Two packs: a group may hold both copies of a card.")] = True
    group_max: Annotated[int, Meta(ge=4, le=8, description="Most cards in a group: 4, with two packs up to 8.")] = 4
    max_turns: Annotated[int, Meta(ge=1, description="Turns per player after which a deal is stalled.")] = 100
    stalled_deal: Annotated[
        Literal["void", "block"],
        Meta(
            description='A stalled deal scores nothing ("void"), or the hands count and the lowest alone wins '
            '("block").'
        ),
    ] = "void"

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 4 says what does not go together."""
        find_pack(self.pack)
        hand_size = HAND_SIZES[seats] if self.hand_size is None else self.hand_size
        most = (CARDS * self.decks - 2) // seats
        if hand_size > most:
            raise OptionError(
                f"rummy: hand_size is {hand_size}; with {seats} players and {self.decks * CARDS} cards it is 1 to "
                f"{most}",
                "hand_size",
            )
        if self.decks == 1 and self.group_max != 4:
            raise OptionError(
                f"rummy: group_max is {self.group_max}; with one pack it is 4 (decks is 1)",
                "group_max",
                "decks",
            )
        if self.first_dealer != "random" and not 0 <= self.first_dealer < seats:
            raise OptionError(
                f"rummy: first_dealer is {self.first_dealer}; with {seats} players it is 'random' or 0 to {seats - 1}",
                "first_dealer",
            )
        deals = self.deals or (DEALS_A_PLAYER * seats if self.points is None else DEALS_FOR_POINTS)
        return replace(self, hand_size=hand_size, going_rummy=self._going_rummy(), deals=deals)

    def _going_rummy(self) -> Literal["double", "plus10", "off"]:
        """Return what Going Rummy is worth.

        Note 3: a player who melds once a turn cannot go Rummy; note 7: ten points more are written on paper.
        """
        if self.going_rummy is None:
            return "double" if self.melds_per_turn is None else "off"
        if self.going_rummy != "off" and self.melds_per_turn is not None:
            raise OptionError(
                f"rummy: going_rummy is {self.going_rummy!r}; with melds_per_turn 1 it is 'off'",
                "going_rummy",
                "melds_per_turn",
            )
        if self.going_rummy == "plus10" and self.scoring != "winner":
            raise OptionError(
                f"rummy: going_rummy is 'plus10'; that is for scoring 'winner' only, and it is {self.scoring!r}",
                "going_rummy",
                "scoring",
            )
        return self.going_rummy


PRESETS: Final = {
    "basic": RummyOptions(),
    "seven": RummyOptions(hand_size=7),
    "six": RummyOptions(hand_size=6),
    "children": RummyOptions(melds_per_turn=1, layoff_needs_meld=True),
    "strict": RummyOptions(layoff_needs_meld=True, must_discard_out=True, stock_out="reshuffle", discard_taken=False),
    "chips": RummyOptions(scoring="chips"),
    "penalty": RummyOptions(scoring="penalty", points=100),
    "party": RummyOptions(decks=2, hand_size=7),
    "short": RummyOptions(deals=1),
}


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
    owner: Annotated[SeatIndex, Meta(description="The seat that made it.")]
    kind: Kind
    cards: Annotated[tuple[Card, ...], Meta(description="In card order: S H D C, in each suit A to K.")]


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know. Lists of cards that have no order of their own are in card order: S H D C, in each suit A
    to K.
    """  # noqa: D205 - the first paragraph is printed

    dealer: SeatIndex
    deal: Annotated[int, Meta(description="From 1.")]
    turns_done: Annotated[int, Meta(description="All players' finished turns of this deal.")]
    max_turns: int
    hand: Annotated[list[Card], IN_ZONES, Meta(description="Your own cards; empty for a spectator.")]
    drawn: Annotated[
        Card | None,
        Meta(description="The card that the player on turn got in this turn, if you may know it; null before."),
    ]
    taken: Annotated[Card | None, Meta(description="The same, if it came from the discard pile.")]
    counts: Annotated[list[int], Meta(description="Cards in each hand.")]
    known: Annotated[
        list[list[Card]],
        IN_ZONES,
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
