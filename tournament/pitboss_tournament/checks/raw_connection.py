"""The room in which checks meet a bot: the runner's own processes, players and matches, and nothing else here knows how to use them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio
from msgspec.structs import replace

from pitboss.game import AnyGame, AnyState
from pitboss.game_setup import GameSetup
from pitboss.protocol.connection import quote_line
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Clock, End, Hello, Start
from pitboss.record import Decision, Incident
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random
from pitboss_tournament.checks.bot_under_test import BotUnderTest
from pitboss_tournament.plan.plan import Entrant, FaultRules, SandboxMode
from pitboss_tournament.playing.bot_seat import BotSeat, close_all
from pitboss_tournament.playing.match import Match
from pitboss_tournament.playing.seat import Answer, Seat
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.processes.visible_paths import find_visible_paths

MARGIN_FACTOR = (
    3  # in whole games a bot may take so many times its limit: how long it took is for the checks of its speed
)
LONGEST_MARGIN_MS = 5_000
EXIT_SECONDS = 0.3  # between the end of a bot's output and its exit status
STDERR_LINES = 4

__all__ = ["BotSupervisor", "RawConnection", "WatchedGames", "open_bot_supervisor", "play_watched_games"]


@asynccontextmanager
async def open_bot_supervisor(bot: BotUnderTest) -> AsyncIterator[BotSupervisor]:
    """Open a room with the bot's sandbox."""
    async with open_supervisor(bot.sandbox, available_cpus()) as room:
        yield room


class RawConnection:
    """A bot's process, spoken to byte by byte, without the runner's patience and without its verdicts."""

    def __init__(self, supervisor: BotSupervisor, entrant: Entrant) -> None:
        """Start the bot.

        Raises:
            CannotStart: its program cannot be run.
        """
        self._supervisor = supervisor
        self._process: BotProcess = supervisor.start(entrant)
        self._buffer = b""
        self.is_output_closed = False  # it has closed its output

    @property
    def pid(self) -> int:
        """The process id; in a sandbox that of the sandbox."""
        return self._process.pid

    async def send(self, raw: bytes, within_s: float = 5) -> bool:
        """Write some bytes; tell whether the bot took them in time."""
        with trio.move_on_after(within_s):
            return await self._process.send(raw)
        return False

    async def receive_line(self, within_s: float) -> bytes:
        """Return the next line with its newline; what there is of it if it does not come in time, or the output ends."""
        with trio.move_on_after(within_s):
            while b"\n" not in self._buffer and await self._receive_part():
                pass
        line, newline, self._buffer = self._buffer.partition(b"\n")
        return line + newline

    async def receive_for(self, for_s: float) -> bytes:
        """Return all that the bot says in this time."""
        with trio.move_on_after(for_s):
            while await self._receive_part():
                pass
        said, self._buffer = self._buffer, b""
        return said

    async def _receive_part(self) -> bool:
        part = b"" if self.is_output_closed else await self._process.receive()
        self.is_output_closed = not part
        self._buffer += part
        return bool(part)

    def close_input(self) -> None:
        """Close the bot's input."""
        self._process.close_stdin()

    async def wait_ended(self, within_s: float) -> bool:
        """Tell whether the bot's own process ends by itself in this time."""
        with trio.move_on_after(within_s):
            await self._process.wait_exit()
        return not self._process.is_running()

    def has_exited_cleanly(self) -> bool:
        """Tell whether it ended with status 0."""
        return self._process.has_exited_cleanly()

    def is_running(self) -> bool:
        """Tell whether the bot's own process lives."""
        return self._process.is_running()

    def describe_exit(self) -> str:
        """Say how the bot stands."""
        if self._process.oom_bytes:
            return f"was ended: it held {self._process.oom_bytes >> 20:,} MiB of memory, more than it may"
        return "lives on" if self._process.is_running() else self._process.exit_text()

    def stderr_tail(self) -> str:
        """Return the last lines of what it wrote to standard error."""
        lines = [line for line in self._process.stderr_tail().splitlines() if line.strip()]
        return "\n".join(line[:300] for line in lines[-STDERR_LINES:])

    def stderr_bytes(self) -> int:
        """Return how much it wrote to standard error."""
        self._process.stderr_tail()  # looks once more
        return self._process.stderr_bytes

    def cpu_seconds(self) -> float:
        """Return the processor time that the bot has used or waited for, 0 where the system does not tell."""
        self._process.attach_gauge()
        return self._process.timer.runnable_seconds()

    def find_leftover_processes(self) -> list[int]:
        """Return the processes of the bot that are left."""
        return reaper.find_marked(f"{self._process.mark}=")

    async def describe_process(self) -> str:
        """Say whether the bot still lives or how it ended; a bot that is just ending is waited for."""
        if self.is_output_closed:
            await self.wait_ended(EXIT_SECONDS)
        return f"its process {self.describe_exit()}"

    def terminate(self) -> None:
        """End the bot."""
        self._supervisor.end(self._process)


class _GameAborted(Exception):
    """A watched bot has committed a fault. Never leaves this module."""


