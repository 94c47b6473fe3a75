"""The desk: what is handed out, in what order, and what becomes of the games of a worker that has died."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from pitboss_tournament.planning.plan import Entrant, Plan
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.desk import DEATHS_OF_A_GAME, Desk, Handed
from pitboss_tournament.results.scoring import GameResult, SeatResult
from pitboss_tournament.results.standings import Tally

from .plans import plan


@pytest.fixture
def made(tmp_path: Path) -> Plan:
    """Return a plan of three entrants: six lanes of twenty games and then of five."""
    return plan(tmp_path / "x", *(Entrant(name=name, command=(name,)) for name in "abc"), deals=25)


def desk_of(made: Plan, done: Sequence[int] = (), out: int | None = None) -> Desk:
    """Return the desk of a tournament of which some games are done, with an entrant who is out."""
    tally = Tally([entrant.name for entrant in made.entrants], made.seats, disqualify_after=1)
    if out is not None:
        seat = SeatResult(entrant=out, points=0, place=2, win=0, fault="late", substituted={}, decisions=0, think_us=0, think={})
        tally.add(GameResult(0, 0, 0, 0, (seat,)))
    marks = bytearray(Course(made).total)
    for game in done:
        marks[game] = 1
    return Desk(Course(made), tally, marks)


def handed(desk: Desk, is_idle: bool = True) -> Handed:
    """Return the next sitting, of which there is one."""
    found = trio.run(desk.next, is_idle)
    assert found is not None
    return found


def everything(desk: Desk) -> list[Handed]:
    """Hand out all that there is."""
    found = []
    while (one := trio.run(desk.next, True)) is not None:
        found.append(one)
    return found


def games(one: Handed) -> list[int]:
    """Return the games that are left in a sitting."""
    return [slot.game_id for slot in one.left]


def test_the_schedule_is_handed_out_in_its_order(made: Plan) -> None:
    """Each sitting once, and then nothing more."""
    assert [one.sitting for one in everything(desk_of(made))] == list(Course(made).sittings())


def test_what_is_done_is_left_out(made: Plan) -> None:
    """A resumed run plays what is missing; a sitting of which all is done is not handed out."""
    first, second, *_ = Course(made).sittings()
    desk = desk_of(made, done=[slot.game_id for slot in [*first.slots, *second.slots[:-2]]])

    assert games(handed(desk)) == [slot.game_id for slot in second.slots[-2:]]


def test_who_is_out_plays_no_more(made: Plan) -> None:
    """Sittings with a bot that is out are not handed out."""
    found = everything(desk_of(made, out=1))

    assert {one.sitting.entrants for one in found} == {(0, 2), (2, 0)}


def test_a_worker_dies(made: Plan) -> None:
    """Its next game is a suspect, handed out alone and to a worker that is idle; the rest of its sitting comes before all others."""
    desk = desk_of(made)
    lost = handed(desk)
    began = games(lost)
    assert lost.finish(began[0])

    assert desk.give_back([lost], have_begun=True) is None
    rest, suspect = handed(desk, is_idle=False), handed(desk)

    assert (games(rest), rest.is_alone) == (began[2:], False)
    assert (games(suspect), suspect.is_alone) == ([began[1]], True)
    assert not handed(desk).is_alone


def test_a_worker_dies_before_it_plays(made: Plan) -> None:
    """No game is suspected of it."""
    desk = desk_of(made)
    lost = handed(desk)

    assert desk.give_back([lost], have_begun=False) is None
    again = handed(desk)

    assert (again.sitting, again.is_alone) == (lost.sitting, False)


def test_a_game_that_kills_its_workers(made: Plan) -> None:
    """The game beside it is cleared by being played alone; the culprit is named when it has killed too many."""
    desk = desk_of(made)
    innocent, guilty = handed(desk), handed(desk)
    first, other = guilty.left[0], innocent.left[0]
    assert desk.give_back([innocent, guilty], have_begun=True) is None
    deaths = 1
    found = None
    while found is None:
        alone = handed(desk)
        assert alone.is_alone
        if games(alone) == [first.game_id]:
            found = desk.give_back([alone], have_begun=True)
            deaths += 1
        else:
            assert games(alone) == [other.game_id]

    assert (found, deaths) == (first, DEATHS_OF_A_GAME)


def test_a_game_that_was_not_next(made: Plan) -> None:
    """What a worker says to have finished must be the game that it was to play next."""
    one = handed(desk_of(made))

    assert not one.finish(one.left[1].game_id)
    assert one.finish(one.left[0].game_id)
