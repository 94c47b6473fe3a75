"""Re-ask a bot: replay a recorded game and put the questions of one seat to a bot again.

The game goes on as it was recorded, whatever the bot answers now.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import takewhile
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from pitboss.action_range import find_entry
from pitboss.errors import ConfigError, ReplayDiffers
from pitboss.game import AnyGame, AnyState, PartlyKnown, resolve_options
from pitboss.loadouts import open_loadouts
from pitboss.moments import Moment, MomentTracker
from pitboss.open_actions import find_open_choices
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Hello
from pitboss.records.record import Incident, replay_states
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.match import make_start
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant, FaultRules, SandboxLevel
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.logs import decompress_text
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.reask.recorded_game import RecordedDecision, RecordedGame
from pitboss_tournament.text.terminal_text import decode_text

_NEVER_FORFEIT: Final = FaultRules(policy="substitute", substitutions=1 << 30)  # a fault ends no series of questions

Pause = Callable[[int], Awaitable[None]]


class ReaskRequest(Struct, frozen=True, kw_only=True):
    """What is to be asked, and how."""

    seat: int
    decision: int
    alone: bool = False  # without the questions before it
    timed: bool = True
    sandbox: SandboxLevel = "none"


class ReaskedDecision(Struct, frozen=True, kw_only=True):
    """A question that was asked again: what was played then, and what is answered now."""

    original: RecordedDecision
    phase: str
    legal: list[Any]
    original_action: Any  # None: nothing was answered that could be played, or nothing at all
    action: Any = None  # None: the answer is a fault now
    us: int = 0
    note: str | None = None
    fault: Fault | None = None

    @property
    def differs(self) -> bool:
        """Whether the bot now does something else than then, if anything was done."""
        return self.original.then is not None and (self.action is None or self.action != self.original_action)

    @property
    def choice(self) -> int | None:
        """The index of the action that the bot chooses now; None for a fault, and for an open action."""
        return find_entry(self.action, self.legal)

    @property
    def original_choice(self) -> int | None:
        """The index of what was played; None: an open action, or nothing was answered that could be played."""
        return find_entry(self.original_action, self.legal)


class ReaskResult(Struct, frozen=True, kw_only=True):
    """Answers of one process: the question, the earlier questions, its standard error, the exchanged lines."""

    asked: ReaskedDecision
    earlier: list[ReaskedDecision]
    errors: str
    wire: str


def reask_bot(
    game: AnyGame,
    recorded: RecordedGame,
    entrant: Entrant,
    request: ReaskRequest,
    times: int = 1,
    pause: Pause | None = None,
) -> list[ReaskResult]:
    """Ask `repeat` times, each time in a new process. `pause` is called with the process id just before the question.

    Raises:
        ConfigError: the bot asks a language model; or nobody knows what the seat knew.
        ReplayDiffers: the record does not replay.
        MachineError: the machine cannot start a bot (in an exception group).
    """
    _refuse_model(entrant)

    async def reask_times() -> list[ReaskResult]:
        async with open_supervisor(request.sandbox, available_cpus()) as supervisor:
            return [await _reask_once(supervisor, game, recorded, entrant, request, pause) for _ in range(times)]

    return trio.run(reask_times)


def reask_games(
    game: AnyGame,
    asked: Sequence[tuple[RecordedGame, ReaskRequest]],
    entrant: Entrant,
    is_over: Callable[[], bool],
) -> list[ReaskResult | None]:
    """Ask one question of each of several games, with those before it, each in a new process, until `is_over`.

    None stands for a game that does not replay, or of which not all is known. All requests have the same sandbox.

    Raises:
        ConfigError, MachineError: see `reask_bot`.
    """
    _refuse_model(entrant)

    async def reask_each() -> list[ReaskResult | None]:
        async with open_supervisor(asked[0][1].sandbox, available_cpus()) as supervisor:
            return [
                await reask_if_replayed(supervisor, recorded, request)
                for recorded, request in takewhile(lambda _: not is_over(), asked)
            ]

    async def reask_if_replayed(
        supervisor: BotSupervisor, recorded: RecordedGame, request: ReaskRequest
    ) -> ReaskResult | None:
        try:
            return await _reask_once(supervisor, game, recorded, entrant, request, None)
        except (ReplayDiffers, ConfigError):  # by the rules as they are now; or what the seat knew is unknown
            return None

    return trio.run(reask_each) if asked else []


def _refuse_model(entrant: Entrant) -> None:
    if entrant.model is not None:
        raise ConfigError(
            f"{entrant.name} asks a language model, which `ask` does not: `pitboss log` shows its answers"
        )


def _require_known(recorded: RecordedGame, number: int, state: AnyState, seat: int) -> None:
    if isinstance(state, PartlyKnown) and (unknown := state.describe_unknown(seat)):
        text = f"game {recorded.game_id}, decision {number}: {unknown} are not known, so that its bot cannot be asked"
        raise ConfigError(text)


async def _reask_once(
    supervisor: BotSupervisor,
    game: AnyGame,
    recorded: RecordedGame,
    entrant: Entrant,
    request: ReaskRequest,
    pause: Pause | None,
) -> ReaskResult:
    record, bot = recorded.record, recorded.bots[request.seat]
    hello = Hello(
        game=record.game,
        options=open_loadouts(record.options),
        seats=len(record.players),
        seat=request.seat,
        seed=bot.process_seed,
        clock=bot.clock,
        policy=True if recorded.has_policies(request.seat) else msgspec.UNSET,
    )
    played = resolve_options(game, len(record.players), overrides=record.options)
    start = make_start(game, played, recorded.game_id, request.seat, record.players, bot.game_seed)
    told = recorded.opponents
    seat = BotSeat(supervisor, entrant, game, hello, _NEVER_FORFEIT, is_timed=request.timed, opponents=told)
    incidents = [incident for incident in record.incidents if incident.fault.seat == request.seat]
    asked: list[ReaskedDecision] = []
    try:
        missing = await seat.start(start)  # why the bot has no process, and is asked nothing more
        wanted = recorded.decisions_asked(request.seat)
        moments: MomentTracker | None = None
        for number, state in zip(range(1, request.decision + 1), replay_states(record, game), strict=False):
            moments = moments or MomentTracker(state)
            moment = moments.follow(state)
            if number not in wanted:
                continue
            _require_known(recorded, number, state, request.seat)
            is_last = number == request.decision
            if is_last or not (request.alone or missing):
                earlier = [decision for decision in record.decisions[: number - 1] if decision.seat == request.seat]
                seat.resume(earlier, incidents)  # the number and the clocks that the question had
                missing = missing or await seat.rejoin()
                if is_last and not missing:
                    seat.link.split_stderr()
                    if pause is not None:
                        await pause(seat.link.pid)
                original = recorded.recorded_decision(number)
                asked.append(await _ask_question(seat, game, state, moment, original, missing))
    finally:
        with trio.CancelScope(shield=True):
            await seat.close()
    log = seat.link.log()
    return ReaskResult(
        asked=asked[-1],
        earlier=asked[:-1],
        errors=decode_text(decompress_text(log.errors)),
        wire=decode_text(decompress_text(log.wire)),
    )


async def _ask_question(
    seat: BotSeat,
    game: AnyGame,
    state: AnyState,
    moment: Moment,
    original: RecordedDecision,
    missing: Incident | None,
) -> ReaskedDecision:
    """Ask as a match does, unless the bot could not be started."""
    turn, legal = state.turn, list(state.legal())
    assert turn is not None
    answer: Answer | Incident | None = missing
    if answer is None:
        view = seat.observe(moment.state)
        events = state.table.events(turn.seat, seat.log_position, moment.log_end) if seat.wants_events else []
        seat.log_position = moment.log_end
        answer = await seat.decide(turn.phase, legal, view, events, moment.seats, find_open_choices(state))
    then = None if original.then is None or original.then.forced else msgspec.convert(original.then.action, game.Action)
    asked = ReaskedDecision(original=original, phase=turn.phase, legal=legal, original_action=then, us=answer.us)
    if isinstance(answer, Answer):
        return replace(asked, action=answer.action, note=answer.note)
    return replace(asked, fault=answer.fault)
