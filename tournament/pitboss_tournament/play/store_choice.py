"""Which store keeps a person's games, so that repeating a command finds them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss import __version__
from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss_tournament.plan.paths import STORE_ENDING, make_file_name
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.play.journal import (
    JOURNAL_SUFFIX,
    UnfinishedGame,
    journal_path,
    read_journal,
    read_journal_seed,
)
from pitboss_tournament.processes.sandbox_probe import is_weaker
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.header import Header, find_changes, make_header
from pitboss_tournament.store.store import Store

LONGEST_NAME: Final = 80
# of a store: it goes on as it began
KEPT_SETTINGS: Final = ("seating", "fixed_circles", "escapes_names", "even_order", "opponents", "given_deals")


def choose_store(
    plan: Plan,
    game: AnyGame,
    given: Path | None,
    seed: str | None,
    in_use: Collection[Path] = (),
    folder: Path = Path(),
) -> Plan:
    """Return the plan with its store: `given`, or the first free or matching file named after the game and the players.

    The files are sought in `folder`; those `in_use` are passed over. The seed is `seed`, else that of the
    games in the store or of the one that was broken off beside it, else `plan.seed`. A game on a given deal has a store
    of its own.

    Raises:
        ConfigError: the file `given` is no store, or has other games than the one on a given deal; or the game that was
            broken off beside it has another seed.
    """
    if given is not None:
        is_empty = not given.exists() or (given.is_file() and given.stat().st_size == 0)
        header = None if is_empty else Store(given).header
        if header is not None and plan.given_deals is not None and not _is_unfinished(given, header, plan):
            raise ConfigError(f"{given}: it has other games, and a game from a position a store of its own")
        return _use_store(plan, given, header, seed)
    for number in count(1):
        path = folder / _store_name(plan, number)
        if path in in_use:
            continue
        if not path.exists():
            return _use_store(plan, path, None, seed)
        try:
            header = Store(path).header
        except PitbossError:
            continue  # something else that is called so
        if header.given_deals != plan.given_deals or (plan.given_deals and not _is_unfinished(path, header, plan)):
            continue
        found = _use_store(plan, path, header, seed)
        is_same = not find_changes(header, make_header(found, game.version, __version__, digest_game(game)))
        if is_same and not is_weaker(found.sandbox, header.sandbox):
            return found
    raise AssertionError("unreachable")


def _is_unfinished(store: Path, header: Header, plan: Plan) -> bool:
    """Return whether the store has the game on the given deal of a plan, which was broken off."""
    return header.given_deals == plan.given_deals and journal_path(store).exists()


def load_unfinished_game(given: Path, registry: Registry) -> UnfinishedGame:
    """Return the unfinished game of a store, `given` by the path of the store or of its journal.

    Raises:
        ConfigError: there is none.
    """
    store = given.with_name(given.name.removesuffix(JOURNAL_SUFFIX))
    found = read_journal(journal_path(store), registry)
    if found is None:
        raise ConfigError(f"{store}: there is no game to carry on with (it would lie in {journal_path(store).name!r})")
    plan = _use_store(found.header.plan, store, None, None)
    return found._replace(header=replace(found.header, plan=plan))


def _use_store(plan: Plan, path: Path, header: Header | None, seed: str | None) -> Plan:
    """Return the plan with that store, which is hidden from the bots, as it holds the seed."""
    own = (path.absolute(), journal_path(path.absolute()))
    entrants = tuple(
        replace(entrant, hidden=tuple(dict.fromkeys((*entrant.hidden, *own)))) for entrant in plan.entrants
    )
    if header is None:
        return replace(plan, store=path, seed=_choose_seed(path, seed) or plan.seed, entrants=entrants)
    begun = {name: getattr(header, name) for name in KEPT_SETTINGS}
    return replace(plan, store=path, seed=seed or header.seed, deals=header.deals, entrants=entrants, **begun)


def _choose_seed(store: Path, seed: str | None) -> str | None:
    """Return the seed of a store that is not there: that of the game that was broken off beside it, else `seed`."""
    begun = read_journal_seed(store)
    if begun is not None and seed not in (None, begun):
        raise ConfigError(
            f"{journal_path(store)}: a game with the seed {begun!r} was broken off here; carry on with it without "
            "--seed, or remove that file"
        )
    return begun or seed


def _store_name(plan: Plan, number: int) -> str:
    names = "-".join([plan.game, *(entrant.name for entrant in plan.entrants)])
    plain = make_file_name(names)[:LONGEST_NAME]
    return f"{plain}{'' if number == 1 else f'-{number}'}{STORE_ENDING}"
