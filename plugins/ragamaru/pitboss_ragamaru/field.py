"""The field, which cards fit it, and the threats that stand: sections 2.1, 2.2 and 2.5 of the rule book.

Sets of cards are bit masks of their places in the box; see `cards`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET

from pitboss_ragamaru.cards import (
    BOX,
    CARDS,
    COLOURS,
    FIRST_PLACE,
    KINDS,
    NUMBER,
    NUMBERS,
    AttackKind,
    Colour,
    colour_of,
    kind_of,
    number_of,
)
from pitboss_ragamaru.messages import Field, Pending

BITS: Final = tuple(1 << place for place in range(CARDS))


def lowest_place(mask: int) -> int:
    """Return the first place of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def mask_of(places: Iterable[int]) -> int:
    """Return the mask of different places."""
    return sum(map(BITS.__getitem__, places))


OF_KIND: Final = {
    kind: mask_of(at for at, face in enumerate(BOX) if kind_of(face) == kind)
    for kind in dict.fromkeys(map(kind_of, BOX))
}
FACE_MASKS: Final = {face: mask_of(at for at, other in enumerate(BOX) if other == face) for face in FIRST_PLACE}
OF_COLOUR: Final = {
    colour: mask_of(at for at, face in enumerate(BOX) if colour_of(face) == colour) for colour in COLOURS
}
OF_NUMBER: Final = {n: mask_of(at for at in range(NUMBERS) if number_of(BOX[at]) == n) for n in range(1, 16)}
ALL_NUMBERS: Final = OF_KIND[NUMBER]
HAVE_COLOUR: Final = sum(OF_COLOUR.values())
ONLY_ANSWERS: Final = OF_KIND["CV"] | OF_KIND["TMO"]
ALWAYS_FIT: Final = OF_KIND["RES"] | OF_KIND["SIN"] | OF_KIND["RAG"]


class Top(NamedTuple):
    """The field, from the top card and the colour and number named, and the mask of the cards that fit it."""

    field: Field
    fits: int


@cache  # there are fewer than 400
def top_of(face: str, wild_advantage: bool, colour: Colour | None = None, number: int | None = None) -> Top:
    """2.1: return the field with a card as the new top.

    `colour` and `number` are those named, or the colour is that of the Try beneath a Conversion.
    """
    kind = kind_of(face)
    field = Field(
        card=face,
        colour=colour_of(face) or colour,
        number=number_of(face) or number,
        kind=kind if kind in KINDS else None,  # type: ignore[arg-type]
        free=face == "RAG",
    )
    return Top(field, fitting_cards(field, wild_advantage))


def fitting_cards(field: Field, wild_advantage: bool) -> int:
    """2.2: return the cards that fit a field, each alone: not TMO and CV (D11, D13).

    D4: an Advantage fits by its colour, unless it is wild.
    """
    fits = ALWAYS_FIT | (OF_KIND["ADV"] if wild_advantage else 0)
    if field.free:
        return fits | HAVE_COLOUR
    if field.colour is not None:
        fits |= OF_COLOUR[field.colour]
    if field.number is not None:
        fits |= OF_NUMBER[field.number]
    if field.kind is not None:
        fits |= OF_KIND[field.kind]  # D5
    return fits


@cache
def answering_cards(kind: str, converted: bool) -> int:
    """2.5: return the cards that answer an attack.

    They are TMO; and unless the attack is converted, its own kind and, on a Try, Conversion.
    """
    if converted:
        return OF_KIND["TMO"]
    return OF_KIND["TMO"] | OF_KIND[kind] | (OF_KIND["CV"] if kind == "TRY" else 0)


def count_stuck(held: int) -> int:
    """Return how many cards of a hand can neither be played outside an attack nor be put away by an Advantage."""
    if not held & ONLY_ANSWERS:
        return 0
    conversions = (held & OF_KIND["CV"]).bit_count() - (held & OF_KIND["TRY"]).bit_count()
    stuck = (held & OF_KIND["TMO"]).bit_count() + max(0, conversions)
    return max(0, stuck - (held & OF_KIND["ADV"]).bit_count())


BASE_DRAWS: Final[dict[str, int]] = {"TRY": 5, "PG": 3, "DG": 3}  # cards to draw for each card played
CONVERSION_DRAWS: Final = 2  # more
RESTS_A_SIN_BIN: Final = 2  # for each Sin Bin


class Attack(NamedTuple):
    """An attack: cards to draw, unless the player answers it."""

    kind: AttackKind
    draw: int
    converted: bool


class SinBin(NamedTuple):
    """A Sin Bin: turns to rest, unless the player answers it."""

    rests: int


Threat: TypeAlias = Attack | SinBin | None


def threat_message(threat: Threat) -> Pending | None:
    """Return a threat in the form of views and positions."""
    if isinstance(threat, Attack):
        return Pending(attack=threat.kind, draw=threat.draw, converted=threat.converted)
    return Pending(sin=threat.rests) if threat else None


def threat_of(pending: Pending | None) -> Threat:
    """Return the threat that `pending` describes.

    Raises:
        ValueError: `pending` is neither an attack nor rests, or is both.
    """
    if pending is None:
        return None
    kind, draw, rests = pending.attack, pending.draw, pending.sin
    if kind is not UNSET and draw is not UNSET and rests is UNSET:
        return Attack(kind, draw, pending.converted is True)
    if rests is not UNSET and kind is UNSET and draw is UNSET and pending.converted is UNSET:
        return SinBin(rests)
    raise ValueError("an attack has `attack`, `draw` and `converted`, a Sin Bin has `sin`")
