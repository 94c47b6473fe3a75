"""Whether other machines play as this one does: some of the batches that they have played are played again here.

Only bots whose answers do not depend on the clock or on chance of their own can be verified. Games in which a bot was
late are not compared. What follows from a game that came out otherwise is decided by `verified_games`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeGuard

import trio
from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.protocol.faults import Fault
from pitboss.records.record import Record
from pitboss.table.randomness import Random
from pitboss_tournament.audit.store_audit import check_replay
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.running.verified_games import (
    CONDEMNING_GAMES,
    PLAYS_HERE,
    BotDiffers,
    MachineDiffers,
    VerifiedGames,
)
from pitboss_tournament.running.worker_pool import open_worker
from pitboss_tournament.running.worker_process import WorkerSetup
from pitboss_tournament.running.worker_protocol import (
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
from pitboss_tournament.store.record_packing import RecordPacker

SHARE_STEPS: Final = 1 << 16


class VerifiedBatch(NamedTuple):
    """A batch that another machine plays, with the games of it that are finished."""

    machine: str
    message: PlayBatch
    games: list[FinishedGame]


class PlayDifference(NamedTuple):
    """What differs between two plays of one game."""

    seat: int | None  # whose bot answered otherwise; None: no bot is concerned, only the rules
    text: str


class BatchVerifier:
    """Plays some batches of other machines again."""

    def __init__(
        self,
        plan: Plan,
        game: AnyGame,
        packer: RecordPacker,
        verified: VerifiedGames,
        judge: Callable[[], None],
        show_note: Callable[[str], None],
    ) -> None:
        """`judge` is called when what is `verified` has changed: a machine may be condemned, or not any more."""
        self._plan = plan
        self._game = game
        self._packer = packer
        self._verified = verified
        self._judge = judge
        self._show_note = show_note
        self._waiting: deque[VerifiedBatch] = deque()
        self._change = trio.Event()
        self._is_busy = False

    def chooses(self, batch: PlayBatch, machine: str) -> bool:
        """Tell whether a batch is verified: a share of all, which no machine can foresee, and all of a suspect one.

        The share follows from the tournament's seed.
        """
        draw = Random(f"{self._plan.seed}/verify/{batch.games[0].game.game_id}").randbelow(SHARE_STEPS)
        return draw < self._plan.verify / 100 * SHARE_STEPS or self._verified.is_suspect(machine)

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
        games = [game for game in batch.games if self._verified.unsteady.isdisjoint(_name_bots(batch.message, game))]
        here = await self._play(batch.message) if games else {}
        differing: list[tuple[FinishedGame, PlayDifference]] = []
        for there in games:
            if not _is_comparable(again := here.get(there.result.game_id), there):
                continue
            difference = self._compare(there, again)
            if difference is None:
                self._verified.add_alike(batch.machine, _name_bots(batch.message, there))
            elif any(self._check_replay(there)) and not any(self._check_replay(again)):
                found = MachineDiffers(batch.machine, there.result.game_id, "its record is against the rules")
                self._verified.add_proof(found)
            else:
                differing.append((there, difference))
        proof = next((found for found in differing if found[1].seat is None), None)
        if proof is not None:
            await self._judge_differences(batch, here, [proof], plays=2)
        elif differing:
            await self._judge_differences(batch, here, differing[:CONDEMNING_GAMES], PLAYS_HERE)
        self._judge()

    async def _judge_differences(
        self,
        batch: VerifiedBatch,
        here: Mapping[int, FinishedGame],
        differing: list[tuple[FinishedGame, PlayDifference]],
        plays: int,
    ) -> None:
        """Play a batch here again up to the last of its games that came out otherwise, and note what that shows.

        `plays`: how often it is played here altogether.

        The processes of bots go on from game to game, so what follows a game that comes out otherwise *here* shows
        nothing.
        """
        last = differing[-1][0].result.game_id
        numbers = [seeded.game.game_id for seeded in batch.message.games]
        message = replace(batch.message, games=batch.message.games[: numbers.index(last) + 1])
        for _ in range(plays - 1):
            again = await self._play(message)
            for place, (there, _) in enumerate(differing):
                number = there.result.game_id
                if _is_comparable(other := again.get(number), here[number]):
                    if (unlike := self._compare(here[number], other)) is None:
                        continue
                    self._give_up(batch.message, there, unlike.seat)
                del differing[place:]
                break
            if not differing:
                return
        for there, difference in differing:
            number = there.result.game_id
            found = MachineDiffers(batch.machine, number, difference.text)
            if difference.seat is None:
                self._verified.add_proof(found)
            else:
                bot = _name_bot(batch.message, there, difference.seat)
                self._verified.add_difference(BotDiffers(bot, found))

    def _give_up(self, message: PlayBatch, game: FinishedGame, seat: int | None) -> None:
        """Verify no more games with the bot that answered otherwise here; with any bot of it if no bot is to blame."""
        names = _name_bots(message, game) if seat is None else [_name_bot(message, game, seat)]
        if self._verified.unsteady.issuperset(names):
            return
        for name in names:
            self._verified.add_unsteady(name)
        self._show_note(f"games with {' and '.join(names)} cannot be verified: played twice here they differ")

    def _check_replay(self, game: FinishedGame) -> Iterator[str]:
        return check_replay(self._packer.unpack(game.record), self._game)

    def _compare(self, one: FinishedGame, other: FinishedGame) -> PlayDifference | None:
        return find_difference(one, other, self._packer.unpack)

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
    return sorted({batch.entrants[seat.entrant].name for seat in game.result.seats})


def _name_bot(batch: PlayBatch, game: FinishedGame, seat: int) -> str:
    return batch.entrants[game.result.seats[seat].entrant].name


def _is_comparable(one: FinishedGame | None, other: FinishedGame) -> TypeGuard[FinishedGame]:
    """Tell whether two plays of a game can be compared: both were played, and no bot was late."""
    return one is not None and not any(fault.kind == "late" for fault in (*one.faults, *other.faults))


def find_difference(one: FinishedGame, other: FinishedGame, unpack: Callable[[bytes], Record]) -> PlayDifference | None:
    """Return what differs first between two plays of a game, beside times; None if nothing does."""
    first, second = unpack(one.record), unpack(other.record)
    for part in ("game", "game_version", "options", "seed", "players"):
        if getattr(first, part) != getattr(second, part):
            return PlayDifference(None, f"the {part} of its record is another one")
    for number, (was, now) in enumerate(zip_longest(first.decisions, second.decisions), 1):
        if was is None or now is None or was.seat != now.seat:
            break  # whose turn it is, and the end, follow from what was decided before, and from faults
        if was.action != now.action:
            return PlayDifference(was.seat, f"decision {number} is another one")
    if _list_faults(one) != _list_faults(other):
        unlike = set(_list_faults(one)) ^ set(_list_faults(other))
        seats = [fault.seat for fault in (*one.faults, *other.faults) if _identify_fault(fault) in unlike]
        return PlayDifference(seats[0] if seats else one.faults[0].seat, "its faults are others")
    if [(was.seat, was.action) for was in first.decisions] != [(now.seat, now.action) for now in second.decisions]:
        return PlayDifference(None, "other seats are on turn after the same decisions")
    if first.outcome != second.outcome:
        return PlayDifference(None, "the outcome of its record is another one")
    return None if _list_seats(one) == _list_seats(other) else PlayDifference(None, "its result is another one")


def _identify_fault(fault: Fault) -> tuple[object, ...]:
    return fault.seat, fault.kind, fault.decision, fault.verdict


def _list_faults(game: FinishedGame) -> list[tuple[object, ...]]:
    return [_identify_fault(fault) for fault in game.faults]


def _list_seats(game: FinishedGame) -> list[tuple[object, ...]]:
    return [(seat.entrant, seat.points, seat.place, seat.win, seat.fault) for seat in game.result.seats]
