"""The store of a tournament that the command line describes, as by `pitboss match`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.config.defaults import draw_seed, read_kept_header, seed_for_store
from pitboss_tournament.plan.paths import STORE_ENDING, make_file_name
from pitboss_tournament.plan.roster import find_base_name
from pitboss_tournament.plan.settings import TournamentFile

MAX_NAMED_BOTS: Final = 3  # in the name of a store


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
