"""How time and memory grow with the games and the bots of a tournament: planning, and commands on stores.

    python bench/growth.py [--games 10000 100000] [--bots 20 100 300] [--seats 4] [--stores FOLDER]

A store holds synthetic results, each with the record of one real game of Rack-O. A row is one process: its wall time,
its processor time, and its peak memory. Stores are kept in FOLDER and used again from there. With --games 1000000
--bots 20 a store takes 2 GB. The last rows of a store are those of the standings that a run keeps in it at its end.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

import msgspec

import pitboss
from pitboss.game import AnyState, resolve_options
from pitboss.outcome import competition_places
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.records import record as records
from pitboss.simulation.random_play import play_on
from pitboss_tournament.formats.table_sets import TableSets, combination_number
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import write_times
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

DECISIONS: Final = 25  # of a seat in a game
BATCH: Final = 10_000  # games that are written at once
PLANNING: Final = ((20, 4), (100, 4), (500, 2))  # bots, seats
PLAN: Final = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from growth import make_plan
from pitboss_tournament.rounds.round_progress import begin_rounds
next(begin_rounds(make_plan(Path("x"), int(sys.argv[2]), int(sys.argv[3]), deals=10)).batches())
"""
CARRY_ON: Final = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from growth import make_plan
from pitboss.plugins.registry import Registry
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.store.store import Store
store = Store(Path(sys.argv[2]))
plan = make_plan(store.path, len(store.header.bots), store.header.seats, store.header.deals)
Tournament(plan, Registry().find_game("racko"), store)
"""
KEEP: Final = """
import sys
from pathlib import Path
from pitboss_tournament.store.store import Store
from pitboss_tournament.counting.stored_findings import keep_findings
keep_findings(Store(Path(sys.argv[1])))
"""


def main() -> None:
    """Make the stores, and print a row for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[10_000, 100_000], help="(default: %(default)s)")
    parser.add_argument("--bots", type=int, nargs="+", default=[20, 100, 300], help="(default: %(default)s)")
    parser.add_argument("--seats", type=int, default=4, help="(default: %(default)s)")
    parser.add_argument("--stores", type=Path, help="the folder of the stores; by default they are not kept")
    given = parser.parse_args()
    print(f"{'':45}wall s   cpu s  MiB")
    here = str(Path(__file__).parent)
    for bots, seats in PLANNING:
        _print_row(f"plan {bots} bots at tables of {seats}", [sys.executable, "-c", PLAN, here, str(bots), str(seats)])
    with tempfile.TemporaryDirectory(prefix="pitboss-growth-") as temporary:
        folder = given.stores or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for bots in given.bots:
            for games in given.games:
                _measure_store(make_store(folder, games, bots, given.seats), f"{games:,} games, {bots} bots: ")


def make_plan(path: Path, bots: int, seats: int, deals: int) -> Plan:
    """Return a tournament of Rack-O with all sets of these bots."""
    return Plan(
        game="racko",
        options=resolve_options(Registry().find_game("racko"), seats, overrides={"max_rounds": 1}),
        seats=seats,
        seed="growth",
        deals=deals,
        entrants=tuple(Entrant(name=f"bot{number}", command=("true",)) for number in range(bots)),
        clock=Clock(start_ms=1_000, decision_ms=1_000),
        faults=FaultRules(disqualify_after=10**9),
        store=path,
    )


def make_store(folder: Path, games: int, bots: int, seats: int) -> Path:
    """Return the path of a store with random results, in this folder; it is made if it is not there yet."""
    path = folder / f"{games}-{bots}-{seats}.pitboss"
    if path.exists():
        return path
    write_store(path, bots, seats, games, _simulate_results(games, bots, seats))
    return path


