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
from pitboss_tournament.config.defaults import draw_seed, seed_for_store
from pitboss_tournament.plan.paths import STORE_ENDING, make_file_name
from pitboss_tournament.plan.settings import TournamentFile

MAX_NAMED_BOTS: Final = 3  # in the name of a store


@contextmanager
def name_store(
    settings: TournamentFile, bots: Sequence[str], keeps_store: bool
) -> Iterator[tuple[TournamentFile, Path]]:
    """Context manager: yield the settings with a seed, and the path of the store.

    The path is that of the settings, or is named by the game and the seed, or, without a seed, by the game, the bots
    and the time. Without a seed it is that of the store, or a new one. A store that is not to be kept lies in a folder
    of its own, which is deleted with the block.

    Raises:
        ConfigError: a store is given that is not to be kept.
    """
    game, seed = settings.game, settings.seed
    if keeps_store:
        named = f"{game}-{make_file_name(seed)}{STORE_ENDING}" if seed else _name_by_time(game, bots)
        path = Path(settings.store or named)
        yield replace(settings, seed=seed or seed_for_store(path)), path
    elif settings.store is not None:
        raise ConfigError(f"--store {settings.store} keeps the games and --no-store does not; give one of them")
    else:
        with TemporaryDirectory(prefix="pitboss-") as folder:
            yield replace(settings, seed=seed or draw_seed()), Path(folder) / f"{game}{STORE_ENDING}"


def _name_by_time(game: str, bots: Sequence[str]) -> str:
    """Return the name of a file that does not exist: `racko-mybot-random-2026-11-22-130159.pitboss`."""
    who = bots if len(bots) <= MAX_NAMED_BOTS else [f"{len(bots)}-bots"]
    name = make_file_name("-".join([game, *who, f"{datetime.now():%Y-%m-%d-%H%M%S}"]))
    names = (f"{name}{'' if number == 1 else f'-{number}'}{STORE_ENDING}" for number in count(1))
    return next(free for free in names if not Path(free).exists())
