"""The options of Bridge: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options

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
        Meta(description="Deals of a match; a rubber ends after so many at the latest. By default 4, of a rubber 24."),
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
                f"bridge: {self.scoring} says itself who deals and who is vulnerable", "vulnerable", "first_board"
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
