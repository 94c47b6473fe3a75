"""A tiny referee: it seats real bot processes and plays a game with them, in plain blocking code, without the
runner.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from pitboss import Outcome, Random
from pitboss.game import AnyGame, resolve_options
from pitboss.options import convert_value
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import Act, Bye, Clock, Decide, End, FromBot, FromRunner, Hello, Ready, Start, TimeLeft

TIMEOUT_S: Final = 600.0  # only a bot that hangs ever waits so long
GENEROUS_CLOCK: Final = Clock(start_ms=60_000, decision_ms=60_000)
NAMES: Final = ("Zoë", 'Ann "Ace" O\\Hara', "李", "D")  # names that a careless scanner stumbles over


class BotProgram(NamedTuple):
    """How to start a bot."""

    command: Sequence[str]
    folder: Path | None = None


class BlockingBot:
    """A bot at the table: its process, and the runner's end of the conversation with it."""

    def __init__(self, program: BotProgram) -> None:
        self.end = RunnerConnection()
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            program.command,
            cwd=program.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            bufsize=0,
            env={
                name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"
            },  # it hides a missing flush
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            pipe.close()

    def send_message(self, message: FromRunner) -> None:
        """Send a message."""
        self.send_bytes(self.end.send(message))

    def send_bytes(self, raw: bytes) -> None:
        """Send bytes, all of them."""
        while raw:
            raw = raw[self.stdin.write(raw) or 0 :]

    def wait_until_read(self) -> None:
        """Wait until the bot has taken all that was sent."""
        stop_at = time.monotonic() + TIMEOUT_S
        while struct.unpack("i", fcntl.ioctl(self.stdin, termios.FIONREAD, b"\0" * 4)) != (0,):
            assert time.monotonic() < stop_at and self.process.poll() is None, (
                f"the bot does not read; {self.describe_state()}"
            )
            os.sched_yield()

    def read_output(self, timeout_s: float = TIMEOUT_S) -> bytes:
        """Return what the bot wrote, at once or a little later: nothing if its pipe is closed or it is silent for so
        long.
        """
        readable, _, _ = select.select([self.stdout], [], [], timeout_s)
        return self.stdout.read(65_536) or b"" if readable else b""

    def read_message(self) -> FromBot:
        """Return the bot's next message, which must come."""
        while True:
            received = self.read_output()
            assert received, f"the bot said nothing; {self.describe_state()}"
            message = self.end.receive(received)
            if message is not None:
                return message

    def wait_exit_status(self) -> int:
        """Wait until the bot has ended by itself, and return its exit status (of a signal: minus its number)."""
        return self.process.wait(TIMEOUT_S)

    def describe_state(self) -> str:
        """Return how the bot stands, and what it wrote to standard error."""
        self.stderr.seek(0)
        return f"status {self.process.poll()}, standard error {self.stderr.read()[-2000:].decode(errors='replace')!r}"

    def greet(self, seat: int, seats: int, game: str = "racko", options: object = None) -> Ready:
        """Say hello and return the answer."""
        self.send_message(
            Hello(game=game, options=options or {}, seats=seats, seat=seat, seed=f"bot-{seat}", clock=GENEROUS_CLOCK)
        )
        ready = self.read_message()
        assert isinstance(ready, Ready)
        return ready


class ProcessGame(NamedTuple):
    """A game that was played to its end: the index of each action among the legal ones, and the outcome."""

    choices: list[int]
    outcome: Outcome


def play_game(bots: Sequence[BlockingBot], game: AnyGame, options: Any, seed: str, game_id: int = 1) -> ProcessGame:  # noqa: ANN401
    """Play one game with bots that have been greeted, checking every answer."""
    state = game.deal(len(bots), options, Random(seed))
    names = list(NAMES[: len(bots)])
    for seat, bot in enumerate(bots):
        bot.send_message(Start(game_id=game_id, seat=seat, players=names, seed=f"{seed}/bot-{seat}"))
    choices: list[int] = []
    told = [0] * len(bots)
    while (turn := state.turn) is not None:
        legal = list(state.legal())
        bot = bots[turn.seat]
        question = make_question(len(choices) + 1, turn.seat, turn.phase, legal, state.view(turn.seat))
        bot.send_message(replace(question, events=state.table.events(turn.seat, told[turn.seat])))
        told[turn.seat] = len(state.table.log or [])
        act = bot.read_message()
        assert isinstance(act, Act)
        choices.append(chosen_index(act, legal, game))
        state.play(legal[choices[-1]])
    outcome = state.outcome()
    for bot in bots:
        bot.send_message(End(game_id=game_id, places=list(outcome.places), points=list(outcome.points)))
    return ProcessGame(choices, outcome)


def make_question(number: int, seat: int, phase: str, legal: Sequence[object], view: object = None) -> Decide:
    """Return the message that asks a bot."""
    return Decide(id=number, seat=seat, phase=phase, legal=list(legal), view=view, clock=TimeLeft(60_000))


def chosen_index(act: Act, legal: Sequence[object], game: AnyGame) -> int:
    """Return the index of the action that a bot chose, which must be a legal one."""
    if act.action is not UNSET:
        return legal.index(convert_value(act.action, game.Action, "the bot's action", AssertionError))
    assert act.choose is not None and act.choose < len(legal), f"{act} was answered; legal: {legal}"
    return act.choose


def play_series(
    programs: Sequence[BotProgram],
    game: AnyGame,
    seeds: Iterable[str],
    given: Mapping[str, object],
    preset: str | None = None,
) -> list[ProcessGame]:
    """Seat the programs in this order and play a game for each seed, all in the same processes."""
    options = resolve_options(game, len(programs), preset, given)
    bots = [BlockingBot(program) for program in programs]
    try:
        for seat, bot in enumerate(bots):
            bot.greet(seat, len(bots), game.name, options)
        games = [play_game(bots, game, options, seed, number) for number, seed in enumerate(seeds, 1)]
        for bot in bots:
            bot.send_message(Bye())
        assert [bot.wait_exit_status() for bot in bots] == [0] * len(bots), [bot.describe_state() for bot in bots]
        return games
    finally:
        for bot in bots:
            bot.__exit__(None, None, None)


def add_fields(line: bytes, more: Mapping[str, object]) -> bytes:
    """Return a message's line with further fields in front of its own, as a later protocol might send it."""
    fields: dict[str, object] = msgspec.json.decode(line)
    return msgspec.json.encode({"type": fields["type"], **more, **fields}) + b"\n"
