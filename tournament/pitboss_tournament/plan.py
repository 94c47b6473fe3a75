"""A tournament as it will be played: everything looked up, checked and resolved. Made by `config` from a file, or by the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from pitboss.wire import Clock


class Entrant(Struct, frozen=True, kw_only=True):
    """A bot that takes part: its name in the tournament, and how to start it."""

    name: str
    command: tuple[str, ...]
    folder: Path | None = None  # where it runs; None: where the runner runs


class Plan(Struct, frozen=True, kw_only=True):
    """A tournament: round-robin over all sets of `seats` entrants, each set playing `deals` duplicate deals in all rotations."""

    game: str
    options: Any  # the game's own, resolved
    seats: int
    seed: str
    deals: int
    entrants: tuple[Entrant, ...]
    clock: Clock
    fault_limit: int  # forfeited games after which a bot is out of the tournament
    games_at_once: int
    store: Path
