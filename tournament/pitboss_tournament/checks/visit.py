"""The room in which checks meet a bot: the runner's own processes, players and matches, and nothing else here knows how to use them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio
from msgspec.structs import replace

from pitboss.conversation import cut
from pitboss.events import AnyEvent
from pitboss.game import AnyGame
from pitboss.randomness import Random
from pitboss.wire import Clock, Fault, Hello, Start
from pitboss_tournament.checks.subject import Setting, Subject
from pitboss_tournament.planning.plan import Entrant, FaultRules, SandboxMode
from pitboss_tournament.planning.processors import processors
from pitboss_tournament.playing.match import Match
from pitboss_tournament.playing.player import Answer, Player
from pitboss_tournament.processes import guardian
from pitboss_tournament.processes.exposure import exposed
from pitboss_tournament.processes.logs import Log
from pitboss_tournament.processes.process import BotProcess
from pitboss_tournament.processes.room import Room, open_room

LENIENCE = 3  # in whole games a bot may take so many times its limit: how long it took is for the checks of its speed
LONGEST_LENIENCE_MS = 5_000
EXIT_SECONDS = 0.3  # between the end of a bot's output and its exit status
LAST_LINES = 4

__all__ = ["Course", "Room", "Visit", "opened", "played"]


@asynccontextmanager
async def opened(bot: Subject) -> AsyncIterator[Room]:
    """Open a room with the bot's sandbox."""
    async with open_room(bot.sandbox, processors()) as room:
        yield room


class Visit:
    """A bot's process, spoken to byte by byte, without the runner's patience and without its verdicts."""

    def __init__(self, room: Room, entrant: Entrant) -> None:
        """Start the bot.

        Raises:
            CannotStart: its program cannot be run.
        """
        self._room = room
        self._process: BotProcess = room.start(entrant)
        self._held = b""
        self.is_at_end = False  # it has closed its output

    @property
    def pid(self) -> int:
        """The process id; in a sandbox that of the sandbox."""
        return self._process.pid

    async def send(self, raw: bytes, within_s: float = 5) -> bool:
        """Write some bytes; tell whether the bot took them in time."""
        with trio.move_on_after(within_s):
            return await self._process.send(raw)
        return False

    async def hear(self, within_s: float) -> bytes:
        """Return the next line with its newline; what there is of it if it does not come in time, or the output ends."""
        with trio.move_on_after(within_s):
            while b"\n" not in self._held and await self._listen():
                pass
        line, newline, self._held = self._held.partition(b"\n")
        return line + newline

    async def overhear(self, for_s: float) -> bytes:
        """Return all that the bot says in this time."""
        with trio.move_on_after(for_s):
            while await self._listen():
                pass
        said, self._held = self._held, b""
        return said

    async def _listen(self) -> bool:
        part = b"" if self.is_at_end else await self._process.receive()
        self.is_at_end = not part
        self._held += part
        return bool(part)

    def hang_up(self) -> None:
        """Close the bot's input."""
        self._process.hang_up()

    async def has_ended(self, within_s: float) -> bool:
        """Tell whether the bot's own process ends by itself in this time."""
        with trio.move_on_after(within_s):
            await self._process.wait_ended()
        return not self._process.is_running()

    def has_left(self) -> bool:
        """Tell whether it ended with status 0."""
        return self._process.has_left()

    def is_running(self) -> bool:
        """Tell whether the bot's own process lives."""
        return self._process.is_running()

    def fate(self) -> str:
        """Say how the bot stands."""
        if self._process.held_bytes:
            return f"was ended: it held {self._process.held_bytes >> 20:,} MiB of memory, more than it may"
        return "lives on" if self._process.is_running() else self._process.fate()

    def stderr(self) -> str:
        """Return the last lines of what it wrote to standard error."""
        lines = [line for line in self._process.last_words().splitlines() if line.strip()]
        return "\n".join(line[:300] for line in lines[-LAST_LINES:])

    def stderr_bytes(self) -> int:
        """Return how much it wrote to standard error."""
        self._process.last_words()  # looks once more
        return self._process.error_bytes

    def seconds_used(self) -> float:
        """Return the processor time that the bot has used or waited for, 0 where the system does not tell."""
        self._process.measure()
        return self._process.time_used()

    def companions(self) -> list[int]:
        """Return the processes of the bot that are left."""
        return guardian.marked(f"{self._process.mark}=")

    async def account(self) -> str:
        """Say whether the bot still lives or how it ended; a bot that is just ending is waited for."""
        if self.is_at_end:
            await self.has_ended(EXIT_SECONDS)
        return f"its process {self.fate()}"

    def leave(self) -> None:
        """End the bot."""
        self._room.end(self._process)


class _Faulted(Exception):
    """The bot has done wrong in a game, which therefore stops. Never leaves this module."""


