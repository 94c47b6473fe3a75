"""Packs: sets of 52 cards that can replace ordinary playing cards in a game.

A plugin offers a pack by the hook `pitboss_packs`. A game that can be played with any pack has an option with the name
of a pack and finds the pack by `pitboss.plugins.registry.find_pack`: neither plugin has to know the other.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

SUITS: Final = ("S", "H", "D", "C")  # spades, hearts, diamonds, clubs
RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")


def suit_of(face: object) -> str:
    """Return the suit of an ordinary playing card: "H10" is of "H"."""
    return str(face)[0]


def rank_of(face: object) -> str:
    """Return the rank of an ordinary playing card: that of "H10" is "10"."""
    return str(face)[1:]


class Pack(Struct, frozen=True, kw_only=True):
    """52 cards in the order of `SUITS`, in each of `RANKS`; and jokers.

    Raises:
        ValueError: there are not 52 different faces, or one of them is a joker's (jokers may be equal).
    """

    name: str  # as people type it: `standard`
    title: str  # as people read it
    faces: tuple[str, ...]
    jokers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.faces) != len(SUITS) * len(RANKS) or len({*self.faces} - {*self.jokers}) != len(self.faces):
            raise ValueError(
                f"pack {self.name!r}: 52 different faces are needed, none of them a joker's; it has {self.faces!r}"
            )


STANDARD_PACK: Final = Pack(
    name="standard",
    title="Ordinary playing cards",
    faces=tuple(suit + rank for suit in SUITS for rank in RANKS),
    jokers=("JOKER", "JOKER"),
)
