"""The messages of Bridge: options, actions, view and position (sections 5 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias, get_args

from msgspec import Meta, field
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import IN_ZONES, Action, CardFace, SeatIndex
from pitboss.parts.trick_match import TrickMatchView, TrickPosition
from pitboss.parts.tricks import PlayCard

DEFAULT_DEALS: Final = {"duplicate": 4, "chicago": 4, "rubber": 24}
CHICAGO_REDEALS: Final = 3  # D3


class BridgeOptions(Options, frozen=True):
    """What Bridge can be played with."""

    scoring: Annotated[
        Literal["duplicate", "rubber", "chicago"],
        Meta(
            description='Each deal counts by itself ("duplicate"); or part-scores add up to games, two of which win a '
            'rubber ("rubber"), or each of which counts by itself, in rounds of four deals ("chicago").'
        ),
    ] = "duplicate"
    deals: Annotated[
        Annotated[int, Meta(ge=1, le=32)] | None,
        Meta(description="Deals of a match; of a rubber, the maximum. Default: 4, of a rubber 24."),
    ] = None
    first_board: Annotated[
        Annotated[int, Meta(ge=1, le=16)] | None,
        Meta(description="The number of the first board, which says who deals and is vulnerable; null: by lot."),
    ] = 1
    vulnerable: Annotated[
        Literal["board", "none", "ns", "ew", "both"],
        Meta(description="Who is vulnerable in duplicate: by the number of the board, or always the same."),
    ] = "board"
    redeals: Annotated[
        Annotated[int, Meta(ge=0, le=10)] | None,
        Meta(
            description="How often a deal of Chicago that is passed out is dealt again by the same dealer; after that "
            "it is one of the four. By default 3 in Chicago; 0 elsewhere."
        ),
    ] = None
    honours: Annotated[bool, Meta(description="Honours in one hand count, in a rubber and in Chicago.")] = False

    def resolve(self, seats: int) -> Self:
        """B15: fill in the numbers of deals and redeals; refuse what one kind of scoring does not know."""
        if self.scoring == "duplicate" and self.honours:
            raise OptionError("bridge: honours count in a rubber or in Chicago, not in duplicate", "honours", "scoring")
        if self.scoring != "duplicate" and (self.vulnerable != "board" or self.first_board != 1):
            raise OptionError(
                f"bridge: {self.scoring} fixes the dealer and the vulnerable side", "vulnerable", "first_board"
            )
        if self.scoring != "chicago" and self.redeals:
            raise OptionError(
                f"bridge: redeals is {self.redeals}; only in Chicago a deal that is passed out is dealt again",
                "redeals",
                "scoring",
            )
        usual = CHICAGO_REDEALS if self.scoring == "chicago" else 0
        return replace(
            self,
            deals=self.deals or DEFAULT_DEALS[self.scoring],
            redeals=usual if self.redeals is None else self.redeals,
        )


PRESETS: Final = {
    "standard": BridgeOptions(),
    "single": BridgeOptions(deals=1, first_board=None),
    "rubber": BridgeOptions(scoring="rubber"),
    "chicago": BridgeOptions(scoring="chicago"),
    "honours": BridgeOptions(scoring="rubber", honours=True),
}


Strain: TypeAlias = Literal["C", "D", "H", "S", "NT"]
BidName: TypeAlias = Literal[
    "1C", "1D", "1H", "1S", "1NT",
    "2C", "2D", "2H", "2S", "2NT",
    "3C", "3D", "3H", "3S", "3NT",
    "4C", "4D", "4H", "4S", "4NT",
    "5C", "5D", "5H", "5S", "5NT",
    "6C", "6D", "6H", "6S", "6NT",
    "7C", "7D", "7H", "7S", "7NT",
]  # fmt: skip
CallName: TypeAlias = BidName | Literal["pass", "X", "XX"]

STRAINS: Final[tuple[Strain, ...]] = ("C", "D", "H", "S", "NT")  # from the lowest to the highest


class Bid(Action, frozen=True):
    """Bid to take six tricks and `level` more, with a suit as trumps or with none."""

    level: Annotated[int, Meta(ge=1, le=7)]
    strain: Strain


class Pass(Action, frozen=True):
    """Pass."""


class Double(Action, frozen=True):
    """Double the last bid, which is the opponents'."""


