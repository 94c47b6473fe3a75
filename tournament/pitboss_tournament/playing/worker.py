"""A worker: a process that plays what the tournament's parent hands to it, on a processor of its own, with its bots beside it.

The parent starts it as `python -m pitboss_tournament.playing.worker PARENT` and speaks to it as `lanes` says. It dies with its parent, also when that was
killed and also when a game's code never returns: the system kills it (Linux), or the end of its standard input tells it. Its bots then end by its
guardian. Ctrl-C and a closed terminal reach it too, but it is the parent who decides what they mean.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Final

import msgspec
import trio
from msgspec.structs import replace

from pitboss import record as records
from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame
from pitboss.hookspec import PROJECT
from pitboss.options import convert_value
from pitboss.plugins import Registry
from pitboss.protocol.messages import Hello
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.playing import schedule, worker_protocol
from pitboss_tournament.playing.bot_seat import BotSeat, close_all, collect_logs
from pitboss_tournament.playing.match import GamePluginError, Match, MatchResult
from pitboss_tournament.playing.schedule import GameBatch, ScheduledGame
from pitboss_tournament.playing.worker_protocol import (
    BatchDone,
    Disqualified,
    FailureKind,
    FinishedGame,
    GameCounted,
    LineReader,
    LineWriter,
    ParentMessage,
    PlayBatch,
    VoidReport,
    WorkerFailure,
    WorkerReady,
    WorkerStart,
)
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.statistics.scoring import GameResult, score_game

MAX_VOID_TRIES: Final = 5  # a game is begun anew so often if the machine fails; then the tournament stops
VOID_PAUSE_SECONDS: Final = 0.5

_FAILURE_KINDS: Final[dict[type[PitbossError], FailureKind]] = {
    GamePluginError: "game",
    MachineError: "room",
    ConfigError: "config",
}
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


class WorkerTables:
    """The tables of one worker."""

    def __init__(self, room: BotSupervisor, plan: Plan, game: AnyGame, mouth: LineWriter) -> None:
        self._supervisor = room
        self._plan = plan
        self._game = game
        self._writer = mouth
        self._disqualified = set[int]()
        self._uncounted: dict[int, trio.Event] = {}  # games with a forfeit that the parent has not yet counted

    async def play_batch(self, sit: PlayBatch) -> None:
        """Play the games of a sitting, with the same processes, and report."""
        players = [self._make_seat(sit.sitting, seat) for seat in range(self._plan.seats)]
        try:
            for slot in sit.sitting.games:
                if not self._disqualified.isdisjoint(sit.sitting.entrants):
                    break
                await self._report_game(sit.number, slot, await self._play_game(players, slot), players)
        finally:
            with trio.CancelScope(shield=True):
                await close_all(players)
        await self._send(BatchDone(sit.number))

    def disqualify(self, entrants: Sequence[int]) -> None:
        """Play no more games with these."""
        self._disqualified.update(entrants)

    def release_game(self, game_id: int) -> None:
        """Let the table go on whose game has been counted."""
        if game_id in self._uncounted:
            self._uncounted.pop(game_id).set()

    async def _play_game(self, players: Sequence[BotSeat], slot: ScheduledGame) -> MatchResult:
        """Play one game; if the machine fails it is void, and played again with fresh processes."""
        for attempt in range(1, MAX_VOID_TRIES + 1):
            match = Match(self._game, self._plan.options, players, schedule.deal_seed(self._plan, slot))
            try:
                return await match.play(slot.game_id, schedule.bot_seeds(self._plan, slot.game_id))
            except MachineError as trouble:
                await self._send(VoidReport(slot.game_id, trouble.cause, str(trouble)))
                if attempt == MAX_VOID_TRIES:
                    raise
                await close_all(players)
                await trio.sleep(VOID_PAUSE_SECONDS)
        raise AssertionError("unreachable")

    async def _report_game(
        self, sitting: int, slot: ScheduledGame, played: MatchResult, players: Sequence[BotSeat]
    ) -> None:
        """Tell the parent of a game, and wait for its answer if that may put a bot out."""
        record = played.record
        with self._supervisor.clock.pause():
            result = GameResult(
                slot.game_id, slot.pairing, slot.deal, slot.rotation, score_game(record, slot.entrants), played.lag
            )
            finished = FinishedGame(
                sitting=sitting,
                result=result,
                seed=record.seed,
                faults=record.faults,
                decisions=len(record.decisions),
                record=compress_text(records.dumps(record)),
                logs=collect_logs(players, record, self._plan.keep_logs),
            )
        counted = None
        if any(seat.fault is not None for seat in result.seats):
            counted = self._uncounted[slot.game_id] = trio.Event()
        await self._send(finished)
        if counted is not None:
            await counted.wait()

    async def _send(self, message: worker_protocol.WorkerMessage) -> None:
        with trio.CancelScope(shield=True):  # half a line would spoil what comes after it
            await self._writer.send(message)

    def _make_seat(self, sitting: GameBatch, seat: int) -> BotSeat:
        plan = self._plan
        hello = Hello(
            game=plan.game,
            options=msgspec.to_builtins(plan.options),
            seats=plan.seats,
            seat=seat,
            seed=schedule.bot_seeds(plan, sitting.games[0].game_id)[seat],
            clock=plan.clock,
        )
        return BotSeat(self._supervisor, plan.entrants[sitting.entrants[seat]], self._game, hello, plan.faults)


async def run_worker(reader: LineReader[ParentMessage], writer: LineWriter) -> None:
    """Play until the parent hangs up.

    Raises:
        ConfigError, BrokenGame, RoomTrouble: the tournament has to stop (in an exception group).
    """
    begin = await reader.receive()
    if begin is None:
        return
    if not isinstance(begin, WorkerStart):
        raise worker_protocol.WorkerProtocolError(f"the first message is {type(begin).__name__!r}; it must be 'begin'")
    if begin.core is not None:
        os.sched_setaffinity(0, {begin.core})
    game, plan = _resolve_plan(begin)
    async with open_supervisor(plan.sandbox, begin.thinkers, is_subreaper=True) as room, trio.open_nursery() as nursery:
        tables = WorkerTables(room, plan, game, writer)
        await writer.send(WorkerReady())
        while (message := await reader.receive()) is not None:
            match message:
                case PlayBatch():
                    nursery.start_soon(tables.play_batch, message)
                case Disqualified(entrants):
                    tables.disqualify(entrants)
                case GameCounted(game_id):
                    tables.release_game(game_id)
                case WorkerStart():
                    raise worker_protocol.WorkerProtocolError("'begin' was said twice")
        nursery.cancel_scope.cancel()


def _resolve_plan(begin: WorkerStart) -> tuple[AnyGame, Plan]:
    """Return the game, and the plan with the options as the game's own."""
    name = begin.plan.game
    namesakes = (entry for entry in entry_points(group=PROJECT) if entry.name == name)  # the others take 50 ms to load
    game = Registry(namesakes).games.get(name)
    if game is None or worker_protocol.game_identity(game) != begin.game:
        game = Registry().find_game(name)
    if (found := worker_protocol.game_identity(game)) != begin.game:
        raise ConfigError(
            f"the runner plays {begin.game}, its worker has found {found}; has it just been installed anew?"
        )
    return game, replace(begin.plan, options=convert_value(begin.plan.options, game.Options, name))


