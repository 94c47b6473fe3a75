"""A bot in a seat: game messages to its process, its answers as `Answer`, its faults as `Incident`.

Its bank clock tells how long it may take for its next decision, and what is left of its time for the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
import trio
from msgspec.structs import replace

from pitboss.action_range import explain_beyond, find_legal_action, locate_ranges, lowest_action
from pitboss.errors import WrongPolicy
from pitboss.game import AnyGame, AnyState
from pitboss.open_actions import NOTHING_OPEN, OpenChoices, describe_open_kinds, read_open_action
from pitboss.protocol.faults import ClockName, Fault
from pitboss.protocol.messages import Act, Clock, Decide, End, FromBot, Hello, Ready, Start, TimeLeft
from pitboss.protocol.policy import Policy, resolve_policy
from pitboss.records.record import Decision, Incident, Record
from pitboss.table.events import AnyEvent
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.fault_policy import BotFaulted, FaultPolicy, ends_process
from pitboss_tournament.match.many_tables import ProcessLost
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.match.table_link import TableLink
from pitboss_tournament.plan.plan import Entrant, FaultRules, KeepLogs, Opponents
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.processes.supervisor import BotSupervisor

SeatLink: TypeAlias = BotLink | TableLink
Greet: TypeAlias = Callable[[BotLink, Ready], SeatLink]
"""Is told what a bot has agreed to, and returns the link to go on with."""


class BotSeat:
    """A bot in a seat, over many games. Its process starts when it is first needed, and restarts after a fault."""

    def __init__(
        self,
        supervisor: BotSupervisor,
        entrant: Entrant,
        game: AnyGame,
        hello: Hello,
        rules: FaultRules,
        *,
        is_timed: bool = True,
        opponents: Opponents = "names",
    ) -> None:
        """`is_timed=False`: the bot is told its clocks, but may take as long as it likes.

        `opponents`: what it is told of the others at its table.
        """
        if open_kinds := describe_open_kinds(game.Action):
            hello = replace(hello, open=open_kinds)
        self.entrant = entrant
        self.wants_view = self.wants_events = False
        self.states_policies = self.does_open_actions = False  # as it has agreed
        self.log_position = 0
        self.link: SeatLink = BotLink(supervisor, entrant, hello, is_timed=is_timed, opponents=opponents)
        self.greet: Greet | None = None
        self._game = game
        self._hello = hello
        self._bank = BankClock(hello.clock)
        self._policy = FaultPolicy(rules)
        self._start: Start | None = None
        self._question_number = 0

    async def start(self, start: Start) -> Incident | None:
        """Begin a new game, in the process of the last one if there is one."""
        self._start = start
        self.log_position = 0
        self.resume((), ())
        self.link.begin_game(start.seed)
        return await self._join()

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Restore question number, substitutions and bank time from a game that was broken off."""
        self._question_number = len(decisions)
        self._policy.restore(incidents)
        self._bank.restore(decisions, incidents)

    async def rejoin(self) -> Incident | None:
        """Ensure the bot has a process, after a fault that did not forfeit the game."""
        if self.link.is_open:
            return None
        self.log_position = 0
        self._question_number += 1  # from now on a fault replaces the answer
        incident = await self._join()
        if incident is None:
            self._question_number -= 1
        return incident

    def observe(self, state: AnyState) -> object:
        """Return the seat's view of a state, if the bot wants one."""
        return state.view(self._hello.seat) if self.wants_view else None

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer | Incident:
        """Ask the bot for a decision."""
        beside = beside if self.does_open_actions else NOTHING_OPEN
        self._question_number += 1
        limit = self._bank.next_limit()
        question = Decide(
            id=self._question_number,
            seat=self._hello.seat,
            phase=phase,
            legal=legal,
            view=view,
            events=events,
            table=self.link.table,
            clock=limit.time_left,
            together=together or msgspec.UNSET,
            ranges=locate_ranges(legal) or msgspec.UNSET,
            open=beside.words or msgspec.UNSET,
        )
        link = self.link
        try:
            if interjection := link.find_interjection(question.id):
                raise interjection
            try:
                act = await link.ask(question, limit.us, limit.clock)
            except BotFaulted as fault:
                act = await self._ask_again(question, limit, fault)
            finally:
                self._bank.charge(link.last_us)
            assert isinstance(act, Act)
            action = self._find_action(act, legal, beside)
            if link.model is not None:
                await link.model.compare(question.id, action, legal)
            policy = find_policy(act, legal, self._game.Action, action)
            return Answer(action, link.last_us, link.last_lag_us, act.note, policy)
        except BotFaulted as fault:
            return await self._handle_fault(fault)
        except ProcessLost:
            self._question_number -= 1
            raise

    async def end(self, end: End) -> None:
        """Tell the bot the result of the game."""
        await self.link.end_game(end)

    async def close(self) -> None:
        """Say goodbye and end the process."""
        await self.link.close()

    # ---- within

    def _find_action(self, act: Act, legal: Sequence[Any], beside: OpenChoices) -> Any:  # noqa: ANN401 - an action of any game
        """Return the action of an answer; raises as `find_action`, for a bot whose model chose none with the reason."""
        try:
            return find_action(act, legal, self._game.Action, beside)
        except BotFaulted as fault:
            why = "" if self.link.model is None else self.link.model.explain()
            raise BotFaulted(fault.kind, why or str(fault)) from None

    async def _join(self) -> Incident | None:
        try:
            await self._announce_game()
        except BotFaulted as fault:
            return await self._handle_fault(fault)
        return None

    async def _announce_game(self) -> None:
        """Tell the bot of the game, in a fresh process if there is none or it has left after the last game."""
        assert self._start
        if not self.link.is_open:
            ready = await self.link.open()
            self.link.check_files()  # it may have read a file that changed after its start
            self.wants_view = ready.want != "events"
            self.wants_events = ready.want != "view"
            self.states_policies = ready.policy is True
            self.does_open_actions = ready.open is True
            if self.greet is not None and isinstance(self.link, BotLink):
                self.link = self.greet(self.link, ready)
        if not await self.link.announce(self._start):
            self.link.leave()
            await self._announce_game()

    async def _ask_again(self, question: Decide, limit: QuestionLimit, fault: BotFaulted) -> FromBot:
        """Ask a question in a fresh process if the bot turns out to have left after the last game.

        Raises:
            BotFaulted: it has not: the fault of the first time; or it fails again.
        """
        is_gone = fault.kind in ("ended_early", "crashed")
        if not is_gone or question.id > 1 or not self.link.has_left_between_games():
            raise fault
        self.link.leave()
        await self._announce_game()
        return await self.link.ask(question, limit.us, limit.clock)

    async def _handle_fault(self, raised: BotFaulted) -> Incident:
        """Turn a fault into an Incident; unless the bot may go on, send it the fault and end its process.

        Raises:
            MachineError: the bot's files have changed meanwhile, so that the fault may not be its own.
        """
        self.link.check_files()
        verdict = self._policy.judge(raised.kind, self._question_number)
        fault = Fault(
            kind=raised.kind,
            seat=self._hello.seat,
            decision=self._question_number,
            message=str(raised),
            clock=raised.clock,
            verdict=verdict,
        )
        exchange = self.link.last_lines()
        last_words = await self.link.report_fault(fault, is_last=ends_process(fault.kind, verdict))
        return Incident(fault=fault, exchange=exchange, last_words=last_words, us=self.link.last_us)


