"""Instruments: what a page draws and a terminal says beside the cards, declared in the `presentation` of a game.

An instrument names counts of the game (`public_counts`), options, events and actions. It has no data of its own, so
that it shows nothing but what everybody may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct


class BidGrid(Struct, frozen=True, kw_only=True):
    """Bids as a grid of buttons in the middle of the table: those that are not legal stay where they are, pale."""

    action: Annotated[str, Meta(description="What a bid is called: its `do`.")]
    column: Annotated[str, Meta(description="The field of the bid that chooses the column.")]
    columns: Annotated[
        Sequence[str | int], Meta(description="The values of that field, from left to right; (): those that are legal.")
    ] = ()
    row: Annotated[str, Meta(description='The field of the bid that chooses the row; "": there is one row.')] = ""
    rows: Annotated[Sequence[str | int], Meta(description="The values of that field, from above.")] = ()
    beside: Annotated[Sequence[str], Meta(description="Other actions that stand below the grid, by their `do`.")] = ()


class Bidding(Struct, frozen=True, kw_only=True):
    """A table of who called what, with a column for each seat. A bidding begins when cards are dealt.

    It is over at one of the events that end it, or when a player has moved a card.
    """

    calls: Annotated[Mapping[str, str], Meta(description="By the event of a call: the template of its words.")]
    ends: Annotated[Sequence[str], Meta(description="Events after which nobody calls any more.")] = ()
    grid: BidGrid | None = None
    is_in_picture: Annotated[bool, Meta(description="The text of the game (`render`) has the calls already.")] = False


class AimTally(Struct, frozen=True, kw_only=True):
    """What each seat or side has made, of what it is to make: tricks of a contract or of a bid."""

    made: Annotated[str, Meta(description="A count of the seats.")]
    aim: Annotated[str, Meta(description="A count of the seats; partners add theirs, and one may have none.")]
    contract: Annotated[str, Meta(description='A count of the seat that plays the contract; "": there is none.')] = ""
    sides: Annotated[Sequence[str], Meta(description="Names of the sides; (): those of their players.")] = ()


class Track(Struct, frozen=True, kw_only=True):
    """A race to a number of points: a lane for each seat or side."""

    score: Annotated[str, Meta(description="A count of the seats; partners have the same.")]
    goal: Annotated[str, Meta(description="The option with the number of points; null or absent: there is no race.")]
    is_board: Annotated[
        bool, Meta(description="A board with pegs, in the middle; else a bar below the score of each seat.")
    ] = False


class PotAndCall(Struct, frozen=True, kw_only=True):
    """What the player on turn has to pay to call, beside the pot: read from counts of the roles bet and stack.

    Everybody sees whose turn it is: a game that keeps the turn secret declares no such instrument.
    """

    call: Annotated[str, Meta(description="The action that pays it, by its `do`: its button has the number.")]


class Direction(Struct, frozen=True):
    """Arrows that show which way the turns go, and who is next: read from the count of the role order."""


class Marks(Struct, frozen=True, kw_only=True):
    """What everybody knows of single cards, drawn on them: a count of the seats has a word for each card of a zone.

    The `values` of the presentation have other words for them; "" draws nothing.
    """

    count: Annotated[str, Meta(description="The count, a word for each card, parted by blanks, in the zone's order.")]
    zone: Annotated[str, Meta(description="The zone of each seat, by name without the number of its owner.")]


class TextPicture(Struct, frozen=True):
    """The text of the game (`render`) in the middle of a page, for a game without cards; a terminal shows it anyway."""


Instrument: TypeAlias = Bidding | AimTally | Track | PotAndCall | Direction | Marks | TextPicture