def main() -> None:
    """Be a worker."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _ignore_signal)  # to ignore it would be inherited by the bots
    _die_with_parent(int(sys.argv[1]))
    _become_subreaper()
    descriptor_in, descriptor_out = _claim_stdio()
    try:
        trio.run(run_worker, LineReader(descriptor_in, worker_protocol.parent_decoder), LineWriter(descriptor_out))
    except* BrokenPipeError:
        pass  # the parent is gone
    except* (ConfigError, GamePluginError, MachineError) as wrong:
        os.set_blocking(descriptor_out, True)
        with suppress(BrokenPipeError), open(descriptor_out, "wb") as parent:  # noqa: PTH123 - a descriptor
            parent.write(worker_protocol.encode_line(_describe_failure(wrong)))


def _describe_failure(wrong: BaseException) -> WorkerFailure:
    while isinstance(wrong, BaseExceptionGroup):
        wrong = wrong.exceptions[0]
    kind = next(kind for error, kind in _FAILURE_KINDS.items() if isinstance(wrong, error))
    return WorkerFailure(kind, str(wrong), wrong.cause if isinstance(wrong, MachineError) else None)


def _ignore_signal(number: int, frame: object) -> None:
    """Do nothing: the parent has heard it too."""


def _die_with_parent(parent: int) -> None:
    """Have the system kill this process when its parent ends, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        sys.exit()


def _become_subreaper() -> None:
    """Have what bots leave behind without a parent become children of this process, where the system can: then it is found, whatever it hides."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _claim_stdio() -> tuple[int, int]:
    """Take standard input and output for the parent alone: what a plugin prints goes to standard error, and bots inherit neither."""
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return ours


if __name__ == "__main__":
    main()
