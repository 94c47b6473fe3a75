"""Honest bots on a machine that is loaded four times over: `python -m tests.soak.load` counts the games that they lose
on time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pitboss.protocol.messages import Clock
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.statistics.time_histogram import TimeHistogram, quantile
from tests.bots.zoo_entrants import open_zoo
from tests.plugins import magpie_installed
from tests.soak.promises import PromiseTally
from tests.soak.tournament_games import StoredTournament, play_whole_tournament
from tests.soak.zoo_match import SANDBOX
from tests.tournament.small_tournaments import make_plan

LOAD_FACTOR: Final = 4  # busy processes for each processor
DECISIONS_A_GAME: Final = 40  # two bots, ten turns, each a draw and a swap
_BUSY_LOOP: Final = (
    "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1_000_000): pass"
)


@magpie_installed()
def main(words: Sequence[str] | None = None) -> int:
    """Play and count; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="decisions (default: %(default)s)")
    parser.add_argument("--limit-ms", type=int, default=100, help="time for each decision (default: %(default)s)")
    parser.add_argument("--no-sandbox", action="store_true", help="without a sandbox, even where there is one")
    given = parser.parse_args(words)
    sandbox = "none" if given.no_sandbox else SANDBOX
    deals = -(-given.count // (2 * DECISIONS_A_GAME))
    promises = PromiseTally()
    with (
        tempfile.TemporaryDirectory(prefix="pitboss-load-") as home,
        open_zoo(Path(home)) as keeper,
        load_processors(LOAD_FACTOR * available_cpus()) as hogs,
    ):
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        print(f"{hogs} busy processes on {available_cpus()} processors, sandbox: {sandbox}", flush=True)
        games = play_whole_tournament(
            make_plan(
                Path(home) / "load.pitboss",
                keeper.build_good_bot("a"),
                keeper.build_good_bot("b"),
                deals=deals,
                clock=Clock(start_ms=60_000, decision_ms=given.limit_ms),
                sandbox=sandbox,
            )
        )
    report_times(games, given.limit_ms, promises)
    return promises.exit_status()


def report_times(games: StoredTournament, limit_ms: int, promises: PromiseTally) -> None:
    """Print the times, and what was lost."""
    think = merge_times([seat.think for result in games.results for seat in result.seats])
    lag = merge_times([result.lag for result in games.results])
    waits = sorted(int(decision.note) for record in games.records for decision in record.decisions if decision.note)
    print(f"thinking time: {format_quantiles(think)}")
    print(f"the runner's lag: {format_quantiles(lag)}")
    print(
        f"a bot waited for its turn, µs: p50 {waits[len(waits) // 2]}, p99 {waits[len(waits) * 99 // 100]}, "
        f"worst {waits[-1]}"
    )
    faults = [fault for record in games.records for fault in record.faults]
    for fault in faults[:5]:
        print(f"  {fault.kind}: {fault.message}")
    decisions = sum(len(record.decisions) for record in games.records)
    promises.check(
        not faults,
        f"no game is lost on time in {decisions:,} decisions with a limit of {limit_ms} ms: {len(faults)} lost",
    )


def merge_times(counts: Sequence[TimeHistogram]) -> Counter[int]:
    """Return all counts as one."""
    total = Counter[int]()
    for times in counts:
        total.update(times)
    return total


def format_quantiles(times: Counter[int]) -> str:
    """Return the quantiles in words."""
    return (
        ", ".join(f"p{share:g} {quantile(times, share / 100) or 0:,.0f} µs" for share in (50, 99, 99.9, 100))
        + f" of {times.total():,}"
    )


@contextmanager
def load_processors(count: int) -> Iterator[int]:
    """Keep so many processes busy for the length of a block. They end when this process does, however it does."""
    hogs = [subprocess.Popen([sys.executable, "-I", "-S", "-c", _BUSY_LOOP]) for _ in range(count)]
    try:
        yield count
    finally:
        for hog in hogs:
            hog.kill()
        for hog in hogs:
            hog.wait()


if __name__ == "__main__":
    sys.exit(main())