def find_action(
    act: Act,
    legal: Sequence[Any],
    action_type: Any,  # noqa: ANN401 - a type, or a union of types
    beside: OpenChoices = NOTHING_OPEN,
) -> Any:  # noqa: ANN401 - an action of any game
    """Return the action that an answer chooses: of a range that it chooses by its index, the lowest.

    `beside`: what else may be answered than one of the legal actions.

    Raises:
        BotFaulted: it chooses none.
    """
    if act.choose is not None:
        if act.choose < len(legal):
            return lowest_action(legal[act.choose])
        allowed = f"there were {len(legal)} legal actions, 0..{len(legal) - 1}"
        raise BotFaulted("illegal", f"it chose {act.choose}; {allowed}")
    action, why = find_legal_action(act.action, legal, action_type), None
    if action is None:
        action, why = read_open_action(act.action, beside)
    if action is None:
        played, allowed = (msgspec.json.encode(value).decode() for value in (act.action, legal))
        why = why or explain_beyond(act.action, legal) or f"legal were {allowed[:1000]}"
        raise BotFaulted("illegal", f"it played {played[:200]}; {why}")
    return action


def find_policy(act: Act, legal: Sequence[Any], action_type: Any, chosen: object) -> Policy | None:  # noqa: ANN401
    """Return the policy that an answer states, with the actions of the game; None if it states none.

    Raises:
        BotFaulted: it is no policy from which the chosen action can have been drawn.
    """
    if act.policy is msgspec.UNSET:
        return None
    try:
        return resolve_policy(act.policy, legal, action_type, chosen)
    except WrongPolicy as wrong:
        raise BotFaulted("illegal", str(wrong)) from None


