"""What follows for a tournament where nobody says it: its seed, the seats at a table, the sides of its game."""

from __future__ import annotations

from contextlib import closing
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame, find_sides
from pitboss.outcome import Sides
from pitboss_tournament.store.store import Store

_SEED_BYTES: Final = 8  # bots receive a hash of the seed in `hello`; 4 bytes could be searched


def draw_seed() -> str:
    """Return a seed that has not been used before; it is printed, so that the run can be repeated.

    It must not be guessable: whoever knows it knows every card.
    """
    return token_hex(_SEED_BYTES)


def seed_for_store(store: Path) -> str:
    """Return the seed of the tournament that a store has, or else a fresh one."""
    try:
        with closing(Store(store)) as kept:
            return kept.header.seed
    except PitbossError:
        return draw_seed()  # no store, or no readable one: an error of whoever plays into it


def default_seats(game: AnyGame, bots: int) -> int:
    """Return the seats at a table for so many bots: all bots if the game allows that, else its smallest number."""
    return bots if bots in game.seats else min(game.seats)


def shared_sides(game: AnyGame, seats: int, options: Any) -> Sides | None:  # noqa: ANN401 - the game's own
    """Return the sides of a game with resolved options; None if every seat plays for itself.

    Raises:
        ConfigError: a seat is on no side, or on two.
    """
    sides = find_sides(game, seats, options)
    if sorted(chain(*sides)) != list(range(seats)):
        raise ConfigError(f"the sides of {game.name} are {sides!r}; each of the seats 0 to {seats - 1} belongs to one")
    return sides if len(sides) < seats else None
