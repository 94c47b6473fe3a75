"""The luck of the draw, as commands that show results take it out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pitboss.game import resolve_options
from pitboss.records.luck import check_evaluable
from pitboss_tournament.audit.luck_measurement import find_unmeasured, keep_luck
from pitboss_tournament.cli.output import print_note, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.counting.stored_findings import kept_luck
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.progress import Pace, format_seconds

if TYPE_CHECKING:
    from pitboss_tournament.plan.plan import Reduce
    from pitboss_tournament.statistics.control_variate import SeatLuck


def choose_luck(store: Store, asked: Reduce | None) -> SeatLuck | None:
    """Return the luck to take out of the results: by default as the tournament says; None if none is taken out.

    What the store keeps is used. If it was asked for, games that lack it are measured now, and kept.

    Raises:
        ConfigError: it was asked for, and the game has no evaluation.
    """
    if asked is None:
        return kept_luck(store)
    return {**store.kept.luck(), **measure_missing_luck(store)} if asked == "luck" else None


def measure_luck_of_stores(files: Sequence[Path], asked: Reduce | None) -> None:
    """Measure and keep the luck in each of several stores if it was asked for: what is shown is a copy of them all."""
    if asked == "luck" and len(files) > 1:
        for path in files:
            store = Store(path)
            if os.access(path, os.W_OK):
                measure_missing_luck(store)
            store.close()


def measure_missing_luck(store: Store) -> SeatLuck:
    """Measure the games of a store that lack their luck, keep it in the store, and return it; progress is shown.

    Raises:
        ConfigError: the game has no evaluation.
    """
    numbers = find_unmeasured(store)
    if not numbers:
        return {}
    header = store.header
    game = load_registry().find_game(header.game)
    check_evaluable(game, header.seats, resolve_options(game, header.seats, overrides=header.options))
    print_note(f"measuring the luck of the draw in {len(numbers):,} games …")
    pace, done = Pace(0, monotonic()), count(1)
    with progress_line(len(numbers)) as show_step:

        def show_game() -> None:
            games = next(done)
            speed = pace.measure(games, monotonic())
            left = f", {format_seconds((len(numbers) - games) / speed)} left" if speed else ""
            show_step(f" games measured{left}")

        return keep_luck(store, game, numbers, show_game, print_note)
