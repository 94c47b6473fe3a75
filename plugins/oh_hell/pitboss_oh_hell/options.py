"""The options of Oh Hell: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options

PACK: Final = 52
LARGEST_HANDS: Final = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}  # O2: by players, the cards of the first hand


class OhHellOptions(Options, frozen=True):
    """What Oh Hell can be played with."""

    most: Annotated[
        Annotated[int, Meta(ge=1, le=17)] | None,
        Meta(description="Cards of the largest hand; by default 10, with six players 8, with seven 7."),
    ] = None
    order: Annotated[
        Literal["down", "up", "down_up", "up_down", "most"],
        Meta(description='How hands grow and shrink, between one card and `most`; "most": one deal of so many.'),
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
