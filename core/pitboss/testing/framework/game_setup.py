"""Settings: the tables that a game is put to, each a number of seats and a set of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.table.randomness import Random

MAX_DECISIONS: Final = 200_000


class GameSetup:
    """A game at one table: how many play, with which options; and how it is examined."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        label: str,
        options: Any,  # noqa: ANN401 - the game's own options
        seed: str = "conformance",
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        self.game = game
        self.seats = seats
        self.label = label
        self.options = options
        self.seed = seed
        self.max_decisions = max_decisions  # decisions after which a game counts as endless
        self.action_pool: dict[bytes, Any] = {}  # every action that was ever legal here, by its JSON
        self.met_phases: set[str] = set()  # those that some game came to

    def __str__(self) -> str:
        return f"game {self.game.name}, {self.label}"

    @property
    def observers(self) -> range:
        """All who can look at the table: the seats, and last the spectator."""
        return range(self.seats + 1)

    def deal(self, seed: str) -> AnyState:
        """Begin a game."""
        return self.game.deal(self.seats, self.options, Random(seed))


def enumerate_setups(
    game: AnyGame, seats: Sequence[int] | None, presets: Sequence[str] | None, given: Mapping[str, object]
) -> Iterator[GameSetup]:
    """Yield the defaults and each preset for each number of seats, as far as they go together; no two the same.

    If presets are named it is these alone; if none is, the defaults alone.
    """
    for count in seats if seats is not None else game.seats:
        met = []
        for preset in (None, *game.presets) if presets is None else presets or (None,):
            try:
                options = resolve_options(game, count, preset, given)
            except OptionError:
                continue
            if options not in met:
                met.append(options)
                yield GameSetup(game, count, _describe_setup(count, preset, given), options)


def enumerate_variations(game: AnyGame, seats: Sequence[int] | None, known: Sequence[GameSetup]) -> Iterator[GameSetup]:
    """Yield settings with one option changed (every truth value and every literal), each for the first number of seats that allows it."""
    met = [setting.options for setting in known]
    for name, value in _enumerate_changes(game):
        for count in seats if seats is not None else game.seats:
            try:
                options = resolve_options(game, count, overrides={name: value})
            except OptionError:
                continue
            if options not in met:
                met.append(options)
                yield GameSetup(game, count, _describe_setup(count, None, {name: value}), options)
            break


def enumerate_edge_options(game: AnyGame) -> Iterator[tuple[str, object]]:
    """Yield an option and a value of its type, one after another: every literal, and the numbers about its bounds."""
    yield from _enumerate_changes(game)
    for one in _option_fields(game):
        for number in _enumerate_bounds(one.type):
            yield one.encode_name, number


def _enumerate_changes(game: AnyGame) -> Iterator[tuple[str, object]]:
    for one in _option_fields(game):
        for value in _enumerate_values(one.type):
            if value != one.default:
                yield one.encode_name, value


def _option_fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(game.Options)
    return described.fields if isinstance(described, inspect.StructType) else ()


def _enumerate_values(kind: inspect.Type) -> Iterator[object]:
    """Yield the values of a type that has few of them."""
    match kind:
        case inspect.Metadata():
            yield from _enumerate_values(kind.type)
        case inspect.UnionType():
            for part in kind.types:
                yield from _enumerate_values(part)
        case inspect.BoolType():
            yield from (False, True)
        case inspect.LiteralType():
            yield from kind.values
        case _:
            return


def _enumerate_bounds(kind: inspect.Type) -> Iterator[int]:
    match kind:
        case inspect.Metadata():
            yield from _enumerate_bounds(kind.type)
        case inspect.UnionType():
            for part in kind.types:
                yield from _enumerate_bounds(part)
        case inspect.IntType():
            low = kind.ge if kind.ge is not None else -1
            high = kind.le if kind.le is not None else low + 1000
            yield from sorted({low, low + 1, low + 2, high})
        case _:
            return


def _describe_setup(seats: int, preset: str | None, given: Mapping[str, object]) -> str:
    parts = [f"{seats} seats"]
    if preset is not None:
        parts.append(f"preset {preset!r}")
    parts += [f"{name}={msgspec.json.encode(value).decode()}" for name, value in given.items()]
    return ", ".join(parts)
