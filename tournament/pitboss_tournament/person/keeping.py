"""Keeping: in which store a person's games are kept, so that the same command finds them again."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss import __version__
from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins import Registry
from pitboss_tournament.person.notebook import ENDING, Kept, kept, notebook_of
from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.results.header import Header, changed, header_of
from pitboss_tournament.results.store import Store

LONGEST_NAME: Final = 80


def with_store(plan: Plan, game_version: str, given: Path | None, seed: str | None) -> Plan:
    """Return the plan with its store, and with the seed of the games that are there already.

    Without a store that is `given` it is the first file, in the present folder and named by the game and who plays, that is not there yet or has such games.
    `plan.seed` is the seed if there are none, `seed` the one that is wanted.

    Raises:
        ConfigError: the file that is given is no store.
    """
    if given is not None:
        header = Store(given).header if _has_something(given) else None
        return _kept_in(plan, given, header, seed)
    for number in count(1):
        path = Path(_named(plan, number))
        if not path.exists():
            return _kept_in(plan, path, None, seed)
        try:
            header = Store(path).header
        except PitbossError:
            continue  # something else that is called so
        found = _kept_in(plan, path, header, seed)
        if not changed(header, header_of(found, game_version, __version__)):
            return found
    raise AssertionError("unreachable")


def carried_on(given: Path, registry: Registry) -> Kept:
    """Return the game that was broken off, its plan with the store as it is `given`: that itself, or the file of the game.

    Raises:
        ConfigError: there is no such game.
    """
    store = given.with_name(given.name.removesuffix(ENDING))
    found = kept(notebook_of(store), registry)
    if found is None:
        raise ConfigError(f"{store}: there is no game to carry on with (it would lie in {notebook_of(store).name!r})")
    return found._replace(opening=replace(found.opening, plan=_kept_in(found.opening.plan, store, None, None)))


def _kept_in(plan: Plan, path: Path, header: Header | None, seed: str | None) -> Plan:
    """Return the plan with that store; each bot is kept from reading it, as it holds the seed."""
    hidden = (path.absolute(), notebook_of(path.absolute()))
    entrants = tuple(replace(entrant, hidden=hidden) for entrant in plan.entrants)
    if header is None:
        return replace(plan, store=path, seed=seed or plan.seed, entrants=entrants)
    return replace(plan, store=path, seed=seed or header.seed, deals=header.deals, entrants=entrants)


def _has_something(path: Path) -> bool:
    return path.exists() and not (path.is_file() and path.stat().st_size == 0)


def _named(plan: Plan, number: int) -> str:
    names = "-".join([plan.game, *(entrant.name for entrant in plan.entrants)])
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in names)[:LONGEST_NAME]
    return f"{plain}.pitboss" if number == 1 else f"{plain}-{number}.pitboss"
