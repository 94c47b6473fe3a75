"""The workers of a run: each is given batches as long as there are any, and one that dies is replaced.

A place is where a worker plays, from when an engine adds it until nothing is left to play there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack
from itertools import count
from time import monotonic
from typing import Final, TypeAlias

import trio

from pitboss.errors import PitbossError
from pitboss.game import AnyGame
from pitboss.plugins.registry import find_distribution
from pitboss_tournament.models.calls import ModelCall, OwnChoice
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.rounds import schedule
from pitboss_tournament.running.dispatcher import MAX_DEATHS_PER_GAME, Assignment, Dispatcher
from pitboss_tournament.running.engine import Engine, PlaceLost, ShowNote, WorkerPlace
from pitboss_tournament.running.tables_in_play import TablesInPlay, TableWorker
from pitboss_tournament.running.verification import BatchVerifier, VerifiedBatch
from pitboss_tournament.running.worker_protocol import (
    BatchDone,
    FinishedGame,
    FirstFault,
    HoldGames,
    ParentMessage,
    PlayBatch,
    ShownDecisions,
    VoidReport,
    WorkerFailure,
    WorkerMessage,
    WorkerProtocolError,
    WorkerReady,
    WorkerStart,
    game_identity,
    restore_failure,
)

MAX_DEATHS_IN_A_ROW: Final = 3  # of each worker, without a single finished game
DEATH_PAUSE_SECONDS: Final = 0.5

GameNews: TypeAlias = FirstFault | FinishedGame | VoidReport | ModelCall | OwnChoice
"""What a worker tells of a game, for whoever counts the games. A finished one was the next of its batch."""

NEW_PLACE_SECONDS: Final = 30.0  # to wait for a machine when all are lost


class RunWorkers:
    """The workers of all places of an engine, and the batches of a dispatcher that they have."""

    def __init__(
        self,
        plan: Plan,
        game: AnyGame,
        dictionary: bytes,
        dispatcher: Dispatcher,
        tables: TablesInPlay,
        is_ending: Callable[[], bool],
    ) -> None:
        """Have no workers. `dictionary`: what records are packed with.

        `is_ending` tells whether games are broken off on purpose: then workers that end are no matter.
        """
        self.first_ready: float | None = None  # when the first worker was ready to play, on the monotonic clock
        self._plan = plan
        self._game = game
        self._dictionary = dictionary
        self._dispatcher = dispatcher
        self._tables = tables
        self._is_ending = is_ending
        self._workers: set[TableWorker] = set()
        self._batch_numbers = count()
        self._deaths_in_a_row = 0  # of workers, since a game was last finished
        self._is_on_hold = False

    def change_plan(self, plan: Plan) -> None:
        """Replace the plan after a change of the bots."""
        self._plan = plan

    def list_tables(self) -> list[tuple[int, ...]]:
        """Return the entrants by seat of each table that is playing now."""
        return [assignment.seated for worker in self._workers for assignment in worker.assignments.values()]

    def count_machines(self) -> Counter[str]:
        """Return the tables that are playing now on other machines, by machine."""
        found = Counter[str]()
        for worker in self._workers:
            if worker.place.machine:
                found[worker.place.machine] += len(worker.assignments)
        return found

    def send_to_all(self, message: ParentMessage) -> None:
        """Tell all workers something."""
        for worker in self._workers:
            worker.remote.send(message)

    def hold(self) -> None:
        """Let the games in progress end, and begin no other."""
        self._is_on_hold = True
        self._dispatcher.hold()
        self.send_to_all(HoldGames())

    def break_off(self) -> None:
        """Begin no game, and break off those in progress."""
        self._dispatcher.close()
        for worker in self._workers:
            worker.remote.break_off()

    async def play(
        self,
        engine: Engine,
        distrusted: Collection[str],
        verifier: BatchVerifier | None,
        hear: Callable[[TableWorker, GameNews], Awaitable[None]],
        show_note: ShowNote,
    ) -> None:
        """Play what the dispatcher assigns, at the places of an engine but those on `distrusted` machines.

        Raises:
            WorkerLossError, MachineError, GamePluginError, ConfigError: in an exception group; no bot is at fault.
        """
        self._verifier, self._hear, self._show_note = verifier, hear, show_note
        async with trio.open_nursery() as nursery:

            def begin(place: WorkerPlace) -> None:
                nursery.start_soon(self._run_place, place)

            self._places = RunPlaces(self._dispatcher, distrusted, begin)
            async with engine.open_places(self._plan, self._places.add, show_note):
                await self._places.wait_until_done(self._is_ending)

    async def _run_place(self, place: WorkerPlace) -> None:
        """Keep a place busy until all games are assigned, or it is lost."""
        numbers, loss = self._tables.reserve(place.tables), None
        try:
            await self._run_worker(place, numbers)
        except PlaceLost as lost:
            self._show_note(str(lost))
            loss = lost
        self._tables.release(numbers)
        self._places.end(place, loss)

    async def _run_worker(self, place: WorkerPlace, tables: Sequence[int]) -> None:
        """Keep a worker busy until all games are assigned; replace it when it dies.

        Raises:
            PlaceLost: the place is gone, and its games have been taken back.
        """
        while (first := await self._dispatcher.next_assignment(True, place.kind)) is not None:
            trouble = None
            async with AsyncExitStack() as stack:
                try:
                    opened = await stack.enter_async_context(place.open_worker())
                except PlaceLost:
                    self._dispatcher.take_back([first], have_begun=False)
                    raise
                worker = TableWorker(opened, place, tables)
                self._workers.add(worker)
                self._assign(worker, first)
                try:
                    await self._handle_messages(worker)
                except WorkerProtocolError as error:
                    trouble = str(error)
            self._workers.discard(worker)
            for number in worker.assignments:
                self._tables.end_batch(number)
            if worker.assignments and not self._is_ending():
                lost = opened.lost_place
                if trouble and place.machine:
                    lost = f"{place.machine} is not played on any more: {trouble}"
                if lost is not None:
                    self._dispatcher.take_back(worker.assignments.values(), have_begun=False)
                    raise PlaceLost(lost)
                await self._handle_death(worker, trouble)

    def _assign(self, worker: TableWorker, assignment: Assignment) -> None:
        number = next(self._batch_numbers)
        worker.assignments[number] = assignment
        self._tables.begin_batch(worker, number, assignment)
        if worker.is_ready:
            self._send_batch(worker, number, assignment)

    def _send_batch(self, worker: TableWorker, number: int, assignment: Assignment) -> None:
        entrants = {bot: self._plan.entrants[bot] for bot in assignment.bots}
        message = PlayBatch(number, entrants, schedule.seed_games(self._plan, assignment.games))
        worker.remote.send(message)
        machine, asks_models = worker.place.machine, any(bot.model is not None for bot in entrants.values())
        if self._verifier and machine and not asks_models and self._verifier.chooses(message, machine):
            worker.verified[number] = VerifiedBatch(machine, message, [])

    async def _handle_messages(self, worker: TableWorker) -> None:
        """Handle the messages of a worker, and assign games to it, until it ends."""
        worker.remote.send(WorkerStart(self._plan.table_rules, game_identity(self._game), self._dictionary))
        if self._is_on_hold:  # since this worker was asked for
            worker.remote.send(HoldGames())
        while (message := await worker.remote.receive()) is not None:
            match message:
                case WorkerReady():
                    worker.is_ready = True
                    self.first_ready = self.first_ready or monotonic()
                    for number, assignment in worker.assignments.items():
                        self._send_batch(worker, number, assignment)
                        self._tables.begin_watching(number)
                    await self._fill_tables(worker)
                case FinishedGame():
                    self._finish_game(worker, message)
                    await self._hear(worker, message)
                case FirstFault() | VoidReport() | ModelCall() | OwnChoice():
                    await self._hear(worker, message)
                case ShownDecisions():
                    if message.batch not in worker.assignments:
                        raise _unexpected_message(message)
                    self._tables.show_decisions(message)
                case BatchDone(number):
                    if (ended := worker.assignments.pop(number, None)) is None:
                        raise _unexpected_message(message)
                    self._tables.end_batch(number)
                    if self._verifier is not None and (played := worker.verified.pop(number, None)) is not None:
                        self._verifier.add(played)
                    self._dispatcher.end_assignment(ended)
                    await self._fill_tables(worker)
                case WorkerFailure():
                    raise restore_failure(message)

    def _finish_game(self, worker: TableWorker, game: FinishedGame) -> None:
        """Take a finished game off its batch.

        Raises:
            WorkerProtocolError: it cannot have been in play: it is not the next game, nor one of the next tables.
        """
        assignment = worker.assignments.get(game.batch)
        expected = None if assignment is None else assignment.find(game.result.game_id)
        if assignment is None or expected is None or not schedule.is_result_of(expected, game.result):
            raise _unexpected_message(game)
        assignment.finish(game.result.game_id)
        self._deaths_in_a_row = 0
        self._tables.end_game(game.batch, game.result.game_id)

    async def _fill_tables(self, worker: TableWorker) -> None:
        """Assign batches to the free tables of a worker; ask it to stop if it has nothing to play."""
        while len(worker.assignments) < len(worker.tables) and not any(
            assignment.is_alone for assignment in worker.assignments.values()
        ):
            assignment = await self._dispatcher.next_assignment(not worker.assignments, worker.place.kind)
            if assignment is None:
                break
            self._assign(worker, assignment)
        if not worker.assignments:
            worker.remote.request_stop()

    async def _handle_death(self, worker: TableWorker, trouble: str | None) -> None:
        """Take back a dead worker's games.

        Raises:
            WorkerLossError: too many workers have died.
        """
        self._deaths_in_a_row += 1
        fate = f"was ended: {trouble}" if trouble else worker.remote.exit_text()
        culprit = self._dispatcher.take_back(worker.assignments.values(), worker.is_ready)
        if culprit is not None:
            bots = ", ".join(self._plan.bots[entrant] for entrant in culprit.entrants)
            raise WorkerLossError(
                f"game {culprit.game_id} (seed {schedule.deal_seed(self._plan, culprit)!r}, bots {bots}) "
                f"has brought down {MAX_DEATHS_PER_GAME} worker processes, in which the plugin of "
                f"{self._game.name!r} ({find_distribution(self._game)}) runs; the last one {fate}"
            )
        if self._deaths_in_a_row >= MAX_DEATHS_IN_A_ROW * len(self._places):
            raise WorkerLossError(
                f"{self._deaths_in_a_row} worker processes have died without finishing a game; the last one {fate}"
            )
        if self._deaths_in_a_row > 1:
            await trio.sleep(DEATH_PAUSE_SECONDS)


def _unexpected_message(message: WorkerMessage) -> WorkerProtocolError:
    tag = type(message).__struct_config__.tag
    return WorkerProtocolError(f"unexpected message from a worker: {tag} {str(message)[:200]}")


class WorkerLossError(PitbossError):
    """Worker processes die again and again, or there is no place left for one."""


class RunPlaces:
    """Places from when an engine adds them until nothing is left to play there."""

    def __init__(
        self, dispatcher: Dispatcher, distrusted: Collection[str], begin: Callable[[WorkerPlace], object]
    ) -> None:
        """Have no places; those on machines that are `distrusted` are not added.

        `begin` has a place played at, and tells of its end by `end`.
        """
        self._dispatcher = dispatcher
        self._distrusted = distrusted
        self._begin = begin
        self._busy = set[WorkerPlace]()
        self._idle: list[WorkerPlace] = []  # that had nothing more to play
        self._loss: PlaceLost | None = None  # of the last place, if no other has been found since
        self._change = trio.Event()

    def __len__(self) -> int:
        return len(self._busy)

    def add(self, place: WorkerPlace) -> None:
        """Have a place played at."""
        if place.machine not in self._distrusted:
            self._busy.add(place)
            self._dispatcher.add_place(place.kind, place.tables)
            self._loss = None
            self._notify()
            self._begin(place)

    def end(self, place: WorkerPlace, loss: PlaceLost | None) -> None:
        """Note that a place has nothing more to play, or is lost; wake the places that had nothing to play."""
        if loss is None:
            self._idle.append(place)
        else:
            idle, self._idle = self._idle, []
            for other in idle:
                self.add(other)
            if self._busy == {place}:
                self._loss = loss
        self._busy.discard(place)
        self._dispatcher.remove_place(place.kind, place.tables)
        self._notify()

    async def wait_until_done(self, is_ending: Callable[[], bool]) -> None:
        """Wait until no place has anything to play; a loss counts for nothing while games are broken off on purpose.

        Raises:
            WorkerLossError: all are lost, and the engine has found no other.
        """
        if not self._busy and self._distrusted:
            raise WorkerLossError("no machine is left that plays as this one does")
        while self._busy:
            await self._change.wait()
            if not self._busy and self._loss is not None and not is_ending():
                with trio.move_on_after(NEW_PLACE_SECONDS):
                    await self._change.wait()
                if not self._busy:
                    raise WorkerLossError(f"nothing is left to play on: {self._loss}")

    def _notify(self) -> None:
        self._change.set()
        self._change = trio.Event()