class Redouble(Action, frozen=True):
    """Redouble: the opponents have doubled your side's bid."""


Call: TypeAlias = Bid | Pass | Double | Redouble
BridgeAction: TypeAlias = Bid | Pass | Double | Redouble | PlayCard

BIDS: Final = tuple(Bid(level, strain) for level in range(1, 8) for strain in STRAINS)  # from the lowest to the highest
MAX_CALLS: Final = 3 + 9 * len(BIDS) + 1  # three passes; after each bid X and XX, each after two passes; three passes
PASS, DOUBLE, REDOUBLE = Pass(), Double(), Redouble()
BID_NAMES: Final[dict[Bid, BidName]] = dict(zip(BIDS, get_args(BidName), strict=True))
STRAIN_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "NT": "NT"}
CALL_SIGNS: Final[dict[str, str]] = {
    word: word[0] + STRAIN_SIGNS[word[1:]] for word in BID_NAMES.values()
}  # bids, by word
CALL_WORDS: Final[dict[Call, CallName]] = {
    PASS: "pass",
    DOUBLE: "X",
    REDOUBLE: "XX",
    **{bid: BID_NAMES[bid] for bid in BIDS},
}
CALLS: Final[dict[str, Call]] = {word: call for call, word in CALL_WORDS.items()}  # by word


class View(TrickMatchView, frozen=True, kw_only=True):
    """What a seat may know."""

    calls: Annotated[
        list[CallName],
        Meta(max_length=MAX_CALLS, description='The calls of this deal, the dealer\'s first: "1NT", "pass", "X".'),
    ]
    last_calls: Annotated[list[CallName | None], Meta(description="By seat, its last call in this deal.")]
    dealer: Annotated[SeatIndex, Meta(description="The seat that calls first.")]
    contract: Annotated[BidName | None, Meta(description='The last bid ("3NT"); null: there is none.')]
    doubled: Annotated[int, Meta(description="1; 2 if that bid is doubled, 4 if it is redoubled.")]
    declarer: Annotated[SeatIndex | None, Meta(description="Who plays the contract; null before the bidding is over.")]
    dummy: Annotated[
        list[CardFace], IN_ZONES, Meta(description="The cards of the declarer's partner, once they lie open.")
    ]
    vulnerable: Annotated[list[bool], Meta(description="By seat, whether its side is vulnerable.")]
    part_scores: Annotated[
        list[int],
        Meta(description="By seat, its side's points below the line in this game of a rubber or Chicago."),
    ]
    games: Annotated[list[int], Meta(description="By seat, the games that its side has won in this rubber.")]
    board: Annotated[int, Meta(description="The number of the board, which gives the dealer and the vulnerable side.")]
    redeals: Annotated[int, Meta(description="How often this deal was dealt again, as it was passed out.")]


class Position(TrickPosition, frozen=True, kw_only=True):
    """A position written down; of each card that was played the seat is told whose hand it came from."""

    calls: Annotated[list[CallName], Meta(description="The calls of this deal, the dealer's first.")] = field(
        default_factory=list
    )
    part_scores: Annotated[list[int], Meta(description="By side, its points below the line before this deal.")] = field(
        default_factory=lambda: [0, 0]
    )
    games: Annotated[list[Annotated[int, Meta(ge=0, le=1)]], Meta(description="By side, games of a rubber.")] = field(
        default_factory=lambda: [0, 0]
    )
    board: Annotated[int, Meta(ge=1, le=47, description="The number of the board: seat (board - 1) % 4 deals.")] = 1
    redeals: Annotated[int, Meta(ge=0, description="How often this deal was dealt again.")] = 0
