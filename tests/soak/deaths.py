"""Bots that die at random points of the protocol: `python -m tests.soak.deaths` counts their verdicts. The runner must
not die of any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.protocol.messages import Clock
from tests.bots.zoo_catalogue import ZooBot
from tests.bots.zoo_entrants import open_zoo
from tests.plugins import magpie_installed
from tests.soak.process_watch import ProcessWatch
from tests.soak.promises import PromiseTally
from tests.soak.tournament_games import play_whole_tournament
from tests.soak.zoo_match import HAS_SANDBOX, LEAVE_S, SETTLE_MS, forfeit_kind, measure_overrun_ms
from tests.tournament.small_tournaments import make_plan

MARK: Final = f"soak-deaths-{os.getpid()}"
DYING_BOT: Final = ZooBot("dies_somewhere.c")
CLOCK: Final = Clock(start_ms=1_000, decision_ms=250)
DEATH_VERDICTS: Final = {"crashed", "ended_early", ""}  # "": it died when nothing was asked of it
SANDBOX_DEATH_VERDICTS: Final = DEATH_VERDICTS | {
    "late"
}  # who closes its output and lives on: in a sandbox somebody else holds the other end


@magpie_installed()
def main(words: Sequence[str] | None = None) -> int:
    """Play and count; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.deaths", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="deaths (default: %(default)s)")
    parser.add_argument(
        "--seed", default="deaths", help="how and where they die follows from it (default: %(default)s)"
    )
    parser.add_argument(
        "--deals", type=int, default=50, help="of one tournament, which has a seed of its own (default: %(default)s)"
    )
    parser.add_argument(
        "--settle-ms",
        type=int,
        default=SETTLE_MS,
        help="beyond its limit, in which a decision is to be settled (default: %(default)s)",
    )
    given = parser.parse_args(words)
    promises, games, slowest, is_boxed = PromiseTally(), 0, 0.0, False
    verdicts = {False: Counter[str](), True: Counter[str]()}  # without a sandbox, and with one
    with tempfile.TemporaryDirectory(prefix="pitboss-deaths-") as home, open_zoo(Path(home), MARK) as keeper:
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        good, mortal = keeper.build_good_bot("the good one"), keeper.build_entrant(DYING_BOT)
        watch = ProcessWatch(os.getpid(), MARK)
        with watch.scanning():
            while games < given.count:
                is_boxed = HAS_SANDBOX and not is_boxed
                deals = min(given.deals, -(-(given.count - games) // 2))
                made = make_plan(Path(home) / f"{games}.pitboss", good, mortal, deals=deals, clock=CLOCK)
                records = play_whole_tournament(
                    replace(made, seed=f"{given.seed}/{games}", sandbox="bubblewrap" if is_boxed else "none")
                ).records
                games += len(records)
                verdicts[is_boxed].update(forfeit_kind(record, mortal.name) for record in records)
                slowest = max(slowest, *(measure_overrun_ms(record, CLOCK) for record in records))
                print(
                    f"{games:7,} deaths: {format_verdicts(verdicts[False])}; in the sandbox: "
                    f"{format_verdicts(verdicts[True])}",
                    flush=True,
                )
        left = watch.wait_leftovers(LEAVE_S)
    promises.check(games >= given.count, f"the runner has outlived {games:,} deaths")
    for is_boxed, right in ((False, DEATH_VERDICTS), (True, SANDBOX_DEATH_VERDICTS)):
        where = "in the sandbox" if is_boxed else "without a sandbox"
        promises.check(
            set(verdicts[is_boxed]) <= right,
            f"{where} each has the verdict of a death: {format_verdicts(verdicts[is_boxed])}",
        )
    promises.check(
        slowest < given.settle_ms,
        f"each is noticed within the limit and {given.settle_ms} ms: {slowest:.0f} ms at the worst",
    )
    promises.check(not left, f"no process is left: {len(left)} {[process.command_line for process in left]}")
    return promises.exit_status()


def format_verdicts(verdicts: Counter[str]) -> str:
    """Return how often each verdict was given, in words."""
    return ", ".join(f"{kind or 'none'} {count:,}" for kind, count in verdicts.most_common())


if __name__ == "__main__":
    sys.exit(main())