class WatchedSeat(BotSeat):
    """The bot's seat in whole games. Its answers are counted and timed; its first fault ends the game."""

    def __init__(self, supervisor: BotSupervisor, entrant: Entrant, game: AnyGame, hello: Hello) -> None:
        super().__init__(supervisor, entrant, game, hello, FaultRules())
        self.answers: list[tuple[str, int]] = []  # the phase, and the microseconds it took
        self.fault: Fault | None = None
        self.stderr = ""

    async def start(self, start: Start) -> None:
        """Seat the bot for a new game."""
        self._record_incident(await super().start(start))

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer:
        """Ask the bot for a decision."""
        answer = await super().decide(phase, legal, view, events)
        if not isinstance(answer, Answer):
            self._record_incident(answer)
        assert isinstance(answer, Answer)
        self.answers.append((phase, answer.us))
        return answer

    def _record_incident(self, incident: Incident | None) -> None:
        if incident is not None:
            self.fault = incident.fault
            lines = [line for line in incident.last_words.splitlines() if line.strip()]
            self.stderr = "\n".join(lines[-STDERR_LINES:])
            raise _GameAborted


class RandomSeat:
    """An opponent without a process, who plays at random."""

    def __init__(self, seat: int, seed: str) -> None:
        self.entrant = Entrant(name=f"chance-{seat}", command=())
        self.wants_events = False
        self.log_position = 0
        self._random = Random(f"{seed}/chance-{seat}")

    async def start(self, start: Start) -> None:
        """Begin a new game."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take nothing over: the next choice is as random as any."""

    async def rejoin(self) -> None:
        """Do nothing: no fault is possible."""

    def observe(self, state: AnyState) -> None:
        """Return no view."""

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer:
        """Choose any legal action."""
        return Answer(self._random.randbelow(len(legal)), 0, 0, None)

    async def end(self, end: End) -> None:
        """Learn the result of the game."""


class WatchedGames:
    """What was seen of the bot in one game or several at one table."""

    def __init__(self, table: GameSetup, seats: Sequence[int]) -> None:
        self.table = table
        self.seats = tuple(seats)  # the seats that the bot sat in
        self.games_played = 0  # that came to their end
        self.answers: list[tuple[str, int]] = []
        self.fault: Fault | None = None
        self.stderr = ""

    def __str__(self) -> str:
        seats = f"seat {self.seats[0]}" if len(self.seats) == 1 else "all seats"
        return f"{self.table}, {seats}"


async def play_watched_games(
    supervisor: BotSupervisor,
    bot: BotUnderTest,
    entrant: Entrant,
    table: GameSetup,
    seats: Sequence[int],
    *,
    games: int = 1,
    clock: Clock | None = None,
) -> WatchedGames:
    """Play some games in the same processes, the bot in these seats and chance in the others, until the bot does wrong or time is up."""
    hello_clock = clock or extend_margin(bot.clock)
    course = WatchedGames(table, seats)
    players: list[Seat] = []
    for seat in range(table.seats):
        seed = f"{bot.seed}/{table}/{seat}"
        hello = Hello(
            game=table.game.name, options=table.options, seats=table.seats, seat=seat, seed=seed, clock=hello_clock
        )
        players.append(WatchedSeat(supervisor, entrant, table.game, hello) if seat in seats else RandomSeat(seat, seed))
    watched = [player for player in players if isinstance(player, WatchedSeat)]
    try:
        with trio.move_on_after(bot.game_seconds):
            for number in range(games):
                match = Match(table.game, table.options, players, f"{bot.seed}/{table}/{number}")
                await match.play(number, [f"{bot.seed}/{table}/{number}/{seat}" for seat in range(table.seats)])
                course.games_played += 1
    except _GameAborted:
        pass
    finally:
        with trio.CancelScope(shield=True):
            await close_all(watched)
    for player in watched:
        course.answers += player.answers
        if player.fault is not None:
            course.fault, course.stderr = player.fault, player.stderr
    return course


def wrap_in_shell(entrant: Entrant, sandbox: SandboxMode, script: str) -> Entrant:
    """Return the bot as it is started by a shell, whose last act is to become the bot: `exec "$@"`."""
    command, limits = entrant.command, entrant.limits
    if sandbox != "none":  # what the bot's own command would have had shown to it
        seen = find_visible_paths(entrant.command, entrant.folder, limits.read)
        command, limits = seen.command, replace(limits, read=(*limits.read, *map(str, seen.paths)))
        paths = {"PATH": [*seen.program_folders, "$PATH"], "PYTHONPATH": seen.module_folders}
        script = (
            "".join(f'export {name}="{":".join(folders)}"; ' for name, folders in paths.items() if folders) + script
        )
    return replace(entrant, command=("/bin/sh", "-c", script, "sh", *command), limits=limits)


def extend_margin(clock: Clock) -> Clock:
    """Return the clock with such a margin that a slow bot is seen to be slow, and not cut off."""
    return replace(
        clock, margin_ms=max(clock.margin_ms, min(clock.decision_ms * (MARGIN_FACTOR - 1), LONGEST_MARGIN_MS))
    )


def format_bytes(raw: bytes) -> str:
    """Return what a bot wrote as a person can read it."""
    return quote_line(raw, 200) if raw else "nothing"
