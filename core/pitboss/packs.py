"""Packs: what can stand in for an ordinary pack of 52 playing cards, so that a game for one can be played with another's cards.

A plugin offers a pack by the hook `pitboss_packs`; a game that likes to be played with any pack has an option with its name and asks for it here:
neither has to know the other.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct

from pitboss.errors import OptionError
from pitboss.options import suggest_nearest

SUITS: Final = ("S", "H", "D", "C")  # spades, hearts, diamonds, clubs
RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")


class Pack(Struct, frozen=True, kw_only=True):
    """52 cards in the order of `SUITS`, in each of `RANKS`; and jokers.

    Raises:
        ValueError: they are not 52, or two faces are equal (jokers may be).
    """

    name: str  # as it is typed: `standard`
    title: str  # for people
    faces: tuple[str, ...]
    jokers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check it."""
        if len(self.faces) != len(SUITS) * len(RANKS) or len({*self.faces, *self.jokers[:1]}) != len(self.faces) + bool(
            self.jokers
        ):
            raise ValueError(
                f"pack {self.name!r}: 52 different faces are needed, none of them a joker's; it has {self.faces!r}"
            )


STANDARD_PACK: Final = Pack(
    name="standard",
    title="Ordinary playing cards",
    faces=tuple(suit + rank for suit in SUITS for rank in RANKS),
    jokers=("JOKER", "JOKER"),
)


def find_pack(name: str) -> Pack:
    """Return a pack by its name: the standard one, or one that an installed plugin offers.

    Raises:
        OptionError: there is no such pack.
    """
    if name == STANDARD_PACK.name:
        return STANDARD_PACK
    packs = _installed()
    if name not in packs:
        raise OptionError(
            f"no pack {name!r} is installed{suggest_nearest(name, packs)}; there are: {', '.join(sorted(packs))}"
        )
    return packs[name]


@cache
def _installed() -> dict[str, Pack]:
    from pitboss.plugins import Registry  # only here: the registry knows games, and games know this

    return Registry().packs
