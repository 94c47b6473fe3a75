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
from pitboss.options import checked
from pitboss.plugins import Registry
from pitboss.wire import Hello
from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.playing import lanes, schedule
from pitboss_tournament.playing.lanes import (
    Begin,
    Ear,
    Failed,
    FailureKind,
    Finished,
    FromParent,
    Left,
    Mouth,
    Noted,
    Out,
    Ready,
    Sit,
    Void,
)
from pitboss_tournament.playing.match import BrokenGame, Match, Played
from pitboss_tournament.playing.player import Player, all_leave
from pitboss_tournament.playing.schedule import Sitting, Slot
from pitboss_tournament.processes.logs import packed
from pitboss_tournament.processes.room import Room, open_room
from pitboss_tournament.processes.trouble import RoomTrouble
from pitboss_tournament.results.scoring import GameResult, scored

VOID_TRIES: Final = 5  # a game is begun anew so often if the machine fails; then the tournament stops
VOID_PAUSE_SECONDS: Final = 0.5

_KINDS: Final[dict[type[PitbossError], FailureKind]] = {BrokenGame: "game", RoomTrouble: "room", ConfigError: "config"}
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


class Tables:
    """The tables of one worker."""

    def __init__(self, room: Room, plan: Plan, game: AnyGame, mouth: Mouth) -> None:
        self._room = room
        self._plan = plan
        self._game = game
        self._mouth = mouth
        self._out = set[int]()
        self._uncounted: dict[int, trio.Event] = {}  # games with a forfeit that the parent has not yet counted

    async def sit(self, sit: Sit) -> None:
        """Play the games of a sitting, with the same processes, and report."""
        players = [self._player(sit.sitting, seat) for seat in range(self._plan.seats)]
        try:
            for slot in sit.sitting.slots:
                if not self._out.isdisjoint(sit.sitting.entrants):
                    break
                await self._report(sit.number, slot, await self._play(players, slot), players)
        finally:
            with trio.CancelScope(shield=True):
                await all_leave(players)
        await self._say(Left(sit.number))

    def out(self, entrants: Sequence[int]) -> None:
        """Play no more games with these."""
        self._out.update(entrants)

    def noted(self, game_id: int) -> None:
        """Let the table go on whose game has been counted."""
        if game_id in self._uncounted:
            self._uncounted.pop(game_id).set()

    async def _play(self, players: Sequence[Player], slot: Slot) -> Played:
        """Play one game; if the machine fails it is void, and played again with fresh processes."""
        for attempt in range(1, VOID_TRIES + 1):
            match = Match(self._game, self._plan.options, players, schedule.deal_seed(self._plan, slot))
            try:
                return await match.play(slot.game_id, schedule.bot_seeds(self._plan, slot.game_id))
            except RoomTrouble as trouble:
                await self._say(Void(slot.game_id, trouble.cause, str(trouble)))
                if attempt == VOID_TRIES:
                    raise
                await all_leave(players)
                await trio.sleep(VOID_PAUSE_SECONDS)
        raise AssertionError("unreachable")

    async def _report(self, sitting: int, slot: Slot, played: Played, players: Sequence[Player]) -> None:
        """Tell the parent of a game, and wait for its answer if that may put a bot out."""
        record = played.record
        with self._room.clock.stopped():
            result = GameResult(slot.game_id, slot.pairing, slot.deal, slot.rotation, scored(record, slot.entrants), played.lag)
            finished = Finished(
                sitting=sitting,
                result=result,
                seed=record.seed,
                faults=record.faults,
                decisions=len(record.decisions),
                record=packed(records.written(record)),
                logs=[player.log() for player in players] if record.faults or self._plan.keep_logs == "all" else [],
            )
        counted = None
        if any(seat.fault is not None for seat in result.seats):
            counted = self._uncounted[slot.game_id] = trio.Event()
        await self._say(finished)
        if counted is not None:
            await counted.wait()

    async def _say(self, message: lanes.FromWorker) -> None:
        with trio.CancelScope(shield=True):  # half a line would spoil what comes after it
            await self._mouth.say(message)

    def _player(self, sitting: Sitting, seat: int) -> Player:
        plan = self._plan
        hello = Hello(
            game=plan.game,
            options=msgspec.to_builtins(plan.options),
            seats=plan.seats,
            seat=seat,
            seed=schedule.bot_seeds(plan, sitting.slots[0].game_id)[seat],
            clock=plan.clock,
        )
        return Player(self._room, plan.entrants[sitting.entrants[seat]], self._game, hello, plan.faults)


