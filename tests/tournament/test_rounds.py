"""Tournaments of several rounds, played by real workers: who is idle waits for the next round, and what is decided ends."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.record import written
from pitboss_tournament.planning.plan import FaultRules, FormatChoice, Plan, StopRules
from pitboss_tournament.playing.course import Course
from pitboss_tournament.playing.desk import Desk, Handed
from pitboss_tournament.processes.logs import packed
from pitboss_tournament.results.standings import Tally
from pitboss_tournament.results.store import Store

from .courses import on_paper, paper_plan
from .plans import Ended, entrant, plan, run, tournament

pytestmark = pytest.mark.once


def swiss(store: Path, **changes: object) -> Plan:
    """Return a Swiss of five bots and three rounds, two games each at two tables."""
    bots = [entrant("good", f"bot-{number}") for number in range(5)]
    choice = FormatChoice(name="swiss", options={"rounds": 3}, may_grow=False)
    return plan(store, *bots, **{"deals": 1, "format": choice, "workers": 3, "games_at_once": 3, **changes})


def test_a_swiss_is_played(tmp_path: Path) -> None:
    """All games of all rounds are played; the store says how it ended, and the same again plays nothing."""
    made = swiss(tmp_path / "x.pitboss")

    ended = run(made)
    again = run(made)

    assert len(ended.games) == ended.tournament.total == 12
    assert (again.tournament.played_before, len(again.games)) == (12, 12)
    assert ended.tournament.ranking is not None
    assert sorted(ended.tournament.ranking) == [f"bot-{number}" for number in range(5)]
    assert again.tournament.ranking == ended.tournament.ranking
    assert Store(made.store).decided() == f"swiss: {', '.join(ended.tournament.ranking)}"


@pytest.mark.parametrize("kept", [1, 4, 11])
def test_a_swiss_is_carried_on(tmp_path: Path, kept: int) -> None:
    """Whatever its first run has left in the store, the games of the whole tournament are those of an uninterrupted one."""
    whole = run(swiss(tmp_path / "whole.pitboss"))
    made = swiss(tmp_path / "part.pitboss", workers=1, games_at_once=2)
    store = tournament(made).store
    store.add([(result, packed(written(record)), ()) for result, record in whole.games[:kept]])
    store.close()

    resumed = run(made)

    assert (resumed.tournament.played_before, resumed.tournament.tally.games) == (kept, 12)
    assert told(resumed) == told(whole)


def told(ended: Ended) -> list[tuple[object, ...]]:
    """Return all games without their times."""
    return [
        (result.game_id, result.pairing, result.deal, result.rotation, record.players, record.seed, record.outcome)
        for result, record in ended.games
    ]


def test_a_dynamic_tournament_cannot_be_made_longer(tmp_path: Path) -> None:
    """The numbers of later rounds would change: the store is of another tournament."""
    made = swiss(tmp_path / "x.pitboss")
    run(made)

    for changed in (replace(made, deals=2), replace(made, faults=FaultRules(disqualify_after=7))):
        with pytest.raises(ConfigError, match="this store is of another tournament"):
            run(changed)


def test_a_bot_that_is_out_of_a_swiss(tmp_path: Path) -> None:
    """It has forfeited too often in the first round: the next rounds go on without it."""
    made = swiss(tmp_path / "x.pitboss", faults=FaultRules(disqualify_after=1))
    bad = entrant("exits_with_3", "bad")

    ended = run(replace(made, entrants=(bad, *made.entrants[1:])))

    seen = [result.game_id for result, _ in ended.games if 0 in {seat.entrant for seat in result.seats}]
    assert len(seen) < 3
    assert ended.tournament.tally.is_out(0)
    assert all(number < 4 for number in seen)
    assert ended.tournament.course.rounds == 3


def test_a_tournament_is_decided(tmp_path: Path) -> None:
    """It ends long before its schedule, and says why; the store says it too, and the same again plays nothing and says the same."""
    bots = [entrant("exits_with_3", "loser"), entrant("good", "winner")]
    rules = StopRules(bot="winner", better_than="loser")
    made = plan(tmp_path / "x.pitboss", *bots, deals=500, stop=rules)

    ended = run(made)
    again = run(made)

    assert ended.tournament.decided is not None
    assert ended.tournament.decided.startswith("winner is better than loser, proven at 95 % by ")
    assert not ended.tournament.was_stopped
    assert len(ended.games) < 100
    assert (again.tournament.decided, len(again.games)) == (ended.tournament.decided, len(ended.games))
    assert Store(made.store).decided() == ended.tournament.decided


def test_a_tournament_that_was_decided_may_be_carried_on(tmp_path: Path) -> None:
    """Without its rule, it plays what is left."""
    bots = [entrant("exits_with_3", "loser"), entrant("good", "winner")]
    made = plan(tmp_path / "x.pitboss", *bots, deals=20, stop=StopRules(bot="winner", better_than="loser"))
    decided = run(made)

    whole = run(replace(made, stop=None))

    assert len(decided.games) < len(whole.games) == 40
    assert whole.tournament.decided is None


def desk_and_course() -> tuple[Desk, Course]:
    """Return the desk of a Swiss on paper: four bots, one deal a table."""
    course = Course(paper_plan("swiss", 4, 2, 1, {"rounds": 2}))
    return Desk(course, Tally([f"b{number}" for number in range(4)], 2, 10), bytearray()), course


async def test_who_is_idle_waits_for_the_next_round() -> None:
    """Nothing is handed out of the next round while a game of this one is on a table; when the last one is left, everybody who waits is given a sitting."""
    desk, course = desk_and_course()
    first = [await desk.next(is_idle=True) for _ in range(4)]
    found: list[Handed | None] = []

    async def wait() -> None:
        found.append(await desk.next(is_idle=True))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        nursery.start_soon(wait)
        for handed in first:
            assert handed is not None
            await trio.testing.wait_all_tasks_blocked()
            assert found == []
            assert await desk.next(is_idle=False) is None
            for slot in handed.sitting.slots:
                course.add(on_paper(slot))
            desk.leave()
    assert [handed.sitting.slots[0].game_id >= 4 for handed in found if handed] == [True, True]


async def test_the_desk_is_closed() -> None:
    """Who waits for the next round is told that there is nothing more."""
    desk, _ = desk_and_course()
    for _ in range(4):
        await desk.next(is_idle=True)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.next, True)
        await trio.testing.wait_all_tasks_blocked()
        desk.close()

    assert await desk.next(is_idle=True) is None


async def test_a_worker_dies_in_the_last_game_of_a_round() -> None:
    """The round is not over: who waits is given the game that came back, and the next round comes after it."""
    desk, course = desk_and_course()
    *done, lost = [await desk.next(is_idle=True) for _ in range(4)]
    assert lost is not None
    for handed in done:
        assert handed is not None
        for slot in handed.sitting.slots:
            course.add(on_paper(slot))
        desk.leave()

    desk.give_back([lost], have_begun=True)
    again = await desk.next(is_idle=True)

    assert again is not None
    assert (again.sitting, again.is_alone) == (lost.sitting, True)
    assert course.rounds == 1
