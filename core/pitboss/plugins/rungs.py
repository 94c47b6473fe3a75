"""Rungs: frozen opponents of known strength, by which a bot for a game is measured.

A plugin offers the rungs of a game by the hook `pitboss_rungs`. Each is a bot with a name, and can be named `rung:1`,
`rung:2`, … wherever a bot of this game is named. A bot's rung is the one whose strength is nearest to its own.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

RUNG_PREFIX: Final = "rung:"


class MeasuredRung(Struct, frozen=True, kw_only=True):
    """One opponent, with its strength as it was measured."""

    bot: str  # as people type it: `house:search?worlds=64`
    strength: float  # above that of the game's own bot, in the unit of its game
    half_width: float | None  # of the 95 % interval; None: the strength is the zero of the scale
    deals: int  # that it was measured on


class GameRungs(Struct, frozen=True, kw_only=True):
    """The rungs of a game, the weakest first, and the tables at which they were measured.

    Raises:
        ValueError: there are none, or they do not ascend.
    """

    name: str  # the game's
    seats: int
    preset: str | None  # of the game's options; None: its defaults
    unit: Literal["rating", "points"]  # Elo-like points of a rating, or points of the game where all play together
    deals: int  # that tell a bot's rung within about one rung to either side
    rungs: tuple[MeasuredRung, ...]

    def __post_init__(self) -> None:
        strengths = [rung.strength for rung in self.rungs]
        if not strengths or strengths != sorted(strengths):
            raise ValueError(f"the rungs of {self.name!r} must ascend in strength; they have {strengths}")
