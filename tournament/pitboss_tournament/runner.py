"""The runner: plays all games of a schedule that are not yet in the store, several at once."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final, Protocol

import msgspec
import trio

from pitboss.game import AnyGame
from pitboss.record import Record
from pitboss.wire import Hello
from pitboss_tournament import schedule
from pitboss_tournament.match import Match
from pitboss_tournament.plan import Plan
from pitboss_tournament.player import Player
from pitboss_tournament.process import Room, RoomTrouble, open_room
from pitboss_tournament.schedule import Sitting, Slot
from pitboss_tournament.scoring import GameResult, scored
from pitboss_tournament.standings import Tally
from pitboss_tournament.store import Store

WRITE_SECONDS: Final = 0.25  # a finished game is on the disk after this at the latest
REFRESH_SECONDS: Final = 0.5
VOID_TRIES: Final = 5  # a game is begun anew so often if the machine fails; then the tournament stops
VOID_PAUSE_SECONDS: Final = 0.5


class Audience(Protocol):
    """Whoever follows a tournament while it runs."""

    def played(self, result: GameResult, record: Record) -> None:
        """See a finished game."""

    def refresh(self) -> None:
        """Show how things stand; called a few times a second, with the bots' clocks stopped."""


class Tournament:
    """A tournament on its way: the plan, the store, and the count of all games so far."""

    def __init__(self, plan: Plan, game: AnyGame, store: Store) -> None:
        self.plan = plan
        self.game = game
        self.store = store
        self.total = schedule.game_count(plan)
        self.tally = Tally([entrant.name for entrant in plan.entrants], plan.seats, plan.fault_limit)
        self.tally.add_all(result for result in store.results() if result.game_id < self.total)
        self.played_before = self.tally.games
        self.voids = 0
        self.was_stopped = False
        self._done = bytearray(self.total)
        for number in store.ids():
            if number < self.total:
                self._done[number] = 1
        self._unwritten: list[tuple[GameResult, Record]] = []

    async def run(self, audience: Audience) -> None:
        """Play what is left. Ctrl-C stops it: what is finished is kept, and `was_stopped` is set.

        Raises:
            RoomTrouble, StoreError, BrokenGame: what no bot is to blame for (in an exception group).
        """
        with trio.open_signal_receiver(*_stop_signals()) as signals:
            try:
                async with open_room() as room, trio.open_nursery() as listening:
                    play = trio.CancelScope()
                    listening.start_soon(self._stop_when_told, signals, play)
                    with play:
                        await self._play_all(room, audience)
                    listening.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True):
                    await self._write()

    # ---- playing

    async def _play_all(self, room: Room, audience: Audience) -> None:
        waiting = iter(schedule.sittings(self.plan))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_writing)
            nursery.start_soon(self._keep_showing, room, audience)
            async with trio.open_nursery() as tables:
                for _ in range(self.plan.games_at_once):
                    tables.start_soon(self._keep_playing, room, waiting, audience)
            nursery.cancel_scope.cancel()

    async def _keep_playing(self, room: Room, waiting: Iterator[Sitting], audience: Audience) -> None:
        for sitting in waiting:
            slots = [slot for slot in sitting.slots if not self._done[slot.game_id]]
            if slots and not self._is_cancelled(sitting):
                await self._sit(room, sitting, slots, audience)
            await trio.lowlevel.checkpoint()

    def _is_cancelled(self, sitting: Sitting) -> bool:
        return any(self.tally.is_out(entrant) for entrant in sitting.entrants)

    async def _sit(self, room: Room, sitting: Sitting, slots: Sequence[Slot], audience: Audience) -> None:
        """Play the games of one lane with the same processes."""
        players = [self._player(room, sitting, seat) for seat in range(self.plan.seats)]
        try:
            for slot in slots:
                if self._is_cancelled(sitting):
                    return
                record = await self._play(players, slot)
                result = GameResult(slot.game_id, slot.pairing, slot.deal, slot.rotation, scored(record, slot.entrants))
                self.tally.add(result)
                self._done[slot.game_id] = 1
                self._unwritten.append((result, record))
                audience.played(result, record)
        finally:
            with trio.CancelScope(shield=True):
                await _all_leave(players)

    async def _play(self, players: Sequence[Player], slot: Slot) -> Record:
        """Play one game; if the machine fails it is void, and played again with fresh processes."""
        for attempt in range(1, VOID_TRIES + 1):
            match = Match(self.game, self.plan.options, players, schedule.deal_seed(self.plan, slot))
            try:
                return await match.play(slot.game_id, schedule.bot_seeds(self.plan, slot))
            except RoomTrouble:
                self.voids += 1
                if attempt == VOID_TRIES:
                    raise
                await _all_leave(players)
                await trio.sleep(VOID_PAUSE_SECONDS)
        raise AssertionError("unreachable")

    def _player(self, room: Room, sitting: Sitting, seat: int) -> Player:
        plan = self.plan
        hello = Hello(
            game=plan.game,
            options=msgspec.to_builtins(plan.options),
            seats=plan.seats,
            seat=seat,
            seed=schedule.bot_seeds(plan, sitting.slots[0])[seat],
            clock=plan.clock,
        )
        return Player(room, plan.entrants[sitting.entrants[seat]], self.game, hello)

    # ---- beside the play

    async def _keep_writing(self) -> None:
        while True:
            await trio.sleep(WRITE_SECONDS)
            await self._write()

    async def _write(self) -> None:
        batch, self._unwritten = self._unwritten, []
        if batch:
            await trio.to_thread.run_sync(self.store.add, batch)

    async def _keep_showing(self, room: Room, audience: Audience) -> None:
        while True:
            with room.clock.stopped():
                audience.refresh()
            await trio.sleep(REFRESH_SECONDS)

    async def _stop_when_told(self, signals: AsyncIterator[int], play: trio.CancelScope) -> None:
        async for _ in signals:  # the second Ctrl-C of an impatient person changes nothing: the bots are leaving
            self.was_stopped = True
            play.cancel()


def _stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a tournament. `nohup`, or a shell's `&`, may want some of them ignored."""
    wanted = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    return [signal.SIGTERM, *wanted]


async def _all_leave(players: Sequence[Player]) -> None:
    async with trio.open_nursery() as leaving:
        for player in players:
            leaving.start_soon(player.leave)
