"""The zoo tournament, for real: `python -m tests.soak.zoo` prints the verdict table, how memory grew, and what the
other tables lost.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import trio

from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.running.progress_listener import ProgressListener
from tests.bots.zoo_catalogue import SHORT_CLOCK, ZOO_BOTS, ZooBot
from tests.bots.zoo_entrants import ZooBuilder, open_zoo
from tests.plugins import magpie_installed
from tests.soak.process_watch import WORKER, ProcessWatch, SeenProcess
from tests.soak.promises import PromiseTally, format_row
from tests.soak.throughput import NeighbourTables, measure_loss
from tests.soak.zoo_match import LEAVE_S, LEVELS, SANDBOX, SETTLE_MS, ZooMatch, play_zoo_match
from tests.tournament.small_tournaments import make_plan, open_tournament

MARK: Final = f"soak-zoo-{os.getpid()}"
WIDTHS: Final = (29, 10, 23, 30, 9, 8)
MAX_GROWTH_MIB: Final = 16
MAX_LOSS: Final = 0.05
GREEDY_BOTS: Final = ("floods_stderr", "one_long_line", "floods_without_newline", "exits_with_3", "watches")
FAILING_BOTS: Final = (
    "exits_with_3",
    "segfaults",
    "sleeps",
    "drips_blanks",
    "one_long_line",
    "floods_without_newline",
    "kills_itself",
    "nonsense_and_leaves",
)
WARM_UP_S: Final = 3.0  # in which workers grow, as they come into being
RUN_S: Final = 4.0
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@magpie_installed()
def main(words: Sequence[str] | None = None) -> int:
    """Run what was asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.zoo", description=__doc__)
    parser.add_argument(
        "--count", type=int, default=3, help="deals that each bot plays, each in two rotations (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=int, default=40, help="deals for the memory's growth; 0: not measured (default: %(default)s)"
    )
    parser.add_argument(
        "--repeats", type=int, default=5, help="runs for the throughput; 0: not measured (default: %(default)s)"
    )
    parser.add_argument("--only", nargs="*", metavar="BOT", help="these bots and no others")
    parser.add_argument(
        "--settle-ms",
        type=int,
        default=SETTLE_MS,
        help="beyond its limit, in which a decision is to be settled (default: %(default)s)",
    )
    given = parser.parse_args(words)
    promises = PromiseTally()
    with tempfile.TemporaryDirectory(prefix="pitboss-zoo-") as home, open_zoo(Path(home), MARK) as keeper:
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        watch = ProcessWatch(os.getpid(), MARK)
        with watch.scanning():
            show_verdicts(keeper, Path(home), given.count, given.only, given.settle_ms, promises)
            if given.rounds:
                check_memory(keeper, Path(home), given.rounds, promises)
            if given.repeats:
                check_throughput(keeper, given.repeats, promises)
        left = watch.wait_leftovers(LEAVE_S)
        promises.check(
            not left, f"no process outlives the run: {len(left)} left {[process.command_line for process in left]}"
        )
    return promises.exit_status()


# ---- the verdicts


def show_verdicts(
    keeper: ZooBuilder, home: Path, deals: int, only: Sequence[str] | None, settle_ms: int, promises: PromiseTally
) -> None:
    """Print the table: a line for each bot at each level of the sandbox at which it may be let out."""
    print(format_row(("bot", "sandbox", "expected", "got", "beyond ms", "s a game"), WIDTHS))
    wrong, worst = [], 0.0
    for animal in ZOO_BOTS:
        if only and animal.name not in only:
            continue
        for level in (level for level in LEVELS if animal.is_safe_at(level)):
            began = monotonic()
            seen = play_zoo_match(keeper, animal, home / f"{animal.name}-{level}.pitboss", level, deals)
            print(
                format_row(_verdict_cells(animal, level, seen, (monotonic() - began) / len(seen.records)), WIDTHS),
                flush=True,
            )
            worst = max(worst, seen.overrun_ms)
            if not seen.has_expected_verdicts(animal, level) or not seen.has_expected_notes(animal, level):
                wrong.append(f"{animal.name} ({level}): {seen.verdicts} {seen.notes[:3]}")
    promises.check(not wrong, f"every verdict is right: {len(wrong)} wrong {'; '.join(wrong)}")
    promises.check(
        worst < settle_ms, f"every decision is settled within its limit and {settle_ms} ms: {worst:.0f} ms at the worst"
    )


