"""Seed of a tournament whose file names none. It must not be guessable: whoever knows it knows every card."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Final

from pitboss.errors import PitbossError
from pitboss_tournament.store.store import Store

_BYTES: Final = 8  # bots receive a hash of the seed in `hello`; 4 bytes could be searched


def draw_seed() -> str:
    """Return a seed that has not been used before; it is printed, so that the run can be repeated."""
    return token_hex(_BYTES)


def seed_for_store(store: Path) -> str:
    """Return the seed of the tournament that a store has, or else a fresh one."""
    try:
        with closing(Store(store)) as kept:
            return kept.header.seed
    except PitbossError:
        return draw_seed()  # no store, or no readable one: an error of whoever plays into it
