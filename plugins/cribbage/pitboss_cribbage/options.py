"""The options of Cribbage: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta

from pitboss import OptionError, Options


class CribbageOptions(Options, frozen=True):
    """What Cribbage can be played with."""

    target: Annotated[int, Meta(ge=5, le=241, description="Points that win the game: 61 or 121.")] = 121
    deals: Annotated[int, Meta(ge=1, le=200, description="After so many deals the game is over at the latest.")] = 100
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
