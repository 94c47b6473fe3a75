"""The options of Rack-O: section 4 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options

DECK_SIZES: Final = {2: 40, 3: 50, 4: 60}  # S3


class RackoOptions(Options, frozen=True):
    """What Rack-O can be played with. What is null is decided by the number of players or by another option."""

    deck_size: Annotated[
        int | None,
        Meta(description="Cards 1..deck_size are in play, 10n+2 to 60; null: 40, 50 or 60 for 2, 3 or 4 players."),
    ] = None
    target: Annotated[int, Meta(ge=1, description="Points that end the game.")] = 500
    bonus_runs: Annotated[bool, Meta(description="The declarer's longest run scores 50, 100, 200 or 400 more.")] = False
    declare: Annotated[
        Literal["auto", "choice"] | None,
        Meta(
            description='"auto": a complete rack ends the round; "choice": the player may wait; null: "choice" with '
            "bonus runs."
        ),
    ] = None
    min_run: Annotated[Literal[0, 3], Meta(description="3: a RACK-O needs a run of three cards (2 players only).")] = 0
    partners: Annotated[bool, Meta(description="Seats 0+2 against 1+3, scores added (4 players only).")] = False
    may_return_discard: Annotated[
        bool, Meta(description="A player may take the discard and put it back: the action `pass`.")
    ] = False
    first_dealer: Annotated[
        Literal["draw"] | int, Meta(description='Who deals first: "draw" (the highest of one card each), or a seat.')
    ] = "draw"
    max_turns: Annotated[int, Meta(ge=1, description="Turns per player after which a round is stalled.")] = 100
    stalled_round: Annotated[
        Literal["score", "void"],
        Meta(description='A stalled round scores 5 a card in order, or nothing ("void": needs max_rounds).'),
    ] = "score"
    max_rounds: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The game also ends after so many rounds.")
    ] = None
    tie: Annotated[
        Literal["shared", "extra_round"],
        Meta(description="Equal highest totals at the target: shared, or played on until one leads."),
    ] = "shared"
    restock_shuffle: Annotated[
        bool, Meta(description="The discards are shuffled when they become the new draw pile.")
    ] = False

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 4 says what does not go together."""
        deck_size = DECK_SIZES[seats] if self.deck_size is None else self.deck_size
        least = 10 * seats + 2
        if not least <= deck_size <= 60:
            raise OptionError(f"racko: deck_size is {deck_size}; with {seats} players it is {least} to 60", "deck_size")
        if self.min_run and seats != 2:
            raise OptionError(
                f"racko: min_run is {self.min_run}; that is for 2 players only, and {seats} play", "min_run"
            )
        if self.partners and seats != 4:
            raise OptionError(f"racko: partners is true; that is for 4 players only, and {seats} play", "partners")
        if self.first_dealer != "draw" and not 0 <= self.first_dealer < seats:
            raise OptionError(
                f"racko: first_dealer is {self.first_dealer}; with {seats} players it is 'draw' or 0 to {seats - 1}",
                "first_dealer",
            )
        if self.stalled_round == "void" and self.max_rounds is None:
            raise OptionError(
                "racko: stalled_round is 'void'; the game might never end, so it needs max_rounds",
                "stalled_round",
                "max_rounds",
            )
        declare = self.declare or ("choice" if self.bonus_runs else "auto")
        return replace(self, deck_size=deck_size, declare=declare)


PRESETS: Final = {
    "classic": RackoOptions(),
    "bonus": RackoOptions(bonus_runs=True),
    "duel_ja": RackoOptions(bonus_runs=True, declare="choice"),
    "duel_en": RackoOptions(min_run=3),
    "duel_en_bonus": RackoOptions(min_run=3, bonus_runs=True),
    "partners": RackoOptions(partners=True),
    "short": RackoOptions(max_rounds=1),
}
