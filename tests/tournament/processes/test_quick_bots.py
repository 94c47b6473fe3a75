"""A bot whose last answer was quick is waited for without the loop; if it then is slow, it is billed in full."""

from __future__ import annotations

import os
from time import perf_counter

import pytest
import trio

from pitboss.protocol.messages import Clock, Hello, Start
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.processes import bot_process
from pitboss_tournament.processes.bot_process import YIELD_SECONDS, BotProcess
from pitboss_tournament.processes.clocks import LoopClock
from pitboss_tournament.processes.cpu import CpuTimes
from pitboss_tournament.processes.logs import HeadTailBuffer
from pitboss_tournament.processes.supervisor import open_supervisor
from tests.tournament.simulated_time import SteppedGauge
from tests.tournament.small_tournaments import load_magpie

QUICK = Entrant(
    name="quick",
    command=(
        "/bin/sh",
        "-c",
        """
        while read -r line; do
            case $line in
                *'"hello"'*) echo '{"type":"ready"}' ;;
                *'"decide"'*) echo "{\\"type\\":\\"act\\",\\"id\\":$((number += 1)),\\"choose\\":0}" ;;
            esac
        done
        """,
    ),
)
SLEEPER = Entrant(name="sleeper", command=("/bin/sh", "-c", "while read line; do sleep 0.05; echo done; done"))


@pytest.mark.once
def test_a_quick_bot_that_sleeps_while_the_runner_has_no_cpu() -> None:
    """A quick bot that sleeps is billed for it, although the runner waited for a CPU before it found no answer."""
    delay = 0.0

    async def ask_after_a_loss() -> float:
        nonlocal delay
        clock = LoopClock(read_times=lambda: CpuTimes(perf_counter() - delay, delay))
        bot = BotProcess(SLEEPER, "sleeper", "none", clock, HeadTailBuffer(1_000))
        bot.timer.attach_gauge(SteppedGauge())
        bot.is_quick = True
        bot.timer.start(60.0)
        assert bot.send_now(b"question\n") == b""
        delay = 0.04
        assert bot.receive_soon() is None
        assert bot._stdout.wait_input(5_000)
        assert bot.receive_now() == b"done\n"
        billed, _ = bot.timer.settle(clock.now(), bot.has_waited)
        bot.close()
        clock.close()
        return billed

    assert trio.run(ask_after_a_loss) >= 0.05


@pytest.mark.once
@pytest.mark.parametrize("answered", [None, YIELD_SECONDS * 2])
def test_a_yield_that_costs_a_time_slice_is_not_repeated_soon(
    answered: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a yield that brought no answer, or an answer that took long, a bot is waited for without yields."""
    yields = 0

    def give_way() -> None:
        nonlocal yields
        yields += 1
        os.sched_yield()

    async def wait_repeatedly() -> None:
        clock = LoopClock()
        bot = BotProcess(SLEEPER, "sleeper", "none", clock, HeadTailBuffer(1_000))
        bot.timer.attach_gauge(SteppedGauge())
        bot.note_answer(YIELD_SECONDS / 2 if answered is None else answered, is_alone=True)
        bot.timer.start(60.0)
        for _ in range(3):
            assert bot.receive_soon() is None
        bot.close()
        clock.close()

    monkeypatch.setattr(bot_process, "GIVE_WAY", give_way)
    trio.run(wait_repeatedly)

    assert yields == (1 if answered is None else 0)


@pytest.mark.once
def test_where_two_bots_may_compute_nobody_waits_for_one_without_the_loop() -> None:
    """A quick bot does not keep the runner from another's table while that bot could compute on another CPU."""
    assert not any(trio.run(ask_repeatedly, 2))


async def ask_repeatedly(cpu_slots: int) -> list[bool]:
    """Return after each of fifty answers whether the bot counts as a quick one."""
    clock = Clock(start_ms=60_000, decision_ms=60_000)
    async with open_supervisor(cpu_slots=cpu_slots) as supervisor:
        seat = BotSeat(
            supervisor,
            QUICK,
            load_magpie(),
            Hello(game="magpie", options={}, seats=2, seat=0, seed="s", clock=clock),
            FaultRules(),
        )
        assert await seat.start(Start(game_id=0, seat=0, players=["a", "b"], seed="s")) is None
        quick = []
        for _ in range(50):
            assert isinstance(await seat.decide("draw", ["draw"], None, []), Answer)
            assert isinstance(seat.link, BotLink)
            assert seat.link._process is not None
            quick.append(seat.link._process.is_quick)
        await seat.close()
    return quick
