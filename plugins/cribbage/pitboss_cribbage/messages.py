"""The messages of Cribbage: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct, field

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ZONES, SEAT, Action
from pitboss_cribbage.scoring import MAX_SHOWN


class CribbageOptions(Options, frozen=True):
    """What Cribbage can be played with."""

    target: Annotated[int, Meta(ge=5, le=241, description="Points that win the game: 61 or 121.")] = 121
    deals: Annotated[int, Meta(ge=1, le=200, description="Maximum number of deals in a game.")] = 100
    muggins: Annotated[bool, Meta(description="Who counts a hand wrong gives the difference to the next player.")] = (
        False
    )
    muggins_in_play: Annotated[
        bool, Meta(description="With `muggins`, players also say what each card that they play makes.")
    ] = False
    skunks: Annotated[
        Literal["none", "single", "double"],
        Meta(
            description="The result is in games: one for a win, two if a loser is more than 30 points behind, and with "
            '"double" three if it is more than 60 behind.'
        ),
    ] = "none"
    five_card: Annotated[bool, Meta(description="Two players get five cards each, as in the oldest form.")] = False
    cut_for_deal: Annotated[bool, Meta(description="Who cuts the lowest card deals first; without it seat 0 does.")] = (
        False
    )

    def resolve(self, seats: int) -> Self:
        """Return these options.

        Raises:
            OptionError: more than two are to play with five cards, or there is muggins in the play alone.
        """
        if self.muggins_in_play and not self.muggins:
            raise OptionError("muggins_in_play needs muggins", "muggins_in_play")
        if self.five_card and seats != 2:
            raise OptionError(f"five_card is for 2 players; {seats} play", "five_card")
        return self


PRESETS: Final = {
    "standard": CribbageOptions(),
    "short": CribbageOptions(target=61),
    "single": CribbageOptions(deals=1),
    "muggins": CribbageOptions(muggins=True),
    "muggins_in_play": CribbageOptions(muggins=True, muggins_in_play=True),
    "skunks": CribbageOptions(skunks="double"),
    "five_card": CribbageOptions(target=61, five_card=True),
}


Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Seat: TypeAlias = Annotated[int, SEAT, Meta(ge=0, le=3)]
SeatCard: TypeAlias = tuple[Seat, Card]
SeatPlay: TypeAlias = tuple[Seat, Card | None]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_SHOWN)]


class LayAway(Action, frozen=True, tag="lay_away"):
    """Lay cards away for the crib."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=2)]


class PlayToCount(Action, frozen=True, tag="play"):
    """Play a card, which adds to the count."""

    card: Card


class Go(Action, frozen=True):
    """Say that you can play no card."""


class ClaimPoints(Action, frozen=True, tag="claim"):
    """Say how many points your hand or crib counts, or the card that you have just played."""

    points: Points


CribbageAction: TypeAlias = LayAway | PlayToCount | Go | ClaimPoints


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know."""

    hand: Annotated[list[Card], IN_ZONES, Meta(description="The cards that you hold.")]
    laid_away: Annotated[list[Card], IN_ZONES, Meta(description="The cards that you have laid away for the crib.")]
    dealer: Annotated[Seat, Meta(description="Whose crib it is.")]
    starter: Annotated[Card | None, IN_ZONES, Meta(description="The card turned up when all have laid away.")]
    count: Annotated[int, Meta(description="What the cards of the series add up to.")]
    series: Annotated[tuple[SeatCard, ...], Meta(description="[seat, card] since the count began at 0.")]
    played: Annotated[list[list[Card]], Meta(description="By seat, the cards that it has played in this deal.")]
    crib: Annotated[list[Card], IN_ZONES, Meta(description="The crib, once it is turned up to be counted.")]
    gone: Annotated[list[Seat], Meta(description="Who has said 'go' in this series.")]
    counted: Annotated[
        tuple[int, ...],
        Meta(max_length=5, description="With `muggins`: what was claimed so far, first by the seat after the dealer."),
    ]
    totals: Annotated[list[int], Meta(description="By seat, its points; partners have the same.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or left out, are dealt at random."""

    hands: Annotated[list[list[Card | None]] | None, Meta(description="By seat, the cards that it still holds.")] = None
    laid_away: Annotated[
        list[list[Card | None]] | None,
        Meta(
            description="By seat, what it has laid away; left out: nothing yet, or what is open if cards were played."
        ),
    ] = None
    crib_card: Annotated[Card | None, Meta(description="With three players, the card dealt to the crib.")] = None
    starter: Annotated[Card | None, Meta(description="The card that is turned up when all have laid away.")] = None
    stock: Annotated[
        list[Card | None] | None, Meta(description="The other cards that were not dealt, the top one first.")
    ] = None
    plays: Annotated[
        list[SeatPlay], Meta(description="The cards played in this deal, each with its player; null: it said 'go'.")
    ] = field(default_factory=list)
    claims: Annotated[list[Points], Meta(description="With `muggins`: the points that were claimed.")] = field(
        default_factory=list
    )
    play_claims: Annotated[
        list[Points] | None,
        Meta(description="With `muggins_in_play`: the points claimed for the cards played; left out: all were right."),
    ] = None
    totals: Annotated[
        list[int] | None, Meta(description="By seat, or by side of partners, the points before this deal.")
    ] = None
    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal, from 1; seat 0 deals first.")] = 1
    first_dealer: Annotated[
        Seat | None, Meta(description="With `cut_for_deal`: the seat that dealt first; left out: seat 0.")
    ] = None
