"""The games of a round: who meets whom, as plans of tournaments. The versions are entrants, the anchors yardsticks.

Where each seat plays for itself, all sets of bots that fit a table meet on the same deals, or a balanced choice of the
sets if there are many. In a game of partners each side of a table has copies of one bot, and all pairs of bots meet; in
a game in which all seats play together each bot plays with copies of itself, on the same deals as the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_tournament.arena.arena_folder import Arena
from pitboss_tournament.config.defaults import shared_sides
from pitboss_tournament.config.entrants import apply_limits, disambiguate_names, resolve_entrant
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.versions import seat_sides
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.plan.settings import TournamentFile

MAX_TABLES: Final = 40  # of a round, before a balanced choice of them is played
MIN_MEETINGS: Final = 4  # tables of each bot, in a balanced choice


def make_settings(arena: Arena, **others: Any) -> TournamentFile:  # noqa: ANN401 - of several types
    """Return the settings of a tournament under the rules of an arena; `others` are those that an arena lacks."""
    file = arena.file
    return TournamentFile(
        game=file.game,
        **{
            "preset": file.preset,
            "options": file.options,
            "seats": arena.seats,
            "sandbox": file.sandbox,
            "clock": file.clock,
            "opponents": "pseudonyms",  # twins do not hear when they sit together
            **others,
        },
    )


def enter_anchors(arena: Arena) -> list[Entrant]:
    """Return the anchors as entrants that take no place, with names that no entrant of the arena has.

    Raises:
        ConfigError: there is no such bot.
    """
    registry = Registry()
    found = [resolve_entrant(spec, registry, arena.folder.root, arena.game.name) for spec in arena.anchors]
    named = disambiguate_names([*(Entrant(name=name, command=("",)) for name in arena.file.entrants), *found])
    return [
        replace(apply_limits(one, arena.file.limits), about=replace(one.about, yardstick=True))
        for one in named[len(arena.file.entrants) :]
    ]


def plan_tables(arena: Arena, versions: Sequence[Entrant], store: Path, *, deals: int, seed: str) -> list[Plan]:
    """Return the games between versions and anchors, for a store or, in a game of partners, for several beside it.

    Raises:
        ConfigError: a bot cannot play here.
    """
    anchors = enter_anchors(arena)
    options = resolve_options(arena.game, arena.seats, arena.file.preset, arena.file.options)
    sides = shared_sides(arena.game, arena.seats, options)
    bots = [*versions, *anchors]
    if sides is None:
        settings, players = _plan_solo(arena, bots, anchors)
        return [_resolve(arena, settings, players, store, deals, seed)]
    if len(sides) == 1:
        players = [*disambiguate_names([bot for bot in bots for _ in range(arena.seats)])]
        settings = {"format": "teams", "seating": "rotations", "same_deals": True, "order": "deals"}
        return [_resolve(arena, settings, players, store, deals, seed)]
    meetings = list(_list_meetings(versions, bots, len(sides)))
    if not meetings:
        raise ConfigError(f"{len(sides)} sides at a table need as many bots, and there are {len(bots)}: add entrants")
    return [
        _resolve(arena, {"same_deals": True}, seat_sides(pair, sides), own, deals, seed)
        for pair, own in zip(meetings, _name_stores(store, len(meetings)), strict=True)
    ]


def _name_stores(store: Path, count: int) -> list[Path]:
    """Return the stores of some meetings: of one, that of the round, else others beside it."""
    return [store] if count == 1 else [store.with_name(f"{store.stem}-{at:04}{store.suffix}") for at in range(count)]


def _list_meetings(versions: Sequence[Entrant], bots: Sequence[Entrant], sides: int) -> Iterator[tuple[Entrant, ...]]:
    """Yield the sets of bots of which each has a side, without those of anchors alone."""
    names = {one.name for one in versions}
    return (meeting for meeting in combinations(bots, sides) if any(bot.name in names for bot in meeting))


def _plan_solo(
    arena: Arena, bots: Sequence[Entrant], anchors: Sequence[Entrant]
) -> tuple[dict[str, Any], list[Entrant]]:
    """Return the settings of a tournament in which each seat plays for itself, and its bots.

    Raises:
        ConfigError: there are fewer bots than seats, and no anchor to take the seats that are left.
    """
    missing = arena.seats - len(bots)
    if missing > 0 and not anchors:
        raise ConfigError(
            f"{arena.seats} at a table need as many bots, and there are {len(bots)}: add entrants, or anchors"
        )
    players = [*disambiguate_names([*bots, *([anchors[-1]] * missing if missing > 0 else [])])]
    tables = comb(len(players), arena.seats)
    settings: dict[str, Any] = {"same_deals": True}
    if tables > MAX_TABLES and arena.seats > 2:
        fewest = -(-len(players) * MIN_MEETINGS // arena.seats)
        settings["format"] = {"name": "round-robin", "tables": min(tables, max(MAX_TABLES, fewest))}
    return settings, players


def _resolve(
    arena: Arena, settings: Mapping[str, Any], players: Sequence[Entrant], store: Path, deals: int, seed: str
) -> Plan:
    given = make_settings(arena, deals=deals, seed=seed, title=arena.title, **settings)
    return resolve_plan(given, players, Registry(), store, hidden=[arena.folder.judge / "journal.jsonl", store])
