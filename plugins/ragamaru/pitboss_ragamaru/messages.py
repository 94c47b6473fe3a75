"""The messages of RAGAMARU: options, actions, view and position (sections 4 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.options import CARD, IN_ORDER, IN_ZONES, SeatIndex
from pitboss_ragamaru.cards import AttackKind, Colour, places_in

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
            description="Number of teams of two or more, seat s in team s modulo teams; 0: each for himself; "
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


Card = Annotated[
    str,
    CARD,
    Meta(
        description='Number cards R1 … R15, Y…, B…, K… (red, yellow, blue, black); coloured cards "R-TRY": TRY PG DG '
        "CUT KICK RET LOOP TO ADV; without colour CV RES TMO SIN RAG."
    ),
]
ColouredKind: TypeAlias = Literal["TRY", "PG", "DG", "CUT", "KICK", "RET", "LOOP", "TO", "ADV"]
Number = Annotated[int, Meta(ge=1, le=15)]
Phase = Literal["first_colour", "play", "drawn", "defend", "bin", "colour", "number", "discard"]
Result = Literal["out", "blocked", "limit"]


class Play(Struct, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play cards from your hand: one, several of the same number or kind, or a Try and a Conversion.

    The first must fit the field, or answer the attack; the last is the new top. What you draw or name follows as a
    decision of its own.
    """

    cards: Annotated[
        tuple[Card, ...],
        IN_ORDER,
        Meta(description="R5, R-TRY, RES: the first must fit, the last becomes the top card; so their order matters."),
    ]


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Draw one card; then you may play, or pass."""


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Let the turn go to the next player."""


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """Draw all the cards of the attack; then you have an ordinary turn."""


class Sit(Struct, frozen=True, tag_field="do", tag="sit", forbid_unknown_fields=True):
    """Serve the rests of the Sin Bin, the first one now."""


class Stop(Struct, frozen=True, tag_field="do", tag="stop", forbid_unknown_fields=True):
    """Discard nothing more."""


class NameColour(Struct, frozen=True, tag_field="do", tag="colour", forbid_unknown_fields=True):
    """Name the colour of the field."""

    colour: Colour


class NameNumber(Struct, frozen=True, tag_field="do", tag="number", forbid_unknown_fields=True):
    """Name the number of the field, after a Reserve."""

    number: Number


class Discard(Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True):
    """Put a card away, after an Advantage: it has no effect."""

    card: Card


Action: TypeAlias = Play | Draw | Pass | Take | Sit | Stop | NameColour | NameNumber | Discard


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """What has to be matched: the colour, the number or the kind, as far as there is one."""

    card: Annotated[str, CARD, Meta(description='The top card; "KO" is the kick-off card, before the first play.')]
    colour: Annotated[Colour | None, Meta(description="Its own, or the one that was named.")] = None
    number: Annotated[Number | None, Meta(description="Its own, or the one that was named with a Reserve.")] = None
    kind: Annotated[
        ColouredKind | None,
        Meta(description="Of a coloured card that is no number card: the same kind fits, whatever its colour."),
    ] = None
    free: Annotated[bool, Meta(description="After RAGAMARU: any number or coloured card fits.")] = False


class Pending(Struct, frozen=True, forbid_unknown_fields=True):
    """What threatens the player on turn: an attack (attack, draw, converted), or rests (sin)."""

    attack: Annotated[
        AttackKind | UnsetType, Meta(description="What was played: Tries, Penalty Goals or Drop Goals.")
    ] = UNSET
    draw: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | UnsetType, Meta(description="Cards to draw for whoever takes it.")
    ] = UNSET
    converted: Annotated[bool | UnsetType, Meta(description="A Conversion was played: only TMO answers it.")] = UNSET
    sin: Annotated[Annotated[int, Meta(ge=1, le=1000)] | UnsetType, Meta(description="Turns to rest.")] = UNSET


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know. Everything but your own hand is known to all."""

    turn_no: Annotated[int, Meta(description="Turns so far, rests included; above max_turns the game ends.")]
    hand: Annotated[list[Card], IN_ZONES, Meta(description="Your own cards in card order; empty for a spectator.")]
    field: Field
    pending: Annotated[
        Pending | None, Meta(description="An attack or a Sin Bin on the player on turn (in phase colour: on the next).")
    ]
    order: Annotated[
        list[int],
        Meta(
            description="The seats in the order of coming turns from you round; for a spectator from the player on "
            "turn round."
        ),
    ]
    direction: Annotated[Literal[1, -1], Meta(description="1: clockwise, -1: the other way.")]
    counts: Annotated[list[int], Meta(description="Cards in each hand.")]
    sin: Annotated[list[int], Meta(description="Turns that each player still has to rest.")]
    stock: Annotated[int, Meta(description="Cards in the stock.")]
    pile: Annotated[int, Meta(description="Played and discarded cards beneath the top card: the next stock.")]
    drawn: Annotated[Card | None, Meta(description="In phase drawn: the card that you have just drawn, else null.")]
    discards_left: Annotated[int, Meta(description="In phase discard: how many cards may still be put away, else 0.")]
    starter: Annotated[SeatIndex | None, Meta(description="In phase first_colour: who will start, else null.")]
    team: Annotated[list[int] | None, Meta(description="The team of each seat, null if each plays for himself.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. What is null or left out is dealt at random from the cards that are not mentioned.

    A list of cards that is given is complete, but a null in a hand or in the stock stands for any card; if the stock is
    given, cards mentioned nowhere lie in the box.
    """

    phase: Phase = "play"
    turn: Annotated[int, Meta(ge=0)] = 0
    turn_no: Annotated[int, Meta(ge=0, le=100_001)] = 1
    hands: list[list[Card | None]] | None = None
    stock: list[Card | None] | None = None  # top first
    pile: list[Card] = []  # oldest first, without the top card
    discards: list[Card] = []  # by Advantage; oldest first
    field: Field | None = None  # null: the kick-off card, with a colour drawn by lot
    pending: Pending | None = None
    sin: list[Annotated[int, Meta(ge=0, le=1000)]] | None = None  # null: nobody has to rest
    seating: list[int] | None = None  # clockwise; null: 0, 1, 2, …
    direction: Literal[1, -1] = 1
    drawn: Card | None = None  # in phase drawn; null: the last card of the hand
    discards_left: Annotated[int, Meta(ge=0)] = 0
    starter: int | None = None  # in phase first_colour; null: drawn by lot
    passed: list[int] = []  # seats that have passed since a card could last be played or drawn
    result: Result | None = None  # how it ended; then nobody is on turn
