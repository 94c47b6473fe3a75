"""The runner: has all games of a schedule played that are not yet in the store, by worker processes; it alone writes the store and shows how things stand."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Final, NoReturn, Protocol

import trio

from pitboss.errors import ConfigError, PitbossError
from pitboss.game import AnyGame
from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.planning.seating import block_games
from pitboss_tournament.playing import crew, schedule
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.crew import Worker
from pitboss_tournament.playing.desk import DEATHS_OF_A_GAME, Desk, Handed
from pitboss_tournament.playing.lanes import (
    Begin,
    Failed,
    Finished,
    FromWorker,
    LaneBroken,
    Left,
    Noted,
    Out,
    Ready,
    Sit,
    Void,
    identity,
)
from pitboss_tournament.playing.match import BrokenGame
from pitboss_tournament.playing.schedule import Slot
from pitboss_tournament.playing.stopping import Referee
from pitboss_tournament.playing.writer import Writer
from pitboss_tournament.processes.trouble import RoomTrouble
from pitboss_tournament.results.scoring import GameResult
from pitboss_tournament.results.standings import Tally
from pitboss_tournament.results.store import Store, void_game

REFRESH_SECONDS: Final = 0.5
DRAW_SECONDS: Final = 1.0  # a terminal that takes longer is not waited for
DEATHS_IN_A_ROW: Final = 3  # of each worker, without a single finished game
DEATH_PAUSE_SECONDS: Final = 0.5


class LostWorkers(PitbossError):
    """Worker processes die again and again."""


class Audience(Protocol):
    """Whoever follows a tournament while it runs."""

    def played(self, game: Finished) -> None:
        """See a finished game. Whoever takes long here holds the tournament up, but no bot's clock."""

    def refresh(self) -> Callable[[], None]:
        """Return what shows how things stand now: it is called in a thread, where it may take its time."""


