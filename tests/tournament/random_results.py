"""Tournaments played on paper.

A course whose games are decided by numbers drawn for each game, whatever order they are played in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from msgspec.structs import replace

from pitboss.outcome import Sides
from pitboss_tournament.formats.selection import check_plan, choose_format
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import RecordedRound
from tests.tournament.small_tournaments import make_plan


def make_random_plan(
    name: str,
    bots: int,
    seats: int,
    deals: int = 1,
    options: Mapping[str, object] | None = None,
    seating: Seating = "rotations",
    sides: Sides | None = None,
) -> Plan:
    """Return a tournament of bots b0, b1, …, checked as one from a file."""
    entrants = (Entrant(name=f"b{number}", command=("true",)) for number in range(bots))
    choice = choose_format(name, options or {})
    made = replace(
        make_plan(Path("unused"), *entrants, deals=deals), seats=seats, format=choice, seating=seating, sides=sides
    )
    check_plan(made)
    return made


def draw_result(slot: ScheduledGame, skill_step: float = 1.0, forfeiting: frozenset[int] = frozenset()) -> GameResult:
    """Return the result of a game: the lower its number, the stronger a bot; `spread` by how much.

    It follows from the game's number and seats alone.
    """
    rng = Random(f"{slot.game_id}/{slot.entrants}")
    points = [
        float("-inf") if entrant in forfeiting else rng.gauss(-entrant * skill_step, 1) for entrant in slot.entrants
    ]
    best_first = sorted(points, reverse=True)
    seats = (
        SeatResult(
            entrant=entrant,
            points=max(own, -99.0),
            place=best_first.index(own) + 1,
            win=float(own == best_first[0]),
            fault="late" if entrant in forfeiting else None,
            substituted={},
            decisions=0,
            think_us=0,
            think={},
        )
        for entrant, own in zip(slot.entrants, points, strict=True)
    )
    return GameResult(slot.game_id, slot.pairing, slot.deal, slot.rotation, tuple(seats))


class RoundsInMemory:
    """Recorded rounds, as a store has them."""

    def __init__(self, recorded: Sequence[RecordedRound] = ()) -> None:
        self.recorded = recorded

    def read(self, after: int = 0) -> Iterator[RecordedRound]:
        """Yield the rounds after a number."""
        return (opened for opened in self.recorded if opened.number > after)


class GamesInMemory:
    """The header and the results of a tournament, as a store has them."""

    def __init__(self, header: Header, games: Sequence[GameResult], recorded: Sequence[RecordedRound] = ()) -> None:
        self.header = header
        self.games = games
        self.rounds = RoundsInMemory(recorded)

    def count_games(self) -> int:
        """Return the number of games."""
        return len(self.games)

    def results(self, with_times: bool = True) -> Iterator[GameResult]:
        """Yield the result of each game, by number."""
        return iter(sorted(self.games, key=lambda result: result.game_id))


def tied_result(slot: ScheduledGame) -> GameResult:
    """Return a game in which all are first."""
    result = draw_result(slot)
    return replace(result, seats=tuple(replace(seat, place=1, points=0.0, win=0.5) for seat in result.seats))


def open_games(course: Rounds) -> list[ScheduledGame]:
    """Return all games of the open round."""
    return [slot for sitting in course.batches() for slot in sitting]


def play_drawn(
    made: Plan, skill_step: float = 1.0, shuffle_seed: int | None = None
) -> tuple[Rounds, list[ScheduledGame]]:
    """Play a tournament to its end, the games of each round in any order; return its course and all its games."""
    course, everything = begin_rounds(made), list[ScheduledGame]()
    while not course.is_over:
        slots = open_games(course)
        everything += slots
        if shuffle_seed is not None:
            Random(shuffle_seed).shuffle(slots)
        for slot in slots:
            course.add_result(draw_result(slot, skill_step))
        course.advance_round(frozenset())
    return course, everything
