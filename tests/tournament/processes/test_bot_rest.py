"""A bot that computes while it is not asked is frozen until it is asked again, unless it may ponder."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
import trio

from pitboss_tournament.processes import bot_process
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.cgroups import GroupParents, find_group_parents
from pitboss_tournament.processes.supervisor import open_supervisor
from tests.tournament.sandbox_programs import python_entrant

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bots are frozen on Linux only"),
]

PONDERER = """
import os, sys, threading
def ponder(parent=os.getpid()):
    while parent in (os.getpid(), os.getppid()): pass
for line in sys.stdin:
    os.write(1, line.encode())
    if "child" in line and os.fork() == 0: ponder()
    if "thread" in line: threading.Thread(target=ponder, daemon=True).start()
"""


@pytest.fixture(params=["control group", "signals"])
def freezer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze by a control group, where there is one, or by signals."""
    if request.param == "signals":
        monkeypatch.setattr(bot_process, "find_group_parents", GroupParents)
    elif find_group_parents().unified is None:
        pytest.skip("no control group can be made here")


async def ask(bot: BotProcess, line: str) -> None:
    """Send a line, wait until it comes back, and let the bot rest."""
    assert await bot.send(f"{line}\n".encode())
    assert await bot.receive() == f"{line}\n".encode()
    bot.rest.begin()


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until it is so."""
    for _ in iter(condition, True):
        await trio.sleep(0.01)


async def wait_until_still(bot: BotProcess) -> float:
    """Wait until a bot computes no more, and return the seconds that it has computed."""
    before = -1.0
    while (now := bot.timer.computed_seconds(exactly=True)) != before:
        before = now
        await trio.sleep(0.1)
    return now


@pytest.mark.usefixtures("freezer")
@pytest.mark.parametrize("how", ["thread", "child"])
async def test_a_bot_that_computes_while_it_is_not_asked(how: str) -> None:
    """A bot that computes while it is not asked is frozen until it is asked again, and from then on whenever it has
    answered.
    """
    async with open_supervisor() as supervisor:
        bot = supervisor.start(python_entrant(PONDERER))
        await ask(bot, how)
        await wait_until(lambda: bot.rest.is_frozen)
        assert await wait_until_still(bot) > 0.01

        await ask(bot, "again")
        assert bot.rest.is_frozen


@pytest.mark.usefixtures("freezer")
async def test_a_bot_that_rests() -> None:
    """A bot that rests is not frozen."""
    async with open_supervisor() as supervisor:
        bots = [supervisor.start(python_entrant(PONDERER)) for _ in range(2)]
        await ask(bots[0], "nothing")
        await ask(bots[1], "thread")
        await wait_until(lambda: bots[1].rest.is_frozen)  # it was looked at as often as this one

        assert not bots[0].rest.is_frozen


async def test_a_bot_that_may_ponder() -> None:
    """A bot that may ponder goes on computing, as long as it likes."""
    async with open_supervisor(may_ponder=True) as supervisor:
        bot = supervisor.start(python_entrant(PONDERER))
        await ask(bot, "thread")
        await wait_until(lambda: bot.timer.computed_seconds(exactly=True) > 0.3)

        assert not bot.rest.is_frozen


@pytest.mark.usefixtures("freezer")
async def test_a_frozen_bot_ends() -> None:
    """A frozen bot hears the last message, and leaves."""
    async with open_supervisor() as supervisor:
        bot = supervisor.start(python_entrant(PONDERER))
        await ask(bot, "thread")
        await wait_until(lambda: bot.rest.is_frozen)
        assert await bot.send(b"bye\n")
        bot.close_stdin()
        await bot.wait_exit()

        assert bot.has_exited_cleanly()
