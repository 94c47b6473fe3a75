"""Small tournaments for the tests: Magpie for two, ten turns a game, played by small bots."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trio
from msgspec.structs import replace

from pitboss import AnyGame
from pitboss.game import resolve_options
from pitboss.protocol.messages import Clock
from pitboss.records.record import Record
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import NO_LIMITS, RunLimits
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.bots.zoo_entrants import entrant_in_place
from tests.plugins import magpie_installed

BOT_TESTS = ROOT / "tests" / "bots"


def load_magpie() -> AnyGame:
    """Return the game."""
    return Magpie()


def zoo_entrant(zoo_name: str, name: str | None = None) -> Entrant:
    """Return one of the bots of `tests/bots/zoo` as an entrant, started right where it lies."""
    return entrant_in_place(zoo_name, name)


def make_plan(store: Path, *entrants: Entrant, **fields: object) -> Plan:
    """Return a tournament of games of ten turns each."""
    seats = fields.pop("seats", 2)
    assert isinstance(seats, int)
    made = Plan(
        game="magpie",
        options=resolve_options(load_magpie(), seats, overrides={"turns": 5}),
        seats=seats,
        seed="test",
        deals=2,
        entrants=entrants,
        clock=Clock(start_ms=60_000, decision_ms=20_000),
        faults=FaultRules(disqualify_after=1000),
        workers=2,
        games_at_once=2,
        store=store,
    )
    return replace(made, **fields)


def open_tournament(made: Plan, limits: RunLimits = NO_LIMITS) -> Tournament:
    """Open the plan's store and return the tournament."""
    game = load_magpie()
    return Tournament(made, game, Store.for_run(made.store, make_header(made, game.version, "0")), limits=limits)


class FinishedTournament(NamedTuple):
    """A tournament that has been played, with its games as the store has them, by number."""

    tournament: Tournament
    games: list[tuple[GameResult, Record]]


def play_tournament(made: Plan, limits: RunLimits = NO_LIMITS) -> FinishedTournament:
    """Play a tournament to its end, or to that of one run."""
    played = open_tournament(made, limits)
    try:
        with magpie_installed():
            trio.run(played.run, ProgressListener())
        records = (record for _, record in played.store.records())
        return FinishedTournament(played, list(zip(played.store.results(), records, strict=True)))
    finally:
        played.store.close()


def games_without_times(ended: FinishedTournament) -> list[tuple[object, ...]]:
    """Return all games without their times."""
    return [
        (result.game_id, result.pairing, result.deal, result.rotation, record.players, record.seed, record.outcome)
        for result, record in ended.games
    ]
