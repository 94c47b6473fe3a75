"""The messages of Lucky Maker: options, action, view and position (sections 4 and 6 of the rule book)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import Options
from pitboss.options import CARD, IN_ZONES, SeatIndex
from pitboss_lucky_maker.cards import DECK, Pair, Suit


class LuckyMakerOptions(Options, frozen=True):
    """What Lucky Maker can be played with."""

    games: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Games of the series, each with a fresh deal, points added; 0: as many as players.",
        ),
    ] = 0
    tie_lead: Annotated[
        Literal["same", "winner"],
        Meta(
            description="Who leads to the next trick when the highest number lay on the table twice, the master's "
            "counted (exception 4): "
            'the same leader again ("same"), or who won the trick.'
        ),
    ] = "same"
    void_lead: Annotated[
        Literal["same", "next"],
        Meta(
            description="Who leads to the next trick when nobody had a suit of the master (exception 3): "
            'the same leader again ("same"), or the player on the leader\'s left ("next").'
        ),
    ] = "same"
    start: Annotated[
        Literal["rotate", "random", "seat0"],
        Meta(
            description='Who leads first: "rotate": by lot in game 1, then one seat on in each game; "random": by lot '
            "in each game; "
            '"seat0": seat 0 in game 1, then one seat on.'
        ),
    ] = "rotate"

    def resolve(self, seats: int) -> Self:
        """Return the options for a table: section 6 of the sheet advises as many games as players (D12)."""
        return replace(self, games=self.games or seats)


PRESETS: Final = {
    "series": LuckyMakerOptions(),
    "single": LuckyMakerOptions(games=1),
    "winner_leads": LuckyMakerOptions(tie_lead="winner"),
}


Card = Annotated[
    str,
    CARD,
    Meta(
        pattern="^[RBG](10|[1-9])[BGY](10|[1-9])$",
        description="A card by its two suits, in the order R, B, G, Y, and their numbers, which add up to 11: R4B7.",
    ),
]
SeatCard: TypeAlias = tuple[SeatIndex, Card]
Points = Annotated[int, Meta(ge=0)]


class Play(Struct, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play a card from your hand: one with a suit of the master card if you hold any."""

    card: Card


PLAYS = tuple(Play(str(face)) for face in DECK.faces)  # by card: made once, and shared by all legal lists


class Trick(Struct, frozen=True):
    """A finished trick."""

    master: Card
    lead: SeatIndex
    cards: Annotated[tuple[SeatCard, ...], Meta(description="[seat, card] in the order of play.")]
    follow: Annotated[Suit | None, Meta(description="The suit that decided; null: nobody had a suit of the master.")]
    winner: Annotated[SeatIndex | None, Meta(description="The seat that won; null: nobody, the trick was removed.")]
    points: int
    rules: Annotated[
        tuple[int, ...],
        Meta(
            description="The exceptions that applied. 1: both suits were played equally often, so the master's larger "
            "number decided; 2: the master "
            "was higher than all; 3: nobody had a suit of it; 4: the highest number lay there twice."
        ),
    ]


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know. The phase is always `play`."""

    hand: Annotated[
        list[Card], IN_ZONES, Meta(description="Your own cards, in canonical order; empty for a spectator.")
    ]
    master: Annotated[Card | None, IN_ZONES, Meta(description="The open master card; null when the game is over.")]
    trick: Annotated[list[SeatCard], Meta(description="[seat, card] as played to this trick so far.")]
    lead: Annotated[SeatIndex, Meta(description="The seat that led to this trick.")]
    trick_no: Annotated[int, Meta(description="From 1.")]
    tricks: Annotated[int, Meta(description="Tricks of a game: 15, 12 or 10.")]
    scores: Annotated[list[int], Meta(description="Points in this game, by seat.")]
    totals: Annotated[list[int], Meta(description="Points of the earlier games of the series, by seat.")]
    game_no: Annotated[int, Meta(description="From 1.")]
    games: Annotated[int, Meta(description="Games of the series.")]
    history: Annotated[tuple[Trick, ...], Meta(description="The finished tricks of this game, the first one first.")]


class PlayedTrick(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished trick as a position writes it: who won it follows."""

    master: Card
    lead: Annotated[int, Meta(ge=0)]
    cards: Annotated[list[Card], Meta(description="In the order of play.")]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. What is null or left out is dealt at random from the cards that are not mentioned.

    How far the game has come is told by the hands, or else by `masters`, or else by `history`. If `history` does not
    reach back to the first trick, the cards that are mentioned nowhere belonged to the tricks before. With `deck` a
    game is dealt from that deck, and no cards may be given.
    """

    hands: list[list[Card | None]] | None = None
    masters: Annotated[list[Card | None] | None, Meta(description="The hidden masters, the next one first.")] = None
    master: Annotated[Card | None, Meta(description="The open master card; null when the game is over.")] = None
    trick: Annotated[list[Card], Meta(description="Played to this trick, in the order of play.")] = []
    lead: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="Who led, or leads, to this trick.")] = None
    start: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="Who led to the first trick of this game.")
    ] = None
    history: Annotated[list[PlayedTrick], Meta(description="The tricks before this one, the first one first.")] = []
    void: Annotated[
        list[Pair | None] | None,
        Meta(
            description="By seat: two suits of which it is known to hold none, beside what `history` and `trick` tell."
        ),
    ] = None
    scores: Annotated[
        list[Points] | None, Meta(description="Points in this game, by seat; null: those of `history`.")
    ] = None
    totals: Annotated[list[Points] | None, Meta(description="Points of the earlier games, by seat; null: none.")] = None
    game_no: Annotated[int, Meta(ge=1, description="From 1.")] = 1
    deck: Annotated[list[Card] | None, Meta(description="The whole deck, top first.")] = None
