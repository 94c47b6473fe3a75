"""The messages of Dou Dizhu: options, actions, view and position (sections 6 and 7 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr

from pitboss import Options
from pitboss.options import CARD, IN_ZONES, SEAT, Action, SeatIndex


class DouDizhuOptions(Options, frozen=True):
    """What Dou Dizhu can be played with."""

    deals: Annotated[int, Meta(ge=1, le=200, description="Deals in a game.")] = 1
    auction: Annotated[
        Literal["bids", "once", "rob"],
        Meta(
            description="How the landlord is found: bids of 1 to 3 until two in a row pass, one bid each, or calls "
            "that others may rob."
        ),
    ] = "bids"
    all_pass: Annotated[
        Literal["redeal", "void", "forced"],
        Meta(
            description="If nobody wants to be the landlord: the cards are dealt again, the deal counts as one "
            "without points, or the first player is it."
        ),
    ] = "redeal"
    spring: Annotated[
        bool,
        Meta(description="A landlord whose opponents lay nothing, or who loses after one play, doubles the stake."),
    ] = True
    max_doublings: Annotated[
        int,
        Meta(ge=0, le=20, description="How often bombs, the rocket, the spring and robbing may double the stake."),
    ] = 20
    kickers: Annotated[
        Literal["any", "distinct"],
        Meta(
            description="Whether cards attached one by one to trios or a quad may be alike, or are of different ranks."
        ),
    ] = "distinct"
    quads: Annotated[bool, Meta(description="Four of a kind may be laid with two cards or two pairs.")] = True


PRESETS: Final = {
    "standard": DouDizhuOptions(),
    "match": DouDizhuOptions(deals=9),
    "once": DouDizhuOptions(auction="once", all_pass="void"),
    "rob": DouDizhuOptions(auction="rob"),
    "table": DouDizhuOptions(all_pass="forced", max_doublings=4),
    "alike": DouDizhuOptions(kickers="any"),
    "plain": DouDizhuOptions(auction="once", all_pass="forced", spring=False, quads=False),
}


RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "BJ", "RJ")  # the lowest first
RANK_NUMBERS: Final = {rank: number for number, rank in enumerate(RANKS)}
Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^([2-9]|10|[JQKA]|BJ|RJ)$")]
Seat: TypeAlias = Annotated[int, SEAT, Meta(ge=0, le=3)]


class Pass(Action, frozen=True):
    """Do not bid, call or rob; or lay nothing."""


class Bid(Action, frozen=True):
    """Offer to be the landlord for a stake, more than the last bid."""

    stake: Annotated[int, Meta(ge=1, le=3)]


class Call(Action, frozen=True):
    """Offer to be the landlord."""


class Rob(Action, frozen=True):
    """Become the landlord in place of an earlier caller or robber; the stake is doubled."""


class Play(Action, frozen=True):
    """Lay a combination."""

    cards: Annotated[tuple[Card, ...], Meta(description="In any order; listed from the lowest rank to the highest.")]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards, key=_number_of)))


def _number_of(rank: str) -> int:
    return RANK_NUMBERS.get(rank, len(RANKS))


Claim: TypeAlias = Bid | Call | Rob
DouDizhuAction: TypeAlias = Pass | Claim | Play

PASS: Final = Pass()
BIDS: Final = tuple(map(Bid, (1, 2, 3)))
CALLS: Final = (PASS, Call())
ROBBING: Final = (PASS, Rob())


class Laid(Struct, frozen=True, array_like=True):
    """What a seat laid: [seat, cards]; no cards: it passed."""

    seat: Seat
    cards: tuple[Card, ...] = ()


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[Card], IN_ZONES, Meta(description="Your cards, from the lowest rank; empty for a spectator.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    calls: Annotated[
        tuple[Claim | None, ...],
        Meta(
            max_length=8, description="The calls, that of the seat `first_caller` first; null: passed, or passed over."
        ),
    ]
    first_caller: Annotated[SeatIndex, Meta(description="The seat that called first.")]
    landlord: Annotated[SeatIndex | None, Meta(description="The seat that plays alone.")]
    bottom: Annotated[list[Card], Meta(description="The cards that the landlord took.")]
    stake: Annotated[int, Meta(description="What each farmer wins or loses, as it stands.")]
    to_beat: Annotated[Laid | None, Meta(description="What lies on top, and whose it is; null: lead, or no play yet.")]
    kind: Annotated[str | None, Meta(description="What kind of combination that is.")]
    plays: Annotated[tuple[Laid, ...], Meta(description="All plays of this deal, the first one first.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. What is null or left out is dealt at random."""

    hands: Annotated[
        list[list[Card | None] | None] | None, Meta(description="By seat, the cards that it holds; null: any.")
    ] = None
    bottom: Annotated[
        Annotated[list[Card | None], Meta(min_length=3, max_length=8)] | None,
        Meta(description="The three cards for the landlord (eight, if four play), whoever has them now."),
    ] = None
    calls: Annotated[list[Claim | None], Meta(description="The calls, the first one first; null: passed.")] = field(
        default_factory=list
    )
    plays: Annotated[list[Laid], Meta(description="The plays of this deal, in order.")] = field(default_factory=list)
    totals: Annotated[list[int] | None, Meta(description="By seat, the points before this deal; null: none.")] = None
    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal, from 1.")] = 1
    redeals: Annotated[int, Meta(ge=0, description="How often this deal was dealt again.")] = 0
