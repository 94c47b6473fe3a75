"""The options of Fireworks: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss_fireworks.cards import COPIES


class FireworksOptions(Options, frozen=True):
    """What Fireworks can be played with."""

    colours: Annotated[int, Meta(ge=1, le=6, description="Colours of the cards, and so fireworks.")] = 5
    rainbow: Annotated[bool, Meta(description="The last colour is the rainbow, which counts as each in a hint.")] = (
        False
    )
    single: Annotated[bool, Meta(description="Of the last colour there is one card of each number.")] = False
    hand: Annotated[
        Annotated[int, Meta(ge=1, le=6)] | None,
        Meta(description="Cards of a hand; null: five for two and three players, else four."),
    ] = None
    tokens: Annotated[int, Meta(ge=1, le=8, description="Hint tokens, at the beginning and at most.")] = 8
    lives: Annotated[int, Meta(ge=1, le=5, description="Cards that do not fit; the last one ends the game.")] = 3
    strict: Annotated[bool, Meta(description="A game that is lost counts no points.")] = True
    end: Annotated[
        Literal["deck", "play_on"],
        Meta(
            description="After the last card of the stock: a turn for each player, or on until all is played or lost."
        ),
    ] = "deck"
    early: Annotated[bool, Meta(description="The game is over as soon as no card can fit any more.")] = False
    empty_hints: Annotated[bool, Meta(description="A hint may be about no card of the hand.")] = False

    def resolve(self, seats: int) -> Self:
        """F3: fill in the size of a hand; refuse hands for which there are too few cards."""
        hand = self.hand if self.hand is not None else 5 if seats < 4 else 4
        copies = sum(COPIES.values())
        cards = copies * self.colours - self.single * (copies - len(COPIES))
        if hand * seats >= cards:
            raise OptionError(
                f"fireworks: hand is {hand}; with {cards} cards {seats} players can hold {(cards - 1) // seats} each",
                "hand",
                "colours",
            )
        if self.rainbow and self.colours == 1:
            raise OptionError("fireworks: with one colour there is no rainbow", "rainbow", "colours")
        return replace(self, hand=hand)


PRESETS: Final = {
    "standard": FireworksOptions(),
    "lenient": FireworksOptions(strict=False),
    "six": FireworksOptions(colours=6),
    "six_single": FireworksOptions(colours=6, single=True),
    "rainbow": FireworksOptions(colours=6, rainbow=True),
    "perfect": FireworksOptions(end="play_on"),
    "small": FireworksOptions(colours=2, hand=2, tokens=3, lives=1),
}
