"""The zoo's bots by themselves, without the runner: none is forgotten, and those that get no verdict do what they are there for."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitboss.wire import Act, Bye, Fault, Faulted, Start

from .animals import ANIMALS
from .keeper import ZOO, at_home, does
from .referee import Program, Seated, question

pytestmark = pytest.mark.once

LEGAL = ({"do": "draw"}, {"do": "pass"})
NO_ANIMALS = {"polite.py", "polite.sh", "polite.h", "dies_somewhere.c"}


@contextmanager
def playing(name: str) -> Iterator[Seated]:
    """Seat a bot and begin a game with it."""
    bot = at_home(name)
    with Seated(Program(bot.command, bot.folder)) as seated:
        seated.greet(0, 2)
        seated.say(Start(game_id=1, seat=0, players=["A", "B"], seed="s"))
        yield seated


def ask(bot: Seated, number: int = 1) -> None:
    """Put a question to the bot."""
    bot.say(question(number, 0, "draw", LEGAL))


def test_every_bot_of_the_zoo_is_in_the_list() -> None:
    """Each file is an animal, or what animals share, so that none can rot; each says in its first line what it does."""
    files = {path.name for path in ZOO.iterdir() if path.is_file()}

    assert {animal.file for animal in ANIMALS} | NO_ANIMALS == files
    assert len({animal.name for animal in ANIMALS}) == len(ANIMALS) >= 50
    assert all(does(animal).endswith((".", ":")) or "," in does(animal) for animal in ANIMALS)


def test_the_good_ones() -> None:
    """They answer every question, and end at `bye`."""
    for name in ("good", "watches", "byte_by_byte", "slow_in_time", "duplicate_keys", "reshapes_its_pipes"):
        with playing(name) as bot:
            for number in range(1, 8):
                ask(bot, number)
                act = bot.answer()
                assert isinstance(act, Act)
                assert (act.id, act.choose) == (number, 0)
            bot.say(Bye())
            assert bot.status() == 0


def test_hearing_of_a_fault() -> None:
    """A bot says on standard error what it is told, and ends at the end of its input."""
    with playing("plays_illegally") as bot:
        ask(bot)
        assert bot.answer() == Act(id=1, choose=999)
        bot.say(Faulted(fault=Fault(kind="illegal", seat=0, decision=1, message="not that one")))
        bot.stdin.close()

        assert bot.status() == 0
        assert "heard: not that one" in bot.last_words()


def test_deaf() -> None:
    """`deaf` lets what is written to it pile up until the pipe is full."""
    with playing("deaf") as bot:
        os.set_blocking(bot.stdin.fileno(), False)

        try:
            while True:
                os.write(bot.stdin.fileno(), b" " * 65_536)
        except BlockingIOError:
            assert bot.process.poll() is None


def test_a_child_that_holds_the_pipes() -> None:
    """The child of `forks_holders` outlives it, in a session of its own, with the bot's pipes open, and is not moved by SIGTERM."""
    with playing("forks_holders") as bot:
        [child] = children(bot.process.pid)
        try:
            bot.say(Bye())
            assert bot.status() == 0

            assert os.getsid(child) == child
            os.kill(child, signal.SIGTERM)
            os.kill(child, signal.SIGHUP)
            bot.write(b" ")  # somebody still holds the other end
        finally:
            os.kill(child, signal.SIGKILL)
        assert bot.read() == b""


def children(pid: int) -> list[int]:
    """Return the children of a process."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