class Tournament:
    """A tournament on its way: the plan, the store, and the count of all games so far."""

    def __init__(self, plan: Plan, game: AnyGame, store: Store) -> None:
        self.plan = plan
        self.game = game
        self.store = store
        self.course = Course(plan)
        names = [entrant.name for entrant in plan.entrants]
        self.tally = Tally(names, block_games(plan.seating, plan.seats, plan.sides), plan.faults.disqualify_after)
        self._referee = Referee(plan, plan.stop) if plan.stop else None
        self._done = bytearray()
        for result in store.results(with_times=False):
            if self.course.reach(result.game_id, self.tally.out):
                self._note(result)
        self.played_before = self.tally.games
        self.voids = store.void_causes()  # games that were begun anew, by cause
        self.was_stopped = False
        self._desk = Desk(self.course, self.tally, self._done)
        if self.decided:
            self._desk.close()
        self._crew: set[Worker] = set()
        self._numbers = count()  # of sittings
        self._deaths = 0  # of workers, since a game was last finished
        self._writer = Writer(store)

    @property
    def decided(self) -> str | None:
        """Why the tournament has ended before its schedule, if it has."""
        return self._referee.verdict if self._referee else None

    @property
    def ranking(self) -> list[str] | None:
        """The bots in the order in which the format ends, if it is over and ranks them."""
        order = self.course.ranking
        return None if order is None else [self.plan.entrants[entrant].name for entrant in order]

    @property
    def total(self) -> int:
        """How many games there are; in formats that decide as they go, how many are expected."""
        return self.course.total

    def tables(self) -> list[tuple[int, ...]]:
        """Return who sits at the tables now: entrants, by seat."""
        return [handed.sitting.entrants for worker in self._crew for handed in worker.handed.values()]

    async def run(self, audience: Audience) -> None:
        """Play what is left. Ctrl-C stops it: what is finished is kept, and `was_stopped` is set.

        Raises:
            RoomTrouble, StoreError, BrokenGame, ConfigError, LostWorkers: what no bot is to blame for (in an exception group).
        """
        with trio.open_signal_receiver(*stop_signals()) as signals:
            try:
                async with trio.open_nursery() as listening:
                    play = trio.CancelScope()
                    listening.start_soon(self._stop_when_told, signals, play)
                    with play:
                        await self._play_all(audience)
                    listening.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True):
                    await self._writer.write()
                    await self._write_end()

    # ---- the workers

    async def _play_all(self, audience: Audience) -> None:
        cores = crew.cores_for(self.plan)
        with crew.kept_off(cores):
            async with trio.open_nursery() as beside:
                beside.start_soon(self._writer.keep_writing)
                beside.start_soon(self._keep_showing, audience)
                async with trio.open_nursery() as workers:
                    for number, core in enumerate(cores):
                        tables = len(range(number, self.plan.games_at_once, len(cores)))
                        workers.start_soon(self._keep_worker, core, tables, audience)
                beside.cancel_scope.cancel()

    async def _keep_worker(self, core: int | None, tables: int, audience: Audience) -> None:
        """Keep a worker busy as long as there is something to play; replace it when it dies."""
        while (first := await self._desk.next(is_idle=True)) is not None and not self.was_stopped:
            trouble = None
            async with crew.open_worker(core, tables) as worker:
                self._crew.add(worker)
                self._hand(worker, first)
                try:
                    await self._serve(worker, audience)
                except LaneBroken as wrong:
                    trouble = str(wrong)
            self._crew.discard(worker)
            if worker.handed and not (self.was_stopped or self.decided):
                await self._mourn(worker, trouble)

    def _hand(self, worker: Worker, handed: Handed) -> None:
        number = next(self._numbers)
        worker.handed[number] = handed
        if worker.is_ready:
            worker.tell(Sit(number, handed.sitting))

    async def _serve(self, worker: Worker, audience: Audience) -> None:
        """Listen to a worker, and give it games, until it ends."""
        worker.tell(Begin(self.plan, identity(self.game), worker.core, crew.thinkers(self.plan, worker.core)))
        while (message := await worker.hear()) is not None:
            match message:
                case Ready():
                    worker.is_ready = True
                    for number, handed in worker.handed.items():
                        worker.tell(Sit(number, handed.sitting))
                    await self._fill(worker)
                case Finished():
                    await self._count(worker, message, audience)
                case Void(game_id, cause, text):
                    self.voids[cause] += 1
                    self._writer.take_void(void_game(game_id, cause, text))
                case Left(number):
                    _checked(worker.handed.pop(number, None), message)
                    self._desk.leave()
                    await self._fill(worker)
                case Failed():
                    _raise(message)

    async def _fill(self, worker: Worker) -> None:
        """Give a worker what its free tables can take, and let it go when there is nothing."""
        while len(worker.handed) < worker.tables and not any(handed.is_alone for handed in worker.handed.values()):
            handed = await self._desk.next(is_idle=not worker.handed)
            if handed is None:
                break
            self._hand(worker, handed)
        if not worker.handed:
            worker.hang_up()

    async def _count(self, worker: Worker, game: Finished, audience: Audience) -> None:
        """Take a finished game."""
        result = game.result
        handed = _checked(worker.handed.get(game.sitting), game)
        _checked(handed if handed.finish(result.game_id) else None, game)
        self._deaths = 0
        if self.decided:
            return  # the verdict is that of the games before it
        is_the_last = self._note(result)
        if forfeited := [seat.entrant for seat in result.seats if seat.fault is not None]:
            self._send_away([entrant for entrant in forfeited if self.tally.is_out(entrant)])
            worker.tell(Noted(result.game_id))
        self._writer.take(result, game.record, game.logs)
        audience.played(game)
        if is_the_last:
            self._end_play()
        await self._writer.make_room()

    def _note(self, result: GameResult) -> bool:
        """Count a game; tell whether the tournament is decided."""
        self.tally.add(result)
        self._done.extend(bytes(max(0, self.course.end - len(self._done))))
        self._done[result.game_id] = 1
        block = self.course.add(result)
        if self._referee and block:
            self._referee.see(block, self.tally.out())
        return self.decided is not None

    def _send_away(self, entrants: list[int]) -> None:
        """Let no worker begin another game with these."""
        for worker in self._crew if entrants else ():
            worker.tell(Out(entrants))

    async def _mourn(self, worker: Worker, trouble: str | None) -> None:
        """Take back what a dead worker had, and make sure that this does not go on for ever."""
        self._deaths += 1
        fate = f"was ended: {trouble}" if trouble else worker.fate()
        culprit = self._desk.give_back(worker.handed.values(), worker.is_ready)
        if culprit is not None:
            raise LostWorkers(f"{self._named(culprit)} has brought down {DEATHS_OF_A_GAME} worker processes; the last one {fate}")
        if self._deaths >= DEATHS_IN_A_ROW * len(crew.cores_for(self.plan)):
            raise LostWorkers(f"{self._deaths} worker processes have died without finishing a game; the last one {fate}")
        if self._deaths > 1:
            await trio.sleep(DEATH_PAUSE_SECONDS)

    def _named(self, slot: Slot) -> str:
        bots = ", ".join(self.plan.entrants[entrant].name for entrant in slot.entrants)
        return f"game {slot.game_id} (seed {schedule.deal_seed(self.plan, slot)!r}, bots {bots})"

    # ---- beside the play

    async def _write_end(self) -> None:
        """Note in the store how the tournament has ended, if it has and this is not known there."""
        ranking = f"{self.plan.format.name}: {', '.join(self.ranking)}" if self.ranking else None
        why = self.decided or ranking
        if why is not None and self.store.decided() != why:
            await trio.to_thread.run_sync(self.store.decide, why)

    async def _keep_showing(self, audience: Audience) -> None:
        limiter = trio.CapacityLimiter(1)  # a drawing that hangs in a terminal is not followed by another one
        while True:
            with trio.move_on_after(DRAW_SECONDS, shield=True):
                await trio.to_thread.run_sync(audience.refresh(), abandon_on_cancel=True, limiter=limiter)
            await trio.sleep(REFRESH_SECONDS)

    async def _stop_when_told(self, signals: AsyncIterator[int], play: trio.CancelScope) -> None:
        async for _ in signals:  # the second Ctrl-C of an impatient person changes nothing: the bots are leaving
            if not self.was_stopped:
                self.was_stopped = True
                play.deadline = trio.current_time() + crew.STOP_SECONDS
                self._end_play()

    def _end_play(self) -> None:
        """Let no game begin, and break off those that are being played."""
        self._desk.close()
        for worker in self._crew:
            worker.hang_up()


def _checked(handed: Handed | None, message: FromWorker) -> Handed:
    if handed is None:
        raise LaneBroken(f"a worker said what it has not been asked: {type(message).__name__.lower()} {str(message)[:200]}")
    return handed


def _raise(failed: Failed) -> NoReturn:
    """Raise what a worker has met."""
    if failed.cause is not None:
        raise RoomTrouble(failed.message, failed.cause)
    raise (BrokenGame if failed.kind == "game" else ConfigError)(failed.message)


def stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a tournament. `nohup`, or a shell's `&`, may want some of them ignored."""
    wanted = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    return [signal.SIGTERM, *wanted]
