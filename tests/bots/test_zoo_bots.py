"""The zoo's bots by themselves, without the runner: none is forgotten, and those that get no verdict do what they are
there for.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Act, Bye, Faulted, Start
from tests.bots.blocking_runner import BlockingBot, BotProgram, make_question
from tests.bots.zoo_catalogue import ZOO_BOTS
from tests.bots.zoo_entrants import ZOO, describe_bot, entrant_in_place

pytestmark = pytest.mark.once

LEGAL = ({"do": "draw"}, {"do": "pass"})
SUPPORT_FILES = {"polite.py", "polite.sh", "polite.h", "dies_somewhere.c"}


@contextmanager
def start_zoo_game(name: str) -> Iterator[BlockingBot]:
    """Seat a bot and begin a game with it."""
    bot = entrant_in_place(name)
    with BlockingBot(BotProgram(bot.command, bot.folder)) as seated:
        seated.greet(0, 2)
        seated.send_message(Start(game_id=1, seat=0, players=["A", "B"], seed="s"))
        yield seated


def send_question(bot: BlockingBot, number: int = 1) -> None:
    """Put a question to the bot."""
    bot.send_message(make_question(number, 0, "draw", LEGAL))


def test_every_bot_of_the_zoo_is_in_the_list() -> None:
    """Each file is an animal, or what animals share, so that none can rot; each says in its first line what it does."""
    files = {path.name for path in ZOO.iterdir() if path.is_file()}

    assert {animal.file for animal in ZOO_BOTS} | SUPPORT_FILES == files
    assert len({animal.name for animal in ZOO_BOTS}) == len(ZOO_BOTS) >= 50
    assert all(describe_bot(animal).endswith((".", ":")) or "," in describe_bot(animal) for animal in ZOO_BOTS)


def test_bots_without_a_fault() -> None:
    """The bots that get no verdict answer every question and end at `bye`."""
    for name in ("good", "watches", "byte_by_byte", "slow_in_time", "duplicate_keys", "reshapes_its_pipes"):
        with start_zoo_game(name) as bot:
            for number in range(1, 8):
                send_question(bot, number)
                act = bot.read_message()
                assert isinstance(act, Act)
                assert (act.id, act.choose) == (number, 0)
            bot.send_message(Bye())
            assert bot.wait_exit_status() == 0


def test_a_zoo_bot_is_told_of_its_fault() -> None:
    """A bot says on standard error what it is told, and ends at the end of its input."""
    with start_zoo_game("plays_illegally") as bot:
        send_question(bot)
        assert bot.read_message() == Act(id=1, choose=999)
        bot.send_message(Faulted(fault=Fault(kind="illegal", seat=0, decision=1, message="not that one")))
        bot.stdin.close()

        assert bot.wait_exit_status() == 0
        assert "heard: not that one" in bot.describe_state()


def test_deaf() -> None:
    """`deaf` lets what is written to it pile up until the pipe is full."""
    with start_zoo_game("deaf") as bot:
        os.set_blocking(bot.stdin.fileno(), False)

        try:
            while True:
                os.write(bot.stdin.fileno(), b" " * 65_536)
        except BlockingIOError:
            assert bot.process.poll() is None


def test_a_child_that_holds_the_pipes() -> None:
    """The child of `forks_holders` outlives it, in a session of its own, with the bot's pipes open, and is not moved by
    SIGTERM.
    """
    with start_zoo_game("forks_holders") as bot:
        [child] = child_pids(bot.process.pid)
        try:
            bot.send_message(Bye())
            assert bot.wait_exit_status() == 0

            assert os.getsid(child) == child
            os.kill(child, signal.SIGTERM)
            os.kill(child, signal.SIGHUP)
            bot.send_bytes(b" ")  # somebody still holds the other end
        finally:
            os.kill(child, signal.SIGKILL)
        assert bot.read_output() == b""


def child_pids(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
