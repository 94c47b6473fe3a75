"""A bot at a table that is led by hand: real questions of a real game, whose lines a check may change before they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from pitboss.conversation import RunnerEnd
from pitboss.errors import ProtocolError
from pitboss.game import AnyState
from pitboss.randomness import Random
from pitboss.wire import Act, Bye, Clock, Decide, End, Fault, Faulted, FromRunner, Hello, Ready, Start, TimeLeft
from pitboss_tournament.checks.check import Broken, Skipped
from pitboss_tournament.checks.subject import Setting
from pitboss_tournament.checks.visit import EXIT_SECONDS, Visit, shown

PATIENCE: Final = 3  # times its limit that a bot is given where its speed is not the question
LONGEST_PATIENCE_S: Final = 10.0
LEAVES: Final = "it leaves after a game, as it may, and is started afresh for the next one"
LONGEST_SEARCH: Final = 2_000  # moves of chance in search of the bot's turn; then another game is begun
ODD_NAMES: Final = ("Zoë", 'Ann "Ace" O\\Hara', "李 🂡", ']},{"type":"bye"}', "D\u2028E")


def line(message: FromRunner | dict[str, Any]) -> bytes:
    """Return a message as it goes over the wire."""
    return msgspec.json.encode(message) + b"\n"


def fields(raw: bytes) -> dict[str, Any]:
    """Return the fields of a line of ours, to be changed."""
    return cast(dict[str, Any], msgspec.json.decode(raw))


class Sitting:
    """A bot in one seat of a game; the other seats play at random. Whatever it does wrong is raised as `Broken`."""

    def __init__(self, visit: Visit, setting: Setting, clock: Clock, seed: str, seat: int = 0) -> None:
        self.visit = visit
        self.setting = setting
        self.seat = seat
        self.chosen: list[object] = []  # the actions that it chose
        self.asked = 0  # the id of the last question
        self._clock = clock
        self._seed = seed
        self._games = 0
        self._has_ended_games = False
        self._want = "both"
        self._luck = Random(f"{seed}/luck")
        self._state: AnyState | None = None
        self._legal: Sequence[Any] = ()
        self._told = 0

    # ---- what the runner says

    def hello(self) -> bytes:
        """Return the first line."""
        setting = self.setting
        return line(
            Hello(
                game=setting.game.name,
                options=setting.options,
                seats=setting.seats,
                seat=self.seat,
                seed=self._seed,
                clock=self._clock,
            )
        )

    def start(self) -> bytes:
        """Begin another game, and return the line that says so."""
        seed = f"{self._seed}/{self._games}"
        self._state = self.setting.game.deal(self.setting.seats, self.setting.options, Random(seed))
        self._told = self.asked = 0
        self._games += 1
        names = [f"player-{seat}" for seat in range(self.setting.seats)]
        return line(Start(game_id=self._games, seat=self.seat, players=names, seed=seed))

    def question(self, phase: str | None = None) -> bytes | None:
        """Let the others play until the bot is on turn (in this phase, if one is given: chance then decides for it too); return the question.

        None: the game is over, or does not come to that.
        """
        state = self._state
        assert state is not None
        for _ in range(LONGEST_SEARCH):
            turn = state.turn
            if turn is None:
                return None
            if turn.seat == self.seat and phase in (None, turn.phase):
                break
            state.play(self._luck.choice(state.legal()))
        else:
            return None
        self._legal = list(state.legal())
        return self._decide(state, turn.phase)

    def _decide(self, state: AnyState, phase: str) -> bytes:
        self.asked += 1
        events = state.table.events(self.seat, self._told) if self._want != "view" else []
        self._told = len(state.table.log or ())
        return line(
            Decide(
                id=self.asked,
                seat=self.seat,
                phase=phase,
                legal=self._legal,
                view=state.view(self.seat) if self._want != "events" else None,
                events=events,
                clock=TimeLeft(self._clock.decision_ms, self._clock.game_ms),
            )
        )

    def end(self, faults: Sequence[Fault] = (), points: Sequence[float] | None = None) -> bytes:
        """Return the line that ends a game, as if it were over."""
        self._has_ended_games = True
        seats = self.setting.seats
        places = list(range(1, seats + 1))
        return line(
            End(game_id=self._games, places=places, points=list(points or map(float, reversed(places))), faults=list(faults))
        )

    # ---- the conversation

    async def say(self, raw: bytes) -> None:
        """Send some bytes."""
        if not await self.visit.send(raw):
            raise await self.trouble(f"it does not take what it is told: {shown(raw)}")

    async def greet(self, raw: bytes | None = None) -> None:
        """Say hello (in other words, if some are given) and hear the answer."""
        await self.say(raw or self.hello())
        said = await self._heard("hello", self._clock.start_ms)
        wire = RunnerEnd()
        wire.phase = "greeting"
        try:
            ready = wire.hear(said)
        except ProtocolError as wrong:
            raise await self.trouble(str(wrong)) from None
        assert isinstance(ready, Ready)
        self._want = ready.want

    async def answer(self, number: int | None = None) -> None:
        """Hear the answer to the last question (or one whose id the check has changed), judge it and play it."""
        said = await self._heard("decide", self._clock.decision_ms)
        wire = RunnerEnd()
        wire.phase, wire.asked = "asking", self.asked if number is None else number
        try:
            act = wire.hear(said)
        except ProtocolError as wrong:
            raise await self.trouble(str(wrong)) from None
        assert isinstance(act, Act) and self._state is not None
        action = await self._action(act)
        self.chosen.append(msgspec.to_builtins(action))
        self._state.play(action)

    def lengthened(self, raw: bytes, least: int) -> bytes:
        """Return a question whose legal list is repeated until it has so many entries."""
        times = -(-least // len(self._legal))
        self._legal = [*self._legal] * times
        question = fields(raw)
        return line({**question, "legal": question["legal"] * times})

    def pass_by(self) -> None:
        """Let chance play for the bot, whose answer is judged elsewhere."""
        assert self._state is not None
        self._state.play(self._luck.choice(self._legal))

    async def play(self, questions: int, phase: str | None = None) -> None:
        """Ask some questions, each as it is, in one game after another if it takes more than one."""
        for _ in range(questions):
            raw = self.question(phase)
            if raw is None:
                await self.say(self.end())
                await self.say(self.start())
                raw = self.question(phase)
                if raw is None:
                    return
            await self.say(raw)
            await self.answer()

    async def begin(self, questions: int = 0) -> None:
        """Say hello and begin a game, with so many questions in it."""
        await self.greet()
        await self.say(self.start())
        await self.play(questions)

    async def part(self) -> None:
        """Say goodbye."""
        await self.say(line(Bye()))
        self.visit.hang_up()

    async def blame(self, message: str) -> None:
        """Tell the bot that it has done wrong."""
        await self.say(line(Faulted(fault=Fault(kind="illegal", seat=self.seat, decision=self.asked, message=message))))
        self.visit.hang_up()

    async def keep_silent(self, for_s: float, when: str) -> None:
        """Listen whether the bot is silent, as it should be."""
        said = await self.visit.overhear(for_s)
        if said:
            raise await self.trouble(f"{when} it said {shown(said)}")
        if self.visit.is_at_end:
            raise await self.trouble(f"{when} it closed its output")

    async def trouble(self, seen: str) -> Broken | Skipped:
        """Return what was seen, with the state of the bot's process and the end of its standard error.

        A bot that has left with status 0 after a game has done no wrong: it is not what this check is about.
        """
        if self._has_ended_games and await self.visit.has_ended(EXIT_SECONDS) and self.visit.has_left():
            return Skipped(LEAVES)
        account = "" if self.visit.is_running() and not self.visit.is_at_end else f"; {await self.visit.account()}"
        return Broken(f"{seen}{account}", self.visit.stderr())

    async def _heard(self, what: str, limit_ms: int) -> bytes:
        within = min(limit_ms / 1000 * PATIENCE, max(LONGEST_PATIENCE_S, limit_ms / 1000))
        said = await self.visit.hear(within)
        if said.endswith(b"\n"):
            return said
        part = f" but {shown(said)}, a line without an end" if said else ""
        if self.visit.is_at_end:
            raise await self.trouble(f"no answer to {what!r}{part}")
        raise await self.trouble(f"no answer to {what!r} in {within:.1f} s{part}")

    async def _action(self, act: Act) -> object:
        if act.choose is not None:
            if act.choose < len(self._legal):
                return self._legal[act.choose]
            raise await self.trouble(
                f"it chose {act.choose}; there were {len(self._legal)} legal actions, 0..{len(self._legal) - 1}"
            )
        try:
            return self._legal[self._legal.index(msgspec.convert(act.action, self.setting.game.Action))]
        except (msgspec.ValidationError, ValueError):
            raise await self.trouble(f"it played {msgspec.json.encode(act.action).decode()[:200]}, which is not legal") from None
