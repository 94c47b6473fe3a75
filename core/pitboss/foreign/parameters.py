"""What adapters of Python libraries share: parameters of a library as options, its observations as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from pitboss.options import Options
from pitboss.plugins.registry import load_played_game
from pitboss.table.randomness import Random

OPTION_TYPES: Final = (bool, int, float, str)  # types of parameters that can be options
LISTED_NUMBERS: Final = 512  # an array of more is written as the places that are not 0


class OptionField(NamedTuple):
    """An option of an engine: name, default, bounds and meaning. The type of the default is the type of the option."""

    name: str
    default: Any
    meta: msgspec.Meta


def make_options(game: str, defaults: Mapping[str, object], check: Callable[[int, Any], object]) -> type[Options]:
    """Return the options of a game: the parameters of the library that are numbers, texts or truth values.

    `game` is the name of the game in Pitboss. `check(seats, options)` raises `OptionError` for options that the library
    does not allow. A pickle of options can be read where the game is installed.
    """
    fields = [
        OptionField(name, value, msgspec.Meta(description=f"The parameter {name!r} of the library."))
        for name, value in defaults.items()
        if name.isidentifier() and type(value) in OPTION_TYPES
    ]
    return build_options(game, fields, check)


def build_options(game: str, fields: Iterable[OptionField], check: Callable[[int, Any], object]) -> type[Options]:
    """Return a type of options with these fields; `check` as in `make_options`."""

    def resolve(self: Options, seats: int) -> Options:
        """Return the options, once the game has taken them."""
        check(seats, self)
        return self

    def reduce(self: Options) -> tuple[Callable[..., Options], tuple[str, dict[str, Any]]]:
        """Return how a pickle is read: this type has no name by which `pickle` would find it."""
        return _restore_options, (game, list_changed(self))

    made: type[Any] = msgspec.defstruct(
        "".join(part.title() for part in game.replace("-", "_").split("_")) + "Options",
        [(name, Annotated[type(default), meta], default) for name, default, meta in fields],
        bases=(Options,),
        module=__name__,
        namespace={"resolve": resolve, "__reduce__": reduce, "__deepcopy__": lambda self, memo: self},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    made.__doc__ = f"The options of {game}."
    return made


def _restore_options(game: str, changed: Mapping[str, Any]) -> Options:
    """Return options from a pickle.

    Raises:
        ConfigError: the game is not installed here.
    """
    options: Options = _load_type(game)(**changed)
    return options


@cache
def _load_type(game: str) -> Any:  # noqa: ANN401
    return load_played_game(game).Options


def draw_engine_seed(rng: Random, limit: int) -> int:
    """Return a seed below `limit` for an engine that draws chance by itself.

    The seed is no lot: the lots of a deal that is written down are for outcomes of chance.
    """
    return rng.draw_words(1)[0] * limit >> 64


def list_changed(options: Options) -> dict[str, Any]:
    """Return the options that differ from their defaults, by name."""
    usual = type(options)()
    return {
        name: getattr(options, name)
        for name in options.__struct_fields__
        if getattr(options, name) != getattr(usual, name)
    }


def make_plain(value: Any) -> Any:  # noqa: ANN401 - a library's own types
    """Return plain data for what a library shows a player: arrays as nested lists, words for members of an enum.

    A large array becomes `{"shape": …, "nonzero": [[index in the flat array, number], …]}`.
    """
    if isinstance(value, Enum):
        return value.name.lower()
    if hasattr(value, "tolist"):  # of numpy
        return _write_array(value)
    if isinstance(value, Mapping):
        return {str(key): make_plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [make_plain(one) for one in value]
    return value if value is None or isinstance(value, OPTION_TYPES) else str(value)


def _write_array(array: Any) -> Any:  # noqa: ANN401 - numpy may be missing
    numbers = array * 1 if str(getattr(array, "dtype", "")) == "bool" else array  # 1 and 0 for True and False
    if getattr(numbers, "size", 1) <= LISTED_NUMBERS:
        return numbers.tolist()
    flat = numbers.reshape(-1)
    places = flat.nonzero()[0].tolist()
    return {"shape": list(numbers.shape), "nonzero": [[place, flat[place].tolist()] for place in places]}


def write_lines(fields: Mapping[str, object]) -> str:
    """Return plain data as text for people: a line for each field, "name: value"."""
    return "\n".join(f"{name}: {_write_value(value)}" for name, value in fields.items())


def _write_value(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(one) for one in value) or "-"
    return "-" if value is None else str(value)
