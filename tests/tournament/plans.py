"""Small tournaments for the tests: two-seat Rack-O of one round, played by small bots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import trio
from msgspec.structs import replace

from pitboss import AnyGame
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.record import Record
from pitboss.wire import Clock
from pitboss_tournament.planning.plan import Entrant, FaultRules, Plan
from pitboss_tournament.playing.lanes import Finished
from pitboss_tournament.playing.runner import Tournament
from pitboss_tournament.results.header import header_of
from pitboss_tournament.results.scoring import GameResult
from pitboss_tournament.results.store import Store
from tests.bots.keeper import at_home

BOTS = Path(__file__).resolve().parent.parent / "bots"


def racko() -> AnyGame:
    """Return the game."""
    return Registry().game("racko")


def entrant(bot: str, name: str | None = None) -> Entrant:
    """Return one of the bots of `tests/bots/zoo` as an entrant, started right where it lies."""
    return at_home(bot, name)


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
        faults=FaultRules(disqualify_after=1000),
        workers=2,
        games_at_once=2,
        store=store,
    )
    return replace(made, **changes)


def tournament(made: Plan) -> Tournament:
    """Open the plan's store and return the tournament."""
    game = racko()
    return Tournament(made, game, Store.for_run(made.store, header_of(made, game.version, "0")))


class Silent:
    """An audience that shows nothing."""

    def played(self, game: Finished) -> None:
        """See a finished game."""

    def refresh(self) -> Callable[[], None]:
        """Show nothing."""
        return lambda: None


class Ended(NamedTuple):
    """A tournament that has been played, with its games as the store has them, by number."""

    tournament: Tournament
    games: list[tuple[GameResult, Record]]


def run(made: Plan) -> Ended:
    """Play a tournament to its end."""
    played = tournament(made)
    try:
        trio.run(played.run, Silent())
        records = (record for _, record in played.store.records())
        return Ended(played, list(zip(played.store.results(), records, strict=True)))
    finally:
        played.store.close()
