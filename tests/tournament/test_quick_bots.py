"""A bot whose last answer was quick is waited for without the loop; if it then is slow, it is billed in full."""

from __future__ import annotations

from select import select

import pytest
import trio

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.clocks import LoopClock
from pitboss_tournament.processes.logs import HeadTailBuffer
from tests.tournament.simulated_time import SteppedGauge

SLEEPER = Entrant(name="sleeper", command=("/bin/sh", "-c", "while read line; do sleep 0.05; echo done; done"))


@pytest.mark.once
def test_a_quick_bot_that_sleeps_while_the_runner_has_no_cpu() -> None:
    """What the runner waited for a CPU before it found no answer is no reason to bill less."""
    delay = 0.0

    async def ask_after_a_loss() -> float:
        nonlocal delay
        clock = LoopClock(read_delay=lambda: delay)
        bot = BotProcess(SLEEPER, "sleeper", "none", clock, HeadTailBuffer(1_000))
        bot.timer.attach_gauge(SteppedGauge())
        bot.is_quick = True
        bot.timer.start(60.0)
        assert bot.send_now(b"question\n") == b""
        delay = 0.04
        assert bot.receive_soon() is None
        select([bot._stdout_fd], [], [])
        assert bot.receive_now() == b"done\n"
        billed, _ = bot.timer.settle(clock.now(), bot.has_waited)
        bot.close()
        clock.close()
        return billed

    assert trio.run(ask_after_a_loss) >= 0.05
