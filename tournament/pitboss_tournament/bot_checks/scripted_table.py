"""A scripted game with one bot: real questions of a real game, whose lines a check may alter before sending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, cast

import msgspec

from pitboss.action_range import draw_action, locate_ranges
from pitboss.errors import ProtocolError
from pitboss.game import AnyState
from pitboss.moments import Moment, MomentTracker
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import (
    Act,
    Bye,
    Decide,
    End,
    FromBot,
    FromRunner,
    Hello,
    Ready,
    TimeLeft,
    Want,
)
from pitboss.simulation.game_setup import GameSetup
from pitboss.simulation.random_play import choose_from, play_decisions
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable
from pitboss_tournament.bot_checks.diagnosis import diagnose_silence
from pitboss_tournament.bot_checks.raw_connection import CHECKED_EXIT_SECONDS, RawConnection, format_bytes
from pitboss_tournament.match.bot_seat import find_action
from pitboss_tournament.match.fault_policy import BotFaulted
from pitboss_tournament.match.match import make_start
from pitboss_tournament.rounds.schedule import draw_bot_seeds

LIMIT_FACTOR: Final = 3  # multiple of a limit that is waited: speed is judged by other checks
LONGEST_WAIT_S: Final = 10.0
LEAVES_AFTER_GAME: Final = "it leaves after a game{how}, as it may, and is started afresh for the next one"
LONGEST_SEARCH: Final = 2_000  # decisions at random up to the bot's turn
ODD_NAMES: Final = ("Zoë", 'Ann "Ace" O\\Hara', "李 🂡", ']},{"type":"bye"}', "D\u2028E")


def encode_message(message: FromRunner | dict[str, Any]) -> bytes:
    """Return a message as a line of the protocol."""
    return msgspec.json.encode(message) + b"\n"


def decode_fields(raw: bytes) -> dict[str, Any]:
    """Return the fields of a line."""
    return cast(dict[str, Any], msgspec.json.decode(raw))


def alter_line(raw: bytes, **changes: object) -> bytes:
    """Return a line with some of its fields changed, and with new ones at its end."""
    return encode_message({**decode_fields(raw), **changes})


class ScriptedTable:
    """A bot in one seat; the other seats play at random. Every deviation is raised as `CheckFailed`."""

    def __init__(self, connection: RawConnection, setup: GameSetup, hello: Hello, want: Want = "both") -> None:
        """Have no game yet. `want`: what the questions contain until the bot has been greeted."""
        self.connection = connection
        self.setup = setup
        self.seat = hello.seat
        self.chosen_actions: list[object] = []
        self.question_id = 0  # of the last question
        self.hello = hello
        self._games = 0
        self._is_greeted = False
        self._is_in_game = False  # as the bot has been told
        self._sent_before: int | None = None  # bytes, when the bot was last told the end of a game
        self._want: Want = want
        self._random = Random(f"{hello.seed}/luck")
        self._state: AnyState | None = None
        self._moments: MomentTracker | None = None
        self._legal: Sequence[Any] = ()
        self._events_sent = 0

    def hello_line(self) -> bytes:
        """Return the `hello` line."""
        return encode_message(self.hello)

    def start_game(self) -> bytes:
        """Begin another game and return its `start` line."""
        seed = f"{self.hello.seed}/{self._games}"
        self._state = self.setup.deal(seed)
        self._moments = MomentTracker(self._state)
        self._events_sent = self.question_id = 0
        self._games += 1
        self._is_in_game = True
        names = [f"player-{seat}" for seat in range(self.setup.seats)]
        [own] = draw_bot_seeds(f"{seed}/start", 1)
        return encode_message(make_start(self.setup.game, self.setup.options, self._games, self.seat, names, own))

    def next_question(self, phase: str | None = None) -> bytes | None:
        """Play the other seats (and this one, outside `phase`) at random up to the bot's turn; return the question.

        Returns None if the game ends first, or after LONGEST_SEARCH decisions.
        """
        assert self._state is not None and self._moments is not None
        for turn, legal in play_decisions(self._state, choose_from(self._random), LONGEST_SEARCH):
            moment = self._moments.follow(self._state)
            if turn.seat == self.seat and phase in (None, turn.phase):
                self._legal = list(legal)
                return self._question_line(self._state, turn.phase, moment)
        return None

    def require_question(self) -> bytes:
        """Return the next question; if the game is over, one of a new game, whose `start` is not sent to the bot."""
        raw = self.next_question()
        while raw is None:
            self.start_game()
            raw = self.next_question()
        return raw

    def _question_line(self, state: AnyState, phase: str, moment: Moment) -> bytes:
        self.question_id += 1
        events = state.table.events(self.seat, self._events_sent, moment.log_end) if self._want != "view" else []
        self._events_sent = moment.log_end
        return encode_message(
            Decide(
                id=self.question_id,
                seat=self.seat,
                phase=phase,
                legal=self._legal,
                view=moment.state.view(self.seat) if self._want != "events" else None,
                events=events,
                clock=TimeLeft(self.hello.clock.decision_ms, self.hello.clock.game_ms),
                together=moment.seats or msgspec.UNSET,
                ranges=locate_ranges(self._legal) or msgspec.UNSET,
            )
        )

    def end_line(self) -> bytes:
        """Return an `end` line, as if the game were over."""
        places = list(range(1, self.setup.seats + 1))
        points = list(map(float, reversed(places)))
        return encode_message(End(game_id=self._games, places=places, points=points, faults=[]))

    async def end_game(self, raw: bytes | None = None) -> None:
        """Send `end` (or `raw`), and wait until the bot has taken it in."""
        await self.send(raw or self.end_line())
        self._is_in_game = False
        self._sent_before = self.connection.process.sent_bytes
        await self.connection.process.wait_settled()

    async def send(self, raw: bytes) -> None:
        """Send some bytes; raise what `failure` returns if the bot does not take them."""
        if not await self.connection.send(raw):
            raise await self.failure(f"it does not take what it is told: {format_bytes(raw)}")

    async def greet(self, raw: bytes | None = None) -> None:
        """Send `hello` (or `raw`) and receive the answer; do nothing if an earlier check has greeted the bot."""
        if self._is_greeted:
            return
        await self.send(raw or self.hello_line())
        ready = await self._receive_message("hello", self.hello.clock.start_ms)
        assert isinstance(ready, Ready)
        self._want = ready.want
        self._is_greeted = True
        self.connection.process.attach_gauge()

    async def leave_game(self) -> bool:
        """End the game of a check, and forget the check; return whether the bot waits for a game of another check."""
        connection = self.connection
        if self._is_in_game and not await connection.send(self.end_line()):
            return False
        await connection.process.wait_settled()
        said = await connection.receive_for(0)
        self._is_in_game, self._sent_before, self.chosen_actions = False, None, []
        return self._is_greeted and not said and not connection.is_output_closed and connection.process.is_running()

    async def receive_answer(self, number: int | None = None) -> None:
        """Receive the answer to the last question (`number`: its altered id) and play the action."""
        act = await self._receive_message(
            "decide", self.hello.clock.decision_ms, self.question_id if number is None else number
        )
        assert isinstance(act, Act)
        await self.play_answer(act)

    async def play_answer(self, act: Act) -> None:
        """Play the action that was chosen; raise what `failure` returns if it is not legal."""
        assert self._state is not None
        try:
            action = find_action(act, self._legal, self.setup.game.Action)
        except BotFaulted as wrong:
            seen = str(wrong)
            if act.choose is None:
                seen = f"it played {msgspec.json.encode(act.action).decode()[:200]}, which is not legal"
            raise await self.failure(seen) from None
        self.chosen_actions.append(msgspec.to_builtins(action))
        self._state.play(action)

    def sample_lines(self) -> bytes:
        """Return `hello`, and a game with a question: what a bot that waits may wait for."""
        return self.hello_line() + self.start_game() + self.require_question()

    def repeat_legal(self, raw: bytes, least: int) -> bytes:
        """Return the question with its legal list repeated to at least `least` entries."""
        self._legal = [*self._legal] * -(-least // len(self._legal))
        return alter_line(raw, legal=self._legal)

    def play_at_random(self) -> None:
        """Play a random action for the bot."""
        assert self._state is not None
        self._state.play(draw_action(self._random.choice(self._legal), self._random.randbelow))

    async def ask_questions(self, questions: int, phase: str | None = None) -> int:
        """Ask `questions` unaltered questions, in a new game if one ends; stop early if a new game brings none.

        Returns how many were asked.
        """
        for asked in range(questions):
            raw = self.next_question(phase)
            if raw is None:
                await self.end_game()
                await self.send(self.start_game())
                raw = self.next_question(phase)
                if raw is None:
                    return asked
            await self.send(raw)
            await self.receive_answer()
        return questions

    async def begin_game(self, questions: int = 0) -> None:
        """Greet the bot, begin a game and ask questions."""
        await self.greet()
        await self.send(self.start_game())
        await self.ask_questions(questions)

    async def say_bye(self) -> None:
        """Send `bye` and close the input."""
        await self.send(encode_message(Bye()))
        self.connection.process.close_stdin()

    async def expect_silence(self, for_s: float, when: str) -> None:
        """Fail if the bot writes or closes its output within `for_s` seconds."""
        said = await self.connection.receive_for(for_s)
        if said:
            raise await self.failure(f"{when} it said {format_bytes(said)}")
        if self.connection.is_output_closed:
            raise await self.failure(f"{when} it closed its output")

    async def failure(self, seen: str) -> CheckFailed | CheckNote | NotApplicable:
        """Return `CheckFailed` with the process state and standard error.

        A bot may leave after a game, without having read on: with status 0 that is `NotApplicable`, else a `CheckNote`.
        """
        connection = self.connection
        if self._sent_before is not None and await connection.wait_ended(CHECKED_EXIT_SECONDS):
            process = connection.process
            if process.has_exited_cleanly():
                return NotApplicable(LEAVES_AFTER_GAME.format(how=""))
            if process.sent_bytes - process.unread_bytes() <= self._sent_before:
                words = connection.stderr_tail().strip().splitlines()
                last = f"; its standard error ends with {words[-1]!r}" if words else ""
                how = f" ({process.exit_text()}{last})"
                return CheckNote(LEAVES_AFTER_GAME.format(how=how), "harmless, but each game then costs a start")
        end = await connection.observe_end()
        if end.is_running:
            account = "; it closed its output, and its process lives on" if connection.is_output_closed else ""
            return CheckFailed(f"{seen}{account}", end.stderr)
        diagnosis = diagnose_silence(end, "decide")
        return CheckFailed(f"{seen}; {diagnosis.seen}", end.stderr, diagnosis.cure, diagnosis.key)

    async def _receive_message(self, asked: Literal["hello", "decide"], limit_ms: int, number: int = 0) -> FromBot:
        """Return the answer to `hello`, or to question `number`."""
        within = min(limit_ms / 1000 * LIMIT_FACTOR, max(LONGEST_WAIT_S, limit_ms / 1000))
        said = await self.connection.receive_line(within)
        if not said.endswith(b"\n"):
            in_time = "" if self.connection.is_output_closed else f" in {within:.1f} s"
            part = f" but {format_bytes(said)}, a line without an end" if said else ""
            question = f"question {self.question_id} of game {self._games}" if asked == "decide" else "`hello`"
            raise await self.failure(f"no answer to {question}{in_time}{part}")
        wire = RunnerConnection()
        wire.phase, wire.question_id = "greeting" if asked == "hello" else "asking", number
        try:
            message = wire.receive(said)
        except ProtocolError as wrong:
            raise await self.failure(str(wrong)) from None
        assert message is not None
        return message
