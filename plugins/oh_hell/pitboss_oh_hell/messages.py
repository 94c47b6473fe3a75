"""The messages of Oh Hell: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, field
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, Action
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard

PACK: Final = 52
LARGEST_HANDS: Final = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}  # O2: by players, the cards of the first hand


class OhHellOptions(Options, frozen=True):
    """What Oh Hell can be played with."""

    most: Annotated[
        Annotated[int, Meta(ge=1, le=17)] | None,
        Meta(description="Cards of the largest hand. Default: 10; with six players 8, with seven 7."),
    ] = None
    order: Annotated[
        Literal["down", "up", "down_up", "up_down", "most"],
        Meta(description='How hands grow and shrink, between one card and `most`; "most": one deal of `most` cards.'),
    ] = "down_up"
    hook: Annotated[bool, Meta(description="The last bidder may not make the bids add up to the tricks.")] = True
    scoring: Annotated[
        Literal["exact", "tricks", "penalty"],
        Meta(
            description='Who keeps its bid has 10 points and one for each trick. Who does not has none ("exact"), one '
            'for each trick ("tricks"), or loses one for each trick too many or too few ("penalty").'
        ),
    ] = "exact"

    def resolve(self, seats: int) -> Self:
        """O2: fill in the largest hand; refuse hands for which the pack is too small."""
        most = self.most if self.most is not None else LARGEST_HANDS[seats]
        if most * seats > PACK:
            raise OptionError(f"oh-hell: most is {most}; {seats} players can hold {PACK // seats} cards", "most")
        return replace(self, most=most)


PRESETS: Final = {
    "standard": OhHellOptions(),
    "short": OhHellOptions(order="down", most=5),
    "single": OhHellOptions(order="most", most=7),
    "free": OhHellOptions(hook=False, scoring="tricks"),
    "penalty": OhHellOptions(order="up", scoring="penalty"),
}


def list_hand_sizes(options: OhHellOptions) -> list[int]:
    """O2: return the cards of a hand in each deal of a match."""
    most = options.most or 1
    down = [*range(most, 0, -1)]
    return {
        "down": down,
        "up": down[::-1],
        "down_up": [*down, *down[-2::-1]],
        "up_down": [*down[::-1], *down[1:]],
        "most": [most],
    }[options.order]


Card: TypeAlias = Annotated[str, CARD, Meta(pattern="^[SHDC]([2-9]|10|[JQKA])$")]
Tricks: TypeAlias = Annotated[int, Meta(ge=0, le=17)]


class Bid(Action, frozen=True):
    """Bid the number of tricks that you will take."""

    tricks: Tricks


OhHellAction: TypeAlias = Bid | PlayCard
BIDS = tuple(Bid(tricks) for tricks in range(18))


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    turned_up: Annotated[Card | None, Meta(description="The card whose suit is trumps; null: there are no trumps.")]
    bids: Annotated[list[int | None], Meta(description="By seat, what it has bid in this deal.")]
    hand_sizes: Annotated[list[int], Meta(description="The cards of a hand in each deal of the match.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; seat `deal_no` - 1, counted round the table, bids first and leads."""

    turned_up: Annotated[Card | None, Meta(description="The card that tells the trump suit.")] = None
    stock: Annotated[
        list[Card | None] | None, Meta(description="The cards that were not dealt, the top one first.")
    ] = None
    bids: Annotated[list[Tricks], Meta(description="The bids of this deal, from the first bidder's on.")] = field(
        default_factory=list
    )
