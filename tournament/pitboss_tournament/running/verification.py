"""Whether other machines play as this one does: some of the batches that they have played are played again here.

Only bots whose answers do not depend on the clock or on chance of their own can be verified. Games in which a bot was
late are not compared.

A game replays differently here either because the machine lies, or is broken, or because a bot does not repeat its
answers. So a bot's answers are held against a machine only if they are *repeatable*: this
machine has played the same games `PLAYS_HERE` times and has had the same answers each time, and `SHOWN_GAMES` games of
the bot came out alike on another machine and here. A bot that draws lots in a game is as likely to be the odd one out
here as there. So the odds are at least `PLAYS_HERE` to 1 against its being so there, and in each of `CONDEMNING_GAMES`
games.

A bot may also answer alike on one machine and otherwise on another (it computes with another processor's rounding, or
looks for the machine's name). It is not believed if its games differ on more machines than they are alike on, this one
among them.

What the rules alone decide (cards, outcome, points of the same decisions) needs no bot: one such game is a proof.

All games of a machine that plays otherwise are void, and so are those that follow from them.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeGuard

import trio
from msgspec.structs import replace

from pitboss.game import AnyGame
from pitboss.protocol.faults import Fault
from pitboss.records.record import Record
from pitboss.table.randomness import Random
from pitboss.text import format_count
from pitboss_tournament.audit.store_audit import check_replay
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.rounds.round_replay import replay_rounds
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
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store

SHARE_STEPS: Final = 1 << 16

PLAYS_HERE: Final = 5  # of a game that came out otherwise on another machine, the first one included
CONDEMNING_GAMES: Final = 3  # of repeatable bots, that came out otherwise on a machine
SHOWN_GAMES: Final = 3  # of a bot, that came out alike on another machine and here

DISTRUSTED: Final = "distrusted"  # the cause of such void games


class VerifiedBatch(NamedTuple):
    """A batch that another machine plays, with its finished games."""

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
        """Compare a batch with its games played here, except games of a bot that is known to answer differently."""
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

        The processes of bots go on from game to game, so what follows a game that replays differently *here* shows
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
        """Verify no more games with the bot that answered differently here; with any of the bots if seat is None."""
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


class MachineDiffers(NamedTuple):
    """A machine that plays otherwise than this one."""

    machine: str
    game_id: int
    text: str  # what differs


class BotDiffers(NamedTuple):
    """A game in which a bot answered otherwise on another machine than each time here."""

    bot: str
    found: MachineDiffers


class VerifiedGames:
    """The games of other machines that were played again here, over a whole run."""

    def __init__(self) -> None:
        self.unsteady = set[str]()  # bots that do not answer alike: their games are not verified, on any machine
        self._alike: defaultdict[str, Counter[str]] = defaultdict(Counter)  # games by bot and machine
        self._differences: defaultdict[str, list[BotDiffers]] = defaultdict(list)  # by machine
        self._proofs: dict[str, MachineDiffers] = {}  # by machine: a game that is against the rules

    def add_alike(self, machine: str, bots: Collection[str]) -> None:
        """Count a game that came out alike there and here."""
        for bot in bots:
            self._alike[bot][machine] += 1

    def add_difference(self, difference: BotDiffers) -> None:
        """Count a game in which a bot answered otherwise there, and alike each time here."""
        self._differences[difference.found.machine].append(difference)

    def add_proof(self, found: MachineDiffers) -> None:
        """Note the proof that a machine breaks the rules."""
        self._proofs[found.machine] = found

    def add_unsteady(self, bot: str) -> None:
        """Note that a bot does not repeat its answers: its games no longer count as evidence against any machine."""
        self.unsteady.add(bot)

    def is_suspect(self, machine: str) -> bool:
        """Tell whether games of a machine came out otherwise, so that all that it plays is verified."""
        return any(self._list_differences(machine))

    def find_verdict(self, machine: str) -> MachineDiffers | None:
        """Return the game by which a machine is condemned, None if it is not (any more)."""
        if machine in self._proofs:
            return self._proofs[machine]
        found = [one.found for one in self._list_differences(machine) if self._is_credible(one.bot)]
        return found[0] if len(found) >= CONDEMNING_GAMES else None

    def find_condemned(self) -> Iterator[MachineDiffers]:
        """Yield the game by which each machine is condemned that is."""
        for machine in dict.fromkeys((*self._proofs, *self._differences)):
            if verdict := self.find_verdict(machine):
                yield verdict

    def describe_doubts(self) -> Iterator[str]:
        """Yield a sentence for each machine whose games came out otherwise, and which is not condemned."""
        for machine in self._differences:
            differences = list(self._list_differences(machine))
            if differences and not self.find_verdict(machine):
                bots = sorted({one.bot for one in differences})
                numbers = ", ".join(str(one.found.game_id) for one in differences[:CONDEMNING_GAMES])
                yield (
                    f"on {machine} {' and '.join(bots)} answered otherwise than here, in games such as {numbers}: the "
                    "machine may lie, or the bots may answer otherwise on other machines; the games count"
                )

    def _list_differences(self, machine: str) -> Iterator[BotDiffers]:
        return (one for one in self._differences.get(machine, ()) if one.bot not in self.unsteady)

    def _is_credible(self, bot: str) -> bool:
        alike = self._alike[bot]
        differing = {machine for machine, found in self._differences.items() if any(one.bot == bot for one in found)}
        agreeing = {machine for machine, games in alike.items() if games >= SHOWN_GAMES} - differing
        return alike.total() >= SHOWN_GAMES and len(differing) <= 1 + len(agreeing)


def void_machine(store: Store, found: MachineDiffers) -> str:
    """Take all games of a machine out of a store, with the later rounds that follow from them; return a sentence."""
    games = {number for number, machine in store.machines().items() if machine == found.machine}
    text = f"{found.machine} plays otherwise than this machine: in game {found.game_id} {found.text}"
    removed = sorted({*games, *_list_dependent(store, games)})
    store.remove_games([void_game(number, DISTRUSTED, text) for number in removed])
    return f"{text}; {format_count(len(games), 'game')} on it are void, and it plays no more"


def _list_dependent(store: Store, games: Collection[int]) -> Iterator[int]:
    """Yield the games of the rounds after the first one that has any of these games; a static format has none."""
    if not games:
        return
    progress, _ = replay_rounds(store, until=min(games))
    if not (progress.is_static or progress.is_overlapping):
        yield from (number for number in store.game_ids() if number >= progress.games_end)
