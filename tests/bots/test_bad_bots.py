"""The bad bots that the runner's tests use: each does the one thing that it is there for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn, ProtocolError
from pitboss.wire import Act, Bye, Fault, Faulted, Hello, Ready, Start

from .referee import CLOCK, Program, Seated, question

BAD: Final = Path(__file__).with_name("bad")
HELLO: Final = Hello(game="racko", options={}, seats=2, seat=0, seed="s", clock=CLOCK)
LEGAL: Final = ({"do": "draw"}, {"do": "pass"})

Seat: TypeAlias = Callable[[str], AbstractContextManager[Seated]]


@contextmanager
def playing(name: str) -> Iterator[Seated]:
    """Seat a bad bot and begin a game with it."""
    with Seated(Program((sys.executable, str(BAD / f"{name}.py")))) as bot:
        bot.greet(0, 2)
        bot.say(Start(game_id=1, seat=0, players=["A", "B"], seed="s"))
        yield bot


def ask(bot: Seated, number: int = 1) -> None:
    """Put a question to the bot."""
    bot.say(question(number, 0, "draw", LEGAL))


@pytest.mark.parametrize("name", ["good", "slow_start", "stderr_flood", "crash_later"])
def test_bots_that_answer(name: str) -> None:
    """These play correctly, at least at first, and the good ones end at `bye`."""
    with playing(name) as bot:
        for number in range(1, 20):
            ask(bot, number)
            assert bot.answer() == Act(id=number, choose=0)
        bot.say(Bye())
        assert bot.status() == 0


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nonsense", MalformedLine),
        ("chatter", MalformedLine),
        ("two_lines", OutOfTurn),
        ("wrong_id", OutOfTurn),
        ("flooder", FloodedLine),
    ],
)
def test_bots_that_break_the_protocol(name: str, fault: type[ProtocolError]) -> None:
    """These say something that the conversation does not allow."""
    with playing(name) as bot:
        ask(bot)
        with pytest.raises(fault):
            bot.answer()


@pytest.mark.parametrize(
    ("name", "asked", "status", "words"),
    [
        ("exits", 1, 3, "I have lost my cards"),
        ("dies_by_signal", 1, -signal.SIGSEGV, ""),
        ("crash_later", 20, 1, "the 20th decision was too much"),
    ],
)
def test_bots_that_end(name: str, asked: int, status: int, words: str) -> None:
    """These end at a decision, each in its own way, without an answer to it."""
    with playing(name) as bot:
        for number in range(1, asked):
            ask(bot, number)
            bot.answer()
        ask(bot, asked)

        assert bot.read() == b""
        assert bot.status() == status
        assert words in bot.last_words()


def test_illegal() -> None:
    """`illegal` answers in the right form with an index that does not exist."""
    with playing("illegal") as bot:
        ask(bot)
        assert bot.answer() == Act(id=1, choose=999)


def test_hears_fault() -> None:
    """`hears_fault` answers like `illegal`, and repeats on standard error what it is told of that."""
    with playing("hears_fault") as bot:
        ask(bot)
        assert bot.answer() == Act(id=1, choose=999)
        bot.say(Faulted(fault=Fault(kind="illegal", seat=0, decision=1, message="not that one")))
        bot.stdin.close()

        assert bot.status() == 0
        assert "heard: not that one" in bot.last_words()


def test_sleeper() -> None:
    """`sleeper` lives on and says nothing."""
    with playing("sleeper") as bot:
        ask(bot)
        bot.wait_until_read()

        assert bot.read(patience_s=0.2) == b""
        assert bot.process.poll() is None


def test_drips() -> None:
    """`drips` says the first byte of an answer and not the rest."""
    with playing("drips") as bot:
        ask(bot)

        assert bot.end.hear(bot.read()) is None
        assert not bot.end.is_silent()


def test_late_start() -> None:
    """`late_start` reads `hello` and all that follows without a word."""
    with Seated(Program((sys.executable, str(BAD / "late_start.py")))) as bot:
        bot.say(HELLO)
        bot.stdin.close()

        assert bot.read() == b""
        assert bot.status() == 0


def test_deaf() -> None:
    """`deaf` lets what is written to it pile up until the pipe is full."""
    with Seated(Program((sys.executable, str(BAD / "deaf.py")))) as bot:
        assert isinstance(bot.greet(0, 2), Ready)
        os.set_blocking(bot.stdin.fileno(), False)

        with pytest.raises(BlockingIOError):
            for _ in range(100):
                os.write(bot.stdin.fileno(), b" " * 65_536)


def test_stderr_flood() -> None:
    """`stderr_flood` writes 50 MB to standard error."""
    with playing("stderr_flood") as bot:
        ask(bot)
        bot.answer()

        assert bot.stderr.seek(0, os.SEEK_END) > 50_000_000


def test_forks() -> None:
    """The child of `forks` outlives it, in a session of its own, with the bot's pipes open, and is not moved by SIGTERM."""
    with Seated(Program((sys.executable, str(BAD / "forks.py")))) as bot:
        child = int(bot.greet(0, 2).version)
        try:
            bot.say(Start(game_id=1, seat=0, players=["A", "B"], seed="s"))
            ask(bot)
            assert bot.answer() == Act(id=1, choose=0)
            bot.say(Bye())
            assert bot.status() == 0

            assert os.getsid(child) == child
            os.kill(child, signal.SIGTERM)
            os.kill(child, signal.SIGHUP)
            bot.write(b" ")  # somebody still holds the other end
        finally:
            os.kill(child, signal.SIGKILL)
        assert bot.read() == b""


def test_every_bad_bot_is_here() -> None:
    """Each file of the folder is named in this one, so that none can rot."""
    here = Path(__file__).read_text()

    assert [path.stem for path in BAD.glob("*.py") if f'"{path.stem}' not in here] == []