def _verdict_cells(animal: ZooBot, level: SandboxLevel, seen: ZooMatch, seconds: float) -> tuple[object, ...]:
    expected = "|".join(verdict or "none" for verdict in animal.expected_verdicts(level))
    got = ", ".join(f"{verdict or 'none'} {count}" for verdict, count in Counter(seen.verdicts).items())
    noted = f" ({seen.notes[-1][:20]})" if animal.note_pattern and seen.notes else ""
    return animal.name, level, expected, got + noted, round(seen.overrun_ms), round(seconds, 2)


# ---- memory


def check_memory(keeper: ZooBuilder, home: Path, deals: int, promises: PromiseTally) -> None:
    """Play many games of greedy bots, and look how the runner and its workers grew after the first of them."""
    bots = [keeper.build_named_bot(name) for name in GREEDY_BOTS]
    made = make_plan(home / "memory.pitboss", *bots, deals=deals, clock=SHORT_CLOCK, sandbox=SANDBOX)
    sizes: list[tuple[float, dict[int, int]]] = []
    is_over = threading.Event()
    watch = ProcessWatch(os.getpid(), MARK)

    def measure() -> None:
        while not is_over.wait(0.1):
            sizes.append(
                (
                    monotonic(),
                    {pid: _resident_bytes(pid) for pid in (os.getpid(), *map(_pid, filter(_is_worker, watch.scan())))},
                )
            )

    thread = threading.Thread(target=measure)
    thread.start()
    running = open_tournament(made)
    try:
        trio.run(running.run, ProgressListener())
        games = sum(1 for _ in running.store.results())
    finally:
        is_over.set()
        thread.join()
        running.store.close()
    promises.check(
        len(watch.workers) <= made.workers,
        f"no worker dies: {len(watch.workers)} were there in place of {made.workers}",
    )
    began, took = sizes[0][0], sizes[-1][0] - sizes[0][0]
    start = began + min(max(took / 5, WARM_UP_S), took / 2)
    settled = [held for at, held in sizes if at > start]
    grown = {
        pid: max(held[pid] for held in settled if pid in held) - next(held[pid] for held in settled if pid in held)
        for pid in settled[0]
    }
    figures = ", ".join(f"{size / (1 << 20):.1f}" for size in grown.values())
    promises.check(
        sum(grown.values()) < MAX_GROWTH_MIB << 20,
        f"the runner grows by less than {MAX_GROWTH_MIB} MiB in {games} games of {len(bots)} bots: MiB of "
        f"runner and workers: {figures}",
    )


def _pid(process: SeenProcess) -> int:
    return process.pid


def _is_worker(process: SeenProcess) -> bool:
    return WORKER in process.command_line


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0


# ---- the other tables


def check_throughput(keeper: ZooBuilder, repeats: int, promises: PromiseTally) -> None:
    """Let two good bots play beside a table where a bot fails each second, and beside one where none does."""
    tables = NeighbourTables(
        (keeper.build_good_bot("a"), keeper.build_good_bot("b")), keeper.build_good_bot("c"), SANDBOX
    )
    good = keeper.build_named_bot("good")
    for name in FAILING_BOTS:
        lost, rate = measure_loss(tables, good, keeper.build_named_bot(name), repeats, RUN_S)
        promises.check(
            lost < MAX_LOSS,
            f"other tables lose less than {MAX_LOSS:.0%} while {name!r} fails: {lost:.1%} of {rate:.0f} games a second",
        )


if __name__ == "__main__":
    sys.exit(main())
