"""The variants of a game that a study sets side by side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pitboss.errors import ConfigError
from pitboss.game import AnyGame, resolve_options
from pitboss.simulation.game_setup import (
    DEFAULTS,
    GameSetup,
    OptionVariant,
    list_presets,
    list_single_changes,
    make_setup,
)
from pitboss.text import format_count


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
