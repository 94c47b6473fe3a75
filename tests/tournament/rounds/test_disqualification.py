"""A bot that goes out of a round-robin: what it does to shares of wins and ratings of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.running.dispatcher import Assignment, Dispatcher
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import make_header
from tests.synthetic_tournaments import game_result
from tests.tournament.small_tournaments import make_plan

FORFEITER: Final = 0
OTHERS: Final = {"first": 40, "second": 40, "third": 40}  # the blocks that they have among themselves


def make_round_robin(tmp_path: Path) -> Plan:
    """Return a plan of four bots at tables of two, 20 deals each; who has forfeited ten games is out."""
    bots = (Entrant(name=name, command=(name,)) for name in ("forfeiter", "first", "second", "third"))
    return make_plan(tmp_path / "x", *bots, deals=20, faults=FaultRules(disqualify_after=10))


def play_scheduled(game: ScheduledGame) -> GameResult:
    """Return a game that is won from seat 0 in even deals, from seat 1 in odd ones, so that blocks of equal bots are
    level; one bot forfeits instead.
    """
    points = [
        float("-inf") if entrant == FORFEITER else -float((seat + game.deal) % 2)
        for seat, entrant in enumerate(game.entrants)
    ]
    result = game_result(game.pairing, game.deal, game.rotation, game.entrants, points)
    seats = (
        replace(seat, points=max(seat.points, -1.0), fault="late" if seat.entrant == FORFEITER else None)
        for seat in result.seats
    )
    return replace(result, game_id=game.game_id, seats=tuple(seats))


def play_round_robin(plan: Plan, tables: int) -> Findings:
    """Return the standings of a tournament of which so many tables play at once, in step."""
    progress, counts = begin_rounds(plan), Counts(make_header(plan, "1", "0"))
    dispatcher = Dispatcher(progress, counts.tally, GameNumbers())
    open_assignments: list[Assignment] = []
    while True:
        while len(open_assignments) < tables and (new := trio.run(dispatcher.next_assignment, True)) is not None:
            open_assignments.append(new)
        if not open_assignments:
            return Findings(counts)
        for assignment in open_assignments:
            game = assignment.remaining[0]
            if not counts.tally.list_disqualified().isdisjoint(game.entrants):
                assignment.remaining.clear()
                continue
            counts.add(play_scheduled(game))
            assignment.finish(game.game_id)
        open_assignments = [assignment for assignment in open_assignments if assignment.remaining]


def test_a_bot_that_met_it_has_the_greater_share_of_wins(tmp_path: Path) -> None:
    """A bot of three equal ones that met the forfeiter in five complete blocks has 55.6 % of wins and not 50, but the
    same rating, as near as the prior lets it.
    """
    standings = play_round_robin(make_round_robin(tmp_path), tables=2)

    lines = {line.name: line for line in standings.standings}
    assert {name: line.blocks for name, line in lines.items()} == {**OTHERS, "forfeiter": 5, "first": 45}
    assert [lines[name].wins.mean for name in OTHERS] == [pytest.approx(25 / 45), 0.5, 0.5]
    assert [lines[name].is_out for name in OTHERS] == [False] * 3
    assert abs(standings.ratings.difference(1, 2).mean or 0) < 2


def test_forfeits_in_incomplete_blocks_are_nobodys_wins(tmp_path: Path) -> None:
    """Forfeits in incomplete blocks are counted as games, faults and in ratings, not in points and wins. At one table
    at a time all ten are of the first rotation; how many blocks are complete depends on how many tables play at once.
    """
    standings = play_round_robin(make_round_robin(tmp_path), tables=1)

    lines = {line.name: line for line in standings.standings}
    assert {name: lines[name].blocks for name in OTHERS} == OTHERS
    assert [lines[name].wins.mean for name in OTHERS] == [0.5] * 3
    assert (lines["first"].games, lines["second"].games) == (90, 80)
    forfeiter = lines["forfeiter"]
    assert (forfeiter.games, forfeiter.faults, forfeiter.wins.mean) == (10, {"late": 10}, None)
    assert standings.ratings.rating_of(FORFEITER).bound == "at most"


def test_a_leader_that_goes_out_keeps_its_place_on_the_board(tmp_path: Path) -> None:
    """A leader that goes out keeps its place in standings, which go by what was played, and has no rank; only formats
    that rank put it behind all others.
    """
    plan = make_round_robin(tmp_path)
    counts = Counts(make_header(plan, "1", "0"))
    for number in range(50):
        first, second = (1, 0) if number % 2 else (0, 1)
        is_won = number < 40
        points = [float((entrant == 0) == is_won) for entrant in (first, second)]
        result = game_result(0, number // 2, number % 2, (first, second), points)
        fault = None if is_won else "late"
        seats = (replace(seat, fault=fault if seat.entrant == 0 else None) for seat in result.seats)
        counts.add(replace(result, seats=tuple(seats)))

    found = Findings(counts)
    first_line = found.standings[0]
    assert (first_line.name, first_line.is_out) == ("forfeiter", True)
    assert first_line.wins.mean == pytest.approx(0.8)
    assert 0 not in found.rank_confidence.order
