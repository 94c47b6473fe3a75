"""Runs a tournament: assigns batches to workers, writes the store, reports progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial

import trio

from pitboss.game import AnyGame
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.models.calls import ModelCall, OwnChoice, Spending
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.rounds import schedule
from pitboss_tournament.rounds.counted_games import CountedGames
from pitboss_tournament.running.dispatcher import Dispatcher
from pitboss_tournament.running.engine import Engine, ShowNote
from pitboss_tournament.running.progress_listener import ProgressListener, draw_state, refresh_display
from pitboss_tournament.running.run_end import NO_LIMITS, EndCause, HoldCause, RunLimits, stop_signals
from pitboss_tournament.running.run_models import DealtGame, RunModels, find_replays
from pitboss_tournament.running.run_workers import GameNews, RunWorkers
from pitboss_tournament.running.store_writer import StoreWriter
from pitboss_tournament.running.tables_in_play import TablesInPlay, TableWorker
from pitboss_tournament.running.verification import BatchVerifier, MachineDiffers, VerifiedGames, void_machine
from pitboss_tournament.running.watch_socket import open_watch_socket
from pitboss_tournament.running.worker_pool import PROCESSES, STOP_SECONDS
from pitboss_tournament.running.worker_protocol import Disqualified, FinishedGame, FirstFault, GameCounted, VoidReport
from pitboss_tournament.store.field_changes import number_entrants
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import TournamentEnd, void_game
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import HOLD_SIGNAL


class Tournament:
    """A tournament in progress: the plan, the store, and the results of all games so far."""

    def __init__(
        self,
        plan: Plan,
        game: AnyGame,
        store: Store,
        engine: Engine = PROCESSES,
        limits: RunLimits = NO_LIMITS,
        live: LiveCounts | None = None,
        replayed_calls: Store | None = None,
    ) -> None:
        """Take up the tournament of a store; `engine` is the plan's, by default the built-in one.

        With `replayed_calls` no language model is asked: the games of that store are played, from its calls.

        With `live` counts it begins at the checkpoint of the store, if there is one, and reads the games after it.
        """
        self.plan = plan if plan.rosters else number_entrants(plan, store.header)
        self.game = game
        self.store = store
        self.limits = limits
        self.stop_signal: int | None = None  # by which it was stopped
        self.end_cause: EndCause | None = None  # why the run has ended; None after an error too
        self._hold_cause: HoldCause | None = None
        self._differs: MachineDiffers | None = None  # a machine that plays otherwise, as soon as one is found
        self._is_used_up = False  # a budget of language models
        self._is_reopening = False  # the places, as others take part now
        self._play = trio.CancelScope()  # around all that is played
        self._verified = VerifiedGames()
        self._distrusted = set[str]()  # machines that have played otherwise
        self._writer = StoreWriter(store)
        self._live = live
        self._replays = None if replayed_calls is None else find_replays(replayed_calls, self._identify_game)
        self._take_up_store(limits.games)
        self.games_before = self._counted.count.games
        self._engine = engine
        self._models = RunModels(self.plan, store, self._writer, self._replays)

    def _take_up_store(self, most_games: int | None) -> None:
        """Count the games of the store, and prepare to play the missing games, at most `most_games`."""
        plan, store = self.plan, self.store
        counted = self._counted = CountedGames(plan, store, self._writer.add_round, self._live)
        self.progress, self.stop_monitor = counted.progress, counted.monitor
        self.voids = store.void_causes()  # games that were played again, by cause
        limits = _list_limits(plan)
        is_withheld = None if self._replays is None else self._replays.lacks_game
        self._dispatcher = Dispatcher(
            self.progress, counted.count, counted.numbers, most_games, limits, plan.tables_per_bot, is_withheld
        )
        self._tables = TablesInPlay(plan, self.game)
        self._workers = RunWorkers(
            plan, self.game, store.packer.dictionary, self._dispatcher, self._tables, lambda: self._is_ending
        )
        if self._is_ending:
            self._workers.break_off()
        if self._hold_cause is not None:
            self._workers.hold()
        self._faulted = set(self.running_standings.first_faults)  # entrants whose first fault is known

    def _identify_game(self, number: int) -> DealtGame:
        game = self.progress.scheduled_game(number)
        return DealtGame(schedule.deal_seed(self.plan, game), [self.plan.bots[entrant] for entrant in game.entrants])

    def change_field(self, plan: Plan, header: Header) -> None:
        """Let others take part from the next round on: the plan has all entrants by entry, the header their rosters.

        Rounds must overlap: in others nobody joins while they are played.
        """
        self.plan = plan
        self._writer.set_header(header)
        self._counted.count.change_header(header)
        self._models.change_bots(plan)
        self._tables.change_plan(plan)
        self._workers.change_plan(plan)
        self.progress.change_field(plan)
        self._dispatcher.change_field(_list_limits(plan))
        if not self._engine.takes_newcomers:
            self._is_reopening = True
            self._dispatcher.pause()

    async def write_checkpoint(self, head: bytes, parts: Mapping[int, bytes]) -> None:
        """Keep where the tournament was at some moment (`encode_checkpoint`); all games by then are in the store."""
        await self._writer.write_checkpoint(head, parts)

    @property
    def running_standings(self) -> Tally:
        """What is counted of each bot so far."""
        return self._counted.tally

    @property
    def was_stopped(self) -> bool:
        """Whether a signal has stopped it."""
        return self.stop_signal is not None

    @property
    def hold_cause(self) -> HoldCause | None:
        """Why no more games are begun, if the run ends before the tournament."""
        if self._hold_cause is None and self._dispatcher.has_held_games:
            return "record" if self._dispatcher.has_withheld_games else "games"
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

    @property
    def first_ready(self) -> float | None:
        """When the first worker was ready to play, on the monotonic clock."""
        return self._workers.first_ready

    @property
    def spent(self) -> Mapping[str, Spending]:
        """What the calls of language models have cost so far, by bot; empty if none has a model."""
        return self._models.spent

    def list_spent_owners(self) -> list[str]:
        """Return the owners whose budgets of language models pay for no more calls."""
        return self._models.list_spent_owners()

    @property
    def used_up(self) -> str:
        """Which budget of language models is used up, so that the run has ended; "" if none is."""
        return self._models.used_up

    def tables(self) -> list[tuple[int, ...]]:
        """Return the entrants by seat of each table that is playing now."""
        return self._workers.list_tables()

    def count_machines(self) -> Counter[str]:
        """Return the tables that are playing now on other machines, by machine."""
        return self._workers.count_machines()

    async def run(self, listener: ProgressListener) -> None:
        """Play the games that are left, within the limits of the run. Afterwards `end_cause` says why it has ended.

        Ctrl-C stops it: finished games are kept, and `was_stopped` is set. `HOLD_SIGNAL` lets games in progress end.

        Raises:
            MachineError, StoreError, GamePluginError, ConfigError, WorkerLossError: in an exception group; no bot is
                at fault.
        """
        self._models.show_notes(listener.show_note)
        with trio.open_signal_receiver(*stop_signals(), *filter(None, [HOLD_SIGNAL])) as signals:
            try:
                async with trio.open_nursery() as listening:
                    listening.start_soon(self._heed_signals, signals)
                    if self.limits.seconds is not None:
                        listening.start_soon(self._hold_after, self.limits.seconds)
                    if self.limits.has_changed is not None:
                        listening.start_soon(self._hold_at_change, self.limits.has_changed)
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
                    await self._models.close()
                    await self._writer.write()
                    if self._differs is not None:  # the run was stopped, or has failed, in this moment
                        await self._void_machine(self._differs, listener)
                    await self._write_stop_reason()
                    await trio.to_thread.run_sync(self.store.record_run_end)
                    await draw_state(listener)  # what was told since the last time

    def stop(self, number: int) -> None:
        """Begin no game, and break off those in progress, as by a signal; a second one changes nothing."""
        if not self.was_stopped:
            self.stop_signal = number
            self._play.deadline = trio.current_time() + STOP_SECONDS
            self._workers.break_off()

    # ---- the games

    async def _play_all(self, listener: ProgressListener) -> None:
        async with trio.open_nursery() as beside:
            beside.start_soon(self._writer.write_periodically)
            beside.start_soon(refresh_display, listener)
            beside.start_soon(self._heed_budgets)
            verifier = self._make_verifier(listener)
            if verifier is not None:
                beside.start_soon(verifier.run)

            async def hear(worker: TableWorker, news: GameNews) -> None:
                if isinstance(news, ModelCall):
                    beside.start_soon(self._models.answer, news, worker.remote.send)
                else:
                    await self._take_news(worker, news, listener)

            async with open_watch_socket(self.store.path, self._tables):
                await self._workers.play(self._engine, self._distrusted, verifier, hear, listener.show_note)
            if verifier is not None and not self.was_stopped:
                await verifier.finish()
                if self._differs is None and not self._is_reopening:
                    for doubt in self._verified.describe_doubts():
                        listener.show_note(doubt)
            beside.cancel_scope.cancel()

    async def _take_news(self, worker: TableWorker, news: GameNews, listener: ProgressListener) -> None:
        match news:
            case FirstFault(game_id, entrant, incident):
                if entrant not in self._faulted:
                    self._faulted.add(entrant)
                    listener.show_fault(self.plan.labels[entrant], game_id, incident)
            case FinishedGame():
                await self._count_game(worker, news, listener)
            case VoidReport(game_id, cause, text):
                self.voids[cause] += 1
                self._writer.add_void(void_game(game_id, cause, text))
                if cause == "other_files" and not worker.place.machine and not listener.take_out_changed(text):
                    raise MachineError(text, cause)
            case OwnChoice():
                self._models.note_own_choice(news)

    async def _count_game(self, worker: TableWorker, game: FinishedGame, listener: ProgressListener) -> None:
        """Add a finished game to results, store and display."""
        result = game.result
        if self.stop_reason or self._differs is not None:
            return  # the verdict is that of the games before it
        if (batch := worker.verified.get(game.batch)) is not None:
            batch.games.append(game)
        is_the_last = self._counted.add(result)
        if forfeited := [seat.entrant for seat in result.seats if seat.fault is not None]:
            if disqualified := [bot for bot in forfeited if self._counted.count.is_disqualified(bot)]:
                self._workers.send_to_all(Disqualified(disqualified))
            worker.remote.send(GameCounted(result.game_id))
        self._models.end_game(result, [self.plan.entrants[seat.entrant].name for seat in result.seats])
        self._writer.add_game(result, game.record, game.logs, worker.place.machine)
        listener.show_game(game)
        if is_the_last:
            self._workers.break_off()
        await self._writer.write_if_full()

    # ---- machines that play otherwise

    def _make_verifier(self, listener: ProgressListener) -> BatchVerifier | None:
        if not self.plan.verify:
            return None
        judge, show_note = partial(self._judge_machines, listener.show_note), listener.show_note
        return BatchVerifier(self.plan, self.game, self.store.packer, self._verified, judge, show_note)

    def _judge_machines(self, show_note: ShowNote) -> None:
        """Condemn the machines that are shown to play otherwise, and let those play again that no longer are."""
        for machine in sorted(self._distrusted):
            if self._verified.find_verdict(machine) is None:
                self._distrusted.discard(machine)
                show_note(f"{machine} plays again: what spoke against it were games of a bot that answers by chance")
                self._is_reopening = True
                self._dispatcher.pause()
        for found in self._verified.find_condemned():
            if self._differs is None and found.machine not in self._distrusted:
                self._differs = found  # what follows from its games does not count: break all off
                self._workers.break_off()

    async def _void_machine(self, found: MachineDiffers, listener: ProgressListener) -> None:
        """Take all games of a machine out of the store, with what depends on them, and take up what is left."""
        await self._writer.write()
        listener.show_note(await trio.to_thread.run_sync(void_machine, self.store, found))
        begun = self.running_standings.games - self.games_before
        self._distrusted.add(found.machine)
        self._differs = None
        self._take_up_store(None if self.limits.games is None else max(0, self.limits.games - begun))

    # ---- beside the games

    async def _heed_budgets(self) -> None:
        """Break the games off when a budget is used up: they are carried on from the record of their calls."""
        await self._models.wait_until_used_up()
        self._hold_cause = self._hold_cause or "budget"
        self._is_used_up = True
        self._workers.break_off()

    async def _write_stop_reason(self) -> None:
        """Write to the store why the tournament has ended, if it has and the store does not say so yet."""
        if self.stop_reason is not None:
            end = TournamentEnd(self.stop_reason, is_complete=False)
        elif self.ranking:
            end = TournamentEnd(f"{self.plan.format.name}: {', '.join(self.ranking)}", is_complete=True)
        else:
            return
        if self.store.find_end() != end:
            await trio.to_thread.run_sync(self.store.record_end, end)

    async def _heed_signals(self, signals: AsyncIterator[int]) -> None:
        async for number in signals:
            if number == HOLD_SIGNAL:
                self._hold("request")
            else:
                self.stop(number)

    async def _hold_after(self, seconds: float) -> None:
        await trio.sleep(seconds)
        self._hold("time")

    async def _hold_at_change(self, has_changed: Callable[[], bool]) -> None:
        while True:
            await trio.sleep(1)
            if has_changed():
                self._hold("change")
                return

    def _hold(self, cause: HoldCause) -> None:
        """Begin no game, and let those in progress end."""
        if self._hold_cause is None:
            self._hold_cause = cause
            self._workers.hold()

    def _find_end_cause(self) -> EndCause:
        if self.was_stopped:
            return "signal"
        if self.stop_reason is not None:
            return "decided"
        if self._is_used_up:
            return "budget"
        held = self.hold_cause if self._dispatcher.has_held_games else None
        return held or "complete"


def _list_limits(plan: Plan) -> dict[int, int]:
    """Return in how many games at a time entrants may play, of those that have a limit."""
    return {number: most for number, bot in enumerate(plan.entrants) if (most := bot.games_at_once) is not None}
