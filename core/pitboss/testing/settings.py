"""Settings: the tables that a game is put to, each a number of seats and a set of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState
from pitboss.options import resolved
from pitboss.randomness import Random

LONGEST: Final = 200_000


class Setting:
    """A game at one table: how many play, with which options; and how it is examined."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        label: str,
        options: Any,  # noqa: ANN401 - the game's own options
        seed: str = "conformance",
        longest: int = LONGEST,
    ) -> None:
        self.game = game
        self.seats = seats
        self.label = label
        self.options = options
        self.seed = seed
        self.longest = longest  # decisions after which a game counts as endless
        self.pool: dict[bytes, Any] = {}  # every action that was ever legal here, by its JSON
        self.phases: set[str] = set()  # those that some game came to

    def __str__(self) -> str:
        return f"game {self.game.name}, {self.label}"

    @property
    def everyone(self) -> range:
        """All who can look at the table: the seats, and last the spectator."""
        return range(self.seats + 1)

    def deal(self, seed: str) -> AnyState:
        """Begin a game."""
        return self.game.deal(self.seats, self.options, Random(seed))


def settings(
    game: AnyGame, seats: Sequence[int] | None, presets: Sequence[str] | None, given: Mapping[str, object]
) -> Iterator[Setting]:
    """Yield the defaults and each preset for each number of seats, as far as they go together; no two the same.

    If presets are named it is these alone; if none is, the defaults alone.
    """
    for count in seats if seats is not None else game.seats:
        met = []
        for preset in (None, *game.presets) if presets is None else presets or (None,):
            try:
                options = resolved(game, count, preset, given)
            except OptionError:
                continue
            if options not in met:
                met.append(options)
                yield Setting(game, count, _label(count, preset, given), options)


def variations(game: AnyGame, seats: Sequence[int] | None, known: Sequence[Setting]) -> Iterator[Setting]:
    """Yield settings with one option changed (every truth value and every literal), each for the first number of seats that allows it."""
    met = [setting.options for setting in known]
    for name, value in _changes(game):
        for count in seats if seats is not None else game.seats:
            try:
                options = resolved(game, count, given={name: value})
            except OptionError:
                continue
            if options not in met:
                met.append(options)
                yield Setting(game, count, _label(count, None, {name: value}), options)
            break


def odd_options(game: AnyGame) -> Iterator[tuple[str, object]]:
    """Yield an option and a value of its type, one after another: every literal, and the numbers about its bounds."""
    yield from _changes(game)
    for one in _fields(game):
        for number in _numbers(one.type):
            yield one.encode_name, number


def _changes(game: AnyGame) -> Iterator[tuple[str, object]]:
    for one in _fields(game):
        for value in _few(one.type):
            if value != one.default:
                yield one.encode_name, value


def _fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(game.Options)
    return described.fields if isinstance(described, inspect.StructType) else ()


def _few(described: inspect.Type) -> Iterator[object]:
    """Yield the values of a type that has few of them."""
    match described:
        case inspect.Metadata():
            yield from _few(described.type)
        case inspect.UnionType():
            for part in described.types:
                yield from _few(part)
        case inspect.BoolType():
            yield from (False, True)
        case inspect.LiteralType():
            yield from described.values
        case _:
            return


def _numbers(described: inspect.Type) -> Iterator[int]:
    match described:
        case inspect.Metadata():
            yield from _numbers(described.type)
        case inspect.UnionType():
            for part in described.types:
                yield from _numbers(part)
        case inspect.IntType():
            low = described.ge if described.ge is not None else -1
            high = described.le if described.le is not None else low + 1000
            yield from sorted({low, low + 1, low + 2, high})
        case _:
            return


def _label(seats: int, preset: str | None, given: Mapping[str, object]) -> str:
    parts = [f"{seats} seats"]
    if preset is not None:
        parts.append(f"preset {preset!r}")
    parts += [f"{name}={msgspec.json.encode(value).decode()}" for name, value in given.items()]
    return ", ".join(parts)
