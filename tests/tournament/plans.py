"""Small tournaments for the tests: two-seat Rack-O of one round, played by small bots."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from pitboss import AnyGame
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.wire import Clock
from pitboss_tournament.plan import Entrant, Plan
from pitboss_tournament.runner import Tournament
from pitboss_tournament.store import Store, header_of

BOTS = Path(__file__).resolve().parent.parent / "bots"


def racko() -> AnyGame:
    """Return the game."""
    return Registry().game("racko")


def entrant(bot: str, name: str | None = None) -> Entrant:
    """Return one of the small bots of `tests/bots/bad` as an entrant."""
    return Entrant(name=name or bot, command=(sys.executable, "-S", str(BOTS / "bad" / f"{bot}.py")))


def plan(store: Path, *entrants: Entrant, **changes: object) -> Plan:
    """Return a tournament of one-round games of ten turns each."""
    seats = changes.pop("seats", 2)
    assert isinstance(seats, int)
    made = Plan(
        game="racko",
        options=resolved(racko(), seats, given={"max_rounds": 1, "max_turns": 10}),
        seats=seats,
        seed="test",
        deals=2,
        entrants=entrants,
        clock=Clock(start_ms=10_000, decision_ms=2_000),
        fault_limit=1000,
        games_at_once=2,
        store=store,
    )
    return replace(made, **changes)


def tournament(made: Plan) -> Tournament:
    """Open the plan's store and return the tournament."""
    game = racko()
    return Tournament(made, game, Store.for_run(made.store, header_of(made, game.version, "0")))
