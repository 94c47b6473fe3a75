"""What it costs to start and to end a bot, as other processes run on the machine.

    python -m bench.bot_ends [--sleepers 1000] [--bots 15]

It prints the processor time of the runner, in milliseconds, for a bot that does nothing: the median of so many.
"""

from __future__ import annotations

import argparse
import subprocess
from statistics import median
from time import process_time
from typing import Final

import trio

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.processes.supervisor import open_supervisor

SETTLE_SECONDS: Final = 0.03  # for a bot to have begun
SLEEPER: Final = ("sleep", "3600")


async def measure_ends(bots: int) -> tuple[float, float]:
    """Return the processor time of a start and of an end, in milliseconds."""
    sandbox, _ = resolve_sandbox("auto")
    starts, ends = [], []
    async with open_supervisor(sandbox) as supervisor:
        for _ in range(bots):
            began = process_time()
            bot = supervisor.start(Entrant(name="idle", command=("cat",)))
            starts.append(process_time() - began)
            await trio.sleep(SETTLE_SECONDS)
            began = process_time()
            supervisor.end(bot)
            ends.append(process_time() - began)
    return 1_000 * median(starts), 1_000 * median(ends)


def main() -> None:
    """Measure beside nothing, and beside many processes."""
    parser = argparse.ArgumentParser(description="What it costs to start and to end a bot.")
    parser.add_argument("--sleepers", type=int, default=1_000)
    parser.add_argument("--bots", type=int, default=15)
    given = parser.parse_args()
    for count in (0, given.sleepers):
        sleepers = [subprocess.Popen(SLEEPER) for _ in range(count)]
        try:
            start, end = trio.run(measure_ends, given.bots)
        finally:
            for sleeper in sleepers:
                sleeper.kill()
                sleeper.wait()
        print(f"beside {count:>5,} processes: start {start:5.2f} ms, end {end:5.2f} ms", flush=True)


if __name__ == "__main__":
    main()
