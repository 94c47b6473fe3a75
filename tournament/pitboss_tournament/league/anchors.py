"""Anchors of a league: bots of the house that play along as nobody's, and take no place.

`[league] anchors` names them: rungs of the game, such as `rung:2`, and other names from `pitboss bots`. `rung:*` stands
for all rungs of the game. An anchor plays by the options of the league and has its own clock, as it searches for a
number of simulations. It is an entry of the tournament that is marked as a yardstick, without a submission: nobody's
token moves it, and it is never retired. If a name means another program than before, this is another version of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import RUNG_PREFIX
from pitboss.protocol.messages import Clock
from pitboss_tournament.config.entrants import (
    apply_limits,
    check_bot_setup,
    resolve_entrant,
    resolve_named_bot,
    resolve_rung,
)
from pitboss_tournament.plan.limits import BotClock, Limits
from pitboss_tournament.plan.plan import Entrant, name_version
from pitboss_tournament.rungs.rung_match import RUNG_MS
from pitboss_tournament.store.header import Entry, Header, make_entry
from pitboss_tournament.store.rows import utc_now

NO_ANCHOR: Final = "the league does not name it among its anchors any more"
ALL_RUNGS: Final = f"{RUNG_PREFIX}*"
MAX_ANCHOR_DECISIONS: Final = (
    100  # of an anchor in a game, for which its clock has time where the league's games have an end
)


def list_anchors(named: Sequence[str], game: str, registry: Registry) -> list[str]:
    """Return the names of the anchors, each rung by its own name.

    Raises:
        ConfigError: one is no bot of the house for this game, or is named twice.
    """
    found = list[str]()
    for name in named:
        if name == ALL_RUNGS:
            table = registry.rungs.get(game)
            if table is None:
                raise ConfigError(f"{name!r} stands for the rungs of the game, and {game} has none")
            found += [f"{RUNG_PREFIX}{number}" for number in range(1, len(table.rungs) + 1)]
        elif resolve_named_bot(name, registry.bots) or resolve_rung(name, registry, game):
            found.append(name)
        else:
            raise ConfigError(
                f"an anchor is a bot of the house, as `pitboss bots {game}` lists them, or {ALL_RUNGS}; not {name!r}"
            )
    for at, name in enumerate(found):
        if name in found[:at]:
            raise ConfigError(f"the anchor {name!r} is named twice")
    return found


def enter_anchor(
    name: str, game: AnyGame, seats: int, preset: str | None, options: object, limits: Limits, clock: Clock
) -> Entrant:
    """Return an anchor as an entrant that takes no place. `options` and `clock` are those of the league.

    Raises:
        ConfigError: the bot cannot be started here, or does not play the game with these options.
    """
    entrant = resolve_entrant(name, Registry(), Path("/"), game.name)
    check_bot_setup(entrant, game, seats, options, preset)
    own = BotClock(start_ms=max(clock.start_ms, RUNG_MS), decision_ms=max(clock.decision_ms, RUNG_MS))
    if clock.game_ms is not None:
        own = replace(own, game_ms=max(clock.game_ms, MAX_ANCHOR_DECISIONS * RUNG_MS))
    return replace(apply_limits(entrant, limits), about=replace(entrant.about, yardstick=True), clock=own)


def find_anchor_entry(anchor: Entrant, entries: Sequence[Entry]) -> int | None:
    """Return the number of the entry that is this anchor; None if there is none with the same program."""
    made = make_entry(anchor)
    own = [number for number, entry in enumerate(entries) if entry.name == made.name and entry.about.yardstick]
    same = (number for number in reversed(own) if entries[number].command == made.command)
    return next(same, None)


def make_anchor_entry(anchor: Entrant, entries: Sequence[Entry]) -> Entry:
    """Return a new entry for an anchor: the next version of its name."""
    made = make_entry(anchor)
    last = max((entry.version for entry in entries if entry.name == made.name), default=0)
    return replace(made, version=last + 1, joined=utc_now())


def name_anchor(entry: Entry) -> str:
    """Return the name of an anchor as records have it."""
    return name_version(entry.name, entry.version)


def iter_anchors(header: Header) -> Iterator[int]:
    """Yield the numbers of the entries that are anchors, and are named as such today."""
    entries = enumerate(header.entries)
    return (number for number, entry in entries if entry.about.yardstick and entry.why != NO_ANCHOR)
