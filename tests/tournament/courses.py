"""Tournaments played on paper: a course whose games are decided by numbers drawn for each game, whatever order they are played in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from msgspec.structs import replace

from pitboss.plugins import Registry
from pitboss_tournament import formats
from pitboss_tournament.planning.plan import Entrant, Plan
from pitboss_tournament.planning.seating import Seating, Sides
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.schedule import Slot
from pitboss_tournament.results.scoring import GameResult, SeatResult

from .plans import plan


def paper_plan(
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
    choice = formats.chosen(name, options or {}, Registry([]))
    made = replace(plan(Path("unused"), *entrants, deals=deals), seats=seats, format=choice, seating=seating, sides=sides)
    formats.check(made)
    return made


def on_paper(slot: Slot, spread: float = 1.0, forfeits: frozenset[int] = frozenset()) -> GameResult:
    """Return the result of a game: the lower its number, the stronger a bot; `spread` by how much. It follows from the game's number and seats alone."""
    rng = Random(f"{slot.game_id}/{slot.entrants}")
    points = [float("-inf") if entrant in forfeits else rng.gauss(-entrant * spread, 1) for entrant in slot.entrants]
    best_first = sorted(points, reverse=True)
    seats = (
        SeatResult(
            entrant=entrant,
            points=max(own, -99.0),
            place=best_first.index(own) + 1,
            win=float(own == best_first[0]),
            fault="late" if entrant in forfeits else None,
            substituted={},
            decisions=0,
            think_us=0,
            think={},
        )
        for entrant, own in zip(slot.entrants, points, strict=True)
    )
    return GameResult(slot.game_id, slot.pairing, slot.deal, slot.rotation, tuple(seats))


def slots_of(course: Course) -> list[Slot]:
    """Return all games of the open round."""
    return [slot for sitting in course.sittings() for slot in sitting.slots]


def played(made: Plan, spread: float = 1.0, shuffle: int | None = None) -> tuple[Course, list[Slot]]:
    """Play a tournament to its end, the games of each round in any order; return its course and all its games."""
    course, everything = Course(made), list[Slot]()
    while not course.is_over:
        slots = slots_of(course)
        everything += slots
        if shuffle is not None:
            Random(shuffle).shuffle(slots)
        for slot in slots:
            course.add(on_paper(slot, spread))
        course.go_on(frozenset())
    return course, everything
