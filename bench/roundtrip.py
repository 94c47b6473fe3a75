"""What a decision costs in the real runner: the wall time with zero-thinking C bots, everything included, beside a raw pipe.

    python bench/roundtrip.py [--game racko] [--deals N] [--runs N] [--no-pin]

The raw figure is a blocking `os.write` and `os.read` of the same bytes (a real request of that game and its answer) with the same bot, in
this process. Runner and bots share one processor core (a wake-up on another core costs more than all the rest), unless `--no-pin` is given.
Build the bot first: `make bots`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import trio

from pitboss import AnyGame, Random
from pitboss.conversation import RunnerEnd
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.record import Record
from pitboss.wire import Clock, Decide, Hello, Start, TimeLeft
from pitboss_tournament.plan import Entrant, Plan
from pitboss_tournament.runner import Tournament
from pitboss_tournament.scoring import GameResult
from pitboss_tournament.store import Store, header_of

BOT = Path(__file__).resolve().parent.parent / "bots" / "c-first" / "build" / "bot"
CLOCK = Clock(start_ms=5000, decision_ms=1000)


class Counter:
    """Counts the decisions of a tournament."""

    def __init__(self) -> None:
        self.decisions = 0

    def played(self, result: GameResult, record: Record) -> None:
        """Count a game."""
        self.decisions += len(record.decisions)

    def refresh(self) -> None:
        """Show nothing."""


def main() -> None:
    """Print the raw figure, then one line for each number of games at once."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="racko")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--no-pin", action="store_true", help="let runner and bots use all cores")
    given = parser.parse_args()
    if not BOT.exists():
        parser.error(f"{BOT} is not there: run `make bots`")
    if not given.no_pin:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    game = Registry().game(given.game)
    raws, ours = [], {1: [], 2: [], 8: []}  # type: tuple[list[float], dict[int, list[float]]]
    for _ in range(given.runs):  # raw and ours in turn, so that a drift of the machine's speed meets both
        raws.append(raw(game))
        for at_once, seen in ours.items():
            seen.append(through_the_runner(game, given.deals, at_once))
    print(f"{given.game}, {'unpinned' if given.no_pin else 'one core'}, medians of {given.runs} runs, microseconds a decision")
    print(f"raw blocking pipe     {median(raws):7.1f}")
    for at_once, seen in ours.items():
        cost = median(seen)
        print(f"runner, {at_once} at once     {cost:7.1f}   {1e6 / cost:9,.0f} a second   {cost / median(raws):4.1f} times raw")


def raw(game: AnyGame, rounds: int = 5000) -> float:
    """Return the microseconds of a blocking round trip with the bytes of a real decision."""
    wire, seats = RunnerEnd(), game.seats[0]
    options = resolved(game, seats)
    state = game.deal(seats, options, Random("bench"))
    assert state.turn
    with subprocess.Popen([BOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as bot:
        assert bot.stdin and bot.stdout
        to, back = bot.stdin.fileno(), bot.stdout.fileno()
        os.write(to, wire.say(Hello(game=game.name, options={}, seats=seats, seat=0, seed="", clock=CLOCK)))
        wire.hear(os.read(back, 65536))
        os.write(to, wire.say(Start(game_id=1, seat=0, players=["a", "b"], seed="")))
        turn, view, left = state.turn, state.view(state.turn.seat), TimeLeft(CLOCK.decision_ms)
        line = wire.say(Decide(id=1, seat=turn.seat, phase=turn.phase, legal=list(state.legal()), view=view, clock=left))
        began = perf_counter()
        for _ in range(rounds):
            os.write(to, line)
            os.read(back, 65536)
        taken = perf_counter() - began
        bot.stdin.close()
    return taken / rounds * 1e6


def through_the_runner(game: AnyGame, deals: int, at_once: int) -> float:
    """Return the microseconds a decision of a tournament of two C bots, from the first game's deal to the last row in the store."""
    seats = game.seats[0]
    options = resolved(game, seats)
    if "max_rounds" in options.__struct_fields__:  # a play-out of a race to a target takes long when nobody plays to win
        options = resolved(game, seats, given={"max_rounds": 1})
    entrants = tuple(Entrant(name=f"c-{seat}", command=(str(BOT),)) for seat in range(seats))
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(
            game=game.name,
            options=options,
            seats=seats,
            seed="bench",
            deals=deals,
            entrants=entrants,
            clock=CLOCK,
            fault_limit=1,
            games_at_once=at_once,
            store=Path(folder) / "bench.pitboss",
        )
        store = Store.for_run(plan.store, header_of(plan, game.version, ""))
        tournament, counter = Tournament(plan, game, store), Counter()
        began = perf_counter()
        trio.run(tournament.run, counter)
        taken = perf_counter() - began
        store.close()
    return taken / counter.decisions * 1e6


if __name__ == "__main__":
    main()
