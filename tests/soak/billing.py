"""What real bots on a real machine are billed for: `python -m tests.soak.billing` prints the figures.

The arithmetic is tested on simulated time, in `tests/tournament/processes`: `test_clocks.py`, `test_deadlines.py`,
`test_cpu_slots.py`. Here the system's own accounts are looked at, so the figures depend on the machine and on what else
runs on it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import trio

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes import process_tree
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.cpu import BotGauge
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from tests.soak.load import load_processors
from tests.soak.promises import PromiseTally, format_row
from tests.soak.throughput import pin_to_one_processor

WORK_S: Final = 0.06  # seconds of computing for a question
WORKER_CODE: Final = f"""
import hashlib, os, subprocess, sys, threading, time
data = bytes(1 << 18)
def compute(seconds):
    while time.process_time() < seconds: hashlib.sha256(data)  # which lets other threads compute as well
os.write(1, b"ready\\n")
for line in sys.stdin:
    began = time.process_time()
    match line.strip():
        case "compute": compute(began + {WORK_S})
        case "sleep": time.sleep({WORK_S})
        case "threads":
            for _ in range(4): threading.Thread(target=compute, args=[began + {WORK_S}]).start()
            compute(began + {WORK_S})
        case "child":
            child = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
            compute(began + {WORK_S})
            os.write(1, b"done\\n")
            time.sleep(1)
            child.kill()
        case "reap":
            subprocess.run([sys.executable, "-S", "-c", "import time\\nwhile time.process_time() < {WORK_S}: pass"])
        case "soon": time.sleep(0.02)
        case "wait": time.sleep(3600)
    os.write(1, b"done\\n")
"""
WORKER: Final = Entrant(name="worker", command=(sys.executable, "-S", "-c", WORKER_CODE))
WRAPPED_WORKER: Final = Entrant(name="wrapped", command=("sh", "-c", f"{shlex.join(WORKER.command)}; true"))
_COLUMNS: Final = ("situation", "billed ms", "lag ms", "wall ms", "computed ms", "waited ms", "still ms")
_WIDTHS: Final = (34, 9, 8, 9, 11, 9, 8)


class QuestionCost(NamedTuple):
    """What a question cost, in seconds."""

    billed: float
    lag: float
    wall: float
    computed: float
    waited: float
    stood_still: float  # of the clock, while the runner did not run


def main(words: Sequence[str] | None = None) -> int:
    """Measure each situation and print a row for it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.billing", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="questions a situation (default: %(default)s)")
    repeats = parser.parse_args(words).repeats
    promises = PromiseTally()
    print(format_row(_COLUMNS, _WIDTHS))

    alone = measure_situation("computes", repeats, "compute")
    loaded = measure_situation("computes beside four others", repeats, "compute", others=4)
    promises.check(
        all(cost.billed < 0.7 * cost.wall for cost in loaded),
        "what the machine takes away is not billed (70 % of wall)",
    )
    promises.check(
        all(cost.billed >= 0.9 * WORK_S for cost in [*alone, *loaded]), f"work of {1e3 * WORK_S:.0f} ms is billed"
    )
    sleeps = measure_situation("sleeps", repeats, "sleep")
    promises.check(all(cost.billed + cost.lag > 0.9 * WORK_S for cost in sleeps), "a sleep is seen")
    promises.check(max(cost.billed for cost in sleeps) > WORK_S / 2, "a sleep is billed")
    threads = measure_situation("computes in four threads", repeats, "threads")
    promises.check(all(cost.billed >= 0.9 * cost.computed for cost in threads), "threads of its own are billed")
    children = measure_situation("computes beside its own child", repeats, "child")
    promises.check(all(cost.billed >= 0.9 * cost.computed for cost in children), "children are billed")
    reaped = measure_situation("computes in a child and reaps it", repeats, "reap")
    promises.check(all(cost.billed >= 0.9 * WORK_S for cost in reaped), "children that have ended are billed")
    wrapped = measure_situation("computes in a shell beside four", repeats, "compute", others=4, is_wrapped=True)
    promises.check(
        all(0.9 * WORK_S <= cost.billed < 0.7 * cost.wall for cost in wrapped), "a program in a shell is billed alike"
    )
    late = measure_situation("answers soon, is read late", repeats, "soon", meanwhile=lambda: time.sleep(0.2))
    promises.check(
        all(cost.billed < 0.1 < cost.lag + cost.stood_still for cost in late), "a late runner is not billed for"
    )

    lent = measure_lending()
    promises.check(lent < 1.0, f"a sleeping bot lends its slot: after {1e3 * lent:.1f} ms")
    return promises.exit_status()


def measure_situation(
    name: str,
    repeats: int,
    question: str,
    others: int = 0,
    meanwhile: Callable[[], None] | None = None,
    is_wrapped: bool = False,
) -> list[QuestionCost]:
    """Ask a bot that shares one CPU with this process and with some others; print the medians, return what it cost."""
    with pin_to_one_processor(), load_processors(others):
        costs = [trio.run(_measure_question, question, meanwhile, is_wrapped) for _ in range(repeats)]
    middle = [sorted(values)[len(values) // 2] for values in zip(*costs, strict=True)]
    print(format_row([name, *(round(1e3 * seconds, 1) for seconds in middle)], _WIDTHS), flush=True)
    return costs


async def _measure_question(question: str, meanwhile: Callable[[], None] | None, is_wrapped: bool) -> QuestionCost:
    async with open_supervisor() as supervisor:
        bot = await _start_worker(supervisor, WRAPPED_WORKER if is_wrapped else WORKER)
        gauge = BotGauge(lambda: process_tree.descendants(bot.pid), bot.group.computed_seconds)
        computed, waited = gauge.read()
        began, really_began = supervisor.clock.now(), time.perf_counter()
        bot.timer.start(5.0)
        assert await bot.send(f"{question}\n".encode())
        async with trio.open_nursery() as nursery:
            if meanwhile:
                nursery.start_soon(_run_after_checkpoint, meanwhile)
            assert await bot.receive() == b"done\n"
            billed, lag = bot.timer.settle(supervisor.clock.now(), bot.has_waited)
        wall, elapsed = supervisor.clock.now() - began, time.perf_counter() - really_began
        now_computed, now_waited = gauge.read_all()
        gauge.close()
        return QuestionCost(billed, lag, wall, now_computed - computed, now_waited - waited, elapsed - wall)


async def _start_worker(supervisor: BotSupervisor, entrant: Entrant = WORKER) -> BotProcess:
    bot = supervisor.start(entrant)
    assert await bot.receive() == b"ready\n"
    bot.attach_gauge()
    return bot


async def _run_after_checkpoint(work: Callable[[], None]) -> None:
    await trio.lowlevel.checkpoint()
    work()


def measure_lending() -> float:
    """Return the seconds until a sleeping bot has lent the only slot to another."""

    async def measure() -> float:
        async with open_supervisor(cpu_slots=1) as supervisor:
            sleeper, other = await _start_worker(supervisor), await _start_worker(supervisor)
            assert supervisor.slots.try_acquire(sleeper.timer)
            sleeper.timer.start(3600)
            assert await sleeper.send(b"wait\n")
            began = trio.current_time()
            await supervisor.slots.acquire(other.timer)
            return trio.current_time() - began

    return trio.run(measure)


if __name__ == "__main__":
    sys.exit(main())
