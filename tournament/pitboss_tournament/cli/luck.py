"""The luck of the draw, as commands that show results take it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from pitboss_tournament.plan.plan import Reduce
    from pitboss_tournament.statistics.control_variate import SeatLuck
    from pitboss_tournament.store.store import Store


def choose_luck(store: Store, asked: Reduce | None) -> SeatLuck | None:
    """Return the luck to take out of the results: by default as the tournament says; None if none is taken out.

    What the store keeps is used. If it was asked for, games that lack it are measured now.

    Raises:
        ConfigError: it was asked for, and the game has no evaluation.
    """
    from pitboss_tournament.results.summary import kept_luck

    if asked is None:
        return kept_luck(store)
    return {**store.luck(), **_measure_missing(store)} if asked == "luck" else None


def _measure_missing(store: Store) -> SeatLuck:
    from pitboss.game import resolve_options
    from pitboss.records.luck import check_evaluable
    from pitboss_tournament.playing.luck_measurement import find_unmeasured, measure_luck_of_games

    numbers = find_unmeasured(store)
    if not numbers:
        return {}
    header = store.header
    game = load_registry().find_game(header.game)
    check_evaluable(game, header.seats, resolve_options(game, header.seats, overrides=header.options))
    print_note(f"measuring the luck of the draw in {len(numbers):,} games …")
    return dict(measure_luck_of_games(store, numbers, game))
