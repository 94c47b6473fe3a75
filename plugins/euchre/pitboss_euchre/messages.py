"""The messages of Euchre: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct, field

from pitboss import OptionError, Options
from pitboss.options import CARD, SEAT, Action, SeatIndex
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard
from pitboss.plugins.packs import SUITS


class EuchreOptions(Options, frozen=True):
    """What Euchre can be played with."""

    target: Annotated[int, Meta(ge=1, le=50, description="Points of a side that end the match: 5, 7, 10, 11.")] = 10
    deals: Annotated[int, Meta(ge=1, le=200, description="Maximum number of deals in a match.")] = 100
    cards: Annotated[
        Literal[24, 28, 32], Meta(description="Cards of the pack: from the nines, eights or sevens on.")
    ] = 24
    benny: Annotated[bool, Meta(description="A joker, the Benny or best bower, is the highest trump.")] = False
    bury: Annotated[bool, Meta(description="The dealer may lay away the very card that it picks up.")] = False
    no_trumps: Annotated[
        bool, Meta(description="In the second round no trumps may be named; then the jacks are no bowers.")
    ] = False
    stick: Annotated[bool, Meta(description="If all others have passed twice, the dealer has to name trumps.")] = False
    farmer: Annotated[
        Literal["none", "redeal", "exchange"],
        Meta(
            description="Who holds nines and tens alone may show them, and the cards are thrown in, or three of them "
            "are exchanged for unseen ones."
        ),
    ] = "none"
    partner_alone: Annotated[bool, Meta(description="Who orders its partner to pick up has to go alone.")] = False
    defend_alone: Annotated[
        Literal["never", "loner", "any"],
        Meta(description="A defender may play without its partner: against a maker who goes alone, or any."),
    ] = "never"
    lead: Annotated[
        Literal["dealer", "maker"],
        Meta(description="Who leads first if the maker goes alone: the player after the dealer, or after the maker."),
    ] = "dealer"
    super_euchre: Annotated[bool, Meta(description="Makers without a trick are set by 4 points.")] = False
    loner_euchre: Annotated[bool, Meta(description="A maker who goes alone and fails is set by 4 points.")] = False

    def resolve(self, seats: int) -> Self:
        """D7: refuse a joker where there may be no trumps.

        Raises:
            OptionError: both are chosen.
        """
        if self.benny and self.no_trumps:
            raise OptionError("euchre: no_trumps is yes; with benny, which is always a trump, it is no", "no_trumps")
        return self


PRESETS: Final = {
    "standard": EuchreOptions(),
    "short": EuchreOptions(target=5),
    "single": EuchreOptions(deals=1),
    "stick": EuchreOptions(stick=True),
    "british": EuchreOptions(target=11, benny=True),
    "canadian": EuchreOptions(stick=True, partner_alone=True),
    "farmer": EuchreOptions(farmer="exchange", super_euchre=True),
    "defence": EuchreOptions(stick=True, defend_alone="any", lead="maker", loner_euchre=True),
    "piquet": EuchreOptions(target=5, cards=32),
    "no-trumps": EuchreOptions(no_trumps=True, stick=True),
}


BENNY: Final = "JOKER"
Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^([SHDC]([7-9]|10|[JQKA])|JOKER)$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Suit: TypeAlias = Literal["S", "H", "D", "C"]
NO_TRUMP: Final = "NT"
Naming: TypeAlias = Literal["S", "H", "D", "C", "NT"]


class Pass(Action, frozen=True):
    """Do not make trumps."""


class OrderUp(Action, frozen=True, tag="order"):
    """Make the suit turned up trumps: the dealer takes the card."""

    alone: Annotated[bool, Meta(description="You play without your partner.")] = False


class NameTrump(Action, frozen=True, tag="name"):
    """Make another suit trumps than that turned up, or play with no trumps ("NT")."""

    suit: Naming
    alone: Annotated[bool, Meta(description="You play without your partner.")] = False


class NameBenny(Action, frozen=True, tag="benny"):
    """Name the suit of the turned-up joker, before you have seen your cards."""

    suit: Suit


class ThrowIn(Action, frozen=True, tag="throw_in"):
    """Show your farmer's hand; the cards are dealt again."""


class GoUnder(Action, frozen=True, tag="go_under"):
    """Show your farmer's hand, and exchange three of its cards for unseen ones."""

    cards: tuple[Card, Card, Card]


class Discard(Action, frozen=True):
    """Lay a card away for the one turned up."""

    card: Card


class Defend(Action, frozen=True):
    """Say whether you defend alone."""

    alone: bool


Call: TypeAlias = OrderUp | NameTrump
EuchreAction: TypeAlias = Pass | Call | NameBenny | ThrowIn | GoUnder | Discard | Defend | PlayCard

ORDERS: Final[tuple[Pass | Call, ...]] = (Pass(), OrderUp(), OrderUp(alone=True))
NAMINGS: Final[dict[str, tuple[Pass | Call, ...]]] = {
    turned: (Pass(), *(NameTrump(suit, alone) for suit in SUITS if suit != turned for alone in (False, True)))
    for turned in SUITS
}
NO_TRUMP_CALLS: Final = (NameTrump(NO_TRUMP), NameTrump(NO_TRUMP, alone=True))
BENNY_SUITS: Final = tuple(NameBenny(suit) for suit in SUITS)
DEFENCES: Final = (Defend(alone=False), Defend(alone=True))


class FarmerHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A farmer's hand that was shown, and its exchanged cards."""

    seat: Annotated[Seat, SEAT]
    shown: Annotated[list[Card], Meta(min_length=5, max_length=5)]
    exchanged: Annotated[list[Card], Meta(min_length=3, max_length=3)]


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    dealer: Annotated[SeatIndex, Meta(description="Its seat.")]
    turned_up: Annotated[Card, Meta(description="The card that was turned up.")]
    turned_suit: Annotated[Suit | None, Meta(description="Its suit; for the joker that which the dealer has named.")]
    calls: Annotated[
        tuple[Call | None, ...],
        Meta(max_length=8, description="The calls, from that of the seat after the dealer on; null: passed."),
    ]
    trump: Annotated[Naming | None, Meta(description="The trump suit; NT: there are none.")]
    maker: Annotated[SeatIndex | None, Meta(description="The seat that made it trumps, or named no trumps.")]
    loners: Annotated[tuple[SeatIndex, ...], Meta(description="Who plays without its partner: the maker, a defender.")]
    discard: Annotated[Card | None, Meta(description="The card that you have laid away as the dealer.")]
    farmer: Annotated[FarmerHand | None, Meta(description="A farmer's hand, of which three cards were exchanged.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; seat `deal_no` - 1, counted round the table, calls first, after the dealer."""

    turned_up: Annotated[Card | None, Meta(description="The card that was turned up, in whosever hand it is now.")] = (
        None
    )
    turned_suit: Annotated[Suit | None, Meta(description="The suit for which a joker stands that is turned up.")] = None
    stock: Annotated[
        list[Card | None] | None, Meta(description="The cards that were not dealt, the top one first.")
    ] = None
    farmer: Annotated[FarmerHand | None, Meta(description="A farmer's hand, of which three cards were exchanged.")] = (
        None
    )
    calls: Annotated[list[Call | None], Meta(description="The calls, the first one first; null: passed.")] = field(
        default_factory=list
    )
    discard: Annotated[Card | None, Meta(description="The card that the dealer has laid away.")] = None
    defences: Annotated[list[bool], Meta(description="Of each defender who was asked, whether it plays alone.")] = (
        field(default_factory=list)
    )
