"""Loadouts: what a seat brings to a game, such as a deck that its player has built.

A game declares its loadouts by being a `LoadoutGame`, and its options have a field `loadouts`, by seat. The options of
a tournament leave this field open; those of one game, which its record keeps, have what its players have brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeGuard, runtime_checkable

import msgspec
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.options import convert_value
from pitboss.table.randomness import Random
from pitboss.text import join_words

LOADOUTS: Final = "loadouts"  # the field of the options
LOADOUT_POOL: Final = "loadout_pool"  # another one, of games in which the loadouts of a field may be known
OPEN: Final = "open"  # its value that stands for all loadouts of the tournament

LoadoutSight: TypeAlias = Literal["hidden", "public"]
"""What seats are told of the loadouts of others at the start of a game: nothing, or all. A game whose seats may know a
part hides its loadouts and shows that part in its view."""


@runtime_checkable
class LoadoutGame(Protocol):
    """A game to which each seat brings a loadout.

    Its options have a field `loadouts: tuple[Loadout | None, ...] | None = None`, by seat. A seat without a loadout
    plays with one that the game draws at random from all that are legal, or from those that its rule book names.
    """

    @property
    def Loadout(self) -> Any:  # noqa: ANN401, N802 - a type
        """The type of a loadout: a frozen struct, read from JSON or TOML."""

    @property
    def sample_loadouts(self) -> Mapping[str, Any]:
        """Legal loadouts by name, the first one for a bot that brings none."""

    def loadout_sight(self, options: Any) -> LoadoutSight:  # noqa: ANN401 - the game's own
        """Return what seats are told of the loadouts of others, with these options."""

    def check_loadout(self, loadout: Any, options: Any) -> Iterable[str]:  # noqa: ANN401 - the game's own
        """Return a sentence for each fault of a loadout that has the right type; none: it is legal."""


@runtime_checkable
class LoadoutParts(Protocol):
    """A game whose loadouts are made of parts, as decks of cards: tournaments tell which parts win games."""

    def count_parts(self, loadout: Any) -> Mapping[str, int]:  # noqa: ANN401 - the game's own
        """Return how often a loadout has each part, by the part's name."""

    def draw_loadout(self, options: Any, rng: Random) -> Any:  # noqa: ANN401 - the game's own
        """Return a legal loadout at random, so that each part is in some and not in others."""


def takes_loadouts(game: object) -> TypeGuard[LoadoutGame]:
    """Tell whether a game is one to which seats bring loadouts."""
    return isinstance(game, LoadoutGame)


def convert_loadout(game: LoadoutGame, plain: object, options: object, what: str = "the loadout") -> Any:  # noqa: ANN401
    """Return the loadout of a game that plain data are.

    Raises:
        OptionError: they are none, or the loadout is not legal; the text has a sentence for each fault.
    """
    loadout = convert_value(plain, game.Loadout, what)
    if faults := list(game.check_loadout(loadout, options)):
        raise OptionError(f"{what} is not legal: {'; '.join(faults)}", LOADOUTS)
    return loadout


def check_loadouts(game: object, seats: int, options: Any) -> None:  # noqa: ANN401 - the game's own
    """Check the loadouts that resolved options have, if they have any.

    Raises:
        OptionError: there is not one for each seat, or one is not legal.
    """
    if not takes_loadouts(game) or options.loadouts is None:
        return
    if len(options.loadouts) != seats:
        raise OptionError(f"there are {len(options.loadouts)} loadouts; {seats} play", LOADOUTS)
    for seat, loadout in enumerate(options.loadouts):
        if loadout is not None and (faults := list(game.check_loadout(loadout, options))):
            raise OptionError(f"the loadout of seat {seat} is not legal: {'; '.join(faults)}", LOADOUTS)


def place_loadouts(game: object, options: Any, brought: Sequence[object]) -> Any:  # noqa: ANN401 - the game's own
    """Return the options of one game: with what its seats have brought, as plain data; None: nothing.

    They are those that were given if nobody has brought anything.

    Raises:
        OptionError: something is no legal loadout.
    """
    if not takes_loadouts(game) or all(one is None for one in brought):
        return options
    placed = tuple(
        None if one is None else convert_loadout(game, one, options, f"the loadout of seat {seat}")
        for seat, one in enumerate(brought)
    )
    return replace(options, loadouts=placed)


def fill_pool(game: object, options: Any, brought: Iterable[object]) -> Any:  # noqa: ANN401 - the game's own
    """Return the options of a tournament: an open pool has the different loadouts of all entrants, as plain data."""
    if not takes_loadouts(game) or getattr(options, LOADOUT_POOL, None) != OPEN:
        return options
    pool: list[Any] = []
    for plain in brought:
        loadout = convert_loadout(game, plain, options)
        pool += [loadout] if loadout not in pool else []
    return replace(options, **{LOADOUT_POOL: tuple(pool)})


def tell_loadouts(game: object, options: Any, seat: int) -> list[Any] | None:  # noqa: ANN401 - the game's own
    """Return by seat, as plain data, the loadouts of one game as a seat is told them; None if there are none to tell.

    An entry is None if the seat is not told it.
    """
    if not takes_loadouts(game) or options.loadouts is None:
        return None
    is_public = game.loadout_sight(options) == "public"
    return [
        msgspec.to_builtins(loadout) if is_public or seat == owner else None
        for owner, loadout in enumerate(options.loadouts)
    ]


def open_loadouts(options: Any) -> Any:  # noqa: ANN401 - plain data
    """Return the options of a record, as plain data, without the loadouts of its game: those of its tournament."""
    has_loadouts = isinstance(options, Mapping) and options.get(LOADOUTS) is not None
    return {**options, LOADOUTS: None} if has_loadouts else options


def describe_samples(game: LoadoutGame) -> str:
    """Return the names of a game's sample loadouts: "aggro, control and swarm"."""
    return join_words(game.sample_loadouts, "and")
