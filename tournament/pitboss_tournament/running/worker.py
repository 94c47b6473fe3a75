"""A worker process: plays batches of games for its parent, pinned to one CPU with its bots.

Its parent forks it, or starts it as `python -m pitboss_tournament.running.worker PARENT CPU_SLOTS [CPU]`
(`worker_process`), and talks to it by `worker_protocol`. It dies with its parent, also when that was killed and when a
game's code never returns: the system kills it (Linux), or the end of its standard input stops it. Its reaper then ends
its bots. Ctrl-C and the end of a terminal reach it too, but the parent decides what they mean.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NoReturn

import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry, load_namesake
from pitboss_tournament.match.bot_seat import BotSeat, close_all, collect_logs
from pitboss_tournament.match.match import Match, MatchResult
from pitboss_tournament.match.plugin_calls import GamePluginError, break_endless_calls
from pitboss_tournament.match.table_link import SharedBot
from pitboss_tournament.models.calls import ModelAnswer
from pitboss_tournament.plan.plan import Entrant, TableRules
from pitboss_tournament.processes.pipe_ends import finish_relays
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.rounds import schedule
from pitboss_tournament.rounds.schedule import ScheduledGame, SeededGame
from pitboss_tournament.running import worker_protocol
from pitboss_tournament.running.game_watch import ShownGames
from pitboss_tournament.running.seated_bots import SeatedBots
from pitboss_tournament.running.worker_faults import Disqualifications, FirstFaults
from pitboss_tournament.running.worker_models import OpenCalls
from pitboss_tournament.running.worker_protocol import (
    BatchDone,
    Disqualified,
    FinishedGame,
    GameCounted,
    HoldGames,
    LineReader,
    LineWriter,
    ParentMessage,
    PlayBatch,
    VoidReport,
    WatchGame,
    WholeLineWriter,
    WorkerReady,
    WorkerStart,
)
from pitboss_tournament.store.record_packing import RecordPacker

if sys.platform != "win32":
    import resource

MAX_VOID_TRIES: Final = 3  # a game is played again so often if the machine fails; then the tournament stops
VOID_PAUSE_SECONDS: Final = 0.5
OPEN_FILES: Final = 65_536  # of a worker, if it may: a bot takes 5, and a table of ten may have 100 bots that wait

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


class WorkerTables:
    """The tables of one worker: they play batches of games."""

    def __init__(
        self, supervisor: BotSupervisor, rules: TableRules, game: AnyGame, packer: RecordPacker, writer: LineWriter
    ) -> None:
        self.shown = ShownGames(supervisor.clock, writer)
        self.first_faults = FirstFaults(writer)
        self.disqualified = Disqualifications()
        self._supervisor = supervisor
        self._rules = rules
        self._game = game
        self._packer = packer
        self._writer = writer
        self._is_on_hold = False

    def begin_batch(self, batch: int) -> None:
        """Let a batch be watched; to be called as soon as it is there, before `play_batch` gets its turn."""
        self.shown.watch.begin_batch(batch)

    async def play_batch(self, message: PlayBatch) -> None:
        """Play the games of a batch, and report each; a bot that sits in the same seat again keeps its process."""
        tables = self._rules.tables_per_bot
        seated = SeatedBots(message, self._make_seat, self._share_bot if tables > 1 else None, tables)
        play = self._play_at_once if tables > 1 else self._play_in_order
        try:
            await play(message, seated)
        finally:
            self.shown.watch.end_batch(message.number)
            with trio.CancelScope(shield=True):
                await seated.close()
        await self._writer.send(BatchDone(message.number))

    async def _play_in_order(self, message: PlayBatch, seated: SeatedBots) -> None:
        for number, seeded in enumerate(message.games):
            if not self._may_begin(seeded):
                break
            await self._play_next(message, seated, number, seated.at_game(number))
            if seated.is_stopped:
                break

    async def _play_at_once(self, message: PlayBatch, seated: SeatedBots) -> None:
        """Begin the games in their order, as many at once as bots take tables."""
        async with trio.open_nursery() as nursery:
            for number, seeded in enumerate(message.games):
                await seated.wait_for_table(number)
                if not self._may_begin(seeded) or seated.is_stopped:
                    break
                nursery.start_soon(self._play_next, message, seated, number, seated.at_game(number))

    def _may_begin(self, seeded: SeededGame) -> bool:
        return not (self._is_on_hold or self.disqualified.has_any(seeded.game.entrants))

    async def _play_next(self, message: PlayBatch, seated: SeatedBots, number: int, seats: Sequence[BotSeat]) -> None:
        """Play a game of a batch and report it."""
        seeded = message.games[number]
        played = await self._play_game(message.number, seats, seeded)
        if played is None:
            seated.is_stopped = True
        else:
            await seated.end_game(number)
            await self._report_game(message.number, seeded.game, played, seats)

    def hold(self) -> None:
        """Begin no more games."""
        self._is_on_hold = True

    def _make_seat(self, entrant: Entrant, seat: int, seed: str) -> BotSeat:
        hello = schedule.greet_entrant(self._rules, entrant, seat, seed, tables=self._rules.tables_per_bot)
        return BotSeat(
            self._supervisor, entrant, self._game, hello, self._rules.faults, opponents=self._rules.opponents
        )

    def _share_bot(self, entrant: Entrant, seat: int, seed: str) -> SharedBot:
        hello = schedule.greet_entrant(self._rules, entrant, seat, seed, tables=self._rules.tables_per_bot)
        return SharedBot(self._supervisor, entrant, hello, self._rules.opponents)

    async def _play_game(self, batch: int, seats: Sequence[BotSeat], seeded: SeededGame) -> MatchResult | None:
        """Play one game; if the machine fails, the game is void and played again with fresh processes.

        Return None if the files of a bot are not those that are to play: another process would find the same.
        """
        game = seeded.game
        for attempt in range(1, MAX_VOID_TRIES + 1):
            match = Match(
                self._game,
                self._rules.options,
                seats,
                seeded.seed,
                on_fault=partial(self.first_faults.note, game),
            )
            self.shown.watch.begin_game(batch, game.game_id, match)
            try:
                return await match.play(game.game_id, seeded.bot_seeds)
            except MachineError as error:
                await self._writer.send(VoidReport(game.game_id, error.cause, str(error)))
                if attempt == MAX_VOID_TRIES:
                    raise
                await close_all(seats)
                await trio.sleep(VOID_PAUSE_SECONDS)
                if error.cause == "other_files":
                    return None
        raise AssertionError("unreachable")

    async def _report_game(
        self, batch: int, game: ScheduledGame, played: MatchResult, seats: Sequence[BotSeat]
    ) -> None:
        """Report a game to the parent; after a forfeit wait for its answer, which may disqualify a bot."""
        record = played.record
        with self._supervisor.clock.pause():
            rest = self.shown.end_game(batch, game.game_id)
            result = schedule.make_result(game, played)
            finished = FinishedGame(
                batch=batch,
                result=result,
                seed=record.seed,
                faults=record.faults,
                decisions=len(record.decisions),
                record=self._packer.pack(record),
                logs=collect_logs(seats, record, self._rules.keep_logs),
            )
        counted = None
        if any(seat.fault is not None for seat in result.seats):
            counted = self.disqualified.await_count(game.game_id)
        await self.shown.send(rest)
        await self.first_faults.send_new()  # a game that ended with its fault is told after it
        await self._writer.send(finished)
        if counted is not None:
            await counted.wait()


async def run_worker(
    reader: LineReader[ParentMessage], writer: LineWriter, cpu_slots: int, known: AnyGame | None
) -> None:
    """Play until the parent closes the pipe; at most `cpu_slots` bots compute at once.

    If the game to be played is `known`, it is not looked for among the plugins.

    Raises:
        ConfigError, GamePluginError, MachineError: the tournament has to stop (in an exception group).
    """
    begin = await reader.receive()
    if begin is None:
        return
    if not isinstance(begin, WorkerStart):
        raise worker_protocol.WorkerProtocolError(
            f"the first message is {type(begin).__struct_config__.tag!r}; it must be 'begin'"
        )
    game, rules = _resolve_rules(begin, known)
    async with (
        open_supervisor(rules.sandbox, cpu_slots, is_subreaper=True, may_ponder=rules.ponder) as supervisor,
        trio.open_nursery() as nursery,
    ):
        tables, calls = WorkerTables(supervisor, rules, game, RecordPacker(begin.dictionary), writer), OpenCalls(writer)
        supervisor.ask_model, supervisor.note_own_choice = calls.ask, writer.send
        nursery.start_soon(tables.shown.send_news)
        nursery.start_soon(tables.first_faults.report)
        await writer.send(WorkerReady())
        while (message := await reader.receive()) is not None:
            match message:
                case PlayBatch(number):
                    tables.begin_batch(number)
                    nursery.start_soon(tables.play_batch, message)
                case Disqualified(entrants):
                    tables.disqualified.add(entrants)
                case HoldGames():
                    tables.hold()
                case GameCounted(game_id):
                    tables.disqualified.note_count(game_id)
                case WatchGame(batch):
                    tables.shown.begin(batch)
                case ModelAnswer():
                    calls.take_answer(message)
                case WorkerStart():
                    raise worker_protocol.WorkerProtocolError("'begin' was said twice")
        nursery.cancel_scope.cancel()


def _resolve_rules(begin: WorkerStart, known: AnyGame | None) -> tuple[AnyGame, TableRules]:
    """Return the game, perhaps the one that is known, and the rules with their options converted to its type."""
    name = begin.rules.game
    game = known or load_namesake(name)
    if game is None or worker_protocol.game_identity(game) != begin.game:
        game = Registry().find_game(name)
    if (found := worker_protocol.game_identity(game)) != begin.game:
        raise ConfigError(
            f"the tournament plays {begin.game}, but a worker process has found {found}: the game was "
            "reinstalled during the run; start the run again"
        )
    return game, replace(begin.rules, options=convert_value(begin.rules.options, game.Options, name))


def main() -> None:
    """Be a worker of the process PARENT, with CPU_SLOTS slots, and on processor CPU if one is named."""
    parent, cpu_slots, *cpu = map(int, sys.argv[1:])
    be_worker(parent, cpu_slots, cpu[0] if cpu else None, known=None)


def be_worker(parent: int, cpu_slots: int, cpu: int | None, known: AnyGame | None) -> NoReturn:
    """Play what is asked for through standard input until it ends; then this process ends.

    At most `cpu_slots` bots compute at once, on `cpu` if given. The game is looked up unless it is `known`.
    """
    _leave_interrupts_to_parent()
    bind_to_relatives(parent)
    _allow_open_files()
    if cpu is not None:
        os.sched_setaffinity(0, [cpu])
    descriptor_in, descriptor_out = claim_stdio()
    try:
        with break_endless_calls():
            reader = LineReader(descriptor_in, worker_protocol.parent_decoder)
            trio.run(run_worker, reader, WholeLineWriter(descriptor_out), cpu_slots, known)
    except* trio.BrokenResourceError:
        pass  # the parent is gone
    except* (ConfigError, GamePluginError, MachineError) as errors:
        finish_relays()
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor_out, True)
        with suppress(BrokenPipeError), open(descriptor_out, "wb") as out:  # noqa: PTH123 - a descriptor
            out.write(worker_protocol.encode_line(worker_protocol.describe_failure(errors)))
    sys.stderr.flush()
    finish_relays()
    os._exit(0)  # the interpreter's own end takes seconds where many processes want the CPU


def _leave_interrupts_to_parent() -> None:
    names = [name for name in ("SIGINT", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    numbers = [signal.Signals[name] for name in names]
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)  # a node of a cluster blocks them
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, lambda *_: None)  # the parent decides; SIG_IGN would be inherited by the bots


def _allow_open_files() -> None:
    """Raise the limit of open files, as far as the system lets this process; bots have limits of their own."""
    if sys.platform == "win32":  # which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def bind_to_relatives(parent: int) -> None:
    """Have the system kill this process when its parent ends, and make it the parent of its bots' orphans, if it can.

    As children of this process orphans are always found.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:  # it has ended already
        sys.exit()


def claim_stdio() -> tuple[int, int]:
    """Reserve stdin and stdout for the parent: plugin output goes to stderr, bots inherit neither."""
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return ours


if __name__ == "__main__":
    main()
