"""The options of Crazy Eights: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options

PACK: Final = 52
LARGE_TABLE: Final = 6  # players who take two packs
ActionRank: TypeAlias = Literal["none", "A", "2", "3", "4", "5", "6", "7", "9", "10", "J", "Q", "K"]


class EightsOptions(Options, frozen=True):
    """What Crazy Eights can be played with."""

    packs: Annotated[
        Annotated[int, Meta(ge=1, le=2)] | None,
        Meta(description="Packs of 52 cards. By default one, and two for six players and more."),
    ] = None
    hand: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Cards that everybody is dealt. By default seven with two players, else five."),
    ] = None
    draws: Annotated[int, Meta(ge=0, le=10, description="Cards that one may draw in a turn; 0: any number.")] = 1
    restock: Annotated[
        bool, Meta(description="A stock that is used up is made again from the cards played, but for the last one.")
    ] = True
    skip: Annotated[ActionRank, Meta(description="Cards of this rank let the next player miss a turn.")] = "none"
    reverse: Annotated[ActionRank, Meta(description="Cards of this rank turn the direction of play round.")] = "none"
    draw_two: Annotated[ActionRank, Meta(description="After a card of this rank the next player draws two cards.")] = (
        "none"
    )
    draw_five: Annotated[bool, Meta(description="After the queen of spades the next player draws five cards.")] = False
    stack: Annotated[
        bool, Meta(description="Who is to draw may play another such card instead, and the next player draws all.")
    ] = False
    last_card: Annotated[
        int,
        Meta(ge=0, le=5, description="Cards that a player draws who does not announce its last card; 0: nobody does."),
    ] = 0
    scoring: Annotated[
        Literal["winner", "penalty"],
        Meta(
            description="The first without a card scores what the others hold, or everybody what it holds itself, and "
            "the fewest points win."
        ),
    ] = "winner"
    action_points: Annotated[
        int, Meta(ge=0, le=50, description="What an action card counts in a hand; 0: as any card of its rank.")
    ] = 0
    target: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="Points of a player that end the match. By default 50 for each player."),
    ] = None
    deals: Annotated[int, Meta(ge=1, le=200, description="After so many deals the match is over at the latest.")] = 20
    max_turns: Annotated[
        int, Meta(ge=1, le=1000, description="Turns of all players after which a deal is blocked.")
    ] = 200

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 5 says what does not go together."""
        packs = self.packs or (2 if seats >= LARGE_TABLE else 1)
        hand = self.hand or (7 if seats == 2 else 5)
        most = (packs * PACK - 1) // seats
        if hand > most:
            raise OptionError(
                f"eights: hand is {hand}; with {seats} players and {packs * PACK} cards it is 1 to {most}",
                "hand",
                "packs",
            )
        ranks = [rank for rank in (self.skip, self.reverse, self.draw_two) if rank != "none"]
        if len({*ranks}) < len(ranks):
            raise OptionError(
                f"eights: skip is {self.skip!r}, reverse {self.reverse!r} and draw_two {self.draw_two!r}; a rank "
                "does one of these",
                "skip",
                "reverse",
                "draw_two",
            )
        if self.stack and self.draw_two == "none" and not self.draw_five:
            raise OptionError("eights: stack is true; it needs draw_two or draw_five", "stack", "draw_two", "draw_five")
        return replace(self, packs=packs, hand=hand, target=self.target or 50 * seats)


PRESETS: Final = {
    "standard": EightsOptions(),
    "single": EightsOptions(deals=1),
    "until": EightsOptions(draws=0, restock=False),
    "actions": EightsOptions(draws=3, skip="Q", reverse="A", draw_two="2", stack=True),
    "penalty": EightsOptions(
        skip="J",
        reverse="K",
        draw_two="2",
        draw_five=True,
        last_card=2,
        scoring="penalty",
        action_points=20,
    ),
}
