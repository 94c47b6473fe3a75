"""Which part of a loadout wins, such as a card of a deck: from a tournament of bots with loadouts at random."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, Final

from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.loadouts import LoadoutParts, takes_loadouts
from pitboss.plugins.registry import Registry
from pitboss.simulation.game_setup import GameSetup
from pitboss.table.randomness import Random
from pitboss_tournament.counting.loadout_findings import compare_loadouts
from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.plan.plan import BroughtLoadout, Entrant, name_with_loadout, pack_loadout
from pitboss_tournament.statistics.part_effects import PartEffects
from pitboss_tournament.store.store import Store

LOADOUTS_PER_PART: Final = 3
MAX_LOADOUTS: Final = 90
TABLES_PER_LOADOUT: Final = 6  # at most: more deals at fewer tables begin sooner


def has_parts(game: AnyGame) -> bool:
    """Whether loadouts of a game can be drawn at random, for two players, and have parts."""
    plain: object = game
    return 2 in game.seats and takes_loadouts(plain) and isinstance(plain, LoadoutParts)


def draw_loadouts(setup: GameSetup, seed: str) -> list[BroughtLoadout]:
    """Return different loadouts at random: some for each part of them."""
    game: object = setup.game
    assert isinstance(game, LoadoutParts)
    rng = Random(f"{seed}/loadouts")
    found = dict[str, BroughtLoadout]()
    parts, wanted, tries = set[str](), LOADOUTS_PER_PART, 0
    while len(found) < wanted and tries < 10 * MAX_LOADOUTS:
        drawn = game.draw_loadout(setup.options, rng)
        parts |= set(game.count_parts(drawn))
        wanted, tries = min(MAX_LOADOUTS, LOADOUTS_PER_PART * len(parts)), tries + 1
        one = pack_loadout(str(len(found) + 1), drawn)
        found.setdefault(one.text, one)
    return list(found.values())


def choose_programs(setup: GameSetup, registry: Registry, search: str) -> list[str]:
    """Return the bots that play: those of the game alone, else `search`."""
    own = [bot.name for bot in registry.bots.values() if tuple(bot.games or ()) == (setup.game.name,)]
    return own or [search]


def choose_loadout_format(loadouts: int, seats: int) -> str | dict[str, Any]:
    """Return the format of the tournament: all meet, or some pairs of many."""
    tables = TABLES_PER_LOADOUT * loadouts
    return "round-robin" if comb(loadouts, seats) <= tables else {"name": "round-robin", "tables": tables}


def bring_loadouts(programs: Sequence[Entrant], loadouts: Sequence[BroughtLoadout]) -> list[Entrant]:
    """Return an entrant for each loadout; the programs have them in turn."""
    return [
        replace(program, name=name_with_loadout(program.name, loadout.name), loadout=loadout)
        for number, loadout in enumerate(loadouts)
        for program in (programs[number % len(programs)],)
    ]


def measure_parts(store: Store) -> PartEffects | None:
    """Return what parts are worth in the games of a tournament of loadouts at random."""
    counts = ReportCounts(store.header, store.header.labels[0], games=store.count_games())
    counts.add_all(list(store.results(with_times=False)))
    found = compare_loadouts(ReportFindings(counts))
    return None if found is None else found.effects
