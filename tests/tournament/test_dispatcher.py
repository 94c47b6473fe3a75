"""The desk: what is handed out, in what order, and what becomes of the games of a worker that has died."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.playing.dispatcher import MAX_DEATHS_PER_GAME, Assignment, Dispatcher
from pitboss_tournament.playing.game_numbers import GameNumbers
from pitboss_tournament.playing.round_progress import RoundProgress
from pitboss_tournament.statistics.running_standings import RunningStandings
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from tests.tournament.small_tournaments import make_plan


@pytest.fixture
def made(tmp_path: Path) -> Plan:
    """Return a plan of three entrants: six lanes of twenty games and then of five."""
    return make_plan(tmp_path / "x", *(Entrant(name=name, command=(name,)) for name in "abc"), deals=25)


def make_dispatcher(made: Plan, done: Sequence[int] = (), out: int | None = None) -> Dispatcher:
    """Return the desk of a tournament of which some games are done, with an entrant who is out."""
    tally = RunningStandings(made.bots, made.seats, disqualify_after=1)
    if out is not None:
        seat = SeatResult(
            entrant=out, points=0, place=2, win=0, fault="late", substituted={}, decisions=0, think_us=0, think={}
        )
        tally.add(GameResult(0, 0, 0, 0, (seat,)))
    return Dispatcher(RoundProgress(made), tally, GameNumbers(done))


def next_assignment(desk: Dispatcher, is_idle: bool = True) -> Assignment:
    """Return the next sitting, of which there is one."""
    found = trio.run(desk.next_assignment, is_idle)
    assert found is not None
    return found


def all_assignments(desk: Dispatcher) -> list[Assignment]:
    """Hand out all that there is."""
    found = []
    while (one := trio.run(desk.next_assignment, True)) is not None:
        found.append(one)
    return found


def remaining_games(one: Assignment) -> list[int]:
    """Return the games that are left in a sitting."""
    return [slot.game_id for slot in one.remaining]


def test_the_schedule_is_handed_out_in_its_order(made: Plan) -> None:
    """Each sitting once, and then nothing more."""
    assert [one.games for one in all_assignments(make_dispatcher(made))] == list(RoundProgress(made).batches())


def test_finished_games_are_not_assigned(made: Plan) -> None:
    """A resumed run plays what is missing; a sitting of which all is done is not handed out."""
    first, second, *_ = RoundProgress(made).batches()
    desk = make_dispatcher(made, done=[slot.game_id for slot in [*first, *second[:-2]]])

    assert remaining_games(next_assignment(desk)) == [slot.game_id for slot in second[-2:]]


def test_a_disqualified_bot_is_not_assigned(made: Plan) -> None:
    """Sittings with a bot that is out are not handed out."""
    found = all_assignments(make_dispatcher(made, out=1))

    assert {one.games[0].entrants for one in found} == {(0, 2), (2, 0)}


def test_a_worker_dies(made: Plan) -> None:
    """Its next game is a suspect, handed out alone and to a worker that is idle; the rest of its sitting comes before
    all others.
    """
    desk = make_dispatcher(made)
    lost = next_assignment(desk)
    began = remaining_games(lost)
    assert lost.finish(began[0])

    assert desk.take_back([lost], have_begun=True) is None
    rest, suspect = next_assignment(desk, is_idle=False), next_assignment(desk)

    assert (remaining_games(rest), rest.is_alone) == (began[2:], False)
    assert (remaining_games(suspect), suspect.is_alone) == ([began[1]], True)
    assert not next_assignment(desk).is_alone


def test_a_worker_dies_before_it_plays(made: Plan) -> None:
    """No game is suspected of it."""
    desk = make_dispatcher(made)
    lost = next_assignment(desk)

    assert desk.take_back([lost], have_begun=False) is None
    again = next_assignment(desk)

    assert (again.games, again.is_alone) == (lost.games, False)


def test_a_game_that_kills_its_workers(made: Plan) -> None:
    """The game beside it is cleared by being played alone; the culprit is named when it has killed too many."""
    desk = make_dispatcher(made)
    innocent, guilty = next_assignment(desk), next_assignment(desk)
    first, other = guilty.remaining[0], innocent.remaining[0]
    assert desk.take_back([innocent, guilty], have_begun=True) is None
    deaths = 1
    found = None
    while found is None:
        alone = next_assignment(desk)
        assert alone.is_alone
        if remaining_games(alone) == [first.game_id]:
            found = desk.take_back([alone], have_begun=True)
            deaths += 1
        else:
            assert remaining_games(alone) == [other.game_id]

    assert (found, deaths) == (first, MAX_DEATHS_PER_GAME)


def test_a_game_that_was_not_next(made: Plan) -> None:
    """What a worker says to have finished must be the game that it was to play next."""
    one = next_assignment(make_dispatcher(made))

    assert not one.finish(one.remaining[1].game_id)
    assert one.finish(one.remaining[0].game_id)
