"""A study of a game: its variants side by side, what is hidden in each, and the figures of games played at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import ConfigError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.simulation.game_setup import (
    DEFAULTS,
    GameSetup,
    OptionVariant,
    list_presets,
    list_single_changes,
    make_setup,
)
from pitboss.simulation.random_play import make_random_chooser, play_decisions
from pitboss.text import format_count
from pitboss_tournament.simulation.simulation import Simulation, simulate_games
from pitboss_tournament.statistics.part_effects import PartEffects
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.study.skill import SkillFigures

HIDDEN_GAMES: Final = 20  # random games in which is counted what is hidden, at every decision

MAX_STUDIED_DECISIONS = 2_000  # of one game that are looked at


class VariantStudy(Struct, frozen=True, kw_only=True):
    """One variant of a game at one size of table."""

    label: str
    seats: int
    options: Annotated[Any, Meta(description="As resolved for the table.")]
    random: Annotated[Simulation, Meta(description="Games that are played at random, as by `pitboss simulate`.")]
    hidden: HiddenInformation
    skill: SkillFigures | None
    parts: Annotated[
        PartEffects | None, Meta(description="What parts of loadouts are worth, such as cards of decks; null: unknown.")
    ] = None


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


class HiddenInformation(Struct, frozen=True, kw_only=True):
    """What the player on turn does not know at a decision: means over decisions."""

    deck: Annotated[int, Meta(description="Cards of the deck.")]
    known_to_others: Annotated[
        float, Meta(description="Cards that another player knows, and the one on turn does not.")
    ]
    known_to_nobody: Annotated[float, Meta(description="Cards that no player knows: a stock, say.")]
    secrets_of_others: Annotated[
        float, Meta(description="Dice, bids and other secrets that another player knows, and the one on turn does not.")
    ]


def measure_hidden(setup: GameSetup, seeds: Sequence[str]) -> HiddenInformation:
    """Return what is hidden in random games with these seeds, each game counting as much as it has decisions."""
    known_to_others, known_to_nobody, secrets = RunningMoments(), RunningMoments(), RunningMoments()
    for seed in seeds:
        state = setup.deal(f"{seed}/deal")
        state.table.stop_logging()
        for turn, _ in play_decisions(state, make_random_chooser(setup.game.Action, seed), MAX_STUDIED_DECISIONS):
            others, nobody = count_unknown_cards(state, turn.seat)
            known_to_others.add(others)
            known_to_nobody.add(nobody)
            secrets.add(count_unknown_secrets(state, turn.seat))
    return HiddenInformation(
        deck=len(state.table.layout.deck),
        known_to_others=known_to_others.mean,
        known_to_nobody=known_to_nobody.mean,
        secrets_of_others=secrets.mean,
    )


def count_unknown_cards(state: AnyState, seat: int) -> tuple[int, int]:
    """Return the numbers of cards that a seat does not know: those that another player knows, and the rest."""
    table = state.table
    players = (1 << table.layout.seats) - 1  # without the spectator
    unknown = [mask & players for mask in table.known_by if not mask >> seat & 1]
    others = sum(mask != 0 for mask in unknown)
    return others, len(unknown) - others


def count_unknown_secrets(state: AnyState, seat: int) -> int:
    """Return the number of secret values that another player knows, and a seat does not."""
    players = (1 << state.table.layout.seats) - 1
    return sum(
        len(held.values) for held in state.table.secrets if held.known_by & players and not held.known_by >> seat & 1
    )


def choose_setups(
    game: AnyGame, variants: Sequence[OptionVariant], seats: Sequence[int], *, with_single_changes: bool
) -> list[GameSetup]:
    """Return a setup for each variant and number of seats that go together; equal tables are listed once.

    Without variants: the defaults and each preset, and `with_single_changes` each other value of options that have few.
    Without seats: as few as a variant allows.

    Raises:
        OptionError: a variant that is named, or a number of seats, is refused.
    """
    named = list(variants) or list_presets(game)
    found = [setup for one in named for setup in _seat_variant(game, one, seats, is_named=bool(variants))]
    changes = list_single_changes(game) if with_single_changes else []
    found += [setup for one in changes for setup in _seat_variant(game, one, seats, is_named=False)]
    distinct = [
        setup
        for number, setup in enumerate(found)
        if all((setup.seats, setup.options) != (other.seats, other.options) for other in found[:number])
    ]
    if not distinct:
        raise ConfigError(f"no variant of {game.name} is played by {' or '.join(map(str, seats))} players")
    return distinct


def _seat_variant(game: AnyGame, variant: OptionVariant, seats: Sequence[int], *, is_named: bool) -> list[GameSetup]:
    """Return the setups of one variant; one that `is_named` must be playable."""
    setups = [setup for count in seats or game.seats if (setup := make_setup(game, count, variant)) is not None]
    if is_named and not setups:
        resolve_options(game, (seats or game.seats)[0], variant.preset, variant.changes)  # says why not
    return setups if seats else setups[:1]


def variant_label(variant: OptionVariant) -> str:
    """Return how a person writes a variant: "short,hand=5"; the defaults are called so."""
    changes = (
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in variant.changes.items()
    )
    words = [*([variant.preset] if variant.preset else []), *changes]
    return ",".join(words) or DEFAULTS


def table_label(setup: GameSetup) -> str:
    """Return variant and seats: "short, 4 seats"."""
    return f"{variant_label(setup.variant)}, {format_count(setup.seats, 'seat')}"