async def close_all(seats: Iterable[BotSeat]) -> None:
    """Close several seats at once."""
    if not (closing := [*seats]):
        return  # without a turn of the loop
    async with trio.open_nursery() as nursery:
        for seat in closing:
            nursery.start_soon(seat.close)


async def settle_all(seats: Sequence[BotSeat]) -> None:
    """Wait until the bots have taken in the end of a game; close those that get a fresh process for each game.

    A bot at many tables is told the end with the next round, and not waited for.
    """
    await close_all(seat for seat in seats if seat.entrant.process == "game")
    links = [seat.link for seat in seats if isinstance(seat.link, BotLink)]
    for link in links[:1]:
        link.give_moment()  # in which the others of this processor take it in, too
    for link in links:
        await link.wait_settled()


def collect_logs(seats: Iterable[BotSeat], record: Record, keep_logs: KeepLogs) -> list[SeatLog]:
    """Return the logs of a finished game that are to be kept."""
    return [seat.link.log() for seat in seats] if record.faults or keep_logs == "all" else []


class QuestionLimit(NamedTuple):
    """The time limit of one question."""

    us: int
    clock: ClockName  # the clock that sets the limit
    time_left: TimeLeft  # as the bot is told


class BankClock:
    """The time a seat has left in one game."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._unbanked_limit = QuestionLimit(clock.decision_ms * 1000, "decision", TimeLeft(clock.decision_ms))
        self.restore((), ())

    def restore(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Begin a game with a full bank, minus the time of these decisions if the game was broken off."""
        game_ms = self._clock.game_ms
        self._bank_us = None if game_ms is None else game_ms * 1000  # None: the game has no limit
        incident_us = {incident.fault.decision: incident.us for incident in incidents}
        for number, decision in enumerate(decisions, 1):
            self.charge(incident_us.get(number, decision.us))

    def next_limit(self) -> QuestionLimit:
        """Return the limit of the next question: the time for a decision, or the bank if that holds less."""
        decision_ms, bank_us = self._clock.decision_ms, self._bank_us
        if bank_us is None:
            return self._unbanked_limit
        left = TimeLeft(decision_ms, bank_us // 1000)
        if bank_us < decision_ms * 1000:
            return QuestionLimit(bank_us, "game", left)
        return QuestionLimit(decision_ms * 1000, "decision", left)

    def charge(self, us: int) -> None:
        """Take the microseconds of a question off the bank, and add the increment."""
        if self._bank_us is not None:
            self._bank_us = max(0, self._bank_us - us) + self._clock.increment_ms * 1000
