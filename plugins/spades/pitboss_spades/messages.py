"""The messages of Spades: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, field

from pitboss import OptionError, Options
from pitboss.options import Action
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard


class SpadesOptions(Options, frozen=True):
    """What Spades can be played with."""

    target: Annotated[int, Meta(ge=50, le=1000, description="Points of a side that end the match.")] = 500
    floor: Annotated[
        int, Meta(ge=-1000, le=-50, description="Points of a side at or below which the match ends too.")
    ] = -200
    deals: Annotated[int, Meta(ge=1, le=100, description="Maximum number of deals in a match.")] = 50
    nil: Annotated[int, Meta(ge=0, le=200, description="What a nil wins or loses; 0: nobody can bid nil.")] = 100
    failed_nil: Annotated[
        Literal["bags", "helps"],
        Meta(description='The tricks of a nil that failed are bags ("bags"), or help the partner\'s bid ("helps").'),
    ] = "bags"
    blind_nil: Annotated[
        bool,
        Meta(description="A player far enough behind may bid nil before looking at its cards, for twice as much."),
    ] = False
    blind_deficit: Annotated[
        int, Meta(ge=0, le=500, description="How many points behind a player must be to bid blind nil.")
    ] = 100
    bag_limit: Annotated[
        int, Meta(ge=0, le=20, description="Number of bags that costs a side points; 0: bags cost nothing.")
    ] = 10
    bag_penalty: Annotated[int, Meta(ge=0, le=200, description="How many points they cost.")] = 100
    suicide: Annotated[bool, Meta(description="One of two partners bids nil, and the other does not.")] = False
    high_trumps: Annotated[
        Literal["ace", "jokers", "jokers_deuces"],
        Meta(
            description="The highest trumps: the ace; two jokers above it; or jokers, then the deuces of diamonds "
            "and of spades. With jokers the pack has no deuces of hearts and of clubs."
        ),
    ] = "ace"
    spade_lead: Annotated[
        Literal["broken", "any"],
        Meta(description='Spades are led once one has been played ("broken"), or at any time.'),
    ] = "broken"

    def resolve(self, seats: int) -> Self:
        """S12: suicide leaves no choice of a blind nil, and needs nil."""
        if self.suicide and (self.blind_nil or not self.nil):
            raise OptionError(
                "spades: suicide is played with nil, and without blind_nil", "suicide", "blind_nil", "nil"
            )
        return self


PRESETS: Final = {
    "standard": SpadesOptions(),
    "short": SpadesOptions(target=200),
    "single": SpadesOptions(deals=1),
    "blind_nil": SpadesOptions(blind_nil=True),
    "suicide": SpadesOptions(suicide=True),
    "jokers": SpadesOptions(high_trumps="jokers"),
    "jokers_deuces": SpadesOptions(high_trumps="jokers_deuces"),
    "no_nil": SpadesOptions(nil=0, bag_limit=0),
}


Tricks: TypeAlias = Annotated[int, Meta(ge=0, le=13)]


class Bid(Action, frozen=True):
    """Bid a number of tricks; 0 is nil."""

    tricks: Tricks


class BlindNil(Action, frozen=True):
    """Bid nil before you have looked at your cards."""


class Look(Action, frozen=True):
    """Look at your cards, and bid then."""


SpadesAction: TypeAlias = Bid | BlindNil | Look | PlayCard
BIDS = tuple(Bid(tricks) for tricks in range(14))


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal; 0 is nil.")]
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")]
    bags: Annotated[
        list[int], Meta(max_length=2, description="By side (0 and 2, 1 and 3), its bags of the earlier deals.")
    ]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; seat `deal_no` - 1, counted round the table, bids first and leads."""

    bids: Annotated[list[Tricks | None], Meta(description="By seat, what it has bid; null: it has not bid yet.")] = (
        field(default_factory=lambda: [None] * 4)
    )
    blind: Annotated[list[bool], Meta(description="By seat, whether its nil was bid blind.")] = field(
        default_factory=lambda: [False] * 4
    )
    has_looked: Annotated[bool, Meta(description="Who is to bid has decided not to bid blind.")] = False
    bags: Annotated[list[int], Meta(description="By side, its bags before this deal.")] = field(
        default_factory=lambda: [0, 0]
    )
