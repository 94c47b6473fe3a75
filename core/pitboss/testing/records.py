"""Records: what is kept of a game is enough to have it back."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from pitboss.record import Decision, Record, events, read, replayed, written
from pitboss.testing.course import Course
from pitboss.testing.examiner import Broken


def record_replays(course: Course) -> str | None:
    """A game's record, written as JSON, read and replayed, gives every decision and the outcome again."""
    if not course.is_over:
        return "the game did not come to an end"
    record = _record(course)
    for number, state in enumerate(replayed(read(written(record)), course.setting.game)):
        turn = course.turns[number] if number < len(course) else None
        if state.turn != turn:
            raise Broken(f"decision {number} was {turn}; replayed from the record it is {state.turn}")
    return None


def record_gives_the_log(course: Course) -> str | None:
    """The event log that is rebuilt from a record is the log of the game, in full and for every seat."""
    if not course.is_over:
        return "the game did not come to an end"
    record = read(written(_record(course)))
    original = course.at(len(course)).table
    *_, last = replayed(record, course.setting.game)
    seat = len(course) % len(course.setting.everyone)
    rebuilt = [(seat, events(record, course.setting.game, seat)), *((one, last.table.events(one)) for one in (None, seat, 0))]
    for one, told in rebuilt:
        expected = original.events(one)
        if not expected or msgspec.json.encode(told) != msgspec.json.encode(expected):
            raise Broken(
                f"the log of seat {one} has {len(expected)} events; rebuilt from the record it has {len(told)}, or others"
            )
    return None


@lru_cache(maxsize=4)
def _record(course: Course) -> Record:
    if course.outcome is None:
        raise Broken("the game did not come to an end")
    setting = course.setting
    return Record(
        game=setting.game.name,
        game_version=setting.game.version,
        options=setting.options,
        seed=course.seed,
        players=[f"bot {seat}" for seat in range(setting.seats)],
        decisions=[Decision(seat=turn.seat, action=action) for turn, action in zip(course.turns, course.actions, strict=True)],
        outcome=course.outcome,
    )


OF_A_COURSE: Final = (record_replays, record_gives_the_log)
