"""A study of a game: the figures of some variants, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from pitboss.simulation.game_setup import GameSetup
from pitboss_tournament.simulation.simulation import Simulation, simulate_games
from pitboss_tournament.study.hidden import HiddenInformation, measure_hidden
from pitboss_tournament.study.skill import SkillFigures
from pitboss_tournament.study.variants import table_label

HIDDEN_GAMES: Final = 20  # random games in which is counted what is hidden, at every decision


class VariantStudy(Struct, frozen=True, kw_only=True):
    """One variant of a game at one size of table."""

    label: str
    seats: int
    options: Annotated[Any, Meta(description="As resolved for the table.")]
    random: Annotated[Simulation, Meta(description="Games that are played at random, as by `pitboss simulate`.")]
    hidden: HiddenInformation
    skill: SkillFigures | None


class GameStudy(Struct, frozen=True, kw_only=True):
    """All variants that were studied."""

    game: str
    title: str
    game_version: str
    seed: str
    variants: list[VariantStudy]


def study_random_play(
    setup: GameSetup, games: int, seed: str, on_game: Callable[[], None] = lambda: None
) -> VariantStudy:
    """Study a variant by random games; `on_game` is called after each.

    Raises:
        RandomGameError: the game raised something, or found no end.
    """
    random = simulate_games(setup.game, setup.seats, setup.variant.preset, setup.options, games, seed, on_game)
    seeds = [f"{seed}/game-{number}" for number in range(1, min(games, HIDDEN_GAMES) + 1)]
    return VariantStudy(
        label=table_label(setup),
        seats=setup.seats,
        options=setup.options,
        random=random,
        hidden=measure_hidden(setup, seeds),
        skill=None,
    )
