"""The options of Gin Rummy: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta

from pitboss import OptionError, Options

MAX_LOOSE: Final = 10  # points that a knocker may have loose, unless the options say less


class GinRummyOptions(Options, frozen=True):
    """What Gin Rummy can be played with."""

    target: Annotated[int, Meta(ge=1, le=500, description="Points that win a game.")] = 100
    deals: Annotated[int, Meta(ge=1, le=200, description="After so many deals the match is over at the latest.")] = 20
    knock: Annotated[
        int, Meta(ge=0, le=MAX_LOOSE, description="What the loose cards of a knocker may count; 0: gin alone.")
    ] = MAX_LOOSE
    gin_bonus: Annotated[int, Meta(ge=0, le=100, description="For gin.")] = 25
    undercut_bonus: Annotated[int, Meta(ge=0, le=100, description="For an undercut.")] = 25
    big_gin_bonus: Annotated[
        int, Meta(ge=0, le=100, description="For big gin, all eleven cards in melds; 0: it is not played.")
    ] = 0
    next_dealer: Annotated[
        Literal["turns", "winner", "loser"],
        Meta(
            description="Who of two players deals next: each in turn, or who won or lost the deal; after a deal that "
            "nobody won the same player again. At a table of three or four the loser always deals."
        ),
    ] = "turns"
    oklahoma: Annotated[
        Literal["no", "one", "gin"],
        Meta(
            description="The card turned up says what a knocker may have loose; an ace allows one point, or gin alone."
        ),
    ] = "no"
    spades_double: Annotated[
        bool, Meta(description="With `oklahoma`: if that card is a spade, the deal counts double.")
    ] = False
    last_discard: Annotated[
        bool, Meta(description="When two cards are left, the next player may yet take the discard to knock.")
    ] = False
    hollywood: Annotated[bool, Meta(description="Three games are played at once.")] = False
    line_bonus: Annotated[int, Meta(ge=0, le=100, description="For each deal that a player has won.")] = 25
    game_bonus: Annotated[
        int, Meta(ge=0, le=500, description="For a game that is won; twice as much if the others have won no deal.")
    ] = 100

    def resolve(self, seats: int) -> Self:
        """Return the options; section 5 says what does not go together."""
        if self.next_dealer != "turns" and seats != 2:
            raise OptionError(
                f"gin-rummy: next_dealer is {self.next_dealer!r}; that is for 2 players, and {seats} play",
                "next_dealer",
            )
        if self.oklahoma != "no" and self.knock != MAX_LOOSE:
            raise OptionError(
                f"gin-rummy: knock is {self.knock}; with oklahoma {self.oklahoma!r} it is {MAX_LOOSE}",
                "knock",
                "oklahoma",
            )
        if self.oklahoma == "no" and self.spades_double:
            raise OptionError(
                "gin-rummy: spades_double is true; that needs oklahoma, which is 'no'", "spades_double", "oklahoma"
            )
        return self


PRESETS: Final = {
    "standard": GinRummyOptions(),
    "single": GinRummyOptions(deals=1, line_bonus=0, game_bonus=0),
    "classic": GinRummyOptions(gin_bonus=20, undercut_bonus=10, line_bonus=20),
    "straight": GinRummyOptions(knock=0),
    "oklahoma": GinRummyOptions(target=150, oklahoma="gin", spades_double=True, big_gin_bonus=50, last_discard=True),
    "hollywood": GinRummyOptions(deals=40, hollywood=True, big_gin_bonus=31),
}
