"""Whether other machines play as this one does: some of the batches that they have played are played again here.

Only bots whose answers do not depend on the clock or on chance of their own can be verified. If a game comes out
otherwise here, it is played once more: if it comes out a third way, its bots are not deterministic, and are not
verified any more. If not, the machine has lied, or is broken. Games with a bot that was late are not compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

import trio

from pitboss.game import AnyGame
from pitboss.records.record import Record
from pitboss.table.randomness import Random
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.playing.worker_pool import open_worker
from pitboss_tournament.playing.worker_process import WorkerSetup
from pitboss_tournament.playing.worker_protocol import (
    BatchDone,
    FinishedGame,
    GameCounted,
    PlayBatch,
    WorkerFailure,
    WorkerReady,
    WorkerStart,
    game_identity,
    restore_failure,
)
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.store.record_packing import RecordPacker

SHARE_STEPS: Final = 1 << 16


class VerifiedBatch(NamedTuple):
    """A batch that another machine plays, with the games of it that are finished."""

    machine: str
    message: PlayBatch
    games: list[FinishedGame]


class MachineDiffers(NamedTuple):
    """A machine that plays otherwise than this one."""

    machine: str
    game_id: int
    text: str  # what differs


class BatchVerifier:
    """Plays some batches of other machines again."""

    def __init__(
        self,
        plan: Plan,
        game: AnyGame,
        packer: RecordPacker,
        on_difference: Callable[[MachineDiffers], None],
        show_note: Callable[[str], None],
    ) -> None:
        self._plan = plan
        self._game = game
        self._packer = packer
        self._on_difference = on_difference
        self._show_note = show_note
        self._waiting: deque[VerifiedBatch] = deque()
        self._unsteady = set[str]()  # bots that do not answer alike
        self._change = trio.Event()
        self._is_busy = False

    def chooses(self, batch: PlayBatch) -> bool:
        """Tell whether a batch is verified; no machine can foresee it, as it follows from the tournament's seed."""
        draw = Random(f"{self._plan.seed}/verify/{batch.games[0].game.game_id}").randbelow(SHARE_STEPS)
        return draw < self._plan.verify / 100 * SHARE_STEPS

    def add(self, batch: VerifiedBatch) -> None:
        """Queue a batch that has been played."""
        if batch.games:
            self._waiting.append(batch)
            self._notify()

    async def run(self) -> None:
        """Verify what is queued, for ever."""
        while True:
            while not self._waiting:
                await self._change.wait()
            self._is_busy = True
            await self._verify(self._waiting.popleft())
            self._is_busy = False
            self._notify()

    async def finish(self) -> None:
        """Wait until nothing is queued."""
        while self._waiting or self._is_busy:
            await self._change.wait()

    async def _verify(self, batch: VerifiedBatch) -> None:
        """Compare a batch with what comes of it here, but for games with a bot that is known not to answer alike."""
        games = [game for game in batch.games if self._unsteady.isdisjoint(_name_bots(batch.message, game))]
        here = await self._play(batch.message) if games else {}
        for game in games:
            number = game.result.game_id
            if difference := _describe_difference(game, here.get(number), self._packer.unpack):
                again = await self._play(batch.message)
                if _describe_difference(here[number], again.get(number), self._packer.unpack):
                    self._give_up(_name_bots(batch.message, game))
                else:
                    self._on_difference(MachineDiffers(batch.machine, number, difference))
                return

    def _give_up(self, names: Sequence[str]) -> None:
        self._unsteady.update(names)
        self._show_note(f"games with {' and '.join(names)} cannot be verified: played twice here they differ")

    async def _play(self, message: PlayBatch) -> dict[int, FinishedGame]:
        """Play a batch on this machine; return its games by number.

        Raises:
            ConfigError, GamePluginError, MachineError: no bot is at fault.
        """
        found: dict[int, FinishedGame] = {}
        async with open_worker(WorkerSetup(available_cpus(), cpu=None)) as worker:
            rules, identity = self._plan.table_rules, game_identity(self._game)
            worker.send(WorkerStart(rules, identity, self._packer.dictionary))
            while (said := await worker.receive()) is not None:
                match said:
                    case WorkerReady():
                        worker.send(message)
                    case FinishedGame():
                        found[said.result.game_id] = said
                        if any(seat.fault is not None for seat in said.result.seats):
                            worker.send(GameCounted(said.result.game_id))
                    case BatchDone():
                        worker.request_stop()
                    case WorkerFailure():
                        raise restore_failure(said)
        return found

    def _notify(self) -> None:
        self._change.set()
        self._change = trio.Event()


def _name_bots(batch: PlayBatch, game: FinishedGame) -> Sequence[str]:
    return sorted(batch.entrants[seat.entrant].name for seat in game.result.seats)


def _describe_difference(there: FinishedGame, here: FinishedGame | None, unpack: Callable[[bytes], Record]) -> str:
    """Return what differs between a game there and here, beside times; "" if nothing does, or if a bot was late."""
    if here is None or any(fault.kind == "late" for fault in (*there.faults, *here.faults)):
        return ""
    one, other = unpack(there.record), unpack(here.record)
    for number, (was, now) in enumerate(zip_longest(one.decisions, other.decisions), 1):
        if was is None or now is None or (was.seat, was.action) != (now.seat, now.action):
            return f"decision {number} is another one"
    for part in ("game", "game_version", "options", "seed", "players", "outcome"):
        if getattr(one, part) != getattr(other, part):
            return f"the {part} of its record is another one"
    if _list_faults(there) != _list_faults(here):
        return "its faults are others"
    return "" if _list_seats(there) == _list_seats(here) else "its result is another one"


def _list_faults(game: FinishedGame) -> list[tuple[object, ...]]:
    return [(fault.seat, fault.kind, fault.decision, fault.verdict) for fault in game.faults]


def _list_seats(game: FinishedGame) -> list[tuple[object, ...]]:
    return [(seat.entrant, seat.points, seat.place, seat.win, seat.fault) for seat in game.result.seats]
