"""The messages of poker: options, actions, view and position (sections 4 and 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from pitboss.parts.betting.messages import (
    Bet,
    BettingOptions,
    BringIn,
    BringInOptions,
    Call,
    Card,
    Check,
    Discard,
    Fold,
    HandPosition,
    HandView,
    Raise,
    SomeChips,
)
from pitboss.parts.betting.variant import BettingVariant
from pitboss_poker.rules import DRAW, STUD, STUD_HI_LO, find_variant

__all__ = [
    "DRAW_PRESETS", "PRESETS", "STUD_PRESETS", "Action", "Bet", "Call", "Card", "Check", "DrawAction", "DrawOptions",
    "Fold", "PokerOptions", "Position", "Raise", "Street", "StudAction", "StudOptions", "View",
]  # fmt: skip

Street = Literal["preflop", "flop", "turn", "river"]
Action: TypeAlias = Fold | Check | Call | Bet | Raise


class PokerOptions(BettingOptions, frozen=True):
    """What poker can be played with. What is null is decided by the number of players or by another option."""

    title: ClassVar[str] = "poker"

    cards: Annotated[
        Literal["holdem", "leduc", "kuhn", "omaha", "omaha-hi-lo", "short-deck"],
        Meta(
            description='"holdem": 52 cards, two in the hand, five on the board, four rounds; "leduc": two suits of '
            'n+1 ranks, one in the hand, one on the board, two rounds; "kuhn": n+1 cards, one in the hand, one round '
            '(n players); "omaha": as "holdem" with four in the hand, of which two count with three of the board; '
            '"omaha-hi-lo": the lowest hand, eight or better, gets half of each pot; "short-deck": as "holdem" with '
            "36 cards, from the six up."
        ),
    ] = "holdem"
    bets: Annotated[
        tuple[SomeChips, ...] | None,
        Meta(
            description="The fixed size of bets and raises by round (only with limit); null: the big blind, twice as "
            "much from the third round of Hold'em and the second of Leduc on."
        ),
    ] = None

    variants: ClassVar[Mapping[str, BettingVariant]] = {
        cards: find_variant(cards, 2) for cards in ("holdem", "omaha", "omaha-hi-lo", "short-deck", "leduc", "kuhn")
    }

    def find_variant(self, seats: int) -> BettingVariant:
        """Return the kind of poker: the deck of some depends on the number of players."""
        return find_variant(self.cards, seats)


_SMALL: Final = PokerOptions(betting="limit", small_blind=0, big_blind=0, ante=1, stack=100)

PRESETS: Final = {
    "no-limit": PokerOptions(),
    "limit": PokerOptions(betting="limit"),
    "pot-limit": PokerOptions(betting="pot-limit"),
    "acpc-no-limit": PokerOptions(stack=20_000),
    "acpc-limit": PokerOptions(betting="limit", small_blind=5, big_blind=10, stack=20_000),
    "kuhn": replace(_SMALL, cards="kuhn", bets=(1,), max_bets=1),
    "leduc": replace(_SMALL, cards="leduc", bets=(2, 4), max_bets=2),
    "rlcard-leduc": PokerOptions(
        cards="leduc",
        betting="limit",
        small_blind=1,
        big_blind=2,
        bets=(2, 4),
        max_bets=(3, 2),  # two raises a round: the big blind counts in the first
        may_fold=True,
        first_players="after-last",
        stack=100,
    ),
    "rlcard-limit": PokerOptions(
        betting="limit",
        small_blind=1,
        big_blind=2,
        max_bets=(5, 4, 4, 4),
        may_fold=True,
        first_players="after-last",
        stack=100,
    ),
    "omaha": PokerOptions(cards="omaha", betting="pot-limit"),
    "omaha-hi-lo": PokerOptions(cards="omaha-hi-lo", betting="limit"),
    "short-deck": PokerOptions(cards="short-deck", ante=50),
    "mit-pokerbots": PokerOptions(small_blind=1, big_blind=2, stack=400),
    "tournament": PokerOptions(small_blind=10, big_blind=20, stack=1_500, stacks="carry", level_hands=10),
}


class View(HandView, frozen=True):
    """What a seat may know. Lists of numbers are by seat, where nothing else is said."""

    street: Annotated[Street, Meta(description="The betting round.")]


class Position(HandPosition, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null or left out are dealt at random from those not mentioned.

    Without `paid` a hand begins: antes and blinds are posted, and `stacks` are the chips before. With `paid` the hand
    is in the middle, or (with `over`) the game has ended. With `deck` the hand is dealt from that deck, and no cards
    may be given.
    """

    street: Street = "preflop"


DrawAction: TypeAlias = Fold | Check | Call | Bet | Raise | Discard
StudAction: TypeAlias = Fold | Check | Call | Bet | Raise | BringIn


class DrawOptions(BettingOptions, frozen=True):
    """What five-card draw can be played with. What is null is decided by the seats or by another option."""

    title: ClassVar[str] = "five-card-draw"
    variants: ClassVar[Mapping[str, BettingVariant]] = {"draw": DRAW}


class StudOptions(BringInOptions, frozen=True):
    """What seven-card stud can be played with. What is null is decided by the seats or by another option."""

    title: ClassVar[str] = "seven-card-stud"
    variants: ClassVar[Mapping[str, BettingVariant]] = {"stud": STUD, "stud-hi-lo": STUD_HI_LO}

    betting: Annotated[Literal["limit"], Meta(description="Bets have a fixed size.")] = "limit"
    small_blind: Annotated[Literal[0], Meta(description="There are no blinds.")] = 0
    big_blind: Annotated[Literal[0], Meta(description="There are no blinds.")] = 0
    straddles: Annotated[tuple[()], Meta(description="There are no straddles.")] = ()
    ante: Annotated[SomeChips, Meta(description="What everybody pays before each hand.")] = 10
    bets: Annotated[
        tuple[SomeChips, ...] | None,
        Meta(description="The fixed size of bets and raises on the five streets; null: 50, 50, 100, 100, 100."),
    ] = (50, 50, 100, 100, 100)


DRAW_PRESETS: Final = {"limit": DrawOptions(betting="limit"), "no-limit": DrawOptions()}
STUD_PRESETS: Final = {"limit": StudOptions(), "hi-lo": StudOptions(cards="stud-hi-lo")}