async def work(ear: Ear[FromParent], mouth: Mouth) -> None:
    """Play until the parent hangs up.

    Raises:
        ConfigError, BrokenGame, RoomTrouble: the tournament has to stop (in an exception group).
    """
    begin = await ear.hear()
    if begin is None:
        return
    if not isinstance(begin, Begin):
        raise lanes.LaneBroken(f"the first message is {type(begin).__name__!r}; it must be 'begin'")
    if begin.core is not None:
        os.sched_setaffinity(0, {begin.core})
    game, plan = _looked_up(begin)
    async with open_room(plan.sandbox, begin.thinkers, adopts=True) as room, trio.open_nursery() as nursery:
        tables = Tables(room, plan, game, mouth)
        await mouth.say(Ready())
        while (message := await ear.hear()) is not None:
            match message:
                case Sit():
                    nursery.start_soon(tables.sit, message)
                case Out(entrants):
                    tables.out(entrants)
                case Noted(game_id):
                    tables.noted(game_id)
                case Begin():
                    raise lanes.LaneBroken("'begin' was said twice")
        nursery.cancel_scope.cancel()


def _looked_up(begin: Begin) -> tuple[AnyGame, Plan]:
    """Return the game, and the plan with the options as the game's own."""
    name = begin.plan.game
    namesakes = (entry for entry in entry_points(group=PROJECT) if entry.name == name)  # the others take 50 ms to load
    game = Registry(namesakes).games.get(name)
    if game is None or lanes.identity(game) != begin.game:
        game = Registry().game(name)
    if (found := lanes.identity(game)) != begin.game:
        raise ConfigError(f"the runner plays {begin.game}, its worker has found {found}; has it just been installed anew?")
    return game, replace(begin.plan, options=checked(begin.plan.options, game.Options, name))


def main() -> None:
    """Be a worker."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _deaf)  # to ignore it would be inherited by the bots
    _die_with(int(sys.argv[1]))
    _adopt_orphans()
    descriptor_in, descriptor_out = _lane()
    try:
        trio.run(work, Ear(descriptor_in, lanes.from_parent), Mouth(descriptor_out))
    except* BrokenPipeError:
        pass  # the parent is gone
    except* (ConfigError, BrokenGame, RoomTrouble) as wrong:
        os.set_blocking(descriptor_out, True)
        with suppress(BrokenPipeError), open(descriptor_out, "wb") as parent:  # noqa: PTH123 - a descriptor
            parent.write(lanes.line(_failed(wrong)))


def _failed(wrong: BaseException) -> Failed:
    while isinstance(wrong, BaseExceptionGroup):
        wrong = wrong.exceptions[0]
    kind = next(kind for error, kind in _KINDS.items() if isinstance(wrong, error))
    return Failed(kind, str(wrong), wrong.cause if isinstance(wrong, RoomTrouble) else None)


def _deaf(number: int, frame: object) -> None:
    """Do nothing: the parent has heard it too."""


def _die_with(parent: int) -> None:
    """Have the system kill this process when its parent ends, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        sys.exit()


def _adopt_orphans() -> None:
    """Have what bots leave behind without a parent become children of this process, where the system can: then it is found, whatever it hides."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _lane() -> tuple[int, int]:
    """Take standard input and output for the parent alone: what a plugin prints goes to standard error, and bots inherit neither."""
    ours = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return ours


if __name__ == "__main__":
    main()
