"""The seed of a tournament that names none: one that no bot can guess, as who knows it knows all cards."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Final

from pitboss.errors import PitbossError
from pitboss_tournament.store.store import Store

_BYTES: Final = 8  # a bot has the hash of the seed that `hello` brings it, and could try all of 4


def draw_seed() -> str:
    """Return a seed that has not been used before; it is printed, so that the run can be repeated."""
    return token_hex(_BYTES)


def seed_for_store(store: Path) -> str:
    """Return the seed of the tournament that a store has, or else a fresh one."""
    try:
        with closing(Store(store)) as kept:
            return kept.header.seed
    except PitbossError:
        return draw_seed()  # there is none; or what is there is no store, as whoever plays into it will say