def write_store(path: Path, bots: int, seats: int, games: int, results: Iterable[GameResult]) -> None:
    """Write a store of so many games with these results, each with the record of one real game."""
    plan = make_plan(path, bots, seats, deals=-(-games // (len(TableSets(range(bots), seats)) * seats)))
    store = Store.for_run(path, make_header(plan, Registry().find_game("racko").version, "0"))
    record = store.packer.pack(_record_game(plan))
    batch = []
    for result in results:
        batch.append((result, record, ()))
        if len(batch) == BATCH:
            store.add(batch)
            batch.clear()
    store.add(batch)
    store.begin_run(0, games)
    store.record_run_end()
    store.close()


def _record_game(plan: Plan) -> records.Record:
    """Return a record of a game played at random."""
    game, rng = Registry().find_game("racko"), Random("growth")
    decisions: list[records.Decision] = []

    def choose(state: AnyState, legal: Sequence[object]) -> object:
        assert state.turn
        action = rng.choice(legal)
        decisions.append(records.Decision(seat=state.turn.seat, action=action, us=rng.randrange(40, 4_000)))
        return action

    state = game.deal(plan.seats, plan.options, pitboss.Random("x"))
    play_on(state, choose)
    return records.Record(
        game="racko",
        game_version=game.version,
        options=msgspec.to_builtins(plan.options),
        seed="x",
        players=list(plan.bots[: plan.seats]),
        decisions=decisions,
        outcome=state.outcome(),
    )


def _simulate_results(games: int, bots: int, seats: int) -> Iterator[GameResult]:
    """Yield results: sets of bots in turn have a deal, in all rotations."""
    rng, sets = Random("growth"), TableSets(range(bots), seats)
    step = len(sets) // 7 * 5 + 1  # so that a few games already bring all bots together
    for number in range(games):
        block, rotation = divmod(number, seats)
        deal, place = divmod(block, len(sets))
        yield simulate_game(number, sets[place * step % len(sets)], deal, rotation, bots, rng)


def simulate_game(number: int, table: Sequence[int], deal: int, rotation: int, bots: int, rng: Random) -> GameResult:
    """Return the result of a game of some of these bots; one is the better the later it is."""
    seated = (*table[rotation:], *table[:rotation])
    points = [5.0 * round(10 * entrant / bots + rng.gauss(0, 2.5)) for entrant in seated]
    places = competition_places(points)
    results = []
    for entrant, own, at in zip(seated, points, places, strict=True):
        us, counted = rng.choice(_list_times())
        win = 1 / places.count(1) if at == 1 else 0.0
        results.append(SeatResult(entrant, own, at, win, None, {}, DECISIONS, us, counted))
    return GameResult(number, combination_number(table, bots), deal, rotation, tuple(results), lag=counted)


@cache
def _list_times() -> list[tuple[int, str]]:
    """Return the times of the decisions of some games, with their sums."""
    rng = Random("times")
    return [_draw_times(rng) for _ in range(500)]


def _draw_times(rng: Random) -> tuple[int, str]:
    us = [int(rng.lognormvariate(5, 1)) for _ in range(DECISIONS)]
    return sum(us), write_times(us)


def _measure_store(path: Path, title: str) -> None:
    pitboss = [sys.executable, "-m", "pitboss_tournament.cli"]
    here = str(Path(__file__).parent)
    forget_standings(path)
    _print_row(f"{title}standings", [*pitboss, "standings", str(path)])
    _print_row(f"{title}report", [*pitboss, "report", str(path), "-o", os.devnull])
    _print_row(f"{title}export csv", [*pitboss, "export", str(path), "-w", "csv"])
    _print_row(f"{title}carry on", [sys.executable, "-c", CARRY_ON, here, str(path)])
    _print_row(f"{title}keep standings", [sys.executable, "-c", KEEP, str(path)])
    _print_row(f"{title}kept standings", [*pitboss, "standings", str(path)])
    print(f"{title}{path.stat().st_size / Store(path).count_games():.0f} bytes a game", flush=True)


def forget_standings(path: Path) -> None:
    """Take the kept standings out of a store."""
    with closing(sqlite3.connect(path)) as db, db, suppress(sqlite3.OperationalError):
        db.execute("delete from kept_standings")


def _print_row(what: str, command: Sequence[str]) -> None:
    began = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr
        errors = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = perf_counter() - began
    failed = f"  FAILED: {errors[-200:]}" if process.returncode else ""
    print(f"{what:45}{wall:6.2f} {used.ru_utime + used.ru_stime:7.2f} {used.ru_maxrss / 1024:4.0f}{failed}", flush=True)


if __name__ == "__main__":
    main()
