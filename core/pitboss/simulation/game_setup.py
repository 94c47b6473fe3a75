"""Game setups: a game, a number of seats and resolved options; and the enumeration of option variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.table.randomness import Random

DEFAULTS: Final = "defaults"  # what people call a game without a preset


class OptionVariant(NamedTuple):
    """A preset (None: the defaults), and options that replace some of its values."""

    preset: str | None = None
    changes: Mapping[str, object] = MappingProxyType({})


@dataclass(eq=False)
class GameSetup:
    """A game at one table: the number of seats and the resolved options."""

    game: AnyGame
    seats: int
    options: Any  # the game's own
    variant: OptionVariant

    def __str__(self) -> str:
        preset = f", preset {self.variant.preset!r}" if self.variant.preset else ""
        return f"{self.game.name} with {self.seats} players{preset}"

    @property
    def label(self) -> str:
        """Seats and variant: "4 seats, preset 'pairs', turns=2"."""
        preset, changes = self.variant
        parts = [f"{self.seats} seats", *([f"preset {preset!r}"] if preset is not None else [])]
        return ", ".join(parts + [f"{name}={msgspec.json.encode(value).decode()}" for name, value in changes.items()])

    @property
    def observers(self) -> range:
        """The seats, and last the spectator."""
        return range(self.seats + 1)

    def deal(self, seed: str) -> AnyState:
        """Deal a game."""
        return self.game.deal(self.seats, self.options, Random(seed))


def make_setup(game: AnyGame, seats: int, variant: OptionVariant) -> GameSetup | None:
    """Return the setup; None if the game refuses these options for that number of seats."""
    try:
        options = resolve_options(game, seats, variant.preset, variant.changes)
    except OptionError:
        return None
    return GameSetup(game, seats, options, variant)


def list_presets(game: AnyGame) -> list[OptionVariant]:
    """Return the defaults and each preset."""
    return [OptionVariant(), *map(OptionVariant, game.presets)]


def list_single_changes(game: AnyGame, *, with_defaults: bool = False) -> list[OptionVariant]:
    """Return a variant for each value but the default (`with_defaults`: each value) of each option of few values."""
    return [
        OptionVariant(None, {option.encode_name: value})
        for option in option_fields(game)
        for value in list_value_choices(option.type)
        if with_defaults or value != option.default
    ]


def option_fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    """Return the fields of the game's options."""
    described = inspect.type_info(game.Options)
    return described.fields if isinstance(described, inspect.StructType) else ()


def list_value_choices(kind: inspect.Type) -> list[object]:
    """Return all values of a type that has few of them, such as truth values and literals; else none."""
    match kind:
        case inspect.Metadata():
            return list_value_choices(kind.type)
        case inspect.UnionType():
            return [value for member in kind.types for value in list_value_choices(member)]
        case inspect.BoolType():
            return [False, True]
        case inspect.LiteralType():
            return list(kind.values)
    return []
