"""The options of RAGAMARU: section 4 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss_ragamaru.deck import places_in

STOCK_A_PLAYER: Final = 2  # cards that must stay in the stock for each player


class RagamaruOptions(Options, frozen=True):
    """What RAGAMARU can be played with. What is null is decided by another option."""

    conversion: Annotated[
        bool | None,
        Meta(description="With the 2 Conversion cards or without. null: with them, unless `level` is beginner."),
    ] = None
    loop: Annotated[bool, Meta(description="With the 4 Loop cards, which move seats, or without.")] = True
    level: Annotated[
        Literal["beginner", "advanced"] | None,
        Meta(description="Another way to say `conversion`: beginner is without Conversion cards, advanced with them."),
    ] = None
    hand_size: Annotated[
        int, Meta(ge=3, le=10, description="Cards dealt to each player; two for each player must stay in the stock.")
    ] = 7
    teams: Annotated[
        Literal[0, 2, 3, 4, 5],
        Meta(
            description="0: each for himself. Otherwise so many teams of two or more, seat s in team s modulo teams; "
            "a team wins when one of its members goes out."
        ),
    ] = 0
    first_colour: Annotated[
        Literal["loser", "random"],
        Meta(
            description="The first colour is named by the loser of the lot, who is no partner of the starter, or "
            "drawn by lot."
        ),
    ] = "loser"
    max_same: Annotated[
        Literal[2, 3, 4],
        Meta(
            description="Most cards of one family (equal number or equal kind) in one play. The first must fit, the "
            "last is the new top."
        ),
    ] = 2
    after_draw: Annotated[
        Literal["any", "drawn"],
        Meta(description="After drawing a card: any play, or only plays that contain the drawn card."),
    ] = "any"
    decline: Annotated[
        Literal["draw", "free"],
        Meta(description="A player who could play may decline only by drawing a card, or may also pass at once."),
    ] = "draw"
    advantage: Annotated[
        Literal["coloured", "wild"],
        Meta(
            description="Advantage cards must fit the field like other coloured cards, or may be played on anything "
            "outside an attack."
        ),
    ] = "coloured"
    scoring: Annotated[
        Literal["places", "win", "margin"],
        Meta(
            description="places: opponents beaten, ties half. win: 1 for the first place, shared equally. margin: how "
            "many cards fewer than the others on average. Teams: places."
        ),
    ] = "places"
    max_turns: Annotated[
        int,
        Meta(
            ge=100,
            le=100_000,
            description="Turns, rests included, after which the game ends and the cards left are counted.",
        ),
    ] = 2000

    def resolve(self, seats: int) -> Self:
        """Return the options for `seats` players, with no null left.

        Raises:
            OptionError: section 4 excludes the combination.
        """
        conversion = self._resolve_conversion()
        cards = len(places_in(conversion, self.loop))
        most = cards // seats - STOCK_A_PLAYER
        if self.hand_size > most:
            raise OptionError(
                f"ragamaru: hand_size is {self.hand_size}; with {seats} players and {cards} cards it is 3 to {most}, "
                f"so that {STOCK_A_PLAYER} cards a player stay in the stock",
                "hand_size",
            )
        self._check_teams(seats)
        return replace(self, conversion=conversion, level="advanced" if conversion else "beginner")

    def _resolve_conversion(self) -> bool:
        """Section 4: `level` is an alias of `conversion`; they must not contradict each other."""
        if self.level is None:
            return self.conversion is not False
        advanced = self.level == "advanced"
        if self.conversion not in (None, advanced):
            raise OptionError(
                f"ragamaru: level is {self.level!r}, which means conversion {str(advanced).lower()}; conversion is "
                f"{str(self.conversion).lower()}",
                "level",
                "conversion",
            )
        return advanced

    def _check_teams(self, seats: int) -> None:
        """D36: all teams are equally large, and nobody is one alone; every member gets the team's place score."""
        teams = self.teams
        if teams and (seats % teams or seats // teams < 2):
            fitting = [str(count) for count in (2, 3, 4, 5) if seats % count == 0 and seats // count >= 2]
            raise OptionError(
                f"ragamaru: teams is {teams}; with {seats} players it is {' or '.join(['0', *fitting])}", "teams"
            )
        if teams and self.scoring != "places":
            raise OptionError(
                f"ragamaru: scoring is {self.scoring!r}; teams are scored by 'places' (teams is {teams})",
                "scoring",
                "teams",
            )


PRESETS: Final = {
    "beginner": RagamaruOptions(conversion=False),
    "beginner_fixed_seats": RagamaruOptions(conversion=False, loop=False),
    "advanced": RagamaruOptions(conversion=True),
    "advanced_fixed_seats": RagamaruOptions(conversion=True, loop=False),
    "literal": RagamaruOptions(conversion=True, max_same=4, advantage="wild"),  # D4, D6
}
