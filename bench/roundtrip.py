"""The cost of a decision in the real runner, all included, with zero-thinking C bots, beside a raw pipe.

    python bench/roundtrip.py [--game racko] [--deals N] [--runs N] [--workers 1 2] [--tables N]

The raw figure is a blocking `os.write` and `os.read` of the same bytes (a real request of that game and its answer)
with the same bot, in this process, both on one processor. A row of the runner is timed from its first finished game to
its last, so that starting the workers does not count: rules, records, clocks, logs and the store do. Two workers on two
processors should cost half of one. The bot is built if need be; that takes a C compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import trio

from pitboss import AnyGame, Random
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import Clock, Decide, Hello, Start, TimeLeft
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan, SandboxLevel
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

FOLDER = Path(__file__).resolve().parent / "first"
BOT = FOLDER / "build" / "bot"
CLOCK = Clock(start_ms=5000, decision_ms=1000)


class RunnerSetup(NamedTuple):
    """A configuration of the runner."""

    workers: int
    pinned: bool
    sandbox: SandboxLevel

    def __str__(self) -> str:
        """Return the configuration as columns."""
        return (
            f"{self.workers} worker{'s' if self.workers > 1 else ' '}  {'pinned' if self.pinned else 'free':6}  "
            f"{self.sandbox:10}"
        )


class DecisionCost(NamedTuple):
    """Costs in microseconds: wall time of a decision, processor time of the parent for a game."""

    decision: float
    parent: float


class DecisionCounter(ProgressListener):
    """Counts the decisions of a tournament after its first game, and how long they took."""

    def __init__(self) -> None:
        self.decisions = 0
        self._began = self._last = 0.0

    def show_game(self, game: FinishedGame) -> None:
        """Count a game."""
        self._last = perf_counter()
        if self._began:
            self.decisions += game.decisions
        else:
            self._began = self._last

    def seconds(self) -> float:
        """Return the time between the first game and the last."""
        return self._last - self._began


def main() -> None:
    """Print the raw figure, then one line for each way to play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="racko")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tables", type=int, default=1, help="games at once in each worker")
    given = parser.parse_args()
    bot_build.build(FOLDER, print)
    mode, warning = resolve_sandbox("auto")
    sandboxes: tuple[SandboxLevel, ...] = ("none",) if mode == "none" else ("none", mode)
    game = Registry().find_game(given.game)
    rows = [
        RunnerSetup(workers, pinned, sandbox)
        for sandbox, pinned, workers in product(sandboxes, (True, False), given.workers)
    ]
    raws, seen = list[float](), {row: list[DecisionCost]() for row in rows}
    for _ in range(given.runs):  # raw and ours in turn, so that a drift of the machine's speed meets both
        raws.append(time_raw_pipe(game))
        for row in rows:
            seen[row].append(time_tournament(game, given.deals, row, given.tables))
    if warning:
        print(warning)
    print(f"{given.game}, {given.tables} at once in each worker, medians of {given.runs} runs, microseconds a decision")
    pipe = median(raws)
    print(f"raw blocking pipe, one processor   {pipe:7.1f}")
    for row in rows:
        cost, parent = (median(costs) for costs in zip(*seen[row], strict=True))
        one = median(cost.decision for cost in seen[row._replace(workers=given.workers[0])])
        print(
            f"{row}         {cost:7.1f}   {1e6 / cost:9,.0f} a second   {cost / pipe:5.2f} times raw"
            f"   {one / cost:4.2f} times {given.workers[0]} worker   parent {parent:4.0f} a game"
        )


def time_raw_pipe(game: AnyGame, rounds: int = 5000) -> float:
    """Return the microseconds of a blocking round trip with the bytes of a real decision."""
    wire, seats = RunnerConnection(), game.seats[0]
    options = resolve_options(game, seats)
    state = game.deal(seats, options, Random("bench"))
    assert state.turn
    with (
        pin_to_one_processor(),
        subprocess.Popen([BOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as bot,
    ):
        assert bot.stdin and bot.stdout
        to, back = bot.stdin.fileno(), bot.stdout.fileno()
        os.write(to, wire.send(Hello(game=game.name, options={}, seats=seats, seat=0, seed="", clock=CLOCK)))
        wire.receive(os.read(back, 65536))
        os.write(to, wire.send(Start(game_id=1, seat=0, players=["a", "b"], seed="")))
        turn, view, left = state.turn, state.view(state.turn.seat), TimeLeft(CLOCK.decision_ms)
        line = wire.send(
            Decide(id=1, seat=turn.seat, phase=turn.phase, legal=list(state.legal()), view=view, clock=left)
        )
        began = perf_counter()
        for _ in range(rounds):
            os.write(to, line)
            os.read(back, 65536)
        taken = perf_counter() - began
        bot.stdin.close()
    return taken / rounds * 1e6


@contextmanager
def pin_to_one_processor() -> Iterator[None]:
    """Pin this process and its children to the processor that a single worker would be pinned to."""
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(ours)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)


def time_tournament(game: AnyGame, deals: int, setup: RunnerSetup, tables: int) -> DecisionCost:
    """Return the cost of a decision in a tournament of C bots."""
    seats = game.seats[0]
    options = resolve_options(game, seats)
    if "max_rounds" in options.__struct_fields__:  # a race to a target takes long when nobody plays to win
        options = resolve_options(game, seats, overrides={"max_rounds": 1})
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(
            game=game.name,
            options=options,
            seats=seats,
            seed="bench",
            deals=deals,
            entrants=tuple(Entrant(name=f"c-{seat}", command=(str(BOT),), folder=BOT.parent) for seat in range(seats)),
            clock=CLOCK,
            faults=FaultRules(disqualify_after=1),
            sandbox=setup.sandbox,
            workers=setup.workers,
            pinned=setup.pinned,
            games_at_once=setup.workers * tables,
            store=Path(folder) / "bench.pitboss",
        )
        store = Store.for_run(plan.store, make_header(plan, game.version, ""))
        tournament, counter = Tournament(plan, game, store), DecisionCounter()
        began = process_time()
        trio.run(tournament.run, counter)
        parent = process_time() - began
        store.close()
        assert tournament.running_standings.games == tournament.total_games, "a bot has forfeited"
    return DecisionCost(counter.seconds() / counter.decisions * 1e6, parent / tournament.total_games * 1e6)


if __name__ == "__main__":
    main()
