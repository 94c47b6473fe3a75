"""Tournaments of several rounds, played by real workers.

Who is idle waits for the next round, and what is decided ends.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.records.record import dumps
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.plan.plan import FaultRules, FormatChoice, Plan, StopRules
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import Rounds, begin_rounds
from pitboss_tournament.rounds.round_replay import number_rounds
from pitboss_tournament.running.dispatcher import Assignment, Dispatcher
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.random_results import GamesInMemory, draw_result, make_random_plan, play_drawn
from tests.tournament.small_tournaments import (
    games_without_times,
    make_plan,
    open_tournament,
    play_tournament,
    zoo_entrant,
)

pytestmark = pytest.mark.once


def swiss_plan(store: Path, **changes: object) -> Plan:
    """Return a Swiss of five bots and three rounds, two games each at two tables."""
    bots = [zoo_entrant("good", f"bot-{number}") for number in range(5)]
    choice = FormatChoice(name="swiss", options={"rounds": 3}, may_grow=False)
    return make_plan(store, *bots, **{"deals": 1, "format": choice, "workers": 3, "games_at_once": 3, **changes})


def test_a_swiss_is_played(tmp_path: Path) -> None:
    """All games of all rounds are played; the store says how it ended, and the same again plays nothing."""
    made = swiss_plan(tmp_path / "x.pitboss")

    ended = play_tournament(made)
    again = play_tournament(made)

    assert len(ended.games) == ended.tournament.total_games == 12
    assert (again.tournament.games_before, len(again.games)) == (12, 12)
    assert ended.tournament.ranking is not None
    assert sorted(ended.tournament.ranking) == [f"bot-{number}" for number in range(5)]
    assert again.tournament.ranking == ended.tournament.ranking
    assert Store(made.store).end_reason() == f"swiss: {', '.join(ended.tournament.ranking)}"
    shown = run_pitboss("standings", made.store.name, cwd=made.store.parent).out
    assert f"The swiss ended in this order: {', '.join(ended.tournament.ranking)}." in " ".join(shown.split())


@pytest.mark.long
@pytest.mark.parametrize("kept", [4, *(pytest.param(kept, marks=pytest.mark.long) for kept in (1, 11))])
def test_a_swiss_is_carried_on(tmp_path: Path, kept: int) -> None:
    """A Swiss that is carried on has the games of an uninterrupted one, whatever the first run has stored."""
    whole = play_tournament(swiss_plan(tmp_path / "whole.pitboss"))
    made = swiss_plan(tmp_path / "part.pitboss", workers=1, games_at_once=2)
    store = open_tournament(made).store
    store.add([(result, compress_text(dumps(record)), ()) for result, record in whole.games[:kept]])
    store.close()

    resumed = play_tournament(made)

    assert (resumed.tournament.games_before, resumed.tournament.running_standings.games) == (kept, 12)
    assert games_without_times(resumed) == games_without_times(whole)


def test_a_dynamic_tournament_cannot_be_made_longer(tmp_path: Path) -> None:
    """A dynamic tournament cannot be made longer, as the numbers of later rounds would change: the store is of another
    tournament.
    """
    made = swiss_plan(tmp_path / "x.pitboss")
    play_tournament(made)

    for changed in (replace(made, deals=2), replace(made, faults=FaultRules(disqualify_after=7))):
        with pytest.raises(ConfigError, match="this store is of another tournament"):
            play_tournament(changed)


def test_a_bot_that_is_out_of_a_swiss(tmp_path: Path) -> None:
    """A bot that has forfeited too often in the first round of a Swiss is out: the next rounds go on without it."""
    made = swiss_plan(tmp_path / "x.pitboss", faults=FaultRules(disqualify_after=1))
    bad = zoo_entrant("exits_with_3", "bad")

    ended = play_tournament(replace(made, entrants=(bad, *made.entrants[1:])))

    seen = [result.game_id for result, _ in ended.games if 0 in {seat.entrant for seat in result.seats}]
    assert len(seen) < 3
    assert ended.tournament.running_standings.is_disqualified(0)
    assert all(number < 4 for number in seen)
    assert ended.tournament.progress.rounds_begun == 3


def test_a_tournament_is_decided(tmp_path: Path) -> None:
    """A tournament that is decided ends long before its schedule, and says why.

    The store says why too, and a second run plays nothing and says the same.
    """
    bots = [zoo_entrant("exits_with_3", "loser"), zoo_entrant("good", "winner")]
    rules = StopRules(bot="winner", better_than="loser")
    made = make_plan(tmp_path / "x.pitboss", *bots, deals=500, stop=rules)

    ended = play_tournament(made)
    again = play_tournament(made)

    assert ended.tournament.stop_reason is not None
    assert ended.tournament.stop_reason.startswith("winner is better than loser, proven at 95 % by ")
    assert not ended.tournament.was_stopped
    assert len(ended.games) < 100
    assert (again.tournament.stop_reason, len(again.games)) == (ended.tournament.stop_reason, len(ended.games))
    assert Store(made.store).end_reason() == ended.tournament.stop_reason


@pytest.mark.long
def test_a_tournament_that_was_decided_may_be_carried_on(tmp_path: Path) -> None:
    """A tournament that was decided plays what is left if it is carried on without its rule."""
    bots = [zoo_entrant("exits_with_3", "loser"), zoo_entrant("good", "winner")]
    made = make_plan(tmp_path / "x.pitboss", *bots, deals=20, stop=StopRules(bot="winner", better_than="loser"))
    decided = play_tournament(made)

    whole = play_tournament(replace(made, stop=None))

    assert len(decided.games) < len(whole.games) == 40
    assert whole.tournament.stop_reason is None


def make_swiss() -> tuple[Dispatcher, Rounds]:
    """Return the desk of a Swiss on paper: four bots, one deal a table."""
    course = begin_rounds(make_random_plan("swiss", 4, 2, 1, {"rounds": 2}))
    return Dispatcher(course, Tally([f"b{number}" for number in range(4)], 2, 10), GameNumbers()), course


def play_on_paper(handed: Assignment, course: Rounds) -> None:
    """End the games of an assignment in a draw."""
    for slot in handed.games:
        assert handed.finish(slot.game_id)
        course.add_result(draw_result(slot))


async def test_an_idle_worker_waits_for_the_next_round() -> None:
    """An idle worker is handed nothing of the next round while a game of this one is on a table. When the last one is
    left, everybody who waits is given a sitting.
    """
    desk, course = make_swiss()
    first = [await desk.next_assignment(is_idle=True) for _ in range(4)]
    found: list[Assignment | None] = []

    async def wait() -> None:
        found.append(await desk.next_assignment(is_idle=True))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        nursery.start_soon(wait)
        for handed in first:
            assert handed is not None
            await trio.testing.wait_all_tasks_blocked()
            assert found == []
            assert await desk.next_assignment(is_idle=False) is None
            play_on_paper(handed, course)
            desk.end_assignment(handed)
    assert [handed.games[0].game_id >= 4 for handed in found if handed] == [True, True]


async def test_the_desk_is_closed() -> None:
    """A worker that waits for the next round when the desk is closed learns that there is nothing more."""
    desk, _ = make_swiss()
    for _ in range(4):
        await desk.next_assignment(is_idle=True)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.next_assignment, True)
        await trio.testing.wait_all_tasks_blocked()
        desk.close()

    assert await desk.next_assignment(is_idle=True) is None


async def test_a_worker_dies_in_the_last_game_of_a_round() -> None:
    """A round in whose last game a worker dies is not over: who waits is given the game that came back, and the next
    round comes after it.
    """
    desk, course = make_swiss()
    *done, lost = [await desk.next_assignment(is_idle=True) for _ in range(4)]
    assert lost is not None
    for handed in done:
        assert handed is not None
        play_on_paper(handed, course)
        desk.end_assignment(handed)

    desk.take_back([lost], have_begun=True)
    again = await desk.next_assignment(is_idle=True)

    assert again is not None
    assert (again.games, again.is_alone) == (lost.games, True)
    assert course.rounds_begun == 1


def test_numbers_of_rounds_by_game() -> None:
    """Each stored game has the round that the format played it in; games of a format that is unknown here have none."""
    made = make_random_plan("swiss", 4, 2, 1, {"rounds": 3})
    _, slots = play_drawn(made)
    store = GamesInMemory(make_header(made, "1", "0"), [draw_result(slot) for slot in slots])
    unknown = replace(store.header, format=replace(store.header.format, name="nowhere"))

    assert list(number_rounds(store)) == [number for number in (1, 2, 3) for _ in range(4)]
    assert list(islice(number_rounds(GamesInMemory(unknown, store.games)), 2)) == [None, None]