class Watched(Player):
    """The bot in its seat in whole games; its answers are counted and timed."""

    def __init__(self, room: Room, entrant: Entrant, game: AnyGame, hello: Hello) -> None:
        super().__init__(room, entrant, game, hello, FaultRules())
        self.answers: list[tuple[str, int]] = []  # the phase, and the microseconds it took
        self.fault: Fault | None = None
        self.stderr = ""

    async def start(self, start: Start) -> None:
        """Seat the bot for a new game."""
        self._look_at(await super().start(start))

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer:
        """Ask the bot for a decision."""
        answer = await super().decide(phase, legal, view, events)
        if not isinstance(answer, Answer):
            self._look_at(answer)
        assert isinstance(answer, Answer)
        self.answers.append((phase, answer.us))
        return answer

    def _look_at(self, incident: Any) -> None:  # noqa: ANN401 - the fault with its evidence, whatever the player calls it
        if incident is not None:
            self.fault = incident.fault
            lines = [line for line in incident.last_words.splitlines() if line.strip()]
            self.stderr = "\n".join(lines[-LAST_LINES:])
            raise _Faulted


class Chance(Player):
    """An opponent without a process, who plays at random."""

    def __init__(self, seat: int, seed: str) -> None:
        self.entrant = Entrant(name=f"chance-{seat}", command=())
        self.wants_view = self.wants_events = False
        self.told = 0
        self._seat = seat
        self._luck = Random(f"{seed}/chance-{seat}")

    async def start(self, start: Start) -> None:
        """Sit down."""

    async def return_to_table(self) -> None:
        """Be there, as always."""

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer:
        """Choose any legal action."""
        return Answer(self._luck.below(len(legal)), 0, 0, None)

    async def end(self, end: object) -> None:
        """Hear how it ended."""

    def log(self) -> Log:
        """Return nothing: chance says nothing."""
        return Log(self._seat, b"", b"")

    async def leave(self) -> None:
        """Stand up."""


class Course:
    """What was seen of the bot in one game or several at one table."""

    def __init__(self, setting: Setting, seats: Sequence[int]) -> None:
        self.setting = setting
        self.seats = tuple(seats)  # the seats that the bot sat in
        self.games = 0  # that came to their end
        self.answers: list[tuple[str, int]] = []
        self.fault: Fault | None = None
        self.stderr = ""

    def __str__(self) -> str:
        seats = f"seat {self.seats[0]}" if len(self.seats) == 1 else "all seats"
        return f"{self.setting}, {seats}"


async def played(
    room: Room,
    bot: Subject,
    entrant: Entrant,
    setting: Setting,
    seats: Sequence[int],
    *,
    games: int = 1,
    clock: Clock | None = None,
) -> Course:
    """Play some games in the same processes, the bot in these seats and chance in the others, until the bot does wrong or time is up."""
    hello_clock = clock or lenient(bot.clock)
    course = Course(setting, seats)
    players: list[Player] = []
    for seat in range(setting.seats):
        seed = f"{bot.seed}/{setting}/{seat}"
        hello = Hello(
            game=setting.game.name, options=setting.options, seats=setting.seats, seat=seat, seed=seed, clock=hello_clock
        )
        players.append(Watched(room, entrant, setting.game, hello) if seat in seats else Chance(seat, seed))
    watched = [player for player in players if isinstance(player, Watched)]
    try:
        with trio.move_on_after(bot.game_seconds):
            for number in range(games):
                match = Match(setting.game, setting.options, players, f"{bot.seed}/{setting}/{number}")
                await match.play(number, [f"{bot.seed}/{setting}/{number}/{seat}" for seat in range(setting.seats)])
                course.games += 1
    except _Faulted:
        pass
    finally:
        with trio.CancelScope(shield=True):
            for player in watched:
                await player.leave()
    for player in watched:
        course.answers += player.answers
        if player.fault is not None:
            course.fault, course.stderr = player.fault, player.stderr
    return course


def in_shell(entrant: Entrant, sandbox: SandboxMode, script: str) -> Entrant:
    """Return the bot as it is started by a shell, whose last act is to become the bot: `exec "$@"`."""
    command, limits = entrant.command, entrant.limits
    if sandbox != "none":  # what the bot's own command would have had shown to it
        seen = exposed(entrant.command, entrant.folder, limits.read)
        command, limits = seen.command, replace(limits, read=(*limits.read, *map(str, seen.paths)))
        paths = {"PATH": [*seen.search, "$PATH"], "PYTHONPATH": seen.modules}
        script = "".join(f'export {name}="{":".join(folders)}"; ' for name, folders in paths.items() if folders) + script
    return replace(entrant, command=("/bin/sh", "-c", script, "sh", *command), limits=limits)


def lenient(clock: Clock) -> Clock:
    """Return the clock with such a margin that a slow bot is seen to be slow, and not cut off."""
    return replace(clock, margin_ms=max(clock.margin_ms, min(clock.decision_ms * (LENIENCE - 1), LONGEST_LENIENCE_MS)))


def shown(raw: bytes) -> str:
    """Return what a bot wrote as a person can read it."""
    return cut(raw, 200) if raw else "nothing"
