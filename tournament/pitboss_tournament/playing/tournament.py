"""Runs a tournament: assigns batches to workers, writes the store, reports progress."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Final

import trio

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.plugins.registry import find_distribution
from pitboss_tournament.models.calls import ModelCall, OwnChoice, Spending
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.playing import schedule
from pitboss_tournament.playing.checkpoint import ResultFollower
from pitboss_tournament.playing.counted_games import CountedGames
from pitboss_tournament.playing.dispatcher import MAX_DEATHS_PER_GAME, Assignment, Dispatcher
from pitboss_tournament.playing.distrust import void_machine
from pitboss_tournament.playing.engine import Engine, PlaceLost, WorkerPlace
from pitboss_tournament.playing.progress_listener import ProgressListener, refresh_display
from pitboss_tournament.playing.replayed_calls import DealtGame, ReplayedCalls
from pitboss_tournament.playing.run_end import NO_LIMITS, EndCause, HoldCause, RunLimits
from pitboss_tournament.playing.run_places import RunPlaces, WorkerLossError
from pitboss_tournament.playing.store_writer import StoreWriter
from pitboss_tournament.playing.tables_in_play import TablesInPlay, TableWorker
from pitboss_tournament.playing.verification import BatchVerifier, MachineDiffers, VerifiedBatch
from pitboss_tournament.playing.watch_socket import open_watch_socket
from pitboss_tournament.playing.worker_pool import PROCESSES, STOP_SECONDS
from pitboss_tournament.playing.worker_protocol import (
    BatchDone,
    Disqualified,
    FinishedGame,
    FirstFault,
    GameCounted,
    HoldGames,
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
from pitboss_tournament.store.field_changes import number_entrants
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import HOLD_SIGNAL

if TYPE_CHECKING:
    from pitboss_tournament.models.broker import ModelBroker

MAX_DEATHS_IN_A_ROW: Final = 3  # of each worker, without a single finished game
DEATH_PAUSE_SECONDS: Final = 0.5


class Tournament:
    """A tournament in progress: the plan, the store, and the results of all games so far."""

    def __init__(
        self,
        plan: Plan,
        game: AnyGame,
        store: Store,
        engine: Engine = PROCESSES,
        limits: RunLimits = NO_LIMITS,
        follower: ResultFollower | None = None,
        replayed_calls: Store | None = None,
    ) -> None:
        """Take up the tournament of a store; `engine` is the plan's, by default the built-in one.

        With `replayed_calls` no language model is asked: that store has all calls.

        With a `follower` it begins at the checkpoint of the store, if there is one, and reads the games after it.
        """
        self.plan = plan if plan.rosters else number_entrants(plan, store.header)
        self.game = game
        self.store = store
        self.first_ready: float | None = None  # when the first worker was ready to play, on the monotonic clock
        self.limits = limits
        self.stop_signal: int | None = None  # by which it was stopped
        self.end_cause: EndCause | None = None  # why the run has ended; None after an error too
        self._hold_cause: HoldCause | None = None
        self._differs: MachineDiffers | None = None  # a machine that plays otherwise, as soon as one is found
        self._is_used_up = False  # a budget of language models
        self._is_reopening = False  # the places, as others take part now
        self._play = trio.CancelScope()  # around all that is played
        self._distrusted = set[str]()  # machines that have played otherwise
        self._writer = StoreWriter(store)
        self._follower = follower
        self._take_up_store(limits.games)
        self.games_before = self.running_standings.games
        self._engine = engine
        self._broker = self._make_broker(replayed_calls)
        self._verifier: BatchVerifier | None = None
        self._workers: set[TableWorker] = set()
        self._batch_numbers = count()
        self._deaths_in_a_row = 0  # of workers, since a game was last finished

    def _take_up_store(self, most_games: int | None) -> None:
        """Count the games of the store, and prepare to play those that are missing, no more than so many."""
        plan, store = self.plan, self.store
        counted = self._counted = CountedGames(plan, store, self._writer.add_round, self._follower)
        self.progress, self.running_standings, self.stop_monitor = counted.progress, counted.standings, counted.monitor
        self.voids = store.void_causes()  # games that were played again, by cause
        limits = _list_limits(plan)
        self._dispatcher = Dispatcher(self.progress, self.running_standings, counted.numbers, most_games, limits)
        if self.stop_reason:
            self._dispatcher.close()
        self._tables = TablesInPlay(plan, self.game)
        self._faulted = set(self.running_standings.first_faults)  # entrants whose first fault is known

    def change_field(self, plan: Plan, header: Header) -> None:
        """Let others take part from the next round on: the plan has all entrants by entry, the header their rosters.

        Rounds must overlap: in others nobody joins while they are played.
        """
        self.plan = plan
        self._writer.set_header(header)
        self.running_standings.make_room(header.labels)
        if self._follower is not None:
            self._follower.change_header(header)
        self._tables.change_plan(plan)
        self.progress.change_field(plan)
        self._dispatcher.change_field(_list_limits(plan))
        if not self._engine.takes_newcomers:
            self._is_reopening = True
            self._dispatcher.pause()

    async def write_checkpoint(self, head: bytes, parts: Mapping[int, bytes]) -> None:
        """Keep where the tournament was at some moment (`checkpoint.make_head`); all games by then are in the store."""
        await self._writer.write_checkpoint(head, parts)

    @property
    def was_stopped(self) -> bool:
        """Whether a signal has stopped it."""
        return self.stop_signal is not None

    @property
    def hold_cause(self) -> HoldCause | None:
        """Why no more games are begun, if the run ends before the tournament."""
        if self._hold_cause is None and self._dispatcher.has_held_games:
            return "games"
        return self._hold_cause

    @property
    def _is_ending(self) -> bool:
        """Whether games are broken off on purpose."""
        return self.was_stopped or self._is_used_up or self.stop_reason is not None or self._differs is not None

    @property
    def stop_reason(self) -> str | None:
        """Why the tournament has ended before its schedule, if it has."""
        return self._counted.verdict

    @property
    def ranking(self) -> list[str] | None:
        """The final order of the bots, if the format ranks them and has ended."""
        order = self.progress.ranking
        return None if order is None else [self.plan.labels[entrant] for entrant in order]

    @property
    def total_games(self) -> int:
        """Number of games; in formats that decide as they go, the expected number."""
        return self.progress.total_games

    def tables(self) -> list[tuple[int, ...]]:
        """Return the entrants by seat of each table that is playing now."""
        return [assignment.seated for worker in self._workers for assignment in worker.assignments.values()]

    def count_machines(self) -> Counter[str]:
        """Return the tables that are playing now on other machines, by machine."""
        found = Counter[str]()
        for worker in self._workers:
            if worker.place.machine:
                found[worker.place.machine] += len(worker.assignments)
        return found

    async def run(self, listener: ProgressListener) -> None:
        """Play the games that are left, within the limits of the run. Afterwards `end_cause` says why it has ended.

        Ctrl-C stops it: finished games are kept, and `was_stopped` is set. `HOLD_SIGNAL` lets games in progress end.

        Raises:
            MachineError, StoreError, GamePluginError, ConfigError, WorkerLossError: in an exception group; no bot is
                at fault.
        """
        if self._broker is not None:
            self._broker.show_note = listener.show_note
        with trio.open_signal_receiver(*stop_signals(), HOLD_SIGNAL) as signals:
            try:
                async with trio.open_nursery() as listening:
                    listening.start_soon(self._heed_signals, signals)
                    if self.limits.seconds is not None:
                        listening.start_soon(self._hold_after, self.limits.seconds)
                    with self._play:
                        await self._play_all(listener)
                        while self._differs is not None or self._is_reopening:
                            if self._differs is not None:
                                await self._void_machine(self._differs, listener)
                            self._is_reopening = False
                            self._dispatcher.resume()
                            await self._play_all(listener)
                    listening.cancel_scope.cancel()
                self.end_cause = self._find_end_cause()
            finally:
                with trio.CancelScope(shield=True):
                    if self._broker is not None:
                        await self._broker.close()
                    await self._writer.write()
                    if self._differs is not None:  # the run was stopped, or has failed, in this moment
                        await self._void_machine(self._differs, listener)
                    await self._write_stop_reason()
                    await trio.to_thread.run_sync(self.store.record_run_end)

    def stop(self, number: int) -> None:
        """Begin no game, and break off those in progress, as by a signal; a second one changes nothing."""
        if not self.was_stopped:
            self.stop_signal = number
            self._play.deadline = trio.current_time() + STOP_SECONDS
            self._stop_workers()

    # ---- the workers

    async def _play_all(self, listener: ProgressListener) -> None:
        async with trio.open_nursery() as beside:
            beside.start_soon(self._writer.write_periodically)
            beside.start_soon(refresh_display, listener)
            self._beside = beside
            if self._broker is not None:
                beside.start_soon(self._heed_budget, self._broker)
            verifier = self._verifier = self._make_verifier(listener)
            if verifier is not None:
                beside.start_soon(verifier.run)
            async with open_watch_socket(self.store.path, self._tables), trio.open_nursery() as workers:

                def begin(place: WorkerPlace) -> None:
                    workers.start_soon(self._run_place, place, places, listener)

                places = self._places = RunPlaces(self._dispatcher, self._distrusted, begin)
                async with self._engine.open_places(self.plan, places.add, listener.show_note):
                    await places.wait_until_done(lambda: self._is_ending)
            if verifier is not None and not self.was_stopped:
                await verifier.finish()
            beside.cancel_scope.cancel()

    async def _run_place(self, place: WorkerPlace, places: RunPlaces, listener: ProgressListener) -> None:
        """Keep a place busy until all games are assigned, or it is lost."""
        numbers, loss = self._tables.reserve(place.tables), None
        try:
            await self._run_worker(place, numbers, listener)
        except PlaceLost as lost:
            listener.show_note(str(lost))
            loss = lost
        self._tables.release(numbers)
        places.end(place, loss)

    async def _run_worker(self, place: WorkerPlace, tables: Sequence[int], listener: ProgressListener) -> None:
        """Keep a worker busy until all games are assigned; replace it when it dies.

        Raises:
            PlaceLost: the place is gone, and its games have been taken back.
        """
        while (first := await self._dispatcher.next_assignment(True, place.kind)) is not None and not self.was_stopped:
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
                    await self._handle_messages(worker, listener)
                except WorkerProtocolError as error:
                    trouble = str(error)
            self._workers.discard(worker)
            for number in worker.assignments:
                self._tables.end_batch(number)
            if worker.assignments and not self._is_ending:
                lost = opened.lost_place
                if trouble and place.machine:
                    lost = f"{place.machine} is not played on any more: {trouble}"
                if lost is not None:
                    self._dispatcher.take_back(worker.assignments.values(), have_begun=False)
                    raise PlaceLost(lost)
                await self._handle_worker_death(worker, trouble)

    def _assign(self, worker: TableWorker, assignment: Assignment) -> None:
        number = next(self._batch_numbers)
        worker.assignments[number] = assignment
        self._tables.begin_batch(worker, number, assignment)
        if worker.is_ready:
            self._send_batch(worker, number, assignment)

    def _send_batch(self, worker: TableWorker, number: int, assignment: Assignment) -> None:
        entrants = {bot: self.plan.entrants[bot] for bot in assignment.bots}
        message = PlayBatch(number, entrants, schedule.seed_games(self.plan, assignment.games))
        worker.remote.send(message)
        asks_models = any(bot.model is not None for bot in entrants.values())
        if self._verifier and worker.place.machine and not asks_models and self._verifier.chooses(message):
            worker.verified[number] = VerifiedBatch(worker.place.machine, message, [])

    async def _handle_messages(self, worker: TableWorker, listener: ProgressListener) -> None:
        """Handle the messages of a worker, and assign games to it, until it ends."""
        rules, identity = self.plan.table_rules, game_identity(self.game)
        worker.remote.send(WorkerStart(rules, identity, self.store.packer.dictionary))
        if self._hold_cause is not None:  # since this worker was asked for
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
                case FirstFault(game_id, entrant, incident):
                    if entrant not in self._faulted:
                        self._faulted.add(entrant)
                        listener.show_fault(self.plan.labels[entrant], game_id, incident)
                case FinishedGame():
                    await self._count_game(worker, message, listener)
                case ShownDecisions():
                    if message.batch not in worker.assignments:
                        raise _unexpected_message(message)
                    self._tables.show_decisions(message)
                case VoidReport(game_id, cause, text):
                    self.voids[cause] += 1
                    self._writer.add_void(void_game(game_id, cause, text))
                case ModelCall():
                    self._beside.start_soon(self._answer_call, worker, message)
                case OwnChoice():
                    if self._broker is not None:
                        self._broker.note_own_choice(message)
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

    async def _count_game(self, worker: TableWorker, game: FinishedGame, listener: ProgressListener) -> None:
        """Add a finished game to results, store and display."""
        result = game.result
        assignment = worker.assignments.get(game.batch)
        if assignment is None or not assignment.remaining:
            raise _unexpected_message(game)
        if not schedule.is_result_of(assignment.remaining[0], result):
            raise _unexpected_message(game)
        assignment.finish(result.game_id)
        self._deaths_in_a_row = 0
        self._tables.end_game(game.batch, result.game_id)
        if self.stop_reason or self._differs is not None:
            return  # the verdict is that of the games before it
        if (batch := worker.verified.get(game.batch)) is not None:
            batch.games.append(game)
        is_the_last = self._counted.add(result)
        if forfeited := [seat.entrant for seat in result.seats if seat.fault is not None]:
            if disqualified := [bot for bot in forfeited if self.running_standings.is_disqualified(bot)]:
                for each in self._workers:
                    each.remote.send(Disqualified(disqualified))
            worker.remote.send(GameCounted(result.game_id))
        self._writer.add_game(result, game.record, game.logs, worker.place.machine)
        listener.show_game(game)
        if is_the_last:
            self._stop_workers()
        await self._writer.write_if_full()

    async def _handle_worker_death(self, worker: TableWorker, trouble: str | None) -> None:
        """Take back a dead worker's games.

        Raises:
            WorkerLossError: too many workers have died.
        """
        self._deaths_in_a_row += 1
        fate = f"was ended: {trouble}" if trouble else worker.remote.exit_text()
        culprit = self._dispatcher.take_back(worker.assignments.values(), worker.is_ready)
        if culprit is not None:
            bots = ", ".join(self.plan.bots[entrant] for entrant in culprit.entrants)
            raise WorkerLossError(
                f"game {culprit.game_id} (seed {schedule.deal_seed(self.plan, culprit)!r}, bots {bots}) "
                f"has brought down {MAX_DEATHS_PER_GAME} worker processes, in which the plugin of "
                f"{self.game.name!r} ({find_distribution(self.game)}) runs; the last one {fate}"
            )
        if self._deaths_in_a_row >= MAX_DEATHS_IN_A_ROW * len(self._places):
            raise WorkerLossError(
                f"{self._deaths_in_a_row} worker processes have died without finishing a game; the last one {fate}"
            )
        if self._deaths_in_a_row > 1:
            await trio.sleep(DEATH_PAUSE_SECONDS)

    # ---- language models

    @property
    def spent(self) -> Mapping[str, Spending]:
        """What the calls of language models have cost so far, by bot; empty if none has a model."""
        return {} if self._broker is None else self._broker.spent

    @property
    def used_up(self) -> str:
        """Which budget is used up, so that the run has ended; "" if none is."""
        return "" if self._broker is None else self._broker.used_up_text

    def _make_broker(self, replayed: Store | None) -> ModelBroker | None:
        if not self.plan.models or all(bot.model is None for bot in self.plan.entrants):
            return None
        try:
            from pitboss_tournament.models.broker import ModelBroker
        except ModuleNotFoundError as error:
            what = f"bots that ask language models need {error.name}, which is not installed"
            raise ConfigError(f"{what}: pip install 'pitboss[models]'") from None
        return ModelBroker(
            self.plan,
            self.store.read_broken_off_calls(),
            self._writer.add_call,
            self.store.sum_spending(),
            replays=None if replayed is None else self._find_replays(replayed),
            answered=self.store.read_reusable_calls(name for name, table in self.plan.models.items() if table.reuse),
        )

    def _find_replays(self, replayed: Store) -> Store | ReplayedCalls:
        """Return the calls that take the place of models, by the numbers of this tournament's games."""
        return replayed if replayed.header.has_schedule else ReplayedCalls(replayed, self._identify_game)

    def _identify_game(self, number: int) -> DealtGame:
        game = self.progress.scheduled_game(number)
        return DealtGame(schedule.deal_seed(self.plan, game), [self.plan.bots[entrant] for entrant in game.entrants])

    async def _answer_call(self, worker: TableWorker, call: ModelCall) -> None:
        assert self._broker is not None
        answer = await self._broker.answer(call)
        worker.remote.send(answer)

    async def _heed_budget(self, broker: ModelBroker) -> None:
        """Break the games off when a budget is used up: they are carried on from the record of their calls."""
        await broker.used_up.wait()
        self._hold_cause = self._hold_cause or "budget"
        self._is_used_up = True
        self._stop_workers()

    # ---- machines that play otherwise

    def _make_verifier(self, listener: ProgressListener) -> BatchVerifier | None:
        if not self.plan.verify:
            return None
        return BatchVerifier(self.plan, self.game, self.store.packer, self._note_difference, listener.show_note)

    def _note_difference(self, found: MachineDiffers) -> None:
        """Break all games off: what follows from those of a machine that plays otherwise does not count."""
        if self._differs is None:
            self._differs = found
            self._stop_workers()

    async def _void_machine(self, found: MachineDiffers, listener: ProgressListener) -> None:
        """Take all games of a machine out of the store, with what depends on them, and take up what is left."""
        await self._writer.write()
        listener.show_note(await trio.to_thread.run_sync(void_machine, self.store, found))
        begun = self.running_standings.games - self.games_before
        self._distrusted.add(found.machine)
        self._differs = None
        self._take_up_store(None if self.limits.games is None else max(0, self.limits.games - begun))

    # ---- beside the games

    async def _write_stop_reason(self) -> None:
        """Write to the store why the tournament has ended, if it has and the store does not say so yet."""
        ranking = f"{self.plan.format.name}: {', '.join(self.ranking)}" if self.ranking else None
        why = self.stop_reason or ranking
        if why is not None and self.store.end_reason() != why:
            await trio.to_thread.run_sync(self.store.record_end, why)

    async def _heed_signals(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number == HOLD_SIGNAL:
                self._hold("request")
            else:
                self.stop(number)

    async def _hold_after(self, seconds: float) -> None:
        await trio.sleep(seconds)
        self._hold("time")

    def _hold(self, cause: HoldCause) -> None:
        """Begin no game, and let those in progress end."""
        if self._hold_cause is None:
            self._hold_cause = cause
            self._dispatcher.hold()
            for worker in self._workers:
                worker.remote.send(HoldGames())

    def _find_end_cause(self) -> EndCause:
        if self.was_stopped:
            return "signal"
        if self.stop_reason is not None:
            return "decided"
        if self._is_used_up:
            return "budget"
        held = self.hold_cause if self._dispatcher.has_held_games else None
        return held or "complete"

    def _stop_workers(self) -> None:
        """Begin no game, and break off those in progress."""
        self._dispatcher.close()
        for worker in self._workers:
            worker.remote.break_off()


def _list_limits(plan: Plan) -> dict[int, int]:
    """Return in how many games at a time entrants may play, of those that have a limit."""
    return {number: most for number, bot in enumerate(plan.entrants) if (most := bot.games_at_once) is not None}


def _unexpected_message(message: WorkerMessage) -> WorkerProtocolError:
    tag = type(message).__struct_config__.tag
    return WorkerProtocolError(f"unexpected message from a worker: {tag} {str(message)[:200]}")


def stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a tournament, without those that `nohup` or a shell's `&` has set to be ignored."""
    wanted = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    return [signal.SIGTERM, *wanted]
