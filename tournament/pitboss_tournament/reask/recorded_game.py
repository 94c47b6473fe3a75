"""A recorded game with the seeds, clocks and limits of its bots, from a store or from a file of exported records."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.protocol.messages import Clock
from pitboss.records import record as records
from pitboss.records.record import Decision, Incident, Record
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Opponents
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.rounds.schedule import bot_seeds, draw_bot_seeds
from pitboss_tournament.store.store import Store

_SQLITE_MAGIC: Final = b"SQLite format 3\0"


class RecordedBot(Struct, frozen=True, kw_only=True):
    """A recorded bot: name, seeds, clock, and command and limits where the file has them."""

    name: str
    process_seed: str  # that of `hello`
    game_seed: str  # that of `start`
    clock: Clock
    command: tuple[str, ...] = ()
    limits: Limits = Limits()


class RecordedDecision(NamedTuple):
    """A recorded decision: its number in the game, the decision, and the bot's incident there."""

    number: int
    then: Decision | None  # None: the record stops at the question
    incident: Incident | None


class RecordedGame(Struct, frozen=True, kw_only=True):
    """A record with the bots it was played with."""

    game_id: int
    record: Record
    bots: tuple[RecordedBot, ...]  # by seat
    path: Path
    opponents: Opponents = "names"  # what the bots were told of each other
    is_exact: bool = True  # the seeds and the clocks are the recorded ones
    open_seat: int | None = None  # that is on turn where the record stops; None: the game is over

    @property
    def last_question(self) -> int:
        """The number of the last decision, or of the one at which the record stops."""
        return len(self.record.decisions) + (self.open_seat is not None)

    def seat_of(self, number: int) -> int:
        """Return the seat of a decision, or of the one at which the record stops."""
        decisions = self.record.decisions
        if number > len(decisions):
            assert self.open_seat is not None
            return self.open_seat
        return decisions[number - 1].seat

    def decisions_asked(self, seat: int) -> list[int]:
        """Return the numbers of the seat's decisions that were put to the bot; none after a forfeit."""
        forfeit = next((fault for fault in self.record.faults if fault.seat == seat and fault.is_forfeit), None)
        own = [number for number in range(1, self.last_question + 1) if self.seat_of(number) == seat]
        return own if forfeit is None else own[: forfeit.decision]

    def has_policies(self, seat: int) -> bool:
        """Return whether the seat stated a policy: the runner had offered to take them."""
        return any(one.seat == seat and one.policy is not None for one in self.record.decisions)

    def recorded_decision(self, number: int) -> RecordedDecision:
        """Return a decision with its incident."""
        decisions = self.record.decisions
        if number > len(decisions):
            return RecordedDecision(number, None, None)
        then = decisions[number - 1]
        question = (then.seat, sum(one.seat == then.seat for one in decisions[:number]))
        incidents = (one for one in self.record.incidents if (one.fault.seat, one.fault.decision) == question)
        return RecordedDecision(number, then, next(incidents, None))


def load_recorded_game(path: Path, game_id: int | None) -> RecordedGame:
    """Return a game of a store, or of exported records; None: the first one with a fault, or the first of all.

    Raises:
        ConfigError: there is no such file or game.
        RecordError: a line is no record.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; give a store, or records that `pitboss export` wrote")
    if is_store_file(path):
        store = Store(path)
        return _load_from_store(store, store.choose_game() if game_id is None else game_id)
    return _load_from_export(path, _choose_exported_game(path) if game_id is None else game_id)


def is_store_file(path: Path) -> bool:
    """Return whether a file is a store."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def _load_from_store(store: Store, game_id: int) -> RecordedGame:
    header, record = store.header, store.record(game_id)
    if not header.has_schedule:
        return make_from_record(store.path, game_id, record)
    greetings = _find_greetings(store, game_id)
    seeds = bot_seeds(header, game_id)
    bots = [header.bots.index(name) for name in record.players]
    seated = [
        RecordedBot(
            name=header.bots[bot],
            process_seed=(seeds if header.entries[bot].own.process == "game" else bot_seeds(header, greetings[seat]))[
                seat
            ],
            game_seed=seeds[seat],
            clock=header.clock_of(bot),
            command=header.entries[bot].command,
            limits=header.entries[bot].limits,
        )
        for seat, bot in enumerate(bots)
    ]
    return RecordedGame(game_id=game_id, record=record, bots=tuple(seated), path=store.path, opponents=header.opponents)


def _find_greetings(store: Store, game_id: int) -> list[int]:
    """Return, by seat, the game whose seed greeted the process, assuming an uninterrupted tournament."""
    progress, _ = replay_rounds(store, until=game_id)
    is_known = game_id < progress.games_end
    return progress.find_greetings(game_id) if is_known else [game_id] * store.header.seats


def _load_from_export(path: Path, game_id: int) -> RecordedGame:
    numbers: list[int] = []
    with path.open("rb") as lines:
        for place, line in enumerate(lines):
            number = _read_number(path, place, line)
            numbers.append(number)
            if number == game_id:
                return make_from_record(path, game_id, records.loads(line))
    there = f"its games are numbered {min(numbers)} to {max(numbers)}" if numbers else "it holds no game"
    raise ConfigError(f"{path}: there is no game {game_id}; {there}")


def _choose_exported_game(path: Path) -> int:
    """Return the number of the first game with a fault, or of the first of all."""
    first: int | None = None
    with path.open("rb") as lines:
        for place, line in enumerate(lines):
            number = _read_number(path, place, line)
            if records.loads(line).faults:
                return number
            first = number if first is None else first
    return first or 0


def _read_number(path: Path, place: int, line: bytes) -> int:
    number = _decode_line(path, place, line).get("game_id", place)
    if type(number) is not int:
        raise ConfigError(f"{path}, line {place + 1}: game_id is {number!r}; it must be a whole number")
    return number


def _decode_line(path: Path, place: int, line: bytes) -> dict[str, Any]:
    try:
        return read_json(line, dict[str, Any])
    except InputRefused:
        raise ConfigError(
            f"{path}, line {place + 1}: this is neither a store nor a record that `pitboss export` wrote"
        ) from None


def make_from_record(path: Path, game_id: int, record: Record) -> RecordedGame:
    """Return the game with a usual clock and with seeds of its number: nothing else is known of them."""
    clock = Clock(start_ms=10_000, decision_ms=1_000, margin_ms=10)
    seeds = draw_bot_seeds(f"ask/{game_id}", len(record.players))
    bots = [
        RecordedBot(name=name, process_seed=seed, game_seed=seed, clock=clock)
        for name, seed in zip(record.players, seeds, strict=True)
    ]
    return RecordedGame(game_id=game_id, record=record, bots=tuple(bots), path=path, is_exact=False)
