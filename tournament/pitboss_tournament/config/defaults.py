"""What follows for a tournament where nobody says it: its seed, its store, its table's seats, the sides of its game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame, find_game_bounds, find_sides, resolve_options
from pitboss.outcome import Sides
from pitboss.plugins.registry import Registry
from pitboss.text import join_words
from pitboss_tournament.plan.paths import STORE_ENDING, make_file_name
from pitboss_tournament.plan.plan import Opponents, find_base_name
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

_SEED_BYTES: Final = 8  # bots receive a hash of the seed in `hello`; 4 bytes could be searched

MAX_NAMED_BOTS: Final = 3  # in the name of a store


def draw_seed() -> str:
    """Return a seed that has not been used before; it is printed, so that the run can be repeated.

    It must not be guessable: whoever knows it knows every card.
    """
    return token_hex(_SEED_BYTES)


def read_kept_header(store: Path) -> Header | None:
    """Return the header of the tournament that a store has, if it has one."""
    try:
        with closing(Store(store)) as kept:
            return kept.header
    except PitbossError:
        return None  # no store, or no readable one: an error of whoever plays into it


def seed_for_store(store: Path) -> str:
    """Return the seed of the tournament that a store has, or else a fresh one."""
    kept = read_kept_header(store)
    return draw_seed() if kept is None else kept.seed


def choose_seating(asked: Seating | None, seats: int, kept: Header | None) -> Seating:
    """Return the seating that is asked for, or else that of the tournament that is carried on, or else the default."""
    if asked is not None:
        return asked
    if kept is not None:
        return kept.seating
    return "balanced" if seats > 2 else "rotations"


def choose_opponents(asked: Opponents | None, kept: Header | None) -> Opponents:
    """Return what bots are told of each other: what is asked for, else as in the tournament that is carried on."""
    if asked is not None:
        return asked
    return "names" if kept is None else kept.opponents


def default_seats(game: AnyGame, bots: int) -> int:
    """Return the seats at a table for `bots` bots: all bots if the game allows it, else its smallest number."""
    return bots if bots in game.seats else min(game.seats)


def find_point_span(game: AnyGame, seats: int, options: Any) -> float:  # noqa: ANN401 - the game's own
    """Return the most by which the points of two teams of a cooperative game can differ.

    Raises:
        ConfigError: the game does not say it.
    """
    bounds = find_game_bounds(game, seats, options)
    if bounds is None or not bounds.most > bounds.least:
        raise ConfigError(
            f"in {game.name} all seats play together and points are compared; the game lacks `bounds`, the lowest and "
            "the highest points"
        )
    return bounds.most - bounds.least


def find_team_span(game: AnyGame, seats: int, options: Any, *, has_same_deals: bool) -> float:  # noqa: ANN401
    """Return that span for a tournament in which bots are compared by their teams.

    Raises:
        ConfigError: its teams do not play the same deals, or the game does not tell the span.
    """
    if not has_same_deals:
        raise ConfigError(
            f"in {game.name} all seats play together: bots are compared by the points of their teams on the same "
            "deals, with same_deals = true (-s same_deals=true)"
        )
    return find_point_span(game, seats, options)


def find_stored_span(header: Header, registry: Registry) -> float | None:
    """Return the span of points of a stored cooperative game; None of any other.

    Raises:
        ConfigError: the game is not installed, or does not tell it.
    """
    if not header.is_cooperative:
        return None
    game = registry.find_game(header.game)
    return find_point_span(game, header.seats, resolve_options(game, header.seats, None, header.options))


def shared_sides(game: AnyGame, seats: int, options: Any) -> Sides | None:  # noqa: ANN401 - the game's own
    """Return the sides of a game with resolved options; None if every seat plays for itself.

    Raises:
        ConfigError: a seat is on no side, or on two.
    """
    sides = find_sides(game, seats, options)
    if sorted(chain(*sides)) != list(range(seats)):
        raise ConfigError(f"the sides of {game.name} are {sides!r}; each of the seats 0 to {seats - 1} belongs to one")
    return sides if len(sides) < seats else None


@contextmanager
def name_store(
    settings: TournamentFile, bots: Sequence[str], keeps_store: bool, company: Sequence[str] = ()
) -> Iterator[tuple[TournamentFile, Path]]:
    """Context manager: yield the settings with a seed, and the path of the store.

    `company`: bots that take part, and after which no store is named.

    The path is that of the settings, or is named by the game and the seed, or, without a seed, by the game, the bots
    and the time. Without a seed it is that of the store, or a new one. A store that is not to be kept lies in a folder
    of its own, which is deleted with the block.

    Raises:
        ConfigError: a store is given that is not to be kept; or the seed names one in which other bots have played.
    """
    game, seed = settings.game, settings.seed
    if keeps_store:
        named = f"{game}-{make_file_name(seed)}{STORE_ENDING}" if seed else _name_by_time(game, bots)
        path = Path(settings.store or named)
        if settings.store is None and seed:
            _check_bots(path, [*bots, *company])
        yield replace(settings, seed=seed or seed_for_store(path)), path
    elif settings.store is not None:
        raise ConfigError(f"--store {settings.store} keeps the games and --no-store does not; give one of them")
    else:
        with TemporaryDirectory(prefix="pitboss-") as folder:
            yield replace(settings, seed=seed or draw_seed()), Path(folder) / f"{game}{STORE_ENDING}"


def _check_bots(path: Path, bots: Sequence[str]) -> None:
    """Check that a store that is named by a seed alone, if there is one, is of these bots.

    Raises:
        ConfigError: others have played in it: what is wanted may be another tournament, or the same one with others.
    """
    kept = read_kept_header(path)
    if kept is None:
        return
    entries = kept.rosters[-1].entries if kept.rosters else range(len(kept.bots))
    played = [find_base_name(kept.bots[entry]) for entry in entries]
    more, fewer = [one for one in bots if one not in played], [one for one in played if one not in bots]
    said = [f"without {join_words(more, 'and')}" if more else "", f"with {join_words(fewer, 'and')}" if fewer else ""]
    if more or fewer:
        raise ConfigError(
            f"{path} has the games of this seed, {' and '.join(filter(None, said))}: take another --seed, or another "
            f"file by --store FILE; with --store {path} bots join this tournament, and leave it"
        )


def _name_by_time(game: str, bots: Sequence[str]) -> str:
    """Return the name of a file that does not exist: `racko-mybot-random-2026-11-22-130159.pitboss`."""
    who = bots if len(bots) <= MAX_NAMED_BOTS else [f"{len(bots)}-bots"]
    name = make_file_name("-".join([game, *who, f"{datetime.now():%Y-%m-%d-%H%M%S}"]))
    names = (f"{name}{'' if number == 1 else f'-{number}'}{STORE_ENDING}" for number in count(1))
    return next(free for free in names if not Path(free).exists())
